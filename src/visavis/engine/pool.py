"""Worker processes, shared by matches, studies and the server.

A terminal's Ctrl-C goes to the parent, never to the workers. Each of them leads a
process group of its own, which ends as one: no program that a worker has started outlives the
worker, and no worker outlives its parent, however that ended.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final, ParamSpec, TypeVar

from visavis.engine.native import Stop

P = ParamSpec("P")
T = TypeVar("T")

NICENESS: Final = 19

WorkerDied = BrokenProcessPool
"""A worker was killed in the middle of its work; raised by the futures of a pool."""


class Pool:
    """A few worker processes, started as work comes in. Use it from one thread.

    When a worker dies, what was being done fails with `WorkerDied`, and the next work is given to
    new ones. A ``nice`` pool takes only the time that nobody else wants.
    """

    def __init__(self, size: int, *, nice: bool = False) -> None:
        self.size = size
        self._nice = nice
        self._numbers = itertools.count(1)
        self._begun: dict[Future[Any], int] = {}
        self._executor: ProcessPoolExecutor | None = None
        self._stops: Connection | None = None
        """Where a worker that is alone is told which work is not wanted any longer."""
        self._workers: set[int] = set()

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let one of the workers do something."""
        number = next(self._numbers)
        task = partial(_attend, number, partial(work, *args, **kwargs))
        # A process that starts has the signal held back until it knows what to do with it.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            try:
                future = self._open().submit(task)
            except WorkerDied:
                self.stop()
                future = self._open().submit(task)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        assert self._executor is not None
        self._workers.update(self._executor._processes)
        self._begun[future] = number
        future.add_done_callback(lambda done: self._begun.pop(done, None))
        return future

    def abandon(self, future: Future[Any]) -> None:
        """Say that nobody waits for some work any longer.

        It is not begun, or, by a worker that is alone, stopped if it looks at its `stop_flag`.
        """
        number = self._begun.get(future)
        if not future.cancel() and number is not None and self._stops is not None:
            with contextlib.suppress(OSError):  # the worker has gone
                self._stops.send(number)

    def finish(self, *, wait: bool = True) -> None:
        """Let the workers end when all work is done; by default wait for that."""
        if self._executor is not None:
            self._executor.shutdown(wait)
            self._executor = None
        self._workers.clear()

    def stop(self) -> None:
        """End the workers in the middle of whatever they do, and the programs they started."""
        processes = [] if self._executor is None else list(self._executor._processes.values())
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None
        for worker in self._workers:
            with contextlib.suppress(ProcessLookupError):  # it has not got so far, or has ended
                os.killpg(worker, signal.SIGKILL)
        self._workers.clear()
        for process in processes:
            process.kill()
        for process in processes:
            process.join()

    def _open(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            heard, self._stops = context.Pipe(duplex=False) if self.size == 1 else (None, None)
            arguments = (self._nice, heard)
            self._executor = ProcessPoolExecutor(self.size, context, _begin, arguments)
        return self._executor


@contextmanager
def workers(size: int) -> Iterator[Pool]:
    """Give a pool, which ends with the block: at once if it is left by an exception.

    Raises ChildProcessError if a worker is killed.
    """
    pool = Pool(size)
    try:
        yield pool
    except WorkerDied:
        pool.stop()
        why = "a process that did the work was killed; was there memory enough?"
        raise ChildProcessError(errno.ECHILD, why) from None
    except BaseException:
        pool.stop()
        raise
    pool.finish()


# -- In a worker -----------------------------------------------------------------------------------


class _Work:
    """The work before a worker, and later work that is known not to be wanted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._unwanted: set[int] = set()
        self.stop = Stop()

    def begin(self, number: int) -> None:
        with self._lock:
            self._number, self.stop = number, Stop()
            if number in self._unwanted:
                self.stop.set()
            self._unwanted = {later for later in self._unwanted if later > number}

    def give_up(self, number: int) -> None:
        with self._lock:
            if number == self._number:
                self.stop.set()
            elif number > self._number:
                self._unwanted.add(number)


_work = _Work()


def stop_flag() -> Stop:
    """Return the flag that is set when nobody waits any longer for what this worker does."""
    return _work.stop


def _attend(number: int, work: Callable[[], T]) -> T:
    """Do some work; numbers go up."""
    _work.begin(number)
    return work()


def _begin(nice: bool, stops: Connection | None) -> None:
    """Become a worker."""
    os.setpgid(0, 0)
    # Not SIG_IGN, which programs that the worker starts would inherit.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if stops is not None:
        threading.Thread(target=_hear_stops, args=(stops,), daemon=True).start()
    if nice:
        os.nice(NICENESS)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker is started by somebody"
    parent.join()
    os.killpg(0, signal.SIGKILL)


def _hear_stops(stops: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            _work.give_up(stops.recv())

"""Processes that share work. Ctrl-C is for whoever gave them the work, and ends them all."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """A few processes, started as work comes in."""

    def __init__(self, jobs: int) -> None:
        self._pool = ProcessPoolExecutor(jobs, get_context("spawn"), _settle_in)

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let one of the processes do something."""
        # A process that starts has the signal held back until it knows what to do with it.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self._pool.submit(work, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)

    def finish(self) -> None:
        """Wait until all work is done."""
        self._pool.shutdown()

    def stop(self) -> None:
        """End the processes in the middle of whatever they do, and the programs they started."""
        processes = list(self._pool._processes.values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            if process.pid is not None:
                with contextlib.suppress(ProcessLookupError):  # it has not settled in yet
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
        for process in processes:
            process.join()


def _settle_in() -> None:
    # A group of its own, which ends as one: a terminal's Ctrl-C must not end a program in the
    # middle of its game, and no program may outlive the worker that it plays for.
    os.setpgid(0, 0)
    # Not SIG_IGN, which programs that the process starts would inherit.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    """End when whoever gave the work is gone, however it went."""
    giver = parent_process()
    assert giver is not None, "a worker is started by somebody"
    giver.join()
    os.killpg(0, signal.SIGKILL)


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """Give so many processes, which end with the block: at once if it is left by an exception.

    Raises ChildProcessError if one of them is killed.
    """
    pool = Workers(jobs)
    try:
        yield pool
    except BrokenProcessPool:
        pool.stop()
        why = "a process that did the work was killed; was there memory enough?"
        raise ChildProcessError(errno.ECHILD, why) from None
    except BaseException:
        pool.stop()
        raise
    pool.finish()

"""Processes that share work. Ctrl-C is for whoever gave them the work, and ends them all."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """A few processes, started as work comes in."""

    def __init__(self, jobs: int) -> None:
        self._pool = ProcessPoolExecutor(jobs, get_context("spawn"), _hear_no_interrupts)

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
        """End the processes in the middle of whatever they do."""
        processes = list(self._pool._processes.values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def _hear_no_interrupts() -> None:
    # Not SIG_IGN, which programs that the process starts would inherit.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """Give so many processes, which end with the block: at once if it is left by an exception."""
    pool = Workers(jobs)
    try:
        yield pool
    except BaseException:
        pool.stop()
        raise
    pool.finish()

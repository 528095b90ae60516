"""A crew: a few worker processes, and those who wait for one of them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Final, TypeVar

from visavis.server import worker
from visavis.server.errors import Refusal
from visavis.server.turns import Turns

T = TypeVar("T")
Asked = TypeVar("Asked")

TRIES: Final = 3
"""So often something is asked before it is given up."""
NOBODY: Final = ""
"""Who asks where nobody does: a computer's own moves."""


class Crew:
    """Worker processes, started when they are first needed.

    A worker that dies is replaced, and what it had before it is asked again; ``on_retry`` hears of
    it. A worker that is alone is told which questions nobody waits for any longer.
    """

    def __init__(
        self,
        size: int,
        on_retry: Callable[[], None],
        *,
        nice: bool = False,
        most: int = 0,
        most_each: int = 0,
    ) -> None:
        self.size = size
        self.waiting = 0
        """How many questions have no answer yet."""
        self._on_retry = on_retry
        self._nice = nice
        self._turns = Turns(size, most, most_each)
        self._numbers = itertools.count(1)
        self._tasks: set[asyncio.Task[object]] = set()
        self._pool: ProcessPoolExecutor | None = None
        self._stops: Connection | None = None
        """Where the worker is told which question to stop thinking about."""

    async def ask(
        self, work: Callable[[Asked], T], make: Callable[[], Asked], client: str = NOBODY
    ) -> T:
        """Return what some work makes of a question, which is put when a worker is free for it.

        Who is cancelled waits no longer, and nobody thinks about it.
        """
        self.waiting += 1
        try:
            await self._turns.take(client)
        except BaseException:
            self.waiting -= 1
            raise
        number = next(self._numbers)
        answering = asyncio.create_task(self._answer(number, work, make))
        self._tasks.add(answering)
        answering.add_done_callback(self._answered)
        try:
            return await asyncio.shield(answering)
        finally:
            if not answering.done():
                self._stop(number)

    async def _answer(
        self, number: int, work: Callable[[Asked], T], make: Callable[[], Asked]
    ) -> T:
        loop, asked = asyncio.get_running_loop(), make()
        for _ in range(TRIES):
            pool = self._open()
            try:
                return await loop.run_in_executor(pool, worker.attend, number, work, asked)
            except BrokenProcessPool:
                self._on_retry()
                if pool is self._pool:
                    self._pool = None
        raise Refusal("busy", "the engine does not answer")

    def _answered(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        self.waiting -= 1
        self._turns.give_back()
        if not task.cancelled():
            task.exception()  # of what nobody waits for, nobody wants to know

    def _stop(self, number: int) -> None:
        if self._stops is not None:
            with contextlib.suppress(OSError):  # the worker has gone
                self._stops.send(number)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            heard, self._stops = context.Pipe(duplex=False) if self.size == 1 else (None, None)
            settle_in = (self._nice, heard)
            self._pool = ProcessPoolExecutor(self.size, context, worker.settle_in, settle_in)
        return self._pool

    def kill(self) -> None:
        """End the workers in the middle of whatever they do; others take their place."""
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.terminate()

    def close(self) -> None:
        """End the workers."""
        self.kill()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

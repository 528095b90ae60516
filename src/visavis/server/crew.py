"""A crew: a few worker processes, and those who wait for one of them."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from visavis.server.errors import Refusal

T = TypeVar("T")
Asked = TypeVar("Asked")

TRIES: Final = 3
"""So often something is asked before it is given up."""


class Crew:
    """Worker processes, started when they are first needed.

    A worker that dies is replaced, and what it had before it is asked again; ``on_retry`` hears of
    it. ``settle_in`` is run in each worker before anything else.
    """

    def __init__(
        self, size: int, settle_in: Callable[[], None], on_retry: Callable[[], None]
    ) -> None:
        self.size = size
        self.waiting = 0
        """How many questions have no answer yet."""
        self._settle_in = settle_in
        self._on_retry = on_retry
        self._free = asyncio.Semaphore(size)
        self._pool: ProcessPoolExecutor | None = None

    async def ask(self, work: Callable[[Asked], T], make: Callable[[], Asked]) -> T:
        """Return what some work makes of a question, which is put when a worker is free for it."""
        self.waiting += 1
        try:
            async with self._free:
                return await self._try(work, make())
        finally:
            self.waiting -= 1

    async def _try(self, work: Callable[[Asked], T], asked: Asked) -> T:
        for _ in range(TRIES):
            pool = self._open()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, work, asked)
            except BrokenProcessPool:
                self._on_retry()
                if pool is self._pool:
                    self._pool = None
        raise Refusal("busy", "the engine does not answer")

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.size, context, self._settle_in)
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

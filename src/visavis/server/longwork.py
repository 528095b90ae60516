"""Work that would hold up the event loop: done beside it, in small pieces, each client in turn."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from visavis.server.budget import Budget
from visavis.server.turns import Turns

T = TypeVar("T")

SHORT: Final = 200
"""A match with more entries than this is long."""
A_LITTLE: Final = 0.1
"""Seconds of work done for a client before the first pause."""


class LongWork:
    """One thread that does one piece of work at a time, charged to the client that asked.

    The thread takes time from the event loop, for there is one interpreter. So what is more than a
    little goes on for a part of the time only, for each client: ``pace``; 0 is no limit.
    """

    def __init__(
        self,
        budget: Budget,
        pace: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._budget = budget
        self._pace = Budget(pace, A_LITTLE, clock)
        self._sleep = sleep
        self._turns = Turns(1)
        self._clients: dict[str, _Queue] = {}
        self._thread = ThreadPoolExecutor(1, "visavis-work")

    @property
    def busy(self) -> bool:
        """Whether anything is being done, or waits to be."""
        return bool(self._clients)

    async def run(self, client: str, work: Callable[[], T]) -> T:
        """Do a piece of work; however much a client has to be done, others come in between."""
        async with self._queue(client), self._turn(client):
            loop = asyncio.get_running_loop()
            result, seconds = await loop.run_in_executor(self._thread, _timed, work)
        self._budget.charge(client, seconds)
        self._pace.charge(client, seconds)
        return result

    @contextlib.asynccontextmanager
    async def _queue(self, client: str) -> AsyncIterator[None]:
        """Wait until the client has had its other pieces done, and a pause behind the last."""
        queue = self._clients.setdefault(client, _Queue())
        queue.waiting += 1
        try:
            async with queue.lock:
                while wait := self._pace.wait(client):
                    await self._sleep(wait)
                yield
        finally:
            queue.waiting -= 1
            if not queue.waiting:
                del self._clients[client]

    @contextlib.asynccontextmanager
    async def _turn(self, client: str) -> AsyncIterator[None]:
        await self._turns.take(client)
        try:
            yield
        finally:
            self._turns.give_back()

    async def aside(self, entries: int, client: str, work: Callable[[], T]) -> T:
        """Do work that grows with a match: on the loop if that is short, which is sooner done."""
        return work() if entries <= SHORT else await self.run(client, work)

    async def close(self) -> None:
        """Finish the piece that is being done."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)


class _Queue:
    """Those who wait for a piece of one client's work."""

    __slots__ = ("lock", "waiting")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.thread_time()
    return work(), time.thread_time() - began

"""Group commit: what arrives within a few milliseconds shares one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class GroupCommit(Generic[Item]):
    """Collects items and commits them together, one transaction at a time.

    ``commit`` gets all that has come in, and says of each what went wrong, or None.
    """

    def __init__(
        self, commit: Callable[[Sequence[Item]], Awaitable[list[Exception | None]]], window: float
    ) -> None:
        self._commit = commit
        self._window = window
        self._items: list[tuple[Item, asyncio.Future[None]]] = []
        self._running: asyncio.Task[None] | None = None
        self.commits = 0

    @property
    def waiting(self) -> int:
        """How many items wait for a transaction."""
        return len(self._items)

    async def add(self, item: Item) -> None:
        """Return when the item is through, or raise what went wrong."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._items.append((item, future))
        if self._running is None:
            self._running = loop.create_task(self._run())
        await future

    async def close(self) -> None:
        """Wait until everything is through."""
        while self._running is not None:
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        try:
            while self._items:
                await asyncio.sleep(self._window)
                batch, self._items = self._items, []
                await self._settle(batch)
        finally:
            self._running = None

    async def _settle(self, batch: list[tuple[Item, asyncio.Future[None]]]) -> None:
        self.commits += 1
        try:
            results = await self._commit([item for item, _ in batch])
        except Exception as error:  # whatever the database says, those who wait must hear of it
            results = [error] * len(batch)
        for (_, future), result in zip(batch, results, strict=True):
            if future.done():
                continue
            if result is None:
                future.set_result(None)
            else:
                future.set_exception(result)

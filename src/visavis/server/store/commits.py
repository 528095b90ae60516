"""Group commit: what arrives within a few milliseconds shares one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class GroupCommit(Generic[Item]):
    """Collects items and commits them together, one transaction at a time.

    ``commit`` gets all that has come in, and says of each whether it went through.
    """

    def __init__(
        self, commit: Callable[[Sequence[Item]], Awaitable[list[bool]]], window: float
    ) -> None:
        self._commit = commit
        self._window = window
        self._items: list[tuple[Item, asyncio.Future[bool]]] = []
        self._running: asyncio.Task[None] | None = None
        self.commits = 0

    @property
    def waiting(self) -> int:
        """How many items wait for a transaction."""
        return len(self._items)

    async def add(self, item: Item) -> bool:
        """Return whether the item went through, once that is certain."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        self._items.append((item, future))
        if self._running is None:
            self._running = loop.create_task(self._run())
        return await future

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

    async def _settle(self, batch: list[tuple[Item, asyncio.Future[bool]]]) -> None:
        self.commits += 1
        try:
            results = await self._commit([item for item, _ in batch])
        except Exception as error:  # whatever the database says, those who wait must hear of it
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)

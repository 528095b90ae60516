"""A cache that is bounded in bytes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """A least-recently-used cache, bounded in bytes.

    >>> cache = Cache[str, str](10)
    >>> for key in "abc":
    ...     cache.put(key, key * 4, 4)
    >>> cache.get("a"), cache.get("b"), cache.size
    (None, 'bbbb', 8)
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._under_way: dict[object, asyncio.Task[V]] = {}
        self.size = 0
        """How many bytes are kept."""

    def get(self, key: K) -> V | None:
        """Return what is kept under a key."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return kept[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Keep something, and let go of what nobody has asked for for longest."""
        _, before = self._kept.pop(key, (None, 0))
        self._kept[key] = (value, size)
        self.size += size - before
        while self.size > self._limit:
            _, (_, old) = self._kept.popitem(last=False)
            self.size -= old

    async def once(self, key: object, work: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Do some work once for all who ask for it at the same time; who leaves does not end it."""
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(work())
            task.add_done_callback(lambda done: self._finished(key, done))
        return await asyncio.shield(task)

    def _finished(self, key: object, task: asyncio.Task[V]) -> None:
        del self._under_way[key]
        if not task.cancelled():
            task.exception()  # who waits for it hears of it

"""Fan-out: who watches what, and queues that never let a slow reader hold up the others."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Final

from visavis.rules.protocol import Viewer
from visavis.server.table import Table
from visavis.server.telling import Told

RECENT: Final = 8
"""So many updates of a match are kept at hand for those who come back."""


class Outbox:
    """What waits to be sent to one reader. A reader that falls too far behind is dropped."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._texts: list[str] = []
        self._size = 0
        """Of all that is not sent yet, taken or not."""
        self._taken = 0
        self._news = asyncio.Event()
        self._sent = asyncio.Event()
        self._dropped = asyncio.Event()

    @property
    def is_dropped(self) -> bool:
        """Whether the reader was given up."""
        return self._dropped.is_set()

    async def dropped(self) -> None:
        """Return when the reader is given up."""
        await self._dropped.wait()

    def push(self, text: str) -> None:
        """Put a message in the queue. One that finds it empty may be of any size."""
        if self._size and self._size + len(text) > self._limit:
            self.drop()
        if not self.is_dropped:
            self._size += len(text)
            self._texts.append(text)
            self._news.set()

    async def room(self) -> None:
        """Return when half of the queue is free: for those who have a great deal to send."""
        while self._size * 2 > self._limit and not self.is_dropped:
            self._sent.clear()
            await self._sent.wait()

    def drop(self) -> None:
        """Give the reader up."""
        self._dropped.set()
        self._texts.clear()
        self._news.set()
        self._sent.set()

    async def take(self) -> list[str]:
        """Return what is to be sent, once there is something; nothing if the reader is dropped.

        Whoever takes more has sent what was taken before.
        """
        self._size -= self._taken
        self._sent.set()
        await self._news.wait()
        self._news.clear()
        self._taken = self._size
        texts, self._texts = self._texts, []
        return texts

    async def texts(self) -> AsyncIterator[str]:
        """Return what is to be sent, one by one, for as long as the reader is not dropped."""
        while texts := await self.take():
            for text in texts:
                yield text


class Live:
    """A match in memory: the table as it was last committed, and who watches it."""

    def __init__(self, id: str, on_audience: Callable[[Live], None]) -> None:
        self.id = id
        self._on_audience = on_audience
        self.lock = asyncio.Lock()
        self.recent: deque[Told] = deque(maxlen=RECENT)
        self.timer: asyncio.TimerHandle | None = None
        self.wake: int | None = None
        """When somebody should look at the match, by its table as it is."""
        self.thinks_at = 0
        """The entry after which a computer here was set to think."""
        self._table: Table | None = None
        self._watchers: dict[tuple[Viewer, bool], set[Outbox]] = {}

    @property
    def table(self) -> Table:
        """The table."""
        assert self._table is not None, "a match is loaded before it is used"
        return self._table

    @property
    def is_loaded(self) -> bool:
        """Whether the table is there."""
        return self._table is not None

    @property
    def watchers(self) -> int:
        """How many watch."""
        return sum(map(len, self._watchers.values()))

    @property
    def spectators(self) -> int:
        """How many watch without a seat."""
        return sum(len(self._watchers.get((None, legal), ())) for legal in (True, False))

    def watch(self, outbox: Outbox, viewer: Viewer, *, legal: bool) -> None:
        """Let a reader follow the match as a viewer."""
        self.unwatch(outbox, viewer)
        self._watchers.setdefault((viewer, legal), set()).add(outbox)
        if viewer is None:
            self._on_audience(self)

    def unwatch(self, outbox: Outbox, viewer: Viewer) -> None:
        """Let a reader follow no longer."""
        for legal in (True, False):
            readers = self._watchers.get((viewer, legal))
            if readers is not None:
                readers.discard(outbox)
                if not readers:
                    del self._watchers[viewer, legal]
                if viewer is None:
                    self._on_audience(self)

    def adopt(self, told: Told) -> None:
        """Go on to a table that is committed, and tell everybody who watches."""
        self._table = told.table
        self.recent.append(told)
        for (viewer, legal), readers in self._watchers.items():
            text = told.text(viewer, legal=legal)
            for reader in readers:
                reader.push(text)

    def tell(self, text: str) -> None:
        """Tell everybody who watches what is no entry of the log."""
        for readers in self._watchers.values():
            for reader in readers:
                reader.push(text)

    def missed(self, seen: int) -> list[Told] | None:
        """Return what came after a number, if all of it is at hand."""
        if seen >= self.table.seq:
            return []
        if not self.recent or self.recent[0].table.seq > seen + 1:
            return None
        return [told for told in self.recent if told.table.seq > seen]

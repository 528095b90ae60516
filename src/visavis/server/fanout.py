"""Fan-out: who watches what, and queues that never let a slow reader hold up the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from visavis.rules.protocol import Seat, Viewer
from visavis.server.errors import Refusal
from visavis.server.hosted_match import HostedMatch
from visavis.server.timeline import Timeline
from visavis.server.updates import Change


class Share:
    """What waits for all readers of one client together, of messages that no queue has room for."""

    __slots__ = ("limit", "readers", "size")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self.readers = 0


class Outbox:
    """What waits to be sent to one reader. A reader that falls too far behind is dropped.

    A message that finds the queue empty may be longer than the queue: then it counts against what
    the readers of the client share.
    """

    def __init__(self, limit: int, share: Share | None = None) -> None:
        self._limit = limit
        self._share = share or Share(limit)
        self._shared = 0
        """What is waiting here of what is shared."""
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
        """Put a message in the queue."""
        if self._size + len(text) > self._limit and not self._takes_long(text):
            self.drop()
        if not self.is_dropped:
            self._size += len(text)
            self._texts.append(text)
            self._news.set()

    def _takes_long(self, text: str) -> bool:
        """Take a message that is longer than the queue, if there is nothing else."""
        share = self._share
        if self._size or self.is_dropped or share.size + len(text) > share.limit:
            return False
        self._shared = len(text)
        share.size += self._shared
        return True

    def _release(self) -> None:
        self._share.size -= self._shared
        self._shared = 0

    @property
    def has_room(self) -> bool:
        """Whether half of the queue is free, or nobody is there who would read it."""
        return self._size * 2 <= self._limit or self.is_dropped

    async def room(self) -> None:
        """Return when there is room: for those who have a great deal to send."""
        while not self.has_room:
            self._sent.clear()
            await self._sent.wait()

    def drop(self) -> None:
        """Give the reader up."""
        self._release()
        self._dropped.set()
        self._texts.clear()
        self._news.set()
        self._sent.set()

    async def take(self) -> list[str]:
        """Return what is to be sent, once there is something; nothing if the reader is dropped.

        A caller that takes more has sent what it took before.
        """
        self._size -= self._taken
        if not self._size:
            self._release()
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


class CachedMatch:
    """A match in memory: as it was last committed, and who watches it."""

    def __init__(
        self,
        id: str,
        on_audience: Callable[[CachedMatch], None],
        on_seat: Callable[[CachedMatch, Seat], None],
        most_watchers: int,
    ) -> None:
        self.id = id
        self._most_watchers = most_watchers
        self._on_audience = on_audience
        self._on_seat = on_seat
        self.lock = asyncio.Lock()
        self.timeline = Timeline()
        self.timer: asyncio.TimerHandle | None = None
        self.wake: int | None = None
        """When somebody should look at the match, as it is now."""
        self.thinks_at = 0
        """The entry after which a computer here was set to think."""
        self._watchers: dict[tuple[Viewer, bool], set[Outbox]] = {}

    @property
    def hosted(self) -> HostedMatch:
        """The match as it was last committed."""
        hosted = self.timeline.hosted
        assert hosted is not None, "a match is loaded before it is used"
        return hosted

    @property
    def is_loaded(self) -> bool:
        """Whether the match is there."""
        return self.timeline.hosted is not None

    def cancel_timer(self) -> None:
        """Wake nobody up."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def has(self, number: int) -> bool:
        """Whether an entry is known here."""
        return self.is_loaded and self.hosted.seq >= number

    @property
    def watchers(self) -> int:
        """How many watch."""
        return sum(map(len, self._watchers.values()))

    @property
    def spectators(self) -> int:
        """How many watch without a seat."""
        return sum(len(self._watchers.get((None, legal), ())) for legal in (True, False))

    def has_seat(self, seat: Seat) -> bool:
        """Whether somebody follows with a seat's secret."""
        return (seat, True) in self._watchers or (seat, False) in self._watchers

    def check_room(self, viewer: Viewer) -> None:
        """Refuse one more spectator where many watch; players always have a place."""
        if viewer is None and self.watchers >= self._most_watchers:
            raise Refusal("too_many", "too many watch this match")

    def watch(self, outbox: Outbox, viewer: Viewer, *, legal: bool) -> None:
        """Let a reader follow the match as a viewer, or refuse if too many do."""
        self._remove(outbox, viewer)
        self.check_room(viewer)
        self._watchers.setdefault((viewer, legal), set()).add(outbox)
        self._note(viewer)

    def unwatch(self, outbox: Outbox, viewer: Viewer) -> None:
        """Let a reader follow no longer."""
        self._remove(outbox, viewer)
        self._note(viewer)

    def _note(self, viewer: Viewer) -> None:
        if viewer is None:
            self._on_audience(self)
        else:
            self._on_seat(self, viewer)

    def _remove(self, outbox: Outbox, viewer: Viewer) -> None:
        for legal in (True, False):
            readers = self._watchers.get((viewer, legal))
            if readers is not None:
                readers.discard(outbox)
                if not readers:
                    del self._watchers[viewer, legal]

    def adopt(self, change: Change) -> None:
        """Go on to a match that is committed, and tell everybody who watches."""
        self.timeline.note(change)
        for (viewer, legal), readers in self._watchers.items():
            text = change.text(viewer, legal=legal)
            for reader in readers:
                reader.push(text)

    def tell(self, text: str) -> None:
        """Tell everybody who watches what is no entry of the log."""
        for readers in self._watchers.values():
            for reader in readers:
                reader.push(text)

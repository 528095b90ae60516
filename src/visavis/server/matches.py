"""The cache of matches: those that this process holds in memory, each as it was last committed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from itertools import islice
from typing import Final

from visavis.server.budget import NOBODY
from visavis.server.errors import refusal
from visavis.server.fanout import CachedMatch
from visavis.server.history import History
from visavis.server.hosted_match import HostedMatch
from visavis.server.positions import Positions
from visavis.server.presence import Presence
from visavis.server.settings import Settings
from visavis.server.store import Store
from visavis.server.timeline import CHUNK
from visavis.server.updates import Change
from visavis.session.errors import OtherRules

BATCH: Final = 500
"""How many matches are examined per eviction, beyond the number to evict."""


class Matches:
    """The matches in memory; others are read from their logs when they are asked for."""

    def __init__(
        self,
        store: Store,
        history: History,
        presence: Presence,
        positions: Positions,
        settings: Settings,
    ) -> None:
        self._store = store
        self._history = history
        self._presence = presence
        self._positions = positions
        self._most = settings.matches_in_memory
        self._most_watchers = settings.watchers_per_match
        self._cached: OrderedDict[str, CachedMatch] = OrderedDict()
        self.audiences: set[CachedMatch] = set()
        """Matches of which the number of spectators may have changed since it was told."""
        self.is_alone = True
        """Whether no other process was up when this one began."""
        self.on_change: Callable[[HostedMatch], None] = lambda _: None
        """Called when a match has opened, begun or ended, here or in another process."""
        self.on_step: Callable[[CachedMatch, bool], None] = lambda *_: None
        """Called when a match was read or has gone on, and with whether it did so here."""

    @property
    def by_id(self) -> OrderedDict[str, CachedMatch]:
        """The matches in memory."""
        return self._cached

    @property
    def all(self) -> Collection[CachedMatch]:
        """The matches in memory."""
        return self._cached.values()

    async def get(self, id: str, client: str = NOBODY) -> CachedMatch:
        """Return a match, from memory or from its log; or refuse with ``unknown_match``.

        What it takes to read the log is charged to the client.
        """
        while True:
            cached = self._cached.get(id)
            if cached is None:
                cached = self._cached[id] = self._new(id)
            self._cached.move_to_end(id)
            if cached.is_loaded:
                return cached
            async with cached.lock:
                # Another task may have loaded it meanwhile, or failed to and dropped it.
                if self._cached.get(id) is cached and not cached.is_loaded:
                    await self._load(cached, client)

    def _new(self, id: str) -> CachedMatch:
        return CachedMatch(id, self.audiences.add, self._presence.note, self._most_watchers)

    async def _load(self, cached: CachedMatch, client: str) -> None:
        try:
            cached.timeline = await self._history.load(cached.id, client)
        except OtherRules as error:
            self._cached.pop(cached.id, None)
            raise refusal(error) from None
        except BaseException:
            self._cached.pop(cached.id, None)
            raise
        self._step(cached, is_own=self.is_alone)

    async def refresh(self, cached: CachedMatch) -> None:
        """Read what others have appended."""
        async with cached.lock:
            await self.refresh_locked(cached)

    async def refresh_locked(self, cached: CachedMatch) -> None:
        """Read what others have appended; the lock is held."""
        is_behind = True
        while is_behind:
            rows = await self._store.rows(cached.id, after=cached.hosted.seq, limit=CHUNK)
            for change in await self._history.fold(cached.id, cached.hosted, rows, NOBODY):
                self._adopt(cached, change)
            is_behind = len(rows) == CHUNK
        self._step(cached, is_own=False)

    def adopt(self, cached: CachedMatch, change: Change) -> None:
        """Go on to what was committed here, and tell everybody who watches."""
        self._adopt(cached, change)
        self._step(cached, is_own=True)

    def hold(self, change: Change) -> None:
        """Hold a match that was opened here."""
        hosted = change.hosted
        cached = self._cached[hosted.id] = self._new(hosted.id)
        cached.adopt(change)
        self._step(cached, is_own=True)
        self._note_change(hosted)

    def _adopt(self, cached: CachedMatch, change: Change) -> None:
        before = cached.hosted.status
        cached.adopt(change)
        if change.hosted.status != before:
            self._note_change(change.hosted)

    def _step(self, cached: CachedMatch, *, is_own: bool) -> None:
        self._positions.note(cached.hosted)
        self.on_step(cached, is_own)

    def _note_change(self, hosted: HostedMatch) -> None:
        """Note that a match has opened, begun or ended."""
        self._presence.change(hosted)
        self.on_change(hosted)

    def evict(self) -> None:
        """Evict the least recently used matches if there are too many."""
        spare = len(self._cached) - self._most
        if spare <= 0:
            return
        for id, cached in list(islice(self._cached.items(), spare + BATCH)):
            if cached.watchers or cached.lock.locked() or not cached.is_loaded:
                self._cached.move_to_end(id)  # it is in use: the others are looked at first
            elif spare > 0:
                cached.cancel_timer()
                del self._cached[id]
                self._positions.forget(id)
                spare -= 1

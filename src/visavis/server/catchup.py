"""Catching up: reading what other processes have written to matches in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from visavis.server.fanout import CachedMatch
from visavis.server.supervisor import Supervisor, Well

READ_AT_ONCE: Final = 10
"""How many matches are read at the same time."""
BATCH: Final = 500
"""How many matches are asked for their last number at a time."""


class CatchUp:
    """Which matches are behind, and how they are brought up to date.

    ``latest`` returns the number of the last entry of each match, and ``refresh`` reads what is
    missing of a match whose lock is held.
    """

    def __init__(
        self,
        cached_matches: Mapping[str, CachedMatch],
        latest: Callable[[list[str]], Awaitable[dict[str, int]]],
        refresh: Callable[[CachedMatch], Awaitable[None]],
        background: Supervisor,
    ) -> None:
        self._cached, self._background = cached_matches, background
        self._latest, self._refresh = latest, refresh
        self._behind: dict[str, int] = {}
        """Matches of which entries up to a number may be missing."""
        self._has_gap = False
        self._news = asyncio.Event()

    def note(self, id: str, number: int) -> None:
        """Note that somebody has written an entry; matches that are not in memory don't matter."""
        cached = self._cached.get(id)
        if cached is not None and not cached.has(number):
            self._behind[id] = max(number, self._behind.get(id, 0))
            self._news.set()

    def note_gap(self) -> None:
        """Note that any match may have entries that were not announced."""
        self._has_gap = True
        self._news.set()

    async def keep_reading(self, well: Well) -> None:
        """Read, for ever; apart from hearing what there is to read, which is quicker."""
        while True:
            await self.read()
            well()
            await self._news.wait()
            self._news.clear()

    async def read(self) -> None:
        """Bring everything up to date; what can't be is tried again with the next call."""
        if self._has_gap:
            await self._look_for_gaps()
        behind, self._behind = self._behind, {}
        reading = asyncio.Semaphore(READ_AT_ONCE)

        async def read_one(id: str, number: int) -> None:
            async with reading:
                if (cached := self._cached.get(id)) is not None:
                    await self._background.attempt(id, self._catch_up(cached, number))

        works = (read_one(id, number) for id, number in behind.items())
        failures = [e for e in await asyncio.gather(*works, return_exceptions=True) if e]
        if failures:
            self._behind = behind | self._behind
            raise failures[0]

    async def _look_for_gaps(self) -> None:
        ids, self._has_gap = list(self._cached), False
        try:
            for start in range(0, len(ids), BATCH):
                for id, number in (await self._latest(ids[start : start + BATCH])).items():
                    self.note(id, number)
        except BaseException:
            self._has_gap = True
            raise

    async def _catch_up(self, cached: CachedMatch, number: int) -> None:
        async with cached.lock:  # who holds it may be about to adopt that very entry
            if cached.is_loaded and not cached.has(number):
                await self._refresh(cached)

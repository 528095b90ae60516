"""Wake-ups: what is due in a match (time-outs, expiry, computer moves) happens on time."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from visavis.server.computer_seats import ComputerSeats
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch
from visavis.server.matches import Matches
from visavis.server.orders import Orders
from visavis.server.settings import Settings
from visavis.server.store import Store, Unavailable
from visavis.server.supervisor import Supervisor
from visavis.server.uptime import Uptime, due, wake

logger = logging.getLogger(__name__)

SCAN_SECONDS: Final = 1.0
"""How often the database is asked for matches that are due."""
SCANNED: Final = 500
SOON_MS: Final = 10_000
"""A process that starts alone first looks at all matches that are due within this."""
SOONEST_HOUR: Final = 3_600
"""Later wake-ups than this, in seconds, are left to the scan."""


class Wakeups:
    """Timers of the matches in memory, and a scan for the others."""

    def __init__(
        self,
        matches: Matches,
        orders: Orders,
        computers: ComputerSeats,
        store: Store,
        settings: Settings,
        uptime: Uptime,
        background: Supervisor,
    ) -> None:
        self._matches = matches
        self._orders = orders
        self._computers = computers
        self._store = store
        self._settings = settings
        self._uptime = uptime
        self._background = background
        self._soon = 0
        self._unreadable: set[str] = set()
        """Matches that this version can't read: refused once, then left out of the scan."""

    def begin(self) -> None:
        """Start, after a start of the server alone with what is due soon."""
        self._soon = SOON_MS if self._matches.is_alone else 0

    def arrange(self, cached: CachedMatch, is_own: bool, soonest: float = 0.0) -> None:
        """Set the timer of a match, and a computer to work if it is this process's turn."""
        cached.cancel_timer()
        cached.wake = wake(cached.hosted, self._settings)
        if cached.wake is not None:
            delay = (cached.wake - self._uptime.now()) / 1_000
            if delay < SOONEST_HOUR:
                loop = asyncio.get_running_loop()
                cached.timer = loop.call_later(max(soonest, delay), self._ring, cached)
        if is_own:
            self._computers.act(cached)

    def _ring(self, cached: CachedMatch) -> None:
        cached.timer = None
        self._background.spawn(self.look_after(cached.id))

    async def scan(self) -> None:
        """Look after all matches that are due, including those of other processes."""
        limit = SCANNED + len(self._unreadable)
        for id in await self._store.due(self._uptime.now() + self._soon, limit):
            if id not in self._unreadable:
                await self._background.attempt(id, self.look_after(id))
        self._soon = 0
        self._matches.evict()

    async def look_after(self, id: str) -> None:
        """Do what is due in a match. If another process was first, there is nothing left to do."""
        try:
            cached = await self._matches.get(id)
            await self._orders.append(cached, lambda hosted, now: due(hosted, self._settings, now))
        except Unavailable:
            raise
        except Refusal as error:
            if error.code == "failed":  # its log or its rules are of another version
                self._unreadable.add(id)
                logger.warning("a match can't be read", extra={"match": id, "why": str(error)})
            return
        if cached.timer is None:  # nothing was to be done yet
            self.arrange(cached, is_own=True, soonest=SCAN_SECONDS)

"""The server's own time, and when somebody should look at a match again.

Clocks of matches run on *uptime*: the database's time, less all the time the server was away. The
heartbeat keeps it; between heartbeats a monotonic clock carries it on, and never for longer than
`LONGEST_GAP_MS`, so that a server that hangs or is suspended charges nobody for it.
"""

from __future__ import annotations

import time
from typing import Final

from visavis.server import entries
from visavis.server.settings import Settings
from visavis.server.store import Beat, Store
from visavis.server.table import Table
from visavis.session.clock import DAY

LONGEST_GAP_MS: Final = 5_000
"""If nobody has said for so long that the server is up, it was not."""
LEASE_MS: Final = 8_000
"""How long after its turn has come a computer is thought to be at work somewhere."""
AWAY_ENTRY: Final = entries.encode(entries.Away(millis=0)).replace(b":0", b":%d")


class Uptime:
    """The server's time, in milliseconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._beat = Beat(0, 0)
        self._heard = 0.0

    async def begin(self, *, alone: bool) -> None:
        """Learn the time. If no other process was up, all time since the last beat is away."""
        self._hear(await self._store.beat(0 if alone else LONGEST_GAP_MS, AWAY_ENTRY))

    async def beat(self) -> bool:
        """Say that the server is up; return whether it was away."""
        before = self._beat.away
        self._hear(await self._store.beat(LONGEST_GAP_MS, AWAY_ENTRY))
        return self._beat.away != before

    def _hear(self, beat: Beat) -> None:
        self._beat, self._heard = beat, time.monotonic()

    def now(self) -> int:
        """Return the moment."""
        since = round((time.monotonic() - self._heard) * 1_000)
        return self._beat.now + min(since, LONGEST_GAP_MS) - self._beat.away


def wake(table: Table, settings: Settings) -> int | None:
    """Return the moment at which somebody should look at a match, if nothing happens before."""
    match = table.match
    if match is None:
        return None if table.is_closed else table.at + settings.open_for_ms
    if match.is_over:
        return None
    moments = []
    if (deadline := match.deadline()) is not None:
        moments.append(deadline + settings.most_credit_ms)
    if (start := start_by(table, settings)) is not None:
        moments.append(start)
    if table.awaited_computer() is not None:
        moments.append(table.at + LEASE_MS)
    return min(moments, default=None)


def start_by(table: Table, settings: Settings) -> int | None:
    """Return by when a live match must be under way; None if that is no matter, or it is."""
    match = table.match
    if match is None:
        return None
    spec = match.clock.spec
    if spec.seat_ms is None or spec.seat_ms >= DAY or spec.runs_at_once or match.is_underway:
        return None
    return table.began + settings.start_within_ms

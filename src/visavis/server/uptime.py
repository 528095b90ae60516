"""The server's own time, and when somebody should look at a match again.

Clocks of matches run on *uptime*: it goes on while any process is up and stands still while none
is. It is kept in the database, and no clock on the wall has a say in it: at each heartbeat a
process says how much time has gone by since it last heard one, its own or another's, by a steady
clock that nobody sets. Of this at most `LONGEST_GAP_MS` is uptime, so that a server that hangs or
is suspended charges nobody for it; the rest is time away.
"""

from __future__ import annotations

from typing import Final

from visavis.server import match_log
from visavis.server.hosted_match import HostedMatch
from visavis.server.settings import Settings
from visavis.server.store import Beat, Store

LONGEST_GAP_MS: Final = 5_000
"""If there was no heartbeat for this long, the server was down."""
LEASE_MS: Final = 8_000
"""How long after its turn has come a computer is thought to be at work somewhere."""
AWAY_ENTRY: Final = match_log.encode(match_log.Away(millis=0)).replace(b":0", b":%d")


class Uptime:
    """The server's time, in milliseconds. It never goes back."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._steady = store.clock.steady
        self._beat = Beat(0, 0)
        self._zero: int | None = None
        """What the steady clock would have shown when no time had gone by."""
        self._latest = 0

    async def begin(self, *, alone: bool) -> None:
        """Learn the time. If no other process was up, all time since the last beat is away.

        Only a clock on the wall can tell how long that was; nobody is charged for it.
        """
        self.hear(
            await self._store.beat(
                lambda last, gone: last.after(gone if alone else 0, 0), AWAY_ENTRY
            )
        )

    async def beat(self) -> bool:
        """Say that the server is up; return whether it was away."""
        elapsed = self._elapsed()
        return self.hear(
            await self._store.beat(
                lambda last, _: last.after(elapsed - last.elapsed, LONGEST_GAP_MS), AWAY_ENTRY
            )
        )

    def hear(self, beat: Beat) -> bool:
        """Go by a beat, of this process or of another; return whether the server was away."""
        if beat.elapsed < self._beat.elapsed:
            return False  # it comes late
        was_away, self._beat = beat.away > self._beat.away, beat
        # The latest time is right: the others learned it a little after it was announced.
        zero = self._steady() - beat.elapsed
        self._zero = zero if self._zero is None else min(self._zero, zero)
        return was_away

    def _elapsed(self) -> int:
        """Return all time that has gone by, as far as this process knows."""
        assert self._zero is not None, "a process learns the time before it tells it"
        return self._steady() - self._zero

    @property
    def is_current(self) -> bool:
        """Whether there was a recent heartbeat; if not, time stands still."""
        return self._elapsed() - self._beat.elapsed <= LONGEST_GAP_MS

    def now(self) -> int:
        """Return the moment."""
        since = min(self._elapsed() - self._beat.elapsed, LONGEST_GAP_MS)
        self._latest = max(self._latest, self._beat.uptime + since)
        return self._latest


def wake(hosted: HostedMatch, settings: Settings) -> int | None:
    """Return the moment at which somebody should look at a match, if nothing happens before."""
    match = hosted.match
    if match is None:
        return None if hosted.is_closed else hosted.at + settings.open_for_ms
    if match.is_over:
        return None
    moments = []
    if (deadline := match.deadline()) is not None:
        moments.append(deadline + settings.most_credit_ms)
    if (start := start_by(hosted, settings)) is not None:
        moments.append(start)
    if hosted.awaited_computer() is not None or hosted.computers_answer() is not None:
        moments.append(hosted.at + LEASE_MS)
    return min(moments, default=None)


def due(hosted: HostedMatch, settings: Settings, now: int) -> match_log.AnyEntry | None:
    """Return what time has done to a match by now, if anything."""
    match = hosted.match
    if match is None:
        expired = not hosted.is_closed and now >= hosted.at + settings.open_for_ms
        return match_log.Expired() if expired else None
    if match.is_over:
        return None
    deadline = match.deadline()
    if deadline is not None and now >= deadline + settings.most_credit_ms:
        return match_log.Ticked()
    start = start_by(hosted, settings)
    return match_log.Expired() if start is not None and now >= start else None


def start_by(hosted: HostedMatch, settings: Settings) -> int | None:
    """Return by when a live match must be under way; None if that is no matter, or it is."""
    match = hosted.match
    if match is None:
        return None
    spec = match.clock.spec
    if spec.is_shared:
        waits = bool(match.unready)
    else:
        waits = spec.seat_ms is not None and spec.is_live and not match.is_underway
    return hosted.began + settings.start_within_ms if waits else None

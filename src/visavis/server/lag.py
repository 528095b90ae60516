"""Credit for slow lines: how slow a line is, and how much of that is made up for.

Values, so that what holds of them can be shown: over any number of moves the credit is no more than
the lag that was measured, one measurement a move, and no more than a quota that runs out.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

QUOTA_MS: Final = 1_000
"""What a seat may be credited in all to begin with, and never more than this at a time."""
GAIN_MS: Final = 50
"""How much of it comes back with each move."""


class Line(Struct, frozen=True):
    """What is known of the line to a client. An echo is good for one move.

    >>> line = Line().probed(10.0).echoed(1, 10.2)
    >>> line.lag_ms, line.echoed(1, 12.0).lag_ms, line.probed(13.0).lag_ms
    (100, 100, 0)
    """

    number: int = 0
    """Of the last probe."""
    sent: float | None = None
    """When it was sent, while no answer has come."""
    lag_ms: int = 0
    """Half the round trip that was measured with it."""

    def probed(self, now: float) -> Line:
        """Measure anew; what was measured before is forgotten."""
        return Line(self.number + 1, now)

    def echoed(self, number: int, now: float) -> Line:
        """Take an answer; one to an earlier probe, or a second one, says nothing."""
        if self.sent is None or number != self.number:
            return self
        return replace(self, sent=None, lag_ms=max(0, round((now - self.sent) * 500)))


class Credit(Struct, frozen=True):
    """What is left of a seat's quota.

    >>> credit = Credit()
    >>> for _ in range(6):
    ...     credit = credit.after(credit.grant(200, most=250))
    >>> credit, credit.grant(200, most=250)
    (Credit(left_ms=100), 100)
    """

    left_ms: int = QUOTA_MS

    def grant(self, lag_ms: int, most: int) -> int:
        """Return what a move is credited."""
        return max(0, min(lag_ms, most, self.left_ms))

    def after(self, granted: int) -> Credit:
        """Return what is left after a move."""
        return Credit(min(QUOTA_MS, max(0, self.left_ms - granted) + GAIN_MS))

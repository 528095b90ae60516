"""The seats at the board, and those who look at it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from visavis.rules.errors import NotASeat


class Seat(enum.IntEnum):
    """A player's place at the board. First moves first.

    >>> Seat.FIRST.other
    <Seat.SECOND: 1>
    >>> str(Seat.SECOND)
    'second'
    """

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Seat:
        """The seat across the board."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST

    def __str__(self) -> str:
        return self.name.lower()


Viewer = Seat | None
"""Who looks: a player, or a spectator (None), who knows only what both players may know."""


VIEWERS: Final[tuple[Viewer, ...]] = (Seat.FIRST, Seat.SECOND, None)
"""All viewers of a match."""
VIEWER_NAMED: Final[Mapping[str, Viewer]] = MappingProxyType(
    {"first": Seat.FIRST, "second": Seat.SECOND, "spectator": None}
)
"""The viewers by their names, the only way in which texts name them."""
OPEN: Final = "open"
"""What is written in place of a viewer where a match is shown whole, with all its secrets."""


def viewer_text(viewer: Viewer) -> str:
    """Return how a viewer is written.

    >>> viewer_text(Seat.SECOND), viewer_text(None)
    ('second', 'spectator')
    """
    return "spectator" if viewer is None else str(viewer)


def seat_of(value: object) -> Seat:
    """Return a seat that was handed over as itself or as its plain number, or raise `NotASeat`.

    >>> seat_of(1)
    <Seat.SECOND: 1>
    >>> seat_of(2)
    Traceback (most recent call last):
    visavis.rules.errors.NotASeat: 2 is not a seat; the seats are Seat.FIRST (0) and Seat.SECOND (1)
    """
    if isinstance(value, Seat):
        return value
    if type(value) is int and value in (0, 1):
        return Seat(value)
    raise NotASeat(value)


def viewer_of(value: object) -> Viewer:
    """Return a viewer: a seat as `seat_of` reads it, or None, a spectator."""
    return None if value is None else seat_of(value)

"""What can be asked of a match.

A seat may be given as its plain number; anything else is refused with `NotASeat`.
"""

from __future__ import annotations

from dataclasses import dataclass

from visavis.rules.protocol import Seat
from visavis.rules.seats import seat_of, viewer_of


class _OfSeat:
    """A command of one seat."""

    __slots__ = ()
    seat: Seat

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", seat_of(self.seat))


@dataclass(frozen=True, slots=True)
class Ready(_OfSeat):
    """A seat is ready for a clock that waits for both. Its first move says so too."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Move(_OfSeat):
    """A seat decides; the text may be in any spelling that the game reads."""

    seat: Seat
    text: str
    credit_ms: int = 0
    """Taken off the time the seat has used, to make up for a slow line.

    It is bounded by `MOST_CREDIT_MS`, and never touches a clock that both share.
    """


@dataclass(frozen=True, slots=True)
class Resign(_OfSeat):
    """A seat gives up; the other wins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OfferDraw(_OfSeat):
    """A seat offers a draw. If the other has offered one too, they agree."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AcceptDraw(_OfSeat):
    """A seat accepts the draw that the other has offered."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeclineDraw(_OfSeat):
    """A seat declines the draw that the other has offered. Moving on declines it too."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskTakeback(_OfSeat):
    """A seat asks to go back to before its last decision."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AcceptTakeback(_OfSeat):
    """A seat lets the other take back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeclineTakeback(_OfSeat):
    """A seat does not let the other take back. Any move declines it too."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Claim(_OfSeat):
    """A seat claims the win, or a draw, against a player who has left a live match.

    The server knows who has left and for how long, and passes this on only when it is time.
    """

    seat: Seat
    draw: bool = False


@dataclass(frozen=True, slots=True)
class Abort:
    """Break off a match that has hardly begun. None is the server, when a player stays away."""

    seat: Seat | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", viewer_of(self.seat))


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed. Does nothing but let clocks run out."""


SeatCommand = (
    Ready
    | Move
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | Claim
    | Abort
)
"""What a player can ask."""

Command = SeatCommand | Tick

"""What can be asked of a match."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.rules.protocol import Seat


@dataclass(frozen=True, slots=True)
class Move:
    """A seat decides; the text may be in any spelling that the game reads.

    ``credit_ms`` is taken off the time the seat has used, to make up for a slow line. It is
    bounded by `MOST_CREDIT_MS`, and never touches a clock that both share.
    """

    seat: Seat
    text: str
    credit_ms: int = 0


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat gives up; the other wins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """A seat offers a draw. If the other has offered one too, they agree."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    """A seat accepts the draw that the other has offered."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeclineDraw:
    """A seat declines the draw that the other has offered. Moving on declines it too."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskTakeback:
    """A seat asks to go back to before its last decision."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AcceptTakeback:
    """A seat lets the other take back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeclineTakeback:
    """A seat does not let the other take back. Any move declines it too."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Abort:
    """Break off a match that has hardly begun; None is the house, when a player stays away."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed. Does nothing but let clocks run out."""


Command = (
    Move
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | Abort
    | Tick
)

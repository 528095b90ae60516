"""What happens in a match."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from visavis.server.messages.words import MatchId, Message, Phrase, SeatName


class Hand(Struct, frozen=True):
    """One hand of a clock: what was left at ``since``; it stands if that is null."""

    left: int
    since: int | None


class Clock(Struct, frozen=True):
    """How time stands: the agreement, the seats' hands (empty: no clock), the shared hand."""

    spec: str
    hands: tuple[Hand, ...]
    game: Hand | None


class Player(Struct, frozen=True, kw_only=True):
    """Who sits there: ``person``, ``computer`` (``player`` says which) or ``bot``."""

    kind: Literal["person", "computer", "bot"]
    name: str
    player: str = ""


class Joined(Message, frozen=True, kw_only=True, tag="joined"):
    """A seat was taken."""

    seat: SeatName
    player: Player


class Began(Message, frozen=True, kw_only=True, tag="began", omit_defaults=True):
    """The match began. ``commitment`` binds the house to all rolls to come.

    ``unready`` are the seats for whose word (`Ready`) the clock waits, where it waits for any.
    """

    commitment: str
    unready: tuple[SeatName, ...] = ()


class GotReady(Message, frozen=True, kw_only=True, tag="got_ready"):
    """A seat is ready. When both are, the clock starts."""

    seat: SeatName


class Moved(Message, frozen=True, kw_only=True, tag="moved"):
    """A seat decided; ``text`` is what the viewer sees, ``seal`` is there if that is not all."""

    seat: SeatName
    turn: int
    text: str
    remark: str
    seal: str | None


class Rolled(Message, frozen=True, kw_only=True, tag="rolled"):
    """Chance showed a face, as the viewer sees it."""

    turn: int
    text: str


class DrawOffered(Message, frozen=True, kw_only=True, tag="draw_offered"):
    """A seat offered a draw."""

    seat: SeatName


class DrawDeclined(Message, frozen=True, kw_only=True, tag="draw_declined"):
    """A seat declined a draw, in words or by moving on."""

    seat: SeatName


class TakebackAsked(Message, frozen=True, kw_only=True, tag="takeback_asked"):
    """A seat asked to take back."""

    seat: SeatName


class TakebackDeclined(Message, frozen=True, kw_only=True, tag="takeback_declined"):
    """A request to take back lapsed: the seat declined it, or somebody moved on."""

    seat: SeatName


class TookBack(Message, frozen=True, kw_only=True, tag="took_back"):
    """So many decisions were taken back, at a seat's request."""

    seat: SeatName
    decisions: int


class Stands(Message, frozen=True, kw_only=True, tag="stands"):
    """How things stand now, after everything else in the update."""

    view: str
    turn: int
    awaited: tuple[SeatName, ...]
    clock: Clock


class Ended(Message, frozen=True, kw_only=True, tag="ended"):
    """The match ended. Everything is open now: the seed and the position."""

    result: str
    winner: SeatName | None
    reason: str
    scores: tuple[int, int] | None
    seed: str
    position: str


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """A seat said a phrase."""

    seat: SeatName
    phrase: Phrase


class RematchAsked(Message, frozen=True, kw_only=True, tag="rematch_asked"):
    """A seat asked for another match."""

    seat: SeatName


class RematchMade(Message, frozen=True, kw_only=True, tag="rematch_made"):
    """The rematch is there. The secret of a seat here opens the other seat there."""

    match: MatchId


class Paused(Message, frozen=True, kw_only=True, tag="paused"):
    """The server was away for so many milliseconds, which are charged to nobody."""

    away: int


class Closed(Message, frozen=True, kw_only=True, tag="closed"):
    """The challenge was withdrawn, or nobody has taken it."""


Notice = (
    Joined
    | Began
    | GotReady
    | Moved
    | Rolled
    | DrawOffered
    | DrawDeclined
    | TakebackAsked
    | TakebackDeclined
    | TookBack
    | Stands
    | Ended
    | Said
    | RematchAsked
    | RematchMade
    | Paused
    | Closed
)

"""What a match tells, and to whom. A server sends each notice as it is declared here.

An `Event` holds one `Notice` for each viewer: what that viewer may see, built from the game's
``observe``, ``observe_roll`` and ``view`` for that viewer and nothing else. Two matches whose
states look the same to a viewer give that viewer equal notices; only digests (``seal``,
``commitment``) depend on the secret seed, and they are all of one size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from visavis.rules.protocol import MatchReason, Outcome, Reason, Seat, Viewer
from visavis.rules.seats import viewer_of
from visavis.session.asked import Asked
from visavis.session.clock import Clock, ClockFace
from visavis.session.record import Record

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class ForEach(Generic[T_co]):
    """One value for each viewer.

    >>> ForEach.of(lambda viewer: f"for {viewer}").to(Seat.SECOND)
    'for second'
    """

    first: T_co
    second: T_co
    spectator: T_co

    @classmethod
    def of(cls, tell: Callable[[Viewer], T_co]) -> ForEach[T_co]:
        """Ask what to tell each viewer."""
        return cls(tell(Seat.FIRST), tell(Seat.SECOND), tell(None))

    @classmethod
    def same(cls, value: T_co) -> ForEach[T_co]:  # type: ignore[misc]  # as in a constructor
        """Tell everybody the same."""
        return cls(value, value, value)

    def map(self, change: Callable[[T_co], U]) -> ForEach[U]:
        """Change each value; once, where all are one."""
        if self.first is self.second is self.spectator:
            return ForEach.same(change(self.first))
        return ForEach(change(self.first), change(self.second), change(self.spectator))

    def to(self, viewer: Viewer) -> T_co:
        """Return what is for this viewer, or raise `NotASeat`."""
        seat = viewer_of(viewer)
        if seat is None:
            return self.spectator
        return self.first if seat is Seat.FIRST else self.second


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended. Without an outcome it was aborted, and does not count."""

    outcome: Outcome | None

    @property
    def result(self) -> str:
        """The result as in a record; ``*`` for a match that does not count."""
        return "*" if self.outcome is None else self.outcome.result

    @property
    def reason(self) -> Reason:
        """Why: one of the game's own reasons, or of those that all matches share."""
        return MatchReason.ABORTED if self.outcome is None else self.outcome.reason

    @property
    def winner(self) -> Seat | None:
        """Who won; None if nobody did."""
        return None if self.outcome is None else self.outcome.winner

    @property
    def scores(self) -> tuple[int, int] | None:
        """The points of both, where the game counts any."""
        return None if self.outcome is None else self.outcome.scores


# -- Notices ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Began:
    """The match began. ``commitment`` is the digest of the seed of all rolls to come.

    ``unready`` are the seats that have yet to say that they are ready, where the clock waits.
    """

    commitment: str
    unready: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class GotReady:
    """A seat is ready. When both are, the clock starts."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat decided. ``text`` is what the viewer sees; ``seal`` is there if that is not all."""

    seat: Seat
    turn: int
    text: str
    remark: str
    seal: str | None


@dataclass(frozen=True, slots=True)
class Rolled:
    """Chance showed a face, as the viewer sees it."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A seat offered a draw."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DrawDeclined:
    """A seat declined a draw, in words or by moving on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakebackAsked:
    """A seat asked to take back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakebackDeclined:
    """A request to take back lapsed: the seat declined it, or somebody moved on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TookBack:
    """One or more decisions were taken back, at a seat's request."""

    seat: Seat
    decisions: int


@dataclass(frozen=True, slots=True)
class Stands:
    """How things stand now, after everything else that one command brought about."""

    view: str
    turn: int
    awaited: tuple[Seat, ...]
    clock: ClockFace


@dataclass(frozen=True, slots=True)
class Ended:
    """The match ended. Everything is open now: the seed, and the position."""

    result: str
    winner: Seat | None
    reason: str
    scores: tuple[int, int] | None
    seed: str
    position: str


Notice = (
    Began
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
)

Event = ForEach[Notice]


def public(notice: Notice) -> Event:
    """Return an event that is the same for all."""
    return ForEach.same(notice)


# -- The whole picture -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a viewer may know of a match at one moment."""

    viewer: Viewer
    view: str
    """The text of the game's view for the viewer; of everything once the match is over."""
    turn: int
    awaited: tuple[Seat, ...]
    asked: Asked | None
    """What the viewer is asked to decide, if anything."""
    clock: Clock
    unready: tuple[Seat, ...]
    """The seats that have yet to say that they are ready."""
    draw_offer: Seat | None
    takeback: Seat | None
    ending: Ending | None
    record: Record
    """The record so far; of a running match, with ``?`` where the viewer does not know."""

"""How a match stands, for a viewer; and how a finished one went."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from visavis.server.vocabulary import Player
from visavis.server.words import MatchId, Message, SeatName
from visavis.session.asked import Asked
from visavis.session.clock import ClockFace
from visavis.session.errors import NoTakeback


class Written(Struct, frozen=True, kw_only=True):
    """A move or a roll (``seat`` null) of the record, as the viewer sees it."""

    turn: int
    seat: SeatName | None
    text: str
    remark: str = ""
    seal: str | None = None
    left: int | None = None


class Ending(Struct, frozen=True, kw_only=True):
    """How a match ended; ``*`` and ``aborted`` for one that does not count."""

    result: str
    winner: SeatName | None
    reason: str
    scores: tuple[int, int] | None


Status = Literal["open", "running", "over"]


class MatchInfo(Struct, frozen=True, kw_only=True):
    """What everybody may know about a match before looking at its board."""

    match: MatchId
    game: str
    options: dict[str, str]
    clock: str
    private: bool
    created: int
    """When, in milliseconds since 1970."""
    status: Status
    players: tuple[Player | None, Player | None]
    turn: int
    ending: Ending | None
    rematch: MatchId | None
    previous: MatchId | None


class Position(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a match that has begun stands for a viewer. ``unready`` is as in `Began`.

    ``no_takeback`` says why the viewer's seat can't ask to take back; null if it can, and for
    spectators.
    """

    view: str
    turn: int
    awaited: tuple[SeatName, ...]
    clock: ClockFace
    draw_offer: SeatName | None
    takeback: SeatName | None
    no_takeback: NoTakeback | None
    commitment: str
    moves: tuple[Written, ...]
    asked: Asked | None
    unready: tuple[SeatName, ...] = ()


class Snapshot(Message, frozen=True, kw_only=True, tag="snapshot"):
    """All that a viewer may know of a match; ``position`` is null until both seats are taken.

    ``spectators`` is how many watch without a seat; `Spectators` tells when it changes.
    """

    match: MatchId
    seat: SeatName | None
    seq: int
    now: int
    info: MatchInfo
    spectators: int
    position: Position | None


# -- A finished match, again -----------------------------------------------------------------------

ReplayViewer = Literal["first", "second", "spectator", "open"]
"""With whose eyes a finished match is looked at; ``open`` sees everything."""


class ReplayOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """With whose eyes a finished match is to be shown."""

    viewer: ReplayViewer = field(default="open", name="as")


class ReplayStep(Struct, frozen=True, kw_only=True):
    """A move or a roll as the viewer saw it, and what the viewer knew after it."""

    move: Written
    view: str


class Replay(Struct, frozen=True, kw_only=True):
    """A finished match, step by step, as somebody knew it then.

    ``start`` is the view before the first step. There is none before the match is over.
    """

    match: MatchId
    viewer: ReplayViewer
    info: MatchInfo
    start: str
    steps: tuple[ReplayStep, ...]

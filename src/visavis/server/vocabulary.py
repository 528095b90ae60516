"""What the server adds to the commands and notices of a session.

They are declared like the session's own (`visavis.session.commands`, `visavis.session.events`) and
go to the wire and to the log by the same codec.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from visavis.rules.protocol import Seat
from visavis.server.words import MatchId, Phrase
from visavis.session.commands import SeatCommand
from visavis.session.events import Notice as MatchNotice

# -- Commands --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Say:
    """Say one of the quick phrases."""

    seat: Seat
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Rematch:
    """Ask for another match with sides swapped; when both have asked, it is there."""

    seat: Seat


Command = SeatCommand | Say | Rematch
"""What a player can do in a match."""


@dataclass(frozen=True, slots=True)
class Order:
    """A command with what makes it safe to send again; see `visavis.server.messages.Order`."""

    command: Command
    client: str
    number: int
    seen: int | None = None


# -- Notices ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits there: ``person``, ``computer`` (``player`` says which) or ``bot``."""

    kind: Literal["person", "computer", "bot"]
    name: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat was taken."""

    seat: Seat
    player: Player


@dataclass(frozen=True, slots=True)
class Said:
    """A seat said a phrase."""

    seat: Seat
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """A seat asked for another match."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RematchMade:
    """The rematch is there. The secret of a seat here opens the other seat there."""

    match: MatchId


@dataclass(frozen=True, slots=True)
class Paused:
    """The server was away for so many milliseconds, which are charged to nobody."""

    away: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The challenge was withdrawn, or nobody has taken it."""


Notice = MatchNotice | Joined | Said | RematchAsked | RematchMade | Paused | Closed
"""What happens in a match."""

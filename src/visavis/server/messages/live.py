"""What goes over the WebSocket, either way."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from visavis.server.codec import WireNotice
from visavis.server.messages.orders import Order
from visavis.server.messages.problems import Code
from visavis.server.messages.standing import MatchInfo, Snapshot
from visavis.server.words import Count, MatchId, Message, SeatName, Secret
from visavis.session.asked import Asked
from visavis.session.errors import NoTakeback

# -- From the client -------------------------------------------------------------------------------


class Watch(Message, frozen=True, kw_only=True, tag="watch"):
    """Follow a match: with a seat's secret as that seat, without as a spectator.

    Answered by a `Snapshot`, or, if ``seen`` says how far the client has got, by every `Update`
    since (0: from the start on) and then `Watching`. ``legal`` asks for the legal moves with each.
    """

    match: MatchId
    secret: Secret | None = None
    seen: Count | None = None
    legal: bool = True


class Unwatch(Message, frozen=True, kw_only=True, tag="unwatch"):
    """Stop following."""

    match: MatchId
    seat: SeatName | None = None


class Do(Message, frozen=True, kw_only=True, tag="do"):
    """Carry out a command in a match that this socket watches as that seat.

    Answered by an `Update` whose ``done`` has the order's client and number, by `Done` if it had
    been carried out before, or by `Refused`.
    """

    match: MatchId
    seat: SeatName
    order: Order


class WatchLobby(Message, frozen=True, kw_only=True, tag="watch_lobby"):
    """Follow the lobby: a `Lobby` now, and again whenever it changes."""


class UnwatchLobby(Message, frozen=True, kw_only=True, tag="unwatch_lobby"):
    """Stop following the lobby."""


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    """Ask for a `Pong`: what the client's clock shows may go along."""

    sent: float = 0.0


class Echo(Message, frozen=True, kw_only=True, tag="echo"):
    """The answer to a `Probe`, at once: its number. The server measures the line by it."""

    number: Count


ClientMessage = Watch | Unwatch | Do | WatchLobby | UnwatchLobby | Ping | Echo


# -- From the server -------------------------------------------------------------------------------


class DoneBy(Struct, frozen=True):
    """Which order an update carries out; told to the seat that gave it, and to nobody else."""

    client: str
    number: int


class Update(Message, frozen=True, kw_only=True, tag="update"):
    """What one entry of a match's log brought about, as the viewer may know it.

    ``seq`` counts from 1 without gaps. ``no_takeback`` says why the viewer's seat can't ask to take
    back now; null if it can, and for spectators.
    """

    match: MatchId
    seat: SeatName | None
    seq: int
    at: int
    notices: tuple[WireNotice, ...]
    asked: Asked | None = None
    no_takeback: NoTakeback | None = None
    done: DoneBy | None = None


class Watching(Message, frozen=True, kw_only=True, tag="watching"):
    """The client has everything up to ``seq`` and will be told what comes."""

    match: MatchId
    seat: SeatName | None
    seq: int
    now: int


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """The order had been carried out already, as ``seq``."""

    match: MatchId
    seat: SeatName
    client: str
    number: int
    seq: int


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """A message was not carried out. After ``stale`` a `Snapshot` follows.

    ``wait`` is there if asking again is worth it: after so many seconds.
    """

    code: Code
    message: str
    wait: int | None = None
    match: MatchId | None = None
    seat: SeatName | None = None
    client: str | None = None
    number: int | None = None


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping: what it carried, and the server's time."""

    sent: float
    now: int


class Probe(Message, frozen=True, kw_only=True, tag="probe"):
    """Asks for an `Echo`."""

    number: int


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """Open challenges, public matches that run, and those that ended last; newest first.

    If there are more than can be shown, everybody's newest goes before anybody's second. What a
    long option says is cut; `MatchInfo` has all of it.
    """

    open: tuple[MatchInfo, ...]
    running: tuple[MatchInfo, ...]
    over: tuple[MatchInfo, ...]


Listing = Literal["open", "running", "over"]


class LobbyPageOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which page of a list: the one behind ``next`` of another, or the first."""

    before: Annotated[str, Meta(max_length=60)] | None = None


class LobbyPage(Struct, frozen=True, kw_only=True):
    """A page of all that is open, running or over, newest first; ``next`` says where it goes on."""

    matches: tuple[MatchInfo, ...]
    next: str | None


class Spectators(Message, frozen=True, kw_only=True, tag="spectators"):
    """How many watch a match without a seat, when that has changed."""

    match: MatchId
    count: int


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Since when each player is away from a running match; null for who is there.

    Told to who begins to follow the match, and when it has changed. ``claim`` says after how many
    milliseconds the other may claim the match; null where nobody may.
    """

    match: MatchId
    first: int | None
    second: int | None
    claim: int | None


ServerMessage = (
    Snapshot | Update | Watching | Done | Refused | Pong | Probe | Lobby | Spectators | Presence
)

"""Everything that server and clients say to each other: one typed schema, for all transports.

The WebSocket carries `ClientMessage` one way and `ServerMessage` the other, as JSON with the tag
``type``; HTTP has the same structs as bodies. ``python -m visavis.server.schema`` prints it all as
JSON Schema. Unknown fields are ignored, so that either side may be newer.

Moments (``at``, ``now``, ``since``) are milliseconds of the server's own time, which stands still
while the server is down; only differences mean anything.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

SeatName = Literal["first", "second"]
Text = Annotated[str, Meta(max_length=8_000)]
Name = Annotated[str, Meta(max_length=40, pattern=r"^[^\x00-\x1f\x7f\u2028\u2029]*$")]
Slug = Annotated[str, Meta(max_length=40)]
MatchId = Annotated[str, Meta(max_length=40)]
Secret = Annotated[str, Meta(max_length=100)]
ClientId = Annotated[str, Meta(min_length=1, max_length=40)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Phrase = Literal[
    "hello",
    "good_luck",
    "well_played",
    "good_game",
    "thanks",
    "sorry",
    "oops",
    "interesting",
    "one_moment",
    "back_again",
    "goodbye",
]
"""Quick phrases, by id: the page says them in the reader's language."""


class Message(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base of messages: told apart by ``type``."""


# -- What a player can do --------------------------------------------------------------------------


class Move(Message, frozen=True, kw_only=True, tag="move"):
    """Decide."""

    text: Text


class Resign(Message, frozen=True, kw_only=True, tag="resign"):
    """Give up."""


class OfferDraw(Message, frozen=True, kw_only=True, tag="offer_draw"):
    """Offer a draw; if the other has offered one, they agree."""


class AcceptDraw(Message, frozen=True, kw_only=True, tag="accept_draw"):
    """Accept the draw that the other has offered."""


class DeclineDraw(Message, frozen=True, kw_only=True, tag="decline_draw"):
    """Decline it."""


class AskTakeback(Message, frozen=True, kw_only=True, tag="ask_takeback"):
    """Ask to go back to before one's last decision."""


class AcceptTakeback(Message, frozen=True, kw_only=True, tag="accept_takeback"):
    """Let the other take back."""


class DeclineTakeback(Message, frozen=True, kw_only=True, tag="decline_takeback"):
    """Do not."""


class Abort(Message, frozen=True, kw_only=True, tag="abort"):
    """Break off a match that has hardly begun, or a challenge that nobody has taken."""


class Say(Message, frozen=True, kw_only=True, tag="say"):
    """Say one of the quick phrases."""

    phrase: Phrase


class Rematch(Message, frozen=True, kw_only=True, tag="rematch"):
    """Ask for another match with sides swapped; when both have asked, it is there."""


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
    | Say
    | Rematch
)


class Order(Struct, frozen=True, kw_only=True):
    """A command with what makes it safe to send again.

    ``client`` is any random id the client has made up for itself, ``number`` counts its commands
    upwards. ``seen`` is the last sequence number the client has seen of the match: a move meant for
    a position that is gone by is answered by how things stand, not carried out.
    """

    client: ClientId
    number: Count
    command: Command
    seen: Count | None = None


# -- From the client, on the WebSocket -------------------------------------------------------------


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


# -- What happens in a match -----------------------------------------------------------------------


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


class Began(Message, frozen=True, kw_only=True, tag="began"):
    """The match began. ``commitment`` binds the house to all rolls to come."""

    commitment: str


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


# -- From the server, on the WebSocket -------------------------------------------------------------


class Asked(Struct, frozen=True, kw_only=True):
    """What the viewer is asked to decide: a hint in words, the legal moves, ready-made ones.

    ``legal`` is null if there are more than can be listed; ``count`` says how many.
    """

    prompt: str
    legal: tuple[str, ...] | None
    count: int
    suggestions: dict[str, str]


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


class Position(Struct, frozen=True, kw_only=True):
    """How a match that has begun stands for a viewer."""

    view: str
    turn: int
    awaited: tuple[SeatName, ...]
    clock: Clock
    draw_offer: SeatName | None
    takeback: SeatName | None
    commitment: str
    moves: tuple[Written, ...]
    asked: Asked | None


class Snapshot(Message, frozen=True, kw_only=True, tag="snapshot"):
    """All that a viewer may know of a match; ``position`` is null until both seats are taken."""

    match: MatchId
    seat: SeatName | None
    seq: int
    now: int
    info: MatchInfo
    position: Position | None


class DoneBy(Struct, frozen=True):
    """Which order an update carries out; told to the seat that gave it, and to nobody else."""

    client: str
    number: int


class Update(Message, frozen=True, kw_only=True, tag="update"):
    """What one entry of a match's log brought about, as the viewer may know it.

    ``seq`` counts from 1 without gaps.
    """

    match: MatchId
    seat: SeatName | None
    seq: int
    at: int
    notices: tuple[Notice, ...]
    asked: Asked | None = None
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


Code = Literal[
    "bad_message",
    "too_big",
    "too_many",
    "unknown_match",
    "wrong_secret",
    "not_watching",
    "not_a_player",
    "seat_taken",
    "not_begun",
    "stale",
    "old_number",
    "not_a_move",
    "illegal_move",
    "not_your_turn",
    "match_over",
    "not_over",
    "no_offer",
    "already_offered",
    "takeback_refused",
    "too_late",
    "enough_said",
    "unknown_game",
    "bad_option",
    "bad_clock",
    "bad_position",
    "bad_seats",
    "unknown_bot",
    "name_taken",
    "bad_record",
    "match_full",
    "busy",
    "bad_origin",
    "not_found",
    "not_allowed",
    "private",
]
"""Why something was refused; ``message`` explains it in English."""


class Problem(Struct, frozen=True, kw_only=True):
    """The body of every HTTP answer that is an error."""

    code: Code
    message: str


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """A message was not carried out. After ``stale`` a `Snapshot` follows."""

    code: Code
    message: str
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
    """Open challenges, public matches that run, and those that ended last; newest first."""

    open: tuple[MatchInfo, ...]
    running: tuple[MatchInfo, ...]
    over: tuple[MatchInfo, ...]


ServerMessage = Snapshot | Update | Watching | Done | Refused | Pong | Probe | Lobby


# -- Over HTTP -------------------------------------------------------------------------------------


class SeatSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to sit there.

    ``me``: who creates the match (both seats: one screen). ``invited``: whoever has the invitation.
    ``open``: whoever takes the challenge in the lobby first. ``computer``: ``player`` is a level or
    the name of an engine. ``bot``: ``player`` is the name of a bot.
    """

    kind: Literal["me", "invited", "open", "computer", "bot"]
    player: Annotated[str, Meta(max_length=40)] = ""


class NewMatch(Struct, frozen=True, kw_only=True):
    """A match to be created. ``start`` is the text of a position to begin from."""

    game: Slug
    options: dict[Slug, Text | int] = {}
    clock: Annotated[str, Meta(max_length=60)] | None = None
    seats: tuple[SeatSpec, SeatSpec]
    name: Name = ""
    private: bool = False
    start: Text | None = None


class Made(Struct, frozen=True, kw_only=True):
    """A match that was created: the creator's own secrets, and the invitations, by seat.

    A secret stays with the browser. An invitation is good for one joining; put it in the fragment
    of a link, which browsers send to nobody.
    """

    match: MatchId
    secrets: dict[SeatName, str]
    invitations: dict[SeatName, str]


class Join(Struct, frozen=True, kw_only=True):
    """Take a free seat: an invited one with its invitation, an open one without."""

    invitation: Secret | None = None
    name: Name = ""


class Seated(Struct, frozen=True, kw_only=True):
    """A seat was taken; its secret. Bots have none: their token is enough."""

    match: MatchId
    seat: SeatName
    secret: str | None


class OptionInfo(Struct, frozen=True, kw_only=True):
    """An option of a game: a number in a range (or among some), one of a few words, or a text."""

    name: str
    help: str
    domain: str
    kind: Literal["number", "choice", "text"]
    default: int | str
    low: int | None = None
    high: int | None = None
    among: tuple[int | str, ...] = ()


class GameInfo(Struct, frozen=True, kw_only=True):
    """A game: what the page needs to offer it."""

    slug: str
    title: str
    summary: str
    seat_names: tuple[str, str]
    hidden: bool
    clock: str | None
    """The clock that the rules prescribe with default options."""
    untimed: dict[str, str]
    options: tuple[OptionInfo, ...]
    computers: tuple[str, ...]
    """What ``SeatSpec.player`` may be for a computer."""


class Games(Struct, frozen=True, kw_only=True):
    """All games, and the quick phrases."""

    games: tuple[GameInfo, ...]
    phrases: tuple[Phrase, ...]


class NewBot(Struct, frozen=True, kw_only=True):
    """A bot to be registered."""

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,29}$")]


class BotToken(Struct, frozen=True, kw_only=True):
    """A bot's token, shown once."""

    name: str
    token: str


class BotMatch(Message, frozen=True, kw_only=True, tag="match"):
    """In a bot's stream of events: a match in which the bot has a seat and which is not over."""

    match: MatchId
    seat: SeatName
    game: str
    options: dict[str, str]


class Analysis(Struct, frozen=True, kw_only=True):
    """A question to the engine: what should the seat do that sees this view?"""

    game: Slug
    view: Text
    seat: SeatName
    options: dict[Slug, Text | int] = {}
    millis: Annotated[int, Meta(ge=1, le=10_000)] = 1_000
    lines: Annotated[int, Meta(ge=1, le=10)] = 3


class AnalysisLine(Struct, frozen=True, kw_only=True):
    """A line of play, the score from 0 to 1 it promises the seat, and plies to a forced end."""

    moves: tuple[str, ...]
    score: float
    mate: int | None


class Analysed(Struct, frozen=True, kw_only=True):
    """What the engine found, best first."""

    lines: tuple[AnalysisLine, ...]
    depth: int
    nodes: int


class Health(Struct, frozen=True, kw_only=True):
    """Whether the server is well."""

    status: Literal["ok", "starting", "stopping", "no_database"]

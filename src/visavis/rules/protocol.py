"""The protocol of a game: what a game must say about itself, and what everyone else may rely on.

A game is a class derived from `Game`; an instance is the game with its options chosen. All
methods are pure: states, moves and views are immutable values, and nothing here reads a clock,
a file or a random source of its own.

The comments on `Game` are contracts. `tests/laws/` holds every game to them. What callers hand
over is checked before a game sees it (`visavis.rules.arguments`): seats may be given as plain
numbers; other values are refused with `NotASeat`, and values that aren't moves with `IllegalMove`.

How a game flows::

    state = game.start()
    while not isinstance(awaited := game.awaits(state), Ended):
        if isinstance(awaited, Roll):       # chance: somebody outside throws the die
            state = game.roll(state, face)
        else:                               # Decide: one seat, or both at once in secret
            state = game.apply(state, seat, move)
    awaited.outcome

Text is the contract between all parts of the house. Every move, face of a roll, position and view
has exactly one canonical one-line text without any of the characters ``; { } #`` (records use
them), which Python, Rust, the server, the page and bots all speak.
"""

from __future__ import annotations

import abc
import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final, Generic, TypeVar

from visavis.rules.arguments import check_arguments
from visavis.rules.errors import BadOption, IllegalMove, NotAPosition, NotAView, NotYourTurn
from visavis.rules.reasons import MatchReason as MatchReason
from visavis.rules.reasons import NoReason, reason_named
from visavis.rules.reasons import Reason as Reason
from visavis.rules.seats import Seat as Seat
from visavis.rules.seats import Viewer as Viewer
from visavis.rules.seats import seat_of
from visavis.rules.spelling import whole_number

# -- What a state waits for ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (None is a draw), why, and the score where the game keeps one.

    >>> Outcome(Seat.SECOND, MatchReason.RESIGNED).result
    '0-1'
    """

    winner: Seat | None
    reason: Reason
    scores: tuple[int, int] | None = None

    @property
    def result(self) -> str:
        """The result as in a record: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return {Seat.FIRST: "1-0", Seat.SECOND: "0-1", None: "1/2-1/2"}[self.winner]

    def value(self, seat: Seat) -> float:
        """What the outcome is worth to a seat: 1, 0.5 or 0."""
        known = seat_of(seat)
        return 0.5 if self.winner is None else float(self.winner == known)


@dataclass(frozen=True, slots=True)
class Decide:
    """One or both seats must choose a move. ``seats`` is not empty and in ascending order.

    Two seats mean a simultaneous secret choice: each calls `Game.apply` once, in any order, and the
    choice stays out of the other's view until both are in.
    """

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance decides next. Each face is a canonical text with a positive whole weight.

    The texts are distinct. Faces and weights may depend on secrets, so they never leave the
    session; what a viewer learns of a roll is `Game.observe_roll`.
    """

    faces: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    outcome: Outcome


Awaits = Decide | Roll | Ended


# -- Options ---------------------------------------------------------------------------------------

OptionValue = int | str
Options = Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class Option(abc.ABC):
    """One thing players may choose before a game, with its default and a line that explains it."""

    name: str
    help: str

    @property
    @abc.abstractmethod
    def default(self) -> OptionValue:
        """The value when nothing is chosen."""

    @property
    @abc.abstractmethod
    def domain(self) -> str:
        """What values are allowed, in words, for help texts and error messages."""

    @abc.abstractmethod
    def check(self, value: OptionValue) -> OptionValue:
        """Return the canonical form of ``value`` (text is understood too), or raise `BadOption`."""


@dataclass(frozen=True, slots=True)
class Number(Option):
    """A whole number from ``low`` to ``high``, or one of ``among`` if that is given.

    >>> Number("ply_limit", "when to stop", 300, 1, 10_000).check("40")
    40
    """

    initial: int
    low: int
    high: int
    among: tuple[int, ...] = ()

    @property
    def default(self) -> int:
        """The value when nothing is chosen."""
        return self.initial

    @property
    def domain(self) -> str:
        """The range, in words."""
        if self.among:
            return "one of " + ", ".join(map(str, self.among))
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: OptionValue) -> int:
        """Return the number, or raise `BadOption`."""
        number = whole_number(str(value), self.low, self.high)
        if number is None or (self.among and number not in self.among):
            raise BadOption(self.name, value, f"must be {self.domain}")
        return number


@dataclass(frozen=True, slots=True)
class Choice(Option):
    """One of a few words; the first is the default.

    >>> Choice("fouls", "what a foul costs", ("lose", "refuse")).default
    'lose'
    """

    words: tuple[str, ...]

    @property
    def default(self) -> str:
        """The first of the words."""
        return self.words[0]

    @property
    def domain(self) -> str:
        """The words."""
        return "one of " + ", ".join(self.words)

    def check(self, value: OptionValue) -> str:
        """Return the word, or raise `BadOption`."""
        if value not in self.words:
            raise BadOption(self.name, value, f"must be {self.domain}")
        return str(value)


# A game with a richer option (a map, a field) derives its own Option class in its own module; its
# canonical value is a one-line text that the kernel can read too.


# -- Clocks a game itself prescribes ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameClock:
    """A clock that belongs to the rules: one for the whole game, and a limit for each turn."""

    game_ms: int
    turn_ms: int


# -- The game --------------------------------------------------------------------------------------

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move", bound=Hashable)
View = TypeVar("View", bound=Hashable)

LISTABLE: Final = 100_000
"""`Game.legal` sequences longer than this are not meant to be iterated (but see its contract)."""


class Game(abc.ABC, Generic[State, Move, View]):
    """A game with its options chosen.

    >>> from visavis.rules import game
    >>> osakana = game("osakana", {"fouls": "refuse"})
    >>> osakana.options["fouls"]
    'refuse'
    """

    slug: ClassVar[str]
    """The name in commands, records and addresses: lower case letters."""
    title: ClassVar[str]
    """The name for people."""
    summary: ClassVar[str]
    """One line on what kind of game it is."""
    schema: ClassVar[tuple[Option, ...]] = ()
    """The options, in the order in which they are shown."""
    seat_names: ClassVar[tuple[str, str]] = ("first", "second")
    """What the game calls its players."""
    rules_version: ClassVar[int] = 1
    """The version of the rules, from 1. Raise it when the same moves may lead to something else.

    A new wording, a new option whose default is what was, or faster code does not change it.
    """
    reasons: ClassVar[type[Reason]] = NoReason
    """Why the game may end by its own rules; `reason_named` knows those of every match too."""
    untimed: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Options for play without a clock (programs, analysis), where the rules prescribe one."""
    clock_options: ClassVar[tuple[str, ...]] = ()
    """The options by which players set the clock that the rules prescribe, if they may."""
    hidden: ClassVar[bool] = False
    """Whether a player may know something the other does not (hand-over screens, no premoves).

    Where it is false everybody sees everything: ``view``, ``observe`` and ``observe_roll`` are the
    same for all viewers.
    """

    options: Options
    """The chosen options: every option of the schema, canonical, in schema order."""

    def __init__(self, chosen: Options | None = None) -> None:
        given = dict(chosen or {})
        options = {o.name: o.check(given.pop(o.name, o.default)) for o in self.schema}
        for name, value in given.items():
            known = ", ".join(options) or "none"
            raise BadOption(name, value, f"{self.slug} has no such option (it has: {known})")
        self.options = options

    def __init_subclass__(cls, **keywords: object) -> None:
        """Check what callers hand to the game: see `visavis.rules.arguments`."""
        super().__init_subclass__(**keywords)
        check_arguments(cls)

    @classmethod
    def reason_named(cls, word: str) -> Reason:
        """Return why a match of this game ended, by its word, or raise `UnknownReason`."""
        return reason_named(cls.reasons, word)

    def kernel_options(self) -> list[tuple[str, str]]:
        """Return the options as the native kernel reads them: named data spelled out in full."""
        return [(name, str(value)) for name, value in self.options.items()]

    # Flow

    @abc.abstractmethod
    def start(self) -> State:
        """Return the state before anything happened. Nothing random is in it: see `Roll`."""

    @abc.abstractmethod
    def awaits(self, state: State) -> Awaits:
        """Say what the state waits for. A state that is `Ended` never awaits anything else."""

    @abc.abstractmethod
    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return all legal moves of a seat, without repetition, in a fixed order.

        Empty exactly if the seat is not awaited. The result depends on nothing but what the seat
        may know: two states with the same view for the seat give the same sequence.

        Where the moves are too many to list (a secret set-up), the sequence is lazy: ``len``,
        indexing and ``in`` are quick, and callers that list moves look at ``len`` first.
        """

    @abc.abstractmethod
    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a move; every move in ``legal`` applies.

        Raises `NotYourTurn` if the seat is not awaited and `IllegalMove` if the move is not
        legal, or isn't a move of the game at all (`is_move`). A game in which a foul loses may
        instead return an ended state for a move that is not legal, with the other seat as winner;
        such a move is never in ``legal``.
        """

    def roll(self, state: State, face: str) -> State:
        """Return the state after chance has shown a face of the awaited `Roll`.

        Raises `IllegalMove` for a face that is not among them.
        """
        raise IllegalMove(face, "nothing is rolled in this game")

    def turn(self, state: State) -> int:
        """Return the number of the turn, from 1; set-up is turn 0. It never decreases.

        All decisions with one number belong to one turn: a compound turn, or a move and the answer
        it calls for. Clocks and records need this.
        """
        raise NotImplementedError

    def standing(self, state: State) -> tuple[int, int] | None:
        """Return the score as it stands: the `Outcome.scores` of a game that ended here; public.

        None if the game keeps no score. Boards show it, and players that can't look as far as the
        end go by it.
        """
        return None

    def on_timeout(self, state: State, seat: Seat | None) -> Outcome:
        """Say what it means that a seat's clock, or (None) the game's own clock, has run out."""
        return Outcome(None if seat is None else seat.other, MatchReason.TIMEOUT)

    def clock(self) -> GameClock | None:
        """Return the clock that the rules prescribe under these options, if they do.

        It starts when both players are ready. Where the rules prescribe none, the players choose an
        ordinary clock, or none: a clock for the whole game is always the rules'.
        """
        return None

    # Knowledge

    @abc.abstractmethod
    def view(self, state: State, viewer: Viewer) -> View:
        """Return all that a viewer with a perfect memory knows, built up by allow-list.

        A spectator knows no more than either player. When the game has ended everybody knows
        everything.
        """

    @abc.abstractmethod
    def reveal(self, state: State) -> View:
        """Return the view of somebody who knows everything: what a finished match shows."""

    @abc.abstractmethod
    def determinize(self, view: View, rng: random.Random) -> State:
        """Draw a state that the viewer can't tell from the true one.

        ``view(determinize(v, rng), viewer) == v`` always; every possible state has a chance.
        """

    def observe(self, state: State, seat: Seat, move: Move, viewer: Viewer) -> str:
        """Return the text of a move, made in this state, as the viewer sees it (``?`` hides)."""
        return self.format_move(move)

    def observe_roll(self, state: State, face: str, viewer: Viewer) -> str:
        """Return the face of a roll, thrown in this state, as the viewer sees it."""
        return face

    def remark(self, state: State, seat: Seat, move: Move, after: State) -> str:
        """Return what a move turned out to do, for records: public, and "" if it is plain.

        ``after`` is the first state after the move (and the rolls it called for) that awaits no
        roll.
        """
        return ""

    def reveals(self, state: State, seat: Seat, move: Move) -> bool:
        """Whether the move shows somebody something that they can't be made to forget.

        Takebacks never cross such a move, nor a roll.
        """
        return False

    # Text. Every parse_x raises the error of its kind (NotAMove, NotAPosition, NotAView) and no
    # other, whatever the text. parse(format(x)) == x, and format(parse(text)) is canonical.

    def is_move(self, move: object) -> bool:
        """Whether a value is a move of this game, possible now or not: one `parse_move` may return.

        Moves made by hand may be anything: another type, a cell off the board, a number for an
        element. Other values are refused before the game sees them. A game whose own code refuses
        all of that need not say more than this: anything may be tried.
        """
        return True

    @abc.abstractmethod
    def format_move(self, move: Move) -> str:
        """Return the canonical text of a move: no blanks around it, single spaces inside."""

    @abc.abstractmethod
    def parse_move(self, text: str) -> Move:
        """Read a move, canonical or in any other spelling the game understands.

        All games are equally lenient. The text comes tidied: without blanks (spaces, tabs) around
        it, with single spaces inside, not longer than `LONGEST_MOVE`. ASCII letters of the
        canonical text may be of either case. Nothing else is folded: no other blanks, no letters or
        digits of other alphabets, however alike. `visavis.rules.spelling` helps.
        """

    @abc.abstractmethod
    def format_position(self, state: State) -> str:
        """Return the canonical text of a state, nothing hidden: all that is needed to play on."""

    @abc.abstractmethod
    def parse_position(self, text: str) -> State:
        """Read a position; one that no game could reach may be refused, an impossible one is."""

    @abc.abstractmethod
    def format_view(self, view: View) -> str:
        """Return the canonical text of a view, with ``?`` for what the viewer does not know."""

    @abc.abstractmethod
    def parse_view(self, text: str) -> View:
        """Read a view."""

    @abc.abstractmethod
    def board(self, view: View) -> str:
        """Draw what a viewer sees, in plain text of at most 79 columns where the board allows."""

    def prompt(self, view: View, seat: Seat) -> str:
        """Return a line that tells a person what is being asked of the seat and how to write it."""
        return ""

    def suggestions(self, state: State, seat: Seat) -> Mapping[str, Move]:
        """Return ready-made legal moves by name, where making one up is work; often empty.

        Names are single lower case words. Like ``legal``, it depends only on what the seat knows.
        """
        return {}

    # Conveniences that follow from the above

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        awaited = self.awaits(state)
        return awaited.outcome if isinstance(awaited, Ended) else None

    def awaited(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that must decide now; empty during a roll and after the end."""
        awaited = self.awaits(state)
        return awaited.seats if isinstance(awaited, Decide) else ()

    def check_turn(self, state: State, seat: Seat) -> None:
        """Raise `NotYourTurn` unless the seat is awaited."""
        if seat not in self.awaited(state):
            raise NotYourTurn(seat)


check_arguments(Game)


class OpenGame(Game[State, Move, State], Generic[State, Move]):
    """A game in which nothing in a state is hidden from anybody: a view is the state."""

    def view(self, state: State, viewer: Viewer) -> State:
        """Return the state: everybody knows all of it."""
        return state

    def reveal(self, state: State) -> State:
        """Return the state."""
        return state

    def determinize(self, view: State, rng: random.Random) -> State:
        """Return the only state with this view."""
        return view

    def format_view(self, view: State) -> str:
        """Return the text of the position."""
        return self.format_position(view)

    def parse_view(self, text: str) -> State:
        """Read a view, which is a position."""
        try:
            return self.parse_position(text)
        except NotAPosition as error:
            raise NotAView(text, error.why) from None


AnyGame = Game[Hashable, Hashable, Hashable]
"""Any game: for code that works with all of them."""

"""The values of the game: tokens and where they are, who knows what, states, views, moves."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from visavis.rules import protocol
from visavis.rules.protocol import Seat, Viewer
from visavis.rules.stones.board import Cell
from visavis.rules.stones.tokens import SET_SIZE, turned, twin_of

FRONT_LIMIT: Final = 5
DEALT_EACH: Final = 4
DEALT: Final = 2 * DEALT_EACH

# -- Knowledge -------------------------------------------------------------------------------------


class Known(enum.IntFlag):
    """Who knows which of the two tokens with its base side a token is (T4).

    To know one of the twins is to know the other, so this is the same for both. Everybody
    sees who has looked at what; only what they saw is private.
    """

    NOBODY = 0
    FIRST = 1
    SECOND = 2
    SPECTATOR = 4
    BOTH = FIRST | SECOND
    ALL = BOTH | SPECTATOR

    @classmethod
    def to(cls, viewer: Viewer) -> Known:
        """Return the knowledge of one viewer alone."""
        return {Seat.FIRST: cls.FIRST, Seat.SECOND: cls.SECOND, None: cls.SPECTATOR}[viewer]


# -- Tokens ----------------------------------------------------------------------------------------


class Side(enum.Enum):
    """A side of a token."""

    IMPROVED = "i"
    BASE = "b"


@dataclass(frozen=True, slots=True)
class Front:
    """In front of a player, a side up."""

    seat: Seat
    up: Side


@dataclass(frozen=True, slots=True)
class Lying:
    """On the field: the cell of the upper left stone, quarter turns clockwise, the side up."""

    cell: Cell
    turns: int
    up: Side


@dataclass(frozen=True, slots=True)
class Piled:
    """In a player's pile."""

    seat: Seat


Place = Front | Lying | Piled


@dataclass(frozen=True, slots=True)
class Token:
    """A token that has left the bag. Its number is its place in `State.tokens`, from 1.

    ``improved`` is None where the improved side is not known: to anybody, or, in a view, to the
    viewer.
    """

    base: str
    improved: str | None
    known: Known
    place: Place

    @property
    def up(self) -> Side:
        """The side that is up; in a pile it does not matter, and counts as the base side."""
        return Side.BASE if isinstance(self.place, Piled) else self.place.up

    @property
    def shown(self) -> str:
        """The side that is up, as printed."""
        return self.improved if self.up is Side.IMPROVED and self.improved else self.base

    def stones(self) -> Iterator[tuple[Cell, str]]:
        """Yield the stones of a token on the field with their cells."""
        if isinstance(self.place, Lying):
            side = turned(self.shown, self.place.turns)
            yield from zip(self.place.cell.square(), side, strict=True)


Tokens = tuple[Token, ...]


def drawn(tokens: Tokens, base: str, place: Place) -> Tokens:
    """Add a token of which the base side is seen; what is known of its twin is known of it."""
    twin = next((token for token in tokens if token.base == base), None)
    if twin is None:
        return (*tokens, Token(base, None, Known.NOBODY, place))
    improved = None if twin.improved is None else twin_of(twin.improved)
    return (*tokens, Token(base, improved, twin.known, place))


def placed(tokens: Tokens, number: int, place: Place) -> Tokens:
    """Put a token somewhere."""
    moved = replace(tokens[number - 1], place=place)
    return (*tokens[: number - 1], moved, *tokens[number:])


def learned(tokens: Tokens, bases: Iterable[str], known: Known) -> Tokens:
    """Let somebody know the tokens with these base sides, if they are settled at all."""
    wanted = set(bases)
    return tuple(
        replace(token, known=token.known | known) if token.base in wanted and token.known else token
        for token in tokens
    )


def identified(tokens: Tokens, number: int, improved: str | None, known: Known) -> Tokens:
    """Settle which of two twins a token is, and so which the other is, and who knows it."""
    base = tokens[number - 1].base
    other = None if improved is None else twin_of(improved)
    return tuple(
        replace(token, improved=improved if n == number else other, known=known)
        if token.base == base
        else token
        for n, token in enumerate(tokens, 1)
    )


# -- States ----------------------------------------------------------------------------------------


class Phase(enum.Enum):
    """What is being done."""

    DEAL = "deal"
    """Tokens are dealt (T4)."""
    DRAW = "draw"
    """A token must be taken from the bag (T5)."""
    PLACE = "place"
    """The token of the turn must be placed (T6), or the turn skipped."""
    MORE = "more"
    """One more token may be placed (T12)."""
    LEVEL = "level"
    """One of several largest groups must be chosen (T11)."""
    THREE = "three"
    """A token of the group goes to the pile (T8)."""
    FOUR = "four"
    """The same, with more to come, after a look at lower sides (T9)."""
    KEEP = "keep"
    """Another token of the group comes in front (T9)."""
    FIVE = "five"
    """The tokens of the group are divided, in order of their numbers (T10)."""


PEEKING: Final = (Phase.FOUR, Phase.FIVE)


@dataclass(frozen=True, slots=True)
class State:
    """A state of the game. What nobody knows is not in it.

    ``group`` holds the numbers of the tokens still to be settled in the phases that settle a group.
    ``skips`` counts the turns skipped in a row; ``bonus`` the rights to place one more.
    """

    turn: int
    phase: Phase
    group: tuple[int, ...]
    skips: int
    bonus: int
    tokens: Tokens

    @property
    def seat(self) -> Seat:
        """Whose turn it is; first has the odd turns."""
        return Seat.SECOND if self.turn and self.turn % 2 == 0 else Seat.FIRST

    @property
    def in_bag(self) -> int:
        """How many tokens are left in the bag."""
        return SET_SIZE - len(self.tokens)

    @property
    def ending(self) -> Reason | None:
        """Why the game has ended, if it has (T14)."""
        if self.skips == 2:
            return Reason.BOTH_SKIPPED
        return Reason.BAG_EMPTY if self.phase is Phase.DRAW and not self.in_bag else None

    def front(self, seat: Seat) -> list[int]:
        """Return the numbers of the tokens in front of a player."""
        return [
            number
            for number, token in enumerate(self.tokens, 1)
            if isinstance(token.place, Front) and token.place.seat is seat
        ]

    def pile(self, seat: Seat) -> list[int]:
        """Return the numbers of the tokens in a player's pile."""
        return [n for n, token in enumerate(self.tokens, 1) if token.place == Piled(seat)]

    def token(self, number: int) -> Token:
        """Return a token by its number."""
        return self.tokens[number - 1]

    def covered(self) -> dict[Cell, int]:
        """Return the numbers of the tokens on the field by cell."""
        return {
            cell: number
            for number, token in enumerate(self.tokens, 1)
            if isinstance(token.place, Lying)
            for cell in token.place.cell.square()
        }

    def score(self, seat: Seat) -> int:
        """One for each token in the pile and each in front with its improved side up (T15)."""
        improved = Front(seat, Side.IMPROVED)
        return sum(token.place in (Piled(seat), improved) for token in self.tokens)

    def unseen(self) -> int | None:
        """Return the token of the group that is to be looked at next and that nobody knows."""
        if self.phase not in PEEKING:
            return None
        return next((n for n in self.group if not self.token(n).known), None)


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer knows: a state in which unknown improved sides are None."""

    viewer: Viewer
    state: State
    revealed: bool = False
    """Whether this is the view of somebody who knows everything, and not of ``viewer``."""

    def improved_sides(self) -> list[str | None]:
        """Return the improved sides of all tokens by number, None where not known."""
        return [token.improved for token in self.state.tokens]


# -- Moves -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Put:
    """Place a token: its number, the cell of its upper left stone, quarter turns clockwise."""

    token: int
    cell: Cell
    turns: int


@dataclass(frozen=True, slots=True)
class Take:
    """Take a token of the group to the pile."""

    token: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Put a token of the group in front, a side up."""

    token: int
    up: Side


@dataclass(frozen=True, slots=True)
class Pile:
    """Put a token of a group of five or more on the pile."""

    token: int


@dataclass(frozen=True, slots=True)
class Level:
    """Choose one of several largest groups, by its first cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Done:
    """Give up what is left of the right to place more."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Skip the turn: no token can be placed."""


Move = Put | Take | Keep | Pile | Level | Done | Skip


# -- Ends ----------------------------------------------------------------------------------------


class Reason(protocol.Reason):
    """Why a game ends (T14)."""

    BOTH_SKIPPED = (
        "both_skipped",
        "nobody can place, points decide",
        "nobody can place, points are equal",
    )
    BAG_EMPTY = (
        "bag_empty",
        "the bag is empty, points decide",
        "the bag is empty, points are equal",
    )

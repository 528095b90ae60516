"""What a game of Five Elements consists of at one moment, and what can be done to it.

A side keeps two kinds of facts about its ordinary pieces apart: a `Track` is what both players
know of a piece, ``starts`` and ``nows`` are what its owner knows. A view is a state with holes
(None) among the latter; that is why the types are generic.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from visavis.rules import protocol
from visavis.rules.elements.board import BASES, TERRITORIES, Cell
from visavis.rules.protocol import Seat, Viewer


class Element(enum.IntEnum):
    """The five elements, residues mod 5 (E5).

    >>> Element.WATER.letter
    'A'
    """

    FIRE = 0
    METAL = 1
    WOOD = 2
    EARTH = 3
    WATER = 4

    @property
    def letter(self) -> str:
        """The letter of the texts; water is *aqua*."""
        return LETTERS[self]


LETTERS: Final = "FMWEA"
PIECES: Final = 15
"""Ordinary pieces of a side (E4)."""
OF_EACH: Final = 3
"""How many of them start with each element (E6)."""
MANY_CHANGES: Final = 2
"""After two changes every element is possible again: more of them tell nothing."""


# -- Moves -----------------------------------------------------------------------------------------

Arrangement = tuple[Element, ...]
"""The elements of the ordinary pieces of a side, in the order of the cells of its territory."""


@dataclass(frozen=True, slots=True)
class Arrange:
    """The set-up of a side (E6)."""

    elements: Arrangement


@dataclass(frozen=True, slots=True)
class Step:
    """A move to an empty cell (E11)."""

    origin: Cell
    target: Cell


@dataclass(frozen=True, slots=True)
class Attack:
    """A move to a cell held by the enemy (E12); a king names the element it uses (E15)."""

    origin: Cell
    target: Cell
    element: Element | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """An element for a king under attack (E15), or for a piece on a base (E13)."""

    element: Element


Move = Arrange | Step | Attack | Choose


# -- Sides -----------------------------------------------------------------------------------------

Known_co = TypeVar("Known_co", bound="Element | None", covariant=True)
"""`Element` in a state; ``Element | None`` in a view."""


@dataclass(frozen=True, slots=True)
class King:
    """A king: where it stands and which elements it owns, in their order (E4, E8)."""

    cell: Cell
    owned: tuple[Element, ...] = tuple(Element)

    def without(self, element: Element) -> King:
        """Return the king after it stopped owning an element (E18)."""
        return replace(self, owned=tuple(e for e in self.owned if e != element))


@dataclass(frozen=True, slots=True)
class Track:
    """What both players know of an ordinary piece (E23).

    ``cell`` is where it stands, or None if it was destroyed. ``seen`` is the element it had when it
    was last open, and ``changes`` how often it has changed on a base since then, or since the start
    (2 stands for more). What its first opening told of the element it started with is in
    ``start`` (it was this) or ``never`` (it was not this: it had changed once before).
    """

    cell: Cell | None
    start: Element | None = None
    never: Element | None = None
    seen: Element | None = None
    changes: int = 0

    @property
    def is_open(self) -> bool:
        """Whether both players know its element now."""
        return self.seen is not None and not self.changes

    def opened(self, element: Element) -> Track:
        """Return the track of the piece after it was shown to have an element."""
        if self.seen is not None:
            return replace(self, seen=element, changes=0)
        return replace(
            self,
            start=element if self.changes == 0 else None,
            never=element if self.changes == 1 else None,
            seen=element,
            changes=0,
        )

    def changed(self) -> Track:
        """Return the track of the piece after it took another element on a base (E13)."""
        return replace(self, changes=min(self.changes + 1, MANY_CHANGES))


@dataclass(frozen=True, slots=True)
class Side(Generic[Known_co]):
    """One player's pieces: the king, and the ordinary ones in the order of their first cells."""

    king: King
    tracks: tuple[Track, ...]
    starts: tuple[Known_co, ...]
    """The elements given in the set-up."""
    nows: tuple[Known_co, ...]
    """The elements now, or when the piece was destroyed."""


def new_side(seat: Seat, elements: tuple[Known_co, ...]) -> Side[Known_co]:
    """Return a side as the set-up leaves it (E4, E6)."""
    tracks = tuple(map(Track, TERRITORIES[seat]))
    return Side(King(BASES[seat]), tracks, elements, elements)


# -- States and views ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """An ordinary piece has arrived on a base and must change (E13)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class SetUp(Generic[Known_co]):
    """The set-up phase: what each side has given, if it has (E6, E7)."""

    given: tuple[tuple[Known_co, ...] | None, tuple[Known_co, ...] | None]


@dataclass(frozen=True, slots=True)
class Play(Generic[Known_co]):
    """The play phase.

    ``pending`` is an attack on a king that has to be answered, or a change to be made; both
    belong to the turn that called for them.
    """

    turn: int
    loss: int
    """The last turn in which a piece was destroyed or a king lost an element; 0 if none was."""
    pending: Attack | Change | None
    sides: tuple[Side[Known_co], Side[Known_co]]

    @property
    def mover(self) -> Seat:
        """Whose turn it is (E9)."""
        return Seat.FIRST if self.turn % 2 else Seat.SECOND

    @property
    def quiet(self) -> int:
        """How many turns in a row, before this one, were without a loss (E21)."""
        return max(0, self.turn - 1 - self.loss)

    @property
    def is_decided(self) -> bool:
        """Whether a king has no elements left (E20)."""
        return not all(side.king.owned for side in self.sides)


State = SetUp[Element] | Play[Element]
Unsure = Element | None
Known = SetUp[Unsure] | Play[Unsure]


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer knows: a state, with None for what the viewer does not know.

    The element of a king's attack that waits for its answer may be None too.
    """

    viewer: Viewer
    known: Known


# -- Ends ----------------------------------------------------------------------------------------


class Reason(protocol.Reason):
    """Why a game ends."""

    KING = "king", "the loser's king has no elements left"  # E20
    BOTH_KINGS = "both_kings", None, "both kings have lost everything at once"  # E20
    QUIET = "quiet", None, "too long without a loss"  # E21

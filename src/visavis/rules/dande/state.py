"""A position of D&E, and the values it is made of."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Final

from visavis.rules import protocol
from visavis.rules.dande.board import ARMY_SIZE, CELL_OF, HOME, Cell, Cells, Piece, opposite
from visavis.rules.protocol import Seat


class Effect(enum.Enum):
    """What a bad cell does to a piece that stops on it (D14)."""

    PIT = "pit"
    MIRE = "mire"
    CROWN = "crown"
    SPUR = "spur"
    GATE = "gate"
    MIRROR = "mirror"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bad cells, each where half a turn of the board takes the other (D14)."""

    cell: Cell
    """The one with the lower name."""
    effect: Effect | None = None
    """What both do; None as long as nobody knows."""

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Both cells, that with the lower name first."""
        return self.cell, opposite(self.cell)


PLACES: Final = tuple(CELL_OF[file + rank] for file in "abcd" for rank in "3456")
"""Where the lower-named cell of a pair can lie, in the order of the names (D14)."""


@dataclass(frozen=True, slots=True)
class Move:
    """One piece goes from a cell to another, and captures what stands there if it says so."""

    origin: Cell
    target: Cell
    captures: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """All there is to know about a game at one moment; both players know all of it."""

    cells: Cells = HOME
    turn: int = 0
    """The number of the turn: 0 while bad cells are drawn, then odd numbers are blue's."""
    plies: int = 0
    """How many moves were made; a spur's second move is one of its own (D17)."""
    pairs: tuple[Pair, ...] = ()
    """The bad cells, in the order of their names."""
    spurred: bool = False
    """Whether a spur's second move is due."""
    stop: Cell | None = None
    """Where a piece has just stopped on a bad cell whose effect is not drawn yet."""

    @property
    def mover(self) -> Seat:
        """Whose turn it is."""
        return Seat.SECOND if self.turn and self.turn % 2 == 0 else Seat.FIRST

    @property
    def captured(self) -> tuple[int, int]:
        """How many pieces each player has captured, lost in pits included (D9, D14)."""
        left = [sum(p is not None and p.seat is seat for p in self.cells) for seat in Seat]
        return ARMY_SIZE - left[Seat.SECOND], ARMY_SIZE - left[Seat.FIRST]

    def pair_at(self, cell: Cell) -> Pair | None:
        """Return the pair of bad cells that a cell belongs to."""
        return next((pair for pair in self.pairs if cell in pair.cells), None)

    def effects_left(self) -> tuple[Effect, ...]:
        """Return the effects that no pair is known to have (D14: without repetition)."""
        known = {pair.effect for pair in self.pairs}
        return tuple(effect for effect in Effect if effect not in known)

    def put(self, *pieces: tuple[Cell, Piece | None]) -> State:
        """Return the state with these cells changed."""
        cells = list(self.cells)
        for cell, piece in pieces:
            cells[cell] = piece
        return replace(self, cells=tuple(cells))


# -- Ends ----------------------------------------------------------------------------------------


class Reason(protocol.Reason):
    """Why a game ends."""

    NO_MOVES = "no_moves", "the loser can't move, captures don't count"  # D8
    PLY_LIMIT = (  # D12
        "ply_limit",
        "all moves are made, captures decide",
        "all moves are made, captures are equal",
    )
    GAMETIME = (  # D9
        "gametime",
        "the game's time is up, captures decide",
        "the game's time is up, captures are equal",
    )
    TIMEOUT = "timeout", "a turn took too long, captures don't count"  # D8

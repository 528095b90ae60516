"""The board of D&E: its cells, the pieces, what stands where at the start."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from visavis.rules.protocol import Seat

SIDE: Final = 8
FILES: Final = "abcdefgh"

Cell = int
"""A cell: 0 is a1, 1 is b1, … 63 is h8."""

CELLS: Final = range(SIDE * SIDE)


def cell_name(cell: Cell) -> str:
    """Return the name of a cell.

    >>> cell_name(3), cell_name(60)
    ('d1', 'e8')
    """
    return f"{FILES[cell % SIDE]}{cell // SIDE + 1}"


CELL_OF: Final = {cell_name(cell): cell for cell in CELLS}
"""Every cell by its name."""


def opposite(cell: Cell) -> Cell:
    """Return where half a turn of the board takes a cell.

    >>> cell_name(opposite(CELL_OF["b3"]))
    'g6'
    """
    return SIDE * SIDE - 1 - cell


Step = tuple[int, int]
"""A direction: how many files to the right and how many ranks up."""

SIDEWAYS: Final[tuple[Step, ...]] = ((-1, 0), (1, 0))
DIAGONAL: Final[tuple[Step, ...]] = ((-1, -1), (1, -1), (-1, 1), (1, 1))
ANY_WAY: Final[tuple[Step, ...]] = ((0, -1), (0, 1), *SIDEWAYS, *DIAGONAL)


def ray(cell: Cell, step: Step) -> tuple[Cell, ...]:
    """Return the cells on the way from a cell to the edge of the board.

    >>> [cell_name(passed) for passed in ray(CELL_OF["f6"], (1, 1))]
    ['g7', 'h8']
    """
    file, rank = cell % SIDE + step[0], cell // SIDE + step[1]
    cells = []
    while 0 <= file < SIDE and 0 <= rank < SIDE:
        cells.append(rank * SIDE + file)
        file, rank = file + step[0], rank + step[1]
    return tuple(cells)


RAYS: Final = {(cell, step): ray(cell, step) for cell in CELLS for step in ANY_WAY}
"""Every `ray` of the board."""


class Kind(enum.Enum):
    """A kind of piece; the value is its letter in the text of a position."""

    KING = "K"
    JUMPER = "J"
    EXECUTIONER = "E"
    DEFENDER = "D"

    @property
    def walks(self) -> bool:
        """Whether it only walks one way: an executioner or a defender."""
        return self in (Kind.EXECUTIONER, Kind.DEFENDER)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it stands on the board."""

    seat: Seat
    kind: Kind
    turned: bool = False
    """Whether a mirror has made it walk the other way (D14)."""
    mired: int = 0
    """How many turns of its owner it still has to sit out (D14)."""

    @property
    def forward(self) -> Step:
        """Which way a walker walks."""
        return (0, 1) if (self.seat is Seat.FIRST) is not self.turned else (0, -1)


Cells = tuple[Piece | None, ...]
"""What stands on each of the 64 cells."""

# D2
_HOME: Final = {
    Kind.KING: ("d1", "e8"),
    Kind.JUMPER: ("e1", "d8"),
    Kind.EXECUTIONER: ("a2 b2 c2 f2 g2 h2", "a7 b7 c7 f7 g7 h7"),
    Kind.DEFENDER: ("d2 e2", "d7 e7"),
}
ARMY: Final = {kind: len(names[0].split()) for kind, names in _HOME.items()}
"""How many of each kind a player starts with."""
ARMY_SIZE: Final = sum(ARMY.values())


def _home() -> Cells:
    cells: list[Piece | None] = [None] * len(CELLS)
    for kind, homes in _HOME.items():
        for seat in Seat:
            for name in homes[seat].split():
                cells[CELL_OF[name]] = Piece(seat, kind)
    return tuple(cells)


HOME: Final = _home()
"""The board at the start."""

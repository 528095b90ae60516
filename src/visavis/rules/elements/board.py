"""The board (E1–E3): 42 cells on the surface of an icosahedron, and which are adjacent.

A cell is its number in the order of the texts: ``A0`` (the upper base), ``A1``…``A15``,
``N1``…``N10``, ``B1``…``B15``, ``B0`` (the lower base).
"""

from __future__ import annotations

from typing import Final

Cell = int
"""The number of a cell, 0 to 41."""

SECTORS: Final = 5

NAMES: Final = (
    "A0",
    *(f"A{n}" for n in range(1, 16)),
    *(f"N{n}" for n in range(1, 11)),
    *(f"B{n}" for n in range(1, 16)),
    "B0",
)
CELLS: Final = {name: cell for cell, name in enumerate(NAMES)}
BOARD: Final = range(len(NAMES))
"""All cells."""

BASES: Final[tuple[Cell, Cell]] = (CELLS["A0"], CELLS["B0"])
"""The bases of first and second (E1)."""
TERRITORIES: Final[tuple[tuple[Cell, ...], tuple[Cell, ...]]] = (
    tuple(CELLS[f"A{n}"] for n in range(1, 16)),
    tuple(CELLS[f"B{n}"] for n in range(1, 16)),
)
"""The territories of first and second, in the order C_0 L_0 R_0 C_1 … of the texts (E2)."""


def down(sector: int) -> Cell:
    """Return D_i, the neutral cell under the upper sector (E3)."""
    return CELLS["N1"] + 2 * (sector % SECTORS)


def up(sector: int) -> Cell:
    """Return U_i, the neutral cell over the lower sector (E3)."""
    return CELLS["N2"] + 2 * (sector % SECTORS)


def small(side: int, sector: int) -> tuple[Cell, Cell, Cell]:
    """Return C_i, L_i and R_i of a side: the triangle at the base, the two next to it (E3)."""
    at = 3 * (sector % SECTORS)
    centre, left, right = TERRITORIES[side][at : at + 3]
    return centre, left, right


def _pairs() -> list[tuple[Cell, Cell]]:
    """List the 70 adjacencies of E3."""
    pairs = []
    for sector in range(SECTORS):
        for side, neutral in enumerate((down(sector), up(sector))):
            centre, left, right = small(side, sector)
            _, next_left, _ = small(side, sector + 1)
            pairs += [(centre, BASES[side]), (centre, left), (centre, right)]
            pairs += [(right, next_left), (left, neutral), (right, neutral)]
        pairs += [(down(sector), up(sector)), (down(sector), up(sector - 1))]
    return pairs


def _adjacent() -> tuple[tuple[Cell, ...], ...]:
    """Return the neighbours of each cell, in ascending order."""
    pairs = _pairs()
    both_ways = pairs + [(b, a) for a, b in pairs]
    return tuple(tuple(sorted(b for a, b in both_ways if a == cell)) for cell in range(len(NAMES)))


ADJACENT: Final = _adjacent()
"""The neighbours of each cell, in ascending order."""

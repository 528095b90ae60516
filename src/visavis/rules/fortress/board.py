"""The field of hexagons: its cells, their names, and which are adjacent (F2).

A cell is a number, counted from the top row, left to right. A set of cells is a *mask*: a whole
number in which the bit of each of its cells is set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

SMALLEST, LARGEST = 3, 40
"""The least and the greatest number of cells each way (F3)."""

_CELL = re.compile(r"([A-Z]{1,2})([1-9][0-9]?)", re.ASCII)


def cells_of(mask: int) -> list[int]:
    """Return the cells of a mask, in ascending order.

    >>> cells_of(0b1011)
    [0, 1, 3]
    """
    return [cell for cell, bit in enumerate(f"{mask:b}"[::-1]) if bit == "1"]


def column_name(column: int) -> str:
    """Return the letters of a column, counted from 0.

    >>> column_name(25), column_name(26), column_name(39)
    ('Z', 'AA', 'AN')
    """
    return chr(65 + column) if column < 26 else chr(64 + column // 26) + chr(65 + column % 26)


def cell_place(text: str) -> tuple[int, int] | None:
    """Read the name of a cell as (column, row) from 0, on the field or not; None if it isn't one.

    >>> cell_place("C4"), cell_place("AA1"), cell_place("4C")
    ((2, 3), (26, 0), None)
    """
    found = _CELL.fullmatch(text)
    if found is None:
        return None
    letters, digits = found.groups()
    column = ord(letters[-1]) - 65
    if len(letters) == 2:
        column += 26 * (ord(letters[0]) - 64)
    return column, int(digits) - 1


@dataclass(frozen=True)
class Grid:
    """A field of ``width`` × ``height`` pointy-top hexagons; rows 2, 4, 6, … stand to the right."""

    width: int
    height: int

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.width * self.height

    @cached_property
    def everywhere(self) -> int:
        """The mask of all cells."""
        return (1 << self.size) - 1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each cell.

        >>> Grid(3, 3).names[4]
        'B2'
        """
        return tuple(
            f"{column_name(cell % self.width)}{cell // self.width + 1}" for cell in range(self.size)
        )

    def cell(self, text: str) -> int | None:
        """Read the name of a cell of this field; None if there is no such cell."""
        place = cell_place(text)
        if place is None or place[0] >= self.width or place[1] >= self.height:
            return None
        return place[1] * self.width + place[0]

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each cell, in ascending order.

        >>> field = Grid(4, 3)
        >>> [field.names[n] for n in field.neighbours[5]]
        ['B1', 'C1', 'A2', 'C2', 'B3', 'C3']
        """
        return tuple(self._next_to(*divmod(cell, self.width)) for cell in range(self.size))

    def _next_to(self, row: int, column: int) -> tuple[int, ...]:
        right = column + row % 2  # in the rows above and below: the right one of two columns
        places = (
            (row - 1, right - 1),
            (row - 1, right),
            (row, column - 1),
            (row, column + 1),
            (row + 1, right - 1),
            (row + 1, right),
        )
        return tuple(
            r * self.width + c for r, c in places if 0 <= r < self.height and 0 <= c < self.width
        )

    @cached_property
    def _edges(self) -> tuple[int, int, int]:
        """All cells but column A, all but the last column, and the rows that stand to the right."""
        row = (1 << self.width) - 1
        columns = sum(1 << self.width * r for r in range(self.height))
        shifted = sum(row << self.width * r for r in range(1, self.height, 2))
        return (
            self.everywhere ^ columns,
            self.everywhere ^ columns << self.width - 1,
            shifted,
        )

    def grow(self, mask: int) -> int:
        """Return the cells of a mask and all cells adjacent to them."""
        not_first, not_last, shifted = self._edges
        left = (mask & not_first) >> 1
        right = (mask & not_last) << 1
        # In the rows above and below, a cell touches its own column and the one on the side
        # to which its own row stands.
        across = mask | left & ~shifted | right & shifted
        above_below = across << self.width | across >> self.width
        return (mask | left | right | above_below) & self.everywhere

    def distance(self, a: int, b: int) -> int:
        """Return how many steps apart two cells are.

        >>> field = Grid(7, 6)
        >>> field.distance(field.cell("B3"), field.cell("F4"))
        5
        """
        (row_a, column_a), (row_b, column_b) = divmod(a, self.width), divmod(b, self.width)
        rows = abs(row_a - row_b)
        # Twice the way to the side; every step to another row covers one of these half cells.
        halves = abs(2 * (column_a - column_b) + row_a % 2 - row_b % 2)
        return rows + max(0, halves - rows) // 2

    def opposite(self, cell: int) -> int:
        """Return the cell half a turn away; neighbours stay neighbours if the height is even."""
        return self.size - 1 - cell

    def is_connected(self, mask: int) -> bool:
        """Whether one can go from each cell of a mask to each other without leaving it."""
        reached, edge = 0, mask & -mask
        while edge != reached:
            reached, edge = edge, self.grow(edge) & mask
        return reached == mask


@lru_cache(maxsize=64)
def grid(width: int, height: int) -> Grid:
    """Return the field of this size; the same one each time, for its tables."""
    return Grid(width, height)

"""The board: its cells, and which way the players look (O1)."""

from __future__ import annotations

import enum
from typing import Final

from visavis.rules.protocol import Seat

COLUMNS: Final = 3
ROWS: Final = 4


class Cell(enum.IntEnum):
    """A cell by its name; the numbers run in reading order and index a board."""

    # O1
    A1 = 0
    B1 = 1
    C1 = 2
    A2 = 3
    B2 = 4
    C2 = 5
    A3 = 6
    B3 = 7
    C3 = 8
    A4 = 9
    B4 = 10
    C4 = 11

    @property
    def row(self) -> int:
        """The row, from 0 at the top."""
        return self // COLUMNS

    @property
    def column(self) -> int:
        """The column, from 0 on the left."""
        return self % COLUMNS


CELLS: Final = tuple(Cell)

# O1: first goes up the page, second down.
FORWARD: Final = {Seat.FIRST: -1, Seat.SECOND: +1}
FAR_ROW: Final = {Seat.FIRST: 0, Seat.SECOND: ROWS - 1}

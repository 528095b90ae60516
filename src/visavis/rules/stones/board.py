"""Fields: sets of cells of a square grid, by name or as a text map (T3)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import combinations
from types import MappingProxyType
from typing import Final, NamedTuple

from visavis.rules.arguments import are_among
from visavis.rules.errors import BadOption
from visavis.rules.protocol import Option, OptionValue

MAX_SIDE: Final = 16
MAX_SQUARES: Final = 128
"""The largest map, holes included: what the native kernel keeps in one word."""
LIMITS: Final = f"at most {MAX_SIDE} rows and columns and {MAX_SQUARES} squares, holes included"
COLUMNS: Final = "ABCDEFGHIJKLMNOP"


class Cell(NamedTuple):
    """A cell of the grid, counted from 0; cells compare in reading order.

    >>> str(Cell(row=3, column=2))
    'C4'
    """

    row: int
    column: int

    def __str__(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"

    def is_on_grid(self) -> bool:
        """Whether it has a name: no map is larger."""
        return are_among(range(MAX_SIDE), *self)

    def square(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Return the four cells of a token here, clockwise from this one, the upper left."""
        row, column = self
        return self, Cell(row, column + 1), Cell(row + 1, column + 1), Cell(row + 1, column)

    def neighbours(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Return the cells side by side with this one, on the field or not."""
        row, column = self
        return (
            Cell(row - 1, column),
            Cell(row, column - 1),
            Cell(row, column + 1),
            Cell(row + 1, column),
        )


CELL_TEXT: Final = "[A-P](?:1[0-6]|[1-9])"


def parse_cell(text: str) -> Cell:
    """Read a cell that matches `CELL_TEXT`."""
    return Cell(int(text[1:]) - 1, COLUMNS.index(text[0]))


@dataclass(frozen=True)
class Field:
    """A field: its map, rows joined by ``/``, with ``x`` for a cell and ``.`` for none.

    >>> Field("xxx/xxx/.xx").columns
    3
    """

    map: str

    @cached_property
    def rows(self) -> int:
        """How many rows the map has."""
        return self.map.count("/") + 1

    @cached_property
    def columns(self) -> int:
        """How many columns the map has."""
        return len(self.map.split("/")[0])

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """The cells."""
        return frozenset(
            Cell(r, c)
            for r, row in enumerate(self.map.split("/"))
            for c, mark in enumerate(row)
            if mark == "x"
        )

    @cached_property
    def squares(self) -> dict[Cell, tuple[Cell, ...]]:
        """The cells of a token, by that of its upper left stone, in reading order of those."""
        squares = {cell: cell.square() for cell in sorted(self.cells)}
        return {cell: square for cell, square in squares.items() if self.cells.issuperset(square)}

    def holds_two_tokens(self) -> bool:
        """Whether two tokens can lie on the empty field at once."""
        return any(set(a).isdisjoint(b) for a, b in combinations(self.squares.values(), 2))


def _one_line(rows: Iterable[str]) -> str:
    return "/".join(row.replace("#", "x") for row in rows)


@cache
def named_fields() -> Mapping[str, str]:
    """Return the maps of the built-in fields by name, the default first."""
    text = resources.files(__package__).joinpath("fields.json").read_text(encoding="utf-8")
    fields = json.loads(text)["fields"]
    return MappingProxyType({name: _one_line(rows) for name, rows in fields.items()})


@dataclass(frozen=True, slots=True)
class FieldOption(Option):
    """The field to play on: a name or a map.

    The canonical value is the name of a built-in field, or a map in one line.

    >>> option = FieldOption("field", "the field")
    >>> option.check("xxxx/xxxx/.xx.")
    'xxxx/xxxx/.xx.'
    >>> option.check("####\\n####")
    'xxxx/xxxx'
    """

    @property
    def default(self) -> str:
        """The first of the built-in fields."""
        return next(iter(named_fields()))

    @property
    def domain(self) -> str:
        """The names, and what a map looks like."""
        return (
            f"one of {', '.join(named_fields())}, or a map: rows of x (a cell) and . (none) joined "
            f"by /, {LIMITS}"
        )

    def check(self, value: OptionValue) -> str:
        """Return the name or the map in one line, or raise `BadOption`."""
        text = str(value)
        if text in named_fields():
            return text
        if len(text) > 2 * MAX_SIDE * (MAX_SIDE + 2) or not re.fullmatch(r"[xX#./\r\n]+", text):
            raise BadOption(self.name, value, f"must be {self.domain}")
        rows = [row.lower() for row in re.split(r"/|\r?\n", text.strip("\r\n"))]
        width = max(map(len, rows))
        if len(rows) > MAX_SIDE or width > MAX_SIDE or len(rows) * width > MAX_SQUARES:
            raise BadOption(
                self.name,
                value,
                f"{len(rows)} rows of {width} are too many: a map has {LIMITS}",
            )
        if width == 0:
            raise BadOption(self.name, value, "a map needs cells")
        line = _one_line(row.ljust(width, ".") for row in rows)
        if not Field(line).holds_two_tokens():
            raise BadOption(
                self.name, value, "a field must hold at least two tokens, each 2×2 cells"
            )
        names = {map_: name for name, map_ in named_fields().items()}
        return names.get(line, line)


def field_of(value: OptionValue) -> Field:
    """Return the field that a canonical value of the option stands for."""
    return Field(named_fields().get(str(value), str(value)))

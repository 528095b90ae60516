"""Texts of moves and positions.

A move is ``C4`` (build), ``C3-D3``, ``C3-D3-D4`` (go), ``C3+`` (build where it stands), ``C3-D3+``
(go and build), ``end`` or ``pass``.

A position is the number of the turn and the rows of the field from the top, joined by ``/``. In a
row each cell is ``.`` (nobody's), ``f`` (first's) or ``s`` (second's), a capital where a fortress
stands; a number before a letter repeats it. In mode ``plenty`` the generals of first and
of second follow, ``-`` if there are none; ``!`` marks those that have acted in this turn::

    3 2f5./2f2.3s/2f2.sSs/4.3s D1!,A2 -
"""

from __future__ import annotations

import re

from visavis.rules.arguments import are_among
from visavis.rules.errors import NotAMove
from visavis.rules.fortress.board import Grid, cells_of
from visavis.rules.fortress.state import Build, Call, Move, Order, State
from visavis.rules.spelling import capitals

_MOVE = re.compile(r"[A-Z]{1,2}[0-9]{1,2}(-[A-Z]{1,2}[0-9]{1,2}){0,2}\+?", re.ASCII)
_CALLS = {capitals(call.value): call for call in Call}
_RUN = re.compile(r"([2-9]|[1-4][0-9])?([.fsFS])", re.ASCII)
_REPEATED = re.compile(r"([.fsFS])\1+")
_SYMBOLS = {
    ("0", "0", "0"): ".",
    ("1", "0", "0"): "f",
    ("0", "1", "0"): "s",
    ("1", "0", "1"): "F",
    ("0", "1", "1"): "S",
}
"""What is written for a cell: is it first's, second's, has it a fortress?"""


class NotReadable(ValueError):
    """Why a text isn't a position."""


# -- Moves -----------------------------------------------------------------------------------------


def move_text(field: Grid, move: Move) -> str:
    """Return the text of a move."""
    match move:
        case Build(cell):
            return field.names[cell]
        case Order(path, builds):
            return "-".join(field.names[cell] for cell in path) + "+" * builds
        case Call():
            return move.value


def is_move(field: Grid, move: object) -> bool:
    """Whether a value is a move on the field, possible or not."""
    match move:
        case Build(cell):
            return are_among(range(field.size), cell)
        case Order(tuple(path), bool(builds)):
            lengths = (1, 2) if builds else (2, 3)  # F11
            return len(path) in lengths and are_among(range(field.size), *path)
        case Call():
            return True
    return False


def read_move(field: Grid, text: str) -> Move:
    """Read a move in either case, or raise `NotAMove`."""
    written = capitals(text)
    if written in _CALLS:
        return _CALLS[written]
    if not _MOVE.fullmatch(written):
        raise NotAMove(text, "moves are like C4, C3-D3, C3-D3-D4, C3+, C3-D3+, end, pass")
    names = written.removesuffix("+").split("-")
    builds = written.endswith("+")
    path = tuple(cell for name in names if (cell := field.cell(name)) is not None)
    if len(path) < len(names):
        raise NotAMove(text, f"not all of its cells are on the {field.width}x{field.height} field")
    if builds and len(path) > 2:
        raise NotAMove(text, "a general that builds goes one cell at most")  # F11
    return Order(path, builds) if builds or len(path) > 1 else Build(path[0])


# -- Positions -------------------------------------------------------------------------------------


def position_text(field: Grid, state: State, with_generals: bool) -> str:
    """Return the text of a position."""
    bits = (f"{mask:0{field.size}b}"[::-1] for mask in (*state.lands, state.forts))
    symbols = "".join(map(_SYMBOLS.__getitem__, zip(*bits, strict=True)))
    rows = "/".join(symbols[at : at + field.width] for at in range(0, field.size, field.width))
    words = [str(state.turn), _REPEATED.sub(lambda run: f"{len(run[0])}{run[1]}", rows)]
    if with_generals:
        for mask in state.generals:
            marked = (
                field.names[cell] + "!" * (state.acted >> cell & 1) for cell in cells_of(mask)
            )
            words.append(",".join(marked) or "-")
    return " ".join(words)


def read_position(field: Grid, text: str, with_generals: bool) -> State:
    """Read a position as far as it is written properly, or raise `NotReadable`."""
    if len(text) > 20 + 10 * field.size:
        raise NotReadable("it is too long")
    words = text.split(" ")
    if len(words) != (4 if with_generals else 2):
        raise NotReadable("it has too few or too many parts")
    if not re.fullmatch(r"[1-9][0-9]{0,2}", words[0], re.ASCII):
        raise NotReadable("it does not begin with the number of the turn")
    rows = words[1].split("/")
    if len(rows) != field.height:
        raise NotReadable(f"it has {len(rows)} rows, not {field.height}")
    symbols = "".join(_unpack(row, field.width) for row in rows)
    lands = _mask(symbols, "fF"), _mask(symbols, "sS")
    first, second, acted = 0, 0, 0
    if with_generals:
        first, acted_first = _parse_generals(field, words[2])
        second, acted_second = _parse_generals(field, words[3])
        acted = acted_first | acted_second
    return State(int(words[0]), lands, _mask(symbols, "FS"), (first, second), acted)


def _unpack(row: str, width: int) -> str:
    runs = list(_RUN.finditer(row))
    if "".join(run[0] for run in runs) != row:
        raise NotReadable(f"row {row[:20]!r} has something other than . f s F S and numbers from 2")
    symbols = "".join(run[2] * int(run[1] or 1) for run in runs)
    if len(symbols) != width:
        raise NotReadable(f"row {row[:20]!r} has {len(symbols)} cells, not {width}")
    return symbols


def _mask(symbols: str, among: str) -> int:
    bits = "".join("1" if symbol in among else "0" for symbol in reversed(symbols))
    return int(bits, 2)


def _parse_generals(field: Grid, text: str) -> tuple[int, int]:
    """Return the masks of all generals in the text and of those that have acted."""
    generals, acted = 0, 0
    for name in text.split(",") if text != "-" else ():
        cell = field.cell(name.removesuffix("!"))
        if cell is None or generals >> cell & 1:
            raise NotReadable(f"general {name[:10]!r} is off the field or named twice")
        generals |= 1 << cell
        acted |= name.endswith("!") << cell
    return generals, acted

"""The board as text: the field with its tokens in frames, then the players' own; and the prompt."""

from __future__ import annotations

import textwrap
from typing import Final

from visavis.rules.protocol import Seat
from visavis.rules.stones.board import COLUMNS, Cell, Field
from visavis.rules.stones.play import moves
from visavis.rules.stones.refusals import ASKED
from visavis.rules.stones.state import Lying, Side, State, Token, View
from visavis.rules.stones.text import format_move

_WIDTH: Final = 79
_MARGIN: Final = "   "
_JOINTS: Final = " │─└││┌├─┘─┴┐┤┬┼"
"""The frame by the lines that meet in a point: up 1, right 2, down 4, left 8."""


def draw(field: Field, view: View) -> str:
    """Draw all that a viewer sees.

    A token on the field is framed, its number in the middle, with a star while its group is being
    settled; a free cell is a dot. In front of the players, ``back`` is the lower side, if known.
    """
    state = view.state
    lines = _draw_field(field, state)
    for seat in Seat:
        lines += ["", *_draw_front(view, seat)]
    lines += ["", f"bag: {state.in_bag}"]
    backs = [
        f"{number} {_back(token)}"
        for number, token in enumerate(state.tokens, 1)
        if isinstance(token.place, Lying) and _back(token) != "?"
    ]
    if backs:
        lines += textwrap.wrap("known backs on the field: " + ", ".join(backs), _WIDTH)
    return "\n".join(line.rstrip() for line in lines)


def _draw_field(field: Field, state: State) -> list[str]:
    owners = dict.fromkeys(field.cells, 0) | state.covered()
    stones = {cell: stone for token in state.tokens for cell, stone in token.stones()}
    canvas = [[" "] * (4 * field.columns + 1) for _ in range(2 * field.rows + 1)]
    for row in range(field.rows + 1):
        for column in range(field.columns + 1):
            _draw_corner(canvas, owners, Cell(row, column))
    for row, column in field.cells:
        canvas[2 * row + 1][4 * column + 2] = stones.get(Cell(row, column), "·")
    for number, token in enumerate(state.tokens, 1):
        if isinstance(token.place, Lying):
            row, column = token.place.cell
            label = f"*{number}" if number in state.group else str(number)
            canvas[2 * row + 2][4 * column + 3 : 4 * column + 6] = f"{label:^3}"
    header = _MARGIN + "".join(f"  {letter} " for letter in COLUMNS[: field.columns])
    margins = [f"{n // 2 + 1:>2} " if n % 2 else _MARGIN for n in range(len(canvas))]
    return [header, *(margin + "".join(line) for margin, line in zip(margins, canvas, strict=True))]


def _draw_corner(canvas: list[list[str]], owners: dict[Cell, int], cell: Cell) -> None:
    """Draw the upper left corner of a cell, and its upper and left edges."""
    row, column = cell
    here, above = owners.get(cell), owners.get(Cell(row - 1, column))
    left, beyond = owners.get(Cell(row, column - 1)), owners.get(Cell(row - 1, column - 1))
    joint = (beyond != above) + 2 * (above != here) + 4 * (left != here) + 8 * (beyond != left)
    canvas[2 * row][4 * column] = _JOINTS[joint]
    if above != here:
        canvas[2 * row][4 * column + 1 : 4 * column + 4] = "───"
    if left != here:
        canvas[2 * row + 1][4 * column] = "│"


def _draw_front(view: View, seat: Seat) -> list[str]:
    state = view.state
    moves = state.turn and state.ending is None and state.seat is seat
    turn = "  (to move)" if moves else ""
    lines = [f"{seat}: score {state.score(seat)}, pile {len(state.pile(seat))}{turn}"]
    front = state.front(seat)
    if front:
        tokens = [state.token(number) for number in front]
        sides = [token.shown for token in tokens]
        columns = (
            [f"{number}{token.up.value}" for number, token in zip(front, tokens, strict=True)],
            [f"{side[0]} {side[1]}" for side in sides],
            [f"{side[3]} {side[2]}" for side in sides],
            [f"back {_back(token)}" for token in tokens],
        )
        lines += ["".join(f"   {text:<11}" for text in line) for line in columns]
    return lines


def _back(token: Token) -> str:
    """Return the lower side of a token, or ? if the viewer does not know it."""
    return token.base if token.up is Side.IMPROVED else token.improved or "?"


def prompt(field: Field, view: View) -> str:
    """Return what is asked, with an example."""
    possible = moves(field, view.state)
    example = format_move(possible[0])
    if len(possible) == 1:
        return f"There is nothing else to do: {example}"
    return f"{ASKED[view.state.phase].capitalize()}; example: {example}"

"""The text board of D&E."""

from __future__ import annotations

from typing import Final

from visavis.rules.dande.board import FILES, SIDE, Cell, cell_name
from visavis.rules.dande.costumes import Costume
from visavis.rules.dande.state import Effect, Pair, State
from visavis.rules.protocol import Seat

SIGNS: Final = {
    None: "*",
    Effect.PIT: "P",
    Effect.MIRE: "M",
    Effect.CROWN: "C",
    Effect.SPUR: "S",
    Effect.GATE: "G",
    Effect.MIRROR: "R",
}
"""What marks a bad cell on the board, by its effect."""
COLOURS: Final = ("blue", "red")
FILE_NAMES: Final = "    " + "".join(f"{name:<6}" for name in FILES).rstrip()


def draw(state: State, costume: Costume, *, is_over: bool) -> str:
    """Draw a position in plain text, seen from blue's side."""
    lines = [FILE_NAMES, ""]
    for rank in reversed(range(SIDE)):
        cells = (_cell(state, costume, rank * SIDE + file) for file in range(SIDE))
        lines.append(f"{rank + 1}   {''.join(f'{cell:<6}' for cell in cells)} {rank + 1}")
    lines += ["", FILE_NAMES, "", _pieces(costume)]
    if state.pairs:
        lines.append("Bad cells: " + ", ".join(map(_pair, state.pairs)))
    mired = [
        f"{cell_name(cell)} sits out {_turns(piece.mired)} of {COLOURS[piece.seat]}"
        for cell, piece in enumerate(state.cells)
        if piece is not None and piece.mired
    ]
    if mired:
        lines.append("Mired: " + ", ".join(mired))
    blue, red = state.captured
    lines.append(f"Captured: by blue {blue}, by red {red}")
    return "\n".join([*lines, "The game is over" if is_over else _whose_turn(state)])


def _cell(state: State, costume: Costume, cell: Cell) -> str:
    piece, pair = state.cells[cell], state.pair_at(cell)
    shown = "." if piece is None else costume.letter(piece) + "~" * piece.turned
    return shown if pair is None else f"{shown}({SIGNS[pair.effect]})"


def _pieces(costume: Costume) -> str:
    names = (f"{f.letter} {kind.name.lower()}: {f.name}" for kind, f in costume.figures.items())
    return ", ".join(names) + "\nBlue in capitals, red in small letters; ~ walks the other way"


def _pair(pair: Pair) -> str:
    low, high = map(cell_name, pair.cells)
    effect = "unknown" if pair.effect is None else pair.effect.value
    return f"{low} {high} {effect} ({SIGNS[pair.effect]})"


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _whose_turn(state: State) -> str:
    if state.turn == 0:
        return "Bad cells are being drawn"
    colour = COLOURS[state.mover]
    if state.stop is not None:
        return f"Turn {state.turn}, {colour} has stopped on the bad cell {cell_name(state.stop)}"
    second = ", a second move (spur)" if state.spurred else ""
    return f"Turn {state.turn}, {colour} to move{second}"


def prompt(state: State, seat: Seat) -> str:
    """Return a line that tells a player what is asked and how to write it."""
    if state.stop is not None or state.turn == 0 or state.mover is not seat:
        return ""
    what = "Move again (spur)" if state.spurred else "Move"
    return f"{what}, {COLOURS[seat]}: d1-d5 goes from d1 to d5, c2xb3 captures on b3"

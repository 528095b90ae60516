"""The board for a terminal, as the author draws it, and what is asked of a player (O13)."""

from __future__ import annotations

from typing import Final

from visavis.rules.osakana.board import COLUMNS, Cell
from visavis.rules.osakana.play import moves
from visavis.rules.osakana.state import Position
from visavis.rules.osakana.text import ARROWS, KANA, ascii_move, format_move, kana
from visavis.rules.protocol import Seat

RULER: Final = " --------------"
NAMES: Final = {Seat.FIRST: "先手", Seat.SECOND: "後手"}


def draw(position: Position) -> str:
    """Draw the board and the hands as the author does (O13)."""
    lines = ["  A    B    C", RULER]
    for start in range(0, len(Cell), COLUMNS):
        cells = (f" {kana(piece)}" if piece else "    " for piece in position.board[start:][:3])
        lines += [f"|{'|'.join(cells)}| {start // COLUMNS + 1}", RULER]
    lines += ["", "手ゴマ置き場"]
    for seat, name in NAMES.items():
        lines.append(f"{name}：{', '.join(KANA[kind] for kind in position.hands[seat]) or 'なし'}")
    return "\n".join(lines)


def prompt(position: Position, seat: Seat) -> str:
    """Ask for a move, with one of the possible ones as an example."""
    move = next(moves(position))
    return (
        f"{NAMES[seat]} {ARROWS[seat]} to move, for example "
        f"{format_move(move)} or {ascii_move(move)}"
    )

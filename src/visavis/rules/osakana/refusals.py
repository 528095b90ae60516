"""Why a move is refused, where a foul is refused instead of losing (O10)."""

from __future__ import annotations

from visavis.rules.osakana.play import reach
from visavis.rules.osakana.state import Drop, Move, Position, Step


def why_not(position: Position, move: Move) -> str:
    """Return why the side to move can't make this move."""
    mover, holder = position.mover, position.board[move.target]
    if move.piece.seat is not mover:
        return "the piece is the opponent's"
    match move:
        case Step(piece, origin, _) if position.board[origin] != piece:
            return f"no such piece of yours is on {origin.name}"
        case Step(piece, origin, target) if target not in reach(piece, origin):
            return f"it can't go from {origin.name} to {target.name}"  # O3
        case Drop(piece, _) if piece.kind not in position.hands[mover]:
            return "no such piece is in your hand"  # O6
        case Drop():
            return f"{move.target.name} is not empty"  # O6
    whose = "your own" if holder is not None and holder.seat is mover else "a"
    return f"{whose} piece is on {move.target.name}"  # O4

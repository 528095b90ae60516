"""Why a move is refused."""

from __future__ import annotations

from visavis.rules.dande.board import cell_name
from visavis.rules.dande.play import targets
from visavis.rules.dande.state import Move, State


def why_not(state: State, move: Move) -> str:
    """Say why a move is not legal for the player on turn."""
    origin, target = cell_name(move.origin), cell_name(move.target)
    piece, met = state.cells[move.origin], state.cells[move.target]
    if piece is None:
        return f"{origin} is empty"
    if piece.seat is not state.mover:
        return f"the piece on {origin} is the opponent's"
    if piece.mired:
        return f"the piece on {origin} is mired, turns to sit out: {piece.mired}"
    if move.target not in targets(state.cells, move.origin, piece):
        return f"the {piece.kind.name.lower()} on {origin} can't go to {target}"
    if met is None:
        return f"{target} is empty: write {origin}-{target}"
    return f"there is a piece on {target} to capture: write {origin}x{target}"

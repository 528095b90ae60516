"""How the pieces of D&E move."""

from __future__ import annotations

from collections.abc import Iterator

from visavis.rules.dande.board import (
    ANY_WAY,
    DIAGONAL,
    RAYS,
    SIDEWAYS,
    Cell,
    Cells,
    Kind,
    Piece,
    Step,
    cell_name,
)
from visavis.rules.dande.state import Move, State
from visavis.rules.protocol import Seat

# D5, D6
CAPTURES: dict[Kind, tuple[Step, ...]] = {
    Kind.EXECUTIONER: SIDEWAYS + DIAGONAL,
    Kind.DEFENDER: DIAGONAL,
}


def moves_of(state: State) -> Iterator[Move]:
    """Give all moves that the pieces of the player on turn can make.

    In the order of the cells they start from, and then of those they go to: a1, b1, … h8.
    """
    mover = state.mover
    for origin, piece in enumerate(state.cells):
        if piece is not None and piece.seat is mover and not piece.mired:  # D14
            for target in sorted(targets(state.cells, origin, piece)):
                yield Move(origin, target, state.cells[target] is not None)


def targets(cells: Cells, origin: Cell, piece: Piece) -> Iterator[Cell]:
    """Give the cells that a piece can go to, captures among them."""
    match piece.kind:
        case Kind.KING:  # D3
            for step in ANY_WAY:
                yield from slide(cells, RAYS[origin, step], piece.seat)
        case Kind.JUMPER:  # D4
            for step in ANY_WAY:
                yield from slide(cells, RAYS[origin, step][:1], piece.seat)
        case walker:  # D5, D6
            for target in RAYS[origin, piece.forward][:1]:
                if cells[target] is None:
                    yield target
            for step in CAPTURES[walker]:
                for target in RAYS[origin, step][:1]:
                    if is_enemy(cells[target], piece.seat):
                        yield target


def slide(cells: Cells, path: tuple[Cell, ...], seat: Seat) -> Iterator[Cell]:
    """Give the empty cells along a path, and the first enemy's (D3: not over pieces)."""
    for target in path:
        if cells[target] is None:
            yield target
            continue
        if is_enemy(cells[target], seat):
            yield target
        return


def is_enemy(piece: Piece | None, seat: Seat) -> bool:
    """Whether a cell's piece can be captured by a seat (D7: never one's own)."""
    return piece is not None and piece.seat is not seat


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

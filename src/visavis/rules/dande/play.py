"""Which moves there are (D3–D7), what they do, and what bad cells do to a piece (D14, D15, D17)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

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
    opposite,
)
from visavis.rules.dande.state import Effect, Move, Reason, State
from visavis.rules.protocol import Outcome, Seat

MIRE_TURNS: Final = 2
"""How many turns of its owner a mired piece sits out (D14)."""
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


def after(state: State, move: Move) -> State:
    """Return the state after a legal move, which may await the roll of a bad cell's effect."""
    piece = state.cells[move.origin]
    moved = state.put((move.origin, None), (move.target, piece))  # D7
    moved = replace(moved, plies=state.plies + 1, spurred=False)
    pair = moved.pair_at(move.target)
    if pair is None:
        return end_turn(moved)
    if pair.effect is None:
        return replace(moved, stop=move.target)  # D14
    return suffer(moved, move.target, pair.effect, spurred=state.spurred)  # D15


def suffer(state: State, cell: Cell, effect: Effect, *, spurred: bool) -> State:
    """Return the state after the piece that stopped on a bad cell felt its effect (D14, D15).

    ``spurred`` says that the move was a spur's second.
    """
    piece = state.cells[cell]
    assert piece is not None
    other = opposite(cell)
    match effect:
        case Effect.PIT:
            state = state.put((cell, None))
        case Effect.MIRE:
            # The turn under way is about to end and is counted off with the others.
            state = state.put((cell, replace(piece, mired=MIRE_TURNS + 1)))
        case Effect.CROWN if piece.kind.walks:
            state = state.put((cell, Piece(piece.seat, Kind.JUMPER)))
        case Effect.SPUR if not spurred and any(moves_of(state)):
            return replace(state, spurred=True)  # D17
        case Effect.GATE if state.cells[other] is None:
            state = state.put((cell, None), (other, piece))
        case Effect.MIRROR if piece.kind.walks:
            state = state.put((cell, replace(piece, turned=not piece.turned)))
    return end_turn(state)


def end_turn(state: State) -> State:
    """Return the state with the opponent on turn; mired pieces have sat out one turn more."""
    cells = tuple(
        replace(piece, mired=piece.mired - 1)
        if piece is not None and piece.mired and piece.seat is state.mover
        else piece
        for piece in state.cells
    )
    return replace(state, cells=cells, turn=state.turn + 1)


def by_captures(state: State, reason: Reason) -> Outcome:
    """Return the outcome by captured pieces: more wins, equal is a draw (D9)."""
    blue, red = state.captured
    winner = None if blue == red else Seat.FIRST if blue > red else Seat.SECOND
    return Outcome(winner, reason, (blue, red))

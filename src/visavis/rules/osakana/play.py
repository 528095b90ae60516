"""Which moves there are, what they do (O3–O6) and how the game ends (O7–O11)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from visavis.rules.osakana.board import CELLS, FAR_ROW, FORWARD, Cell
from visavis.rules.osakana.state import (
    Drop,
    Hand,
    Kind,
    Move,
    Piece,
    Position,
    Reason,
    State,
    Step,
)
from visavis.rules.osakana.text import format_position, parse_position
from visavis.rules.protocol import Outcome, Seat

# -- Moves -----------------------------------------------------------------------------------------

# O3: the cells a piece can go to, as (cells aside, cells forward).
AHEAD: Final = {(0, 1)}
ORTHOGONAL: Final = AHEAD | {(-1, 0), (1, 0), (0, -1)}
DIAGONAL_AHEAD: Final = {(-1, 1), (1, 1)}
DIAGONAL: Final = DIAGONAL_AHEAD | {(-1, -1), (1, -1)}
STEPS: Final = {
    Kind.TUNA: ORTHOGONAL | DIAGONAL,
    Kind.INADA: AHEAD,
    Kind.BURI: ORTHOGONAL | DIAGONAL_AHEAD,
    Kind.OCTOPUS: DIAGONAL,
    Kind.FLOUNDER: ORTHOGONAL,
}


@cache
def reach(piece: Piece, cell: Cell) -> tuple[Cell, ...]:
    """Return where a piece could go on an empty board, in reading order.

    >>> [target.name for target in reach(Piece(Seat.FIRST, Kind.FLOUNDER), Cell.C4)]
    ['C3', 'B4']
    """
    steps = STEPS[piece.kind]  # O3
    return tuple(
        target
        for target in Cell
        if (target.column - cell.column, (target.row - cell.row) * FORWARD[piece.seat]) in steps
    )


def moves(position: Position) -> Iterator[Move]:
    """Yield the moves of the side to move: steps by origin and target, then drops by kind and cell.

    Cells come in reading order, kinds in the order of the hand.
    """
    board, mover = position.board, position.mover
    for origin, piece in zip(CELLS, board, strict=True):
        if piece is not None and piece.seat is mover:
            for target in reach(piece, origin):
                taken = board[target]
                if taken is None or taken.seat is not mover:  # O4
                    yield Step(piece, origin, target)
    for kind in sorted(set(position.hands[mover])):
        for target, piece in zip(CELLS, board, strict=True):
            if piece is None:  # O6
                yield Drop(Piece(mover, kind), target)


def after(position: Position, move: Move) -> Position:
    """Return the position after a move, which must be one of `moves`."""
    mover = position.mover
    board = list(position.board)
    hand = list(position.hands[mover])
    match move:
        case Step(piece, origin, target):
            taken = board[target]
            if taken is not None:
                hand.append(Kind.INADA if taken.kind is Kind.BURI else taken.kind)  # O4
            grows = piece.kind is Kind.INADA and target.row == FAR_ROW[mover]  # O5
            board[origin] = None
            board[target] = Piece(mover, Kind.BURI) if grows else piece
        case Drop(piece, target):
            hand.remove(piece.kind)
            board[target] = piece  # O5: what is dropped on the far row does not grow
    return Position(tuple(board), with_hand(position.hands, mover, hand), mover.other)


def with_hand(hands: tuple[Hand, Hand], seat: Seat, hand: list[Kind]) -> tuple[Hand, Hand]:
    """Return both hands with one of them replaced."""
    sorted_hand = tuple(sorted(hand))
    return (sorted_hand, hands[1]) if seat is Seat.FIRST else (hands[0], sorted_hand)


# -- States ----------------------------------------------------------------------------------------

NONE: Final[frozenset[str]] = frozenset()


def reached(
    position: Position,
    seen: frozenset[str] = NONE,
    twice: frozenset[str] = NONE,
    *,
    foul: bool = False,
) -> State:
    """Return the state in which a position was reached after those seen, once or twice."""
    text = format_position(position)
    outcome = _outcome(position, foul=foul, again=text in twice)
    return State(position, text, seen, twice, foul, outcome)


def _outcome(position: Position, *, foul: bool, again: bool) -> Outcome | None:
    mover = position.mover
    if foul:
        return Outcome(mover.other, Reason.FOUL)  # O10
    if Kind.TUNA in position.hands[mover.other]:
        return Outcome(mover.other, Reason.CAPTURE)  # O7
    tuna = position.tuna(mover)
    if tuna is not None and tuna.row == FAR_ROW[mover]:
        return Outcome(mover, Reason.TRY)  # O8
    if again:
        return Outcome(None, Reason.REPETITION)  # O9
    if next(moves(position), None) is None:
        return Outcome(mover.other, Reason.NO_MOVES)  # O11
    return None


def played(state: State, move: Move) -> State:
    """Return the state after a move, which must be one of `moves`."""
    left = {state.text}
    twice = state.twice | (state.seen & left)
    return reached(after(state.position, move), state.seen | left, twice)


def fouled(state: State) -> State:
    """Return the state after the mover has committed a foul (O10)."""
    return reached(state.position, state.seen, state.twice, foul=True)


START: Final = reached(parse_position("kmt/1i1/1I1/TMK b -"))  # O2

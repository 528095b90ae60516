"""The board and the pieces: how they stand, move, are taken and dropped (O1–O6)."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from visavis.rules.protocol import Seat

COLUMNS: Final = 3
ROWS: Final = 4


class Cell(enum.IntEnum):
    """A cell by its name; the numbers run in reading order and index a board."""

    # O1
    A1 = 0
    B1 = 1
    C1 = 2
    A2 = 3
    B2 = 4
    C2 = 5
    A3 = 6
    B3 = 7
    C3 = 8
    A4 = 9
    B4 = 10
    C4 = 11

    @property
    def row(self) -> int:
        """The row, from 0 at the top."""
        return self // COLUMNS

    @property
    def column(self) -> int:
        """The column, from 0 on the left."""
        return self % COLUMNS


CELLS: Final = tuple(Cell)


class Kind(enum.IntEnum):
    """What a piece is. A hand is kept in this order."""

    TUNA = 0
    INADA = 1
    OCTOPUS = 2
    FLOUNDER = 3
    BURI = 4


class Piece(NamedTuple):
    """A piece and whose it is."""

    seat: Seat
    kind: Kind


# O1: first goes up the page, second down.
FORWARD: Final = {Seat.FIRST: -1, Seat.SECOND: +1}
FAR_ROW: Final = {Seat.FIRST: 0, Seat.SECOND: ROWS - 1}

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


class Step(NamedTuple):
    """A piece of the board goes from one cell to another."""

    piece: Piece
    origin: Cell
    target: Cell


class Drop(NamedTuple):
    """A piece of the hand is put on a cell."""

    piece: Piece
    target: Cell


Move = Step | Drop
Board = tuple[Piece | None, ...]
Hand = tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The board, both hands and the side to move: what O9 calls the same position."""

    board: Board
    hands: tuple[Hand, Hand]
    mover: Seat

    def tuna(self, seat: Seat) -> Cell | None:
        """Where a player's tuna is; None if it was taken."""
        tuna = Piece(seat, Kind.TUNA)
        return CELLS[self.board.index(tuna)] if tuna in self.board else None


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
    """Return the position behind a move, which must be one of `moves`."""
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

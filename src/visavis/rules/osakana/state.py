"""What a game consists of at one moment, and the moves as values (O2, O4, O6, O9)."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from visavis.rules import protocol
from visavis.rules.osakana.board import CELLS, Cell
from visavis.rules.protocol import Outcome, Seat


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


class Step(NamedTuple):
    """A piece on the board goes from one cell to another."""

    piece: Piece
    origin: Cell
    target: Cell


class Drop(NamedTuple):
    """A piece in the hand is put on a cell."""

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


@dataclass(frozen=True, slots=True)
class State:
    """A position, what came before it, and whether its mover has just committed a foul.

    `visavis.rules.osakana.play.reached` makes one.
    """

    position: Position
    text: str
    """The text of the position, by which repetitions are found (O9)."""
    seen: frozenset[str]
    """The text of each earlier position."""
    twice: frozenset[str]
    """Those of them that came twice."""
    foul: bool
    outcome: Outcome | None
    """How the game has ended, if it has."""


# -- Ends ----------------------------------------------------------------------------------------


class Reason(protocol.Reason):
    """Why a game ends."""

    CAPTURE = "capture", "the tuna was caught"  # O7
    TRY = "try", "the tuna swam across"  # O8
    REPETITION = "repetition", None, "the same position three times"  # O9
    FOUL = "foul", "a move against the rules"  # O10
    NO_MOVES = "no_moves", "the loser has no move left"  # O11

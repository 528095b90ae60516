"""D&E: two armies race to capture on an 8×8 board, against two clocks and among "bad cells".

Besides the files that every game has, `costumes` holds what the pieces look like.
"""

from visavis.rules.dande.board import Kind, Piece
from visavis.rules.dande.costumes import COSTUMES, Costume
from visavis.rules.dande.game import DandE
from visavis.rules.dande.state import Effect, Move, Pair, Reason, State

GAME = DandE

__all__ = [
    "COSTUMES",
    "GAME",
    "Costume",
    "DandE",
    "Effect",
    "Kind",
    "Move",
    "Pair",
    "Piece",
    "Reason",
    "State",
]

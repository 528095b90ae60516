"""Osakana Taisen (おさかな対戦): 3×4 shogi of fish, with drops."""

from visavis.rules.osakana.board import Cell
from visavis.rules.osakana.game import Osakana
from visavis.rules.osakana.state import Drop, Kind, Move, Piece, Position, Reason, State, Step

GAME = Osakana

__all__ = [
    "GAME",
    "Cell",
    "Drop",
    "Kind",
    "Move",
    "Osakana",
    "Piece",
    "Position",
    "Reason",
    "State",
    "Step",
]

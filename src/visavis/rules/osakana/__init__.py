"""Osakana Taisen (おさかな対戦): 3×4 shogi of fish, with drops.

`board` holds O1–O6, `game` O7–O11 and `text` O12–O14 of the rule book in ``rules.md``.
"""

from visavis.rules.osakana.board import Cell, Drop, Kind, Move, Piece, Position, Step
from visavis.rules.osakana.game import Osakana, State

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
    "State",
    "Step",
]

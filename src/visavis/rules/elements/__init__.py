"""Five Elements (Пять стихий): hidden pieces on an icosahedron and a battle ring of five elements.

Besides the files that every game has, `knowledge` says who knows what (E22, E23), and `formations`
holds all set-ups and a few to start from (E6).
"""

from visavis.rules.elements.game import Elements
from visavis.rules.elements.state import (
    Arrange,
    Attack,
    Choose,
    Element,
    Move,
    Play,
    Reason,
    SetUp,
    State,
    Step,
    View,
)

GAME = Elements

__all__ = [
    "GAME",
    "Arrange",
    "Attack",
    "Choose",
    "Element",
    "Elements",
    "Move",
    "Play",
    "Reason",
    "SetUp",
    "State",
    "Step",
    "View",
]

"""Five Elements (Пять стихий): hidden pieces on an icosahedron and a battle ring of five elements.

`board` holds E1–E3 of the rule book in ``rules.md``, `state` E4–E8, `play` E9–E20, `game` E20–E22,
`knowledge` E22–E23 and what the others say of who knows what; `formations` has ready-made set-ups.
"""

from visavis.rules.elements.game import Elements
from visavis.rules.elements.state import (
    Arrange,
    Attack,
    Choose,
    Element,
    Move,
    Play,
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
    "SetUp",
    "State",
    "Step",
    "View",
]

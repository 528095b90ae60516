"""Stones: double-sided tokens, groups of colours, chance and partly hidden backs.

Besides the files that every game has, `tokens` holds the set of sixty (T1, T2).
"""

from visavis.rules.stones.game import Stones
from visavis.rules.stones.state import Reason

GAME = Stones

__all__ = ["GAME", "Reason", "Stones"]

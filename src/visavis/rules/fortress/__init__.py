"""Fortresses (Фортеці): territory on hexagons, in three modes, with generals in the last.

Besides the files that every game has, `scenario` holds what is played on (F3–F6), `scenario_text`
how it is written (and the option), `generator` fair random maps.
"""

from visavis.rules.fortress.board import Grid
from visavis.rules.fortress.game import Fortress
from visavis.rules.fortress.generator import random_scenario
from visavis.rules.fortress.scenario import BadScenario, Mode, Scenario
from visavis.rules.fortress.scenario_text import built_in, read_scenario
from visavis.rules.fortress.state import Build, Call, Order, Reason, State

GAME = Fortress

__all__ = [
    "GAME",
    "BadScenario",
    "Build",
    "Call",
    "Fortress",
    "Grid",
    "Mode",
    "Order",
    "Reason",
    "Scenario",
    "State",
    "built_in",
    "random_scenario",
    "read_scenario",
]

"""Scenarios: what a game of Fortresses is played on (F3–F6); `scenario_text` reads them."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from visavis.rules.errors import RulesError, shorten
from visavis.rules.fortress.board import LARGEST, SMALLEST, Grid, cell_place, cells_of, grid

MOST_TURNS: Final = 400
"""The most turns a scenario may give each player (F3)."""
CITY_DISTANCE: Final = 3
"""How far apart the cities are at least, so that first territories don't overlap (F3)."""


class Mode(enum.StrEnum):
    """The three modes."""

    YOUNG = "young"  # F4
    ROUGH = "rough"  # F5
    PLENTY = "plenty"  # F6


class BadScenario(RulesError):
    """A scenario that can't be played: names the culprit (a cell, a field) and the reason.

    >>> str(BadScenario("water E9", "is off the field"))
    'water E9 is off the field'
    """

    def __init__(self, culprit: str, why: str) -> None:
        super().__init__(f"{culprit} {why}")
        self.culprit = culprit
        self.why = why


@dataclass(frozen=True)
class Scenario:
    """The mode, the field, the turns of each player, both cities; masks of mountains and water."""

    mode: Mode
    grid: Grid
    turns: int
    cities: tuple[int, int]
    mountains: int = 0
    water: int = 0

    def __str__(self) -> str:
        """Return the scenario on one line, as `scenario_text.read_scenario` reads it."""
        names, field = self.grid.names, self.grid
        parts: list[str] = [self.mode, f"{field.width}x{field.height}", str(self.turns)]
        parts += [names[city] for city in self.cities]
        if self.mode is not Mode.YOUNG:
            features = (self.mountains, self.water)
            parts += [",".join(names[cell] for cell in cells_of(mask)) for mask in features]
        return ":".join(parts)


# -- Making a valid scenario of its pieces (F3) ----------------------------------------------------


def make_scenario(
    mode: str,
    size: tuple[int, int],
    turns: int,
    cities: Sequence[str],
    mountains: Iterable[str] = (),
    water: Iterable[str] = (),
) -> Scenario:
    """Return the scenario made of these parts, or raise `BadScenario`.

    >>> make_scenario("young", (7, 6), 17, ["B3", "F4"]).turns
    17
    """
    if mode not in list(Mode):
        raise BadScenario(f"mode {shorten(mode)}", f"is not one of {', '.join(Mode)}")
    for name, length in zip(("width", "height"), size, strict=True):
        _check_range(name, length, SMALLEST, LARGEST)
    _check_range("turns", turns, 1, MOST_TURNS)
    field = grid(*size)
    if len(cities) != 2:
        raise BadScenario("cities", f"must be two, not {len(cities)}")
    first, second = (_on_field(field, "city", name) for name in cities)
    if (distance := field.distance(first, second)) < CITY_DISTANCE:
        raise BadScenario(
            f"city {field.names[second]}",
            f"is {distance} from city {field.names[first]}; it must be {CITY_DISTANCE} or more",
        )
    taken = {first: "a city", second: "a city"}
    masks = [
        _place(field, Mode(mode), taken, feature, names)
        for feature, names in (("mountain", mountains), ("water", water))
    ]
    return Scenario(Mode(mode), field, turns, (first, second), *masks)


def _check_range(name: str, number: int, low: int, high: int) -> None:
    if not low <= number <= high:
        raise BadScenario(name, f"is {number}; it must be from {low} to {high}")


def _on_field(field: Grid, what: str, name: str) -> int:
    """Return the cell of that name, or say that it is not on the field."""
    if cell_place(name) is None:
        raise BadScenario(f"{what} {shorten(name)}", "is not a cell such as C4")
    if (cell := field.cell(name)) is None:
        raise BadScenario(f"{what} {name}", f"is off the {field.width}x{field.height} field")
    return cell


def _place(
    field: Grid, mode: Mode, taken: dict[int, str], feature: str, names: Iterable[str]
) -> int:
    """Return the mask of the cells of a feature; none may be taken already."""
    mask = 0
    for name in names:
        cell = _on_field(field, feature, name)
        if mode is Mode.YOUNG:  # F4
            raise BadScenario(f"{feature} {name}", "can't be: mode young has no such cells")
        if cell in taken:
            raise BadScenario(f"{feature} {name}", f"is on top of {taken[cell]}")
        taken[cell] = "water" if feature == "water" else "a mountain"
        mask |= 1 << cell
    return mask

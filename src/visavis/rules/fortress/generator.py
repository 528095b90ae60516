"""Fair random maps: half a turn swaps the two players' sides, and all land is connected.

The same mode, size and seed give the same map, whatever the version of Python: the only source is
``random.Random(seed).random()``, which is promised to stay.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, TypeVar

from visavis.rules.fortress.board import Grid, cells_of
from visavis.rules.fortress.scenario import (
    CITY_DISTANCE,
    MOST_TURNS,
    BadScenario,
    Mode,
    Scenario,
    make_scenario,
)

MOUNTAINS: Final = 0.08
"""The share of the cells that become mountains, where the mode has them."""
WATER: Final = 0.14
"""The share that becomes water."""
TURNS: Final = {Mode.YOUNG: 0.4, Mode.ROUGH: 0.34, Mode.PLENTY: 0.2}
"""The turns of each player for each cell of land; as in the built-in scenarios."""
SPREAD: Final = 0.35
"""How often a feature starts a new patch instead of growing an old one."""

T = TypeVar("T")


def random_scenario(mode: str, size: tuple[int, int], seed: int) -> Scenario:
    """Return a fair map, or raise `BadScenario`: the height must be even.

    >>> str(random_scenario("young", (8, 6), 1))
    'young:8x6:19:B2:G5'
    """
    _, height = size
    if height % 2:
        raise BadScenario(
            f"height {height}", "is odd; only a field of even height looks the same from both sides"
        )
    # Any two far cells will do to have the mode and the size checked.
    field = make_scenario(mode, size, 1, ["A1", "C4"]).grid
    rng = random.Random(seed)
    city = _draw(rng, _city_sites(field))
    cities = (city, field.opposite(city))
    mountains, water = (0, 0) if mode == Mode.YOUNG else _features(field, rng, cities)
    land = field.everywhere & ~(mountains | water)
    turns = min(MOST_TURNS, max(1, round(land.bit_count() * TURNS[Mode(mode)])))
    return Scenario(Mode(mode), field, turns, cities, mountains, water)


def _draw(rng: random.Random, cells: Sequence[T]) -> T:
    return cells[int(rng.random() * len(cells))]


def _city_sites(field: Grid) -> list[int]:
    """Return where first's city may stand: the upper half, off the edge, far from its opposite."""
    ways = {cell: field.distance(cell, field.opposite(cell)) for cell in range(field.size // 2)}
    far = {cell: way for cell, way in ways.items() if way >= CITY_DISTANCE}
    inner = [cell for cell in far if len(field.neighbours[cell]) == 6] or list(far)
    farthest = max(far[cell] for cell in inner)
    return [cell for cell in inner if far[cell] * 3 >= farthest * 2]


def _features(field: Grid, rng: random.Random, cities: tuple[int, int]) -> tuple[int, int]:
    """Return masks of mountains and water, drawn in pairs of opposite cells off the cities."""
    land = field.everywhere
    kept = field.grow(1 << cities[0] | 1 << cities[1])
    masks = []
    for share in (MOUNTAINS, WATER):
        mask = 0
        for _ in range(round(field.size * share / 2)):
            patch = field.grow(mask) & land & ~kept
            starts_anew = rng.random() < SPREAD
            cells = cells_of(land & ~kept if starts_anew or not patch else patch)
            if not cells:
                break
            cell = _draw(rng, cells)
            pair = 1 << cell | 1 << field.opposite(cell)
            if field.is_connected(land & ~pair):
                mask |= pair
                land &= ~pair
        masks.append(mask)
    return masks[0], masks[1]

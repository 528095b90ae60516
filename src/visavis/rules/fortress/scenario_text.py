"""How scenarios are written, and those that come with the game.

A scenario is written in four ways, and `read_scenario` reads them all:

- the name of a built-in one: ``meadow``;
- on one line, ``MODE:WIDTHxHEIGHT:TURNS:CITY:CITY:MOUNTAINS:WATER`` (the last two are lists with
  commas, and are left out in mode ``young``): ``rough:9x8:18:B3:H6:D1,F8:E4,E5``;
- as a JSON object (a scenario file), described by ``scenario.schema.json`` beside this module;
- ``random:MODE:WIDTHxHEIGHT:SEED``: a fair map of the generator.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from visavis.rules.errors import BadOption, shorten
from visavis.rules.fortress.generator import random_scenario
from visavis.rules.fortress.scenario import BadScenario, Scenario, make_scenario
from visavis.rules.protocol import Option, OptionValue

LONGEST: Final = 100_000
"""Longer texts are not read; the largest map takes a tenth of this."""
BLANKS: Final = " \t\r\n"
"""Characters allowed around a scenario, as in a file."""


def read_scenario(text: str) -> Scenario:
    """Read a scenario in any of its spellings, or raise `BadScenario`.

    >>> str(read_scenario("meadow"))
    'young:7x6:17:B3:F4'
    """
    if len(text) > LONGEST:
        raise BadScenario("the text", f"is longer than {LONGEST} characters")
    text = text.strip(BLANKS)
    if text in built_in():
        return built_in()[text]
    if text.startswith("{"):
        return _from_json(text)
    parts = text.split(":")
    if parts[0] == "random":
        return random_scenario(*_random_parts(parts))
    if len(parts) not in (5, 7):
        raise BadScenario(
            shorten(text), "is not a scenario: neither a built-in name nor 5 or 7 parts"
        )
    mode, size, turns, *cities = parts[:5]
    features = [part.split(",") if part else [] for part in parts[5:]]
    return make_scenario(mode, _size(size), _number("turns", turns), cities, *features)


def _number(name: str, text: str, digits: int = 4) -> int:
    if not re.fullmatch(f"[0-9]{{1,{digits}}}", text):
        raise BadScenario(f"{name} {shorten(text)}", f"is not a number of up to {digits} digits")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    width, by, height = text.partition("x")
    if not by:
        raise BadScenario(f"size {shorten(text)}", "is not like 9x8")
    return _number("width", width), _number("height", height)


def _random_parts(parts: Sequence[str]) -> tuple[str, tuple[int, int], int]:
    if len(parts) != 4:
        raise BadScenario(shorten(":".join(parts)), "is not like random:rough:9x8:1")
    return parts[1], _size(parts[2]), _number("seed", parts[3], digits=18)


# -- Scenario files --------------------------------------------------------------------------------

_KEYS: Final = ("name", "title", "mode", "width", "height", "cities", "turns", "mountains", "water")


def _from_json(text: str) -> Scenario:
    try:
        data: object = json.loads(text, object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError) as error:
        raise BadScenario("the file", f"is not JSON: {error}") from None
    return scenario_of(data)


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key appears twice")
    return data


def scenario_of(data: object) -> Scenario:
    """Return the scenario that the object of a scenario file stands for, or raise `BadScenario`."""
    if not isinstance(data, dict):
        raise BadScenario("the file", "is not a JSON object")
    for key in data:
        if key not in _KEYS:
            raise BadScenario(
                shorten(key), f"is not a key of a scenario; the keys are {', '.join(_KEYS)}"
            )
    for key in ("name", "title"):
        _text(data, key, "")
    return make_scenario(
        _text(data, "mode"),
        (_whole(data, "width"), _whole(data, "height")),
        _whole(data, "turns"),
        _cells(data, "cities"),
        _cells(data, "mountains", []),
        _cells(data, "water", []),
    )


def _value(data: dict[str, object], key: str, default: object) -> object:
    value = data.get(key, default)
    if value is None:
        raise BadScenario(key, "is missing" if key not in data else "is null")
    return value


def _text(data: dict[str, object], key: str, default: str | None = None) -> str:
    value = _value(data, key, default)
    if not isinstance(value, str):
        raise BadScenario(key, f"is {shorten(value)}, not a text")
    return value


def _whole(data: dict[str, object], key: str) -> int:
    value = _value(data, key, None)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadScenario(key, f"is {shorten(value)}, not a whole number")
    return value


def _cells(data: dict[str, object], key: str, default: list[str] | None = None) -> list[str]:
    value = _value(data, key, default)
    if not isinstance(value, list):
        raise BadScenario(key, f"is {shorten(value)}, not a list of cells")
    for name in value:
        if not isinstance(name, str):
            raise BadScenario(key, f"holds {shorten(name)}, which is not the name of a cell")
    return value


@cache
def built_in() -> Mapping[str, Scenario]:
    """Return the scenarios that come with the game, by name."""
    path = resources.files(__package__).joinpath("scenarios.json")
    listed = json.loads(path.read_text(encoding="utf-8"))
    return MappingProxyType({entry["name"]: scenario_of(entry) for entry in listed})


# -- The option ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScenarioOption(Option):
    """The choice of a scenario. A built-in name stays; everything else becomes its one line."""

    @property
    def default(self) -> str:
        """The smallest of the built-in ones."""
        return "meadow"

    @property
    def domain(self) -> str:
        """The ways to write a scenario."""
        return (
            f"{', '.join(built_in())}, or random:MODE:WIDTHxHEIGHT:SEED, or a scenario as JSON, or "
            "MODE:WIDTHxHEIGHT:TURNS:CITY:CITY:MOUNTAINS:WATER"
        )

    def check(self, value: OptionValue) -> str:
        """Return the name or the one line of a scenario, or raise `BadOption`."""
        text = str(value)
        try:
            scenario = read_scenario(text)
        except BadScenario as error:
            raise BadOption(self.name, value, str(error)) from error
        name = text.strip(BLANKS)
        return name if name in built_in() else str(scenario)

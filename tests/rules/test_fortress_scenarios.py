"""Fortresses: what makes a scenario and what refuses it (F3–F6), built-in ones, and fair maps."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.rules.errors import BadOption
from visavis.rules.fortress import (
    BadScenario,
    Fortress,
    Mode,
    Scenario,
    built_in,
    random_scenario,
    read_scenario,
)
from visavis.rules.fortress.board import LARGEST, SMALLEST, cells_of
from visavis.rules.fortress.scenario import MOST_TURNS

GOOD = {
    "name": "pass",
    "title": "The Pass",
    "mode": "rough",
    "width": 9,
    "height": 8,
    "cities": ["B3", "H6"],
    "turns": 18,
    "mountains": ["F8", "D1"],
    "water": ["E4", "E5"],
}
LINE = "rough:9x8:18:B3:H6:D1,F8:E4,E5"
PINNED = "rough:9x8:19:C2:G7:A3,A4,I4,A5,I5,I6:G1,E2,F2,F3,F4,D5,D6,D7,E7,C8"
"""The map of ``random:rough:9x8:1``, for ever."""


def package_data(name: str) -> object:
    return json.loads(resources.files("visavis.rules.fortress").joinpath(name).read_text("utf-8"))


def file(**changes: object) -> str:
    """A scenario file with some values changed; None leaves a key out."""
    return json.dumps({k: v for k, v in {**GOOD, **changes}.items() if v is not None})


# -- F3: files, and the line that stands for them --------------------------------------------------


def test_f3_a_file_becomes_its_line() -> None:
    assert str(read_scenario(file())) == LINE
    assert read_scenario(LINE) == read_scenario(file())
    assert Fortress({"scenario": file()}).options["scenario"] == LINE
    assert str(read_scenario(file(mode="young", mountains=[], water=None))) == "young:9x8:18:B3:H6"


def test_f3_a_line_may_leave_out_features() -> None:
    assert str(read_scenario("rough:9x8:18:B3:H6")) == "rough:9x8:18:B3:H6::"


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"cities": ["B3", "J6"]}, "city J6 is off the 9x8 field"),
        ({"cities": ["B9", "H6"]}, "city B9 is off the 9x8 field"),
        ({"cities": ["B3", "C4"]}, "city C4 is 2 from city B3; it must be 3 or more"),
        ({"cities": ["B3", "B3"]}, "city B3 is 0 from city B3; it must be 3 or more"),
        ({"cities": ["B3"]}, "cities must be two, not 1"),
        ({"cities": ["B3", "6H"]}, "city '6H' is not a cell such as C4"),
        ({"mountains": ["D1", "D9"]}, "mountain D9 is off the 9x8 field"),
        ({"water": ["AA1"]}, "water AA1 is off the 9x8 field"),
        ({"mountains": ["H6"]}, "mountain H6 is on top of a city"),
        ({"water": ["B3"]}, "water B3 is on top of a city"),
        ({"water": ["F8"]}, "water F8 is on top of a mountain"),
        ({"water": ["E4", "E4"]}, "water E4 is on top of water"),
        ({"mountains": ["D1", "D1"]}, "mountain D1 is on top of a mountain"),
        ({"mode": "young", "water": []}, "mountain F8 can't be: mode young has no such cells"),
        ({"mode": "young", "mountains": []}, "water E4 can't be: mode young has no such cells"),
        ({"mode": "nightmare"}, "mode 'nightmare' is not one of young, rough, plenty"),
        ({"width": 2}, "width is 2; it must be from 3 to 40"),
        ({"height": 41}, "height is 41; it must be from 3 to 40"),
        ({"turns": 0}, "turns is 0; it must be from 1 to 400"),
        ({"turns": 401}, "turns is 401; it must be from 1 to 400"),
        ({"turns": "18"}, "turns is '18', not a whole number"),
        ({"turns": True}, "turns is 'True', not a whole number"),
        ({"turns": 1.5}, "turns is '1.5', not a whole number"),
        ({"water": "E4"}, "water is 'E4', not a list of cells"),
        ({"water": [4]}, "water holds '4', which is not the name of a cell"),
        ({"title": 7}, "title is '7', not a text"),
        ({"mode": None}, "mode is missing"),
        ({"cities": None}, "cities is missing"),
        ({"weather": "fine"}, "'weather' is not a key of a scenario"),
    ],
)
def test_f3_a_refusal_names_the_cell_and_the_reason(
    changes: dict[str, object], refusal: str
) -> None:
    with pytest.raises(BadScenario) as caught:
        read_scenario(file(**changes))
    assert str(caught.value).startswith(refusal)
    with pytest.raises(BadOption) as wrapped:
        Fortress({"scenario": file(**changes)})
    assert refusal in str(wrapped.value)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("", "is not a scenario"),
        ("atlantis", "is not a scenario"),
        ("rough:9x8:18:B3", "is not a scenario"),
        ("rough:9:18:B3:H6", "size '9' is not like 9x8"),
        ("rough:9xx:18:B3:H6", "height 'x' is not a number"),
        ("rough:9x8:٣:B3:H6", "turns '٣' is not a number"),
        ("rough:9x8:" + "9" * 5000 + ":B3:H6", "is not a number"),
        ("rough:9x8:18:B3:H6:D1,:E4", "mountain '' is not a cell"),
        ("rough:9x8:18:B3:H6:D1;E4:", "mountain 'D1;E4' is not a cell"),
        ("random:rough:9x8", "is not like random:rough:9x8:1"),
        ("random:rough:9x8:-1", "seed '-1' is not a number"),
        ("random:rough:9x7:1", "height 7 is odd"),
        ("random:rough:42x8:1", "width is 42"),
        ("random:calm:9x8:1", "mode 'calm'"),
        ("{", "is not JSON"),
        ('{"mode": "rough", "mode": "young"}', "appears twice"),
        ('{"a":' * 20_000, "is not JSON"),
        ('{"turns": ' + "9" * 9_000 + "}", "is not JSON"),
        ("x" * 200_000, "is longer than"),
    ],
)
def test_f3_other_texts_are_refused(text: str, refusal: str) -> None:
    with pytest.raises(BadScenario, match=refusal):
        read_scenario(text)


@settings(max_examples=300, deadline=None)
@given(st.text() | st.text("roughyoungplenty:x0123456789ABH,;{}[]\"'"))
def test_f3_any_text_is_read_or_refused(text: str) -> None:
    try:
        scenario = read_scenario(text)
    except BadScenario:
        return
    assert read_scenario(str(scenario)) == scenario


def test_the_schema_says_what_the_reader_asks() -> None:
    schema = package_data("scenario.schema.json")
    assert isinstance(schema, dict)
    properties = schema["properties"]
    assert set(properties) == set(GOOD)
    assert properties["mode"]["enum"] == list(Mode)
    for side in ("width", "height"):
        assert (properties[side]["minimum"], properties[side]["maximum"]) == (SMALLEST, LARGEST)
    assert (properties["turns"]["minimum"], properties["turns"]["maximum"]) == (1, MOST_TURNS)
    for key in GOOD:
        if key in schema["required"]:
            with pytest.raises(BadScenario, match=f"{key} is missing"):
                read_scenario(file(**{key: None}))
        else:
            read_scenario(file(**{key: None}))


# -- Built-in scenarios ----------------------------------------------------------------------------


def half_turned(scenario: Scenario) -> Scenario:
    """The scenario as the other player sees it."""
    field = scenario.grid
    first, second = map(field.opposite, scenario.cities)
    mountains, water = (
        sum(1 << field.opposite(cell) for cell in cells_of(mask))
        for mask in (scenario.mountains, scenario.water)
    )
    return Scenario(scenario.mode, field, scenario.turns, (second, first), mountains, water)


def test_six_scenarios_come_with_the_game_two_a_mode() -> None:
    assert list(built_in()) == ["meadow", "plain", "foothills", "two-lakes", "river", "archipelago"]
    assert [scenario.mode for scenario in built_in().values()] == [
        mode for mode in Mode for _ in range(2)
    ]


@pytest.mark.parametrize("name", built_in())
def test_built_in_scenarios_are_fair_and_keep_their_names(name: str) -> None:
    scenario = built_in()[name]
    assert half_turned(scenario) == scenario
    game = Fortress({"scenario": f" {name} "})
    assert game.options["scenario"] == name
    assert dict(game.kernel_options())["scenario"] == str(scenario)
    assert read_scenario(str(scenario)) == scenario


# -- Fair random maps ------------------------------------------------------------------------------

sizes = st.tuples(st.integers(3, 40), st.integers(2, 20).map(lambda half: 2 * half))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(Mode), sizes, st.integers(0, 10**18 - 1))
def test_random_maps_are_fair_connected_and_valid(
    mode: Mode, size: tuple[int, int], seed: int
) -> None:
    scenario = random_scenario(mode, size, seed)
    field = scenario.grid
    assert (field.width, field.height) == size
    assert half_turned(scenario) == scenario
    assert field.is_connected(field.everywhere & ~(scenario.mountains | scenario.water))
    near_cities = field.grow(1 << scenario.cities[0] | 1 << scenario.cities[1])
    assert near_cities & (scenario.mountains | scenario.water) == 0
    assert read_scenario(str(scenario)) == scenario


@pytest.mark.parametrize("mode", [Mode.ROUGH, Mode.PLENTY])
def test_random_maps_have_both_kinds_of_features(mode: Mode) -> None:
    for seed in range(20):
        scenario = random_scenario(mode, (12, 10), seed)
        assert scenario.mountains.bit_count() >= 4
        assert scenario.water.bit_count() >= 6


def test_random_maps_depend_on_the_seed_alone() -> None:
    assert str(random_scenario("rough", (9, 8), 1)) == PINNED
    assert Fortress({"scenario": "random:rough:9x8:1"}).options["scenario"] == PINNED
    assert len({str(random_scenario("rough", (9, 8), seed)) for seed in range(30)}) == 30


def test_the_built_in_ones_stay_as_they_are() -> None:
    with pytest.raises(TypeError):
        built_in()["meadow"] = built_in()["plain"]  # type: ignore[index]

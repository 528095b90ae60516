"""Fortresses: the clauses on the field, fortresses and generals. Scenarios have their own tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.rules.errors import BadOption, IllegalMove, NotAMove, NotYourTurn
from visavis.rules.fortress import Call, Fortress, Grid, State
from visavis.rules.fortress.board import cells_of
from visavis.rules.protocol import Ended, Seat

FIRST, SECOND = Seat.FIRST, Seat.SECOND
PLENTY = "plenty:7x4:6:A2:G3:C1:C2,C3,D2"
START = "2f5./2f3.2s/2f3.2s/5.2s"


def on(scenario: str, **options: str) -> Fortress:
    return Fortress({"scenario": scenario, **options})


def play(game: Fortress, state: State, *moves: str) -> State:
    for move in moves:
        state = game.apply(state, state.seat, game.parse_move(move))
    return state


def texts(game: Fortress, state: State) -> list[str]:
    return [game.format_move(move) for move in game.legal(state, state.seat)]


def names(game: Fortress, mask: int) -> str:
    return " ".join(game.grid.names[cell] for cell in cells_of(mask))


def refused(game: Fortress, state: State, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        play(game, state, move)
    assert caught.value.text == move
    return caught.value.why


def walk(game: Fortress, seed: int) -> Iterator[State]:
    """All states of a random game."""
    rng, state = random.Random(seed), game.start()
    while game.outcome(state) is None:
        yield state
        state = game.apply(state, state.seat, rng.choice(game.legal(state, state.seat)))
    yield state


# -- Board and aim ---------------------------------------------------------------------------------


def test_f1_each_city_and_its_surroundings_are_controlled_from_the_start() -> None:
    game = on("meadow")
    first, second = game.start().lands
    assert names(game, first) == "A2 B2 A3 B3 C3 A4 B4"
    assert names(game, second) == "F3 G3 E4 F4 G4 F5 G5"


@pytest.mark.parametrize(
    ("moves", "winner", "scores"),
    [("C2 F4", FIRST, (12, 6)), ("A1 E2", SECOND, (6, 9)), ("B2 E3", None, (9, 9))],
)
def test_f1_more_cells_win_and_equal_is_a_draw(
    moves: str, winner: Seat | None, scores: tuple[int, int]
) -> None:
    game = on("young:6x4:1:A2:F3")
    outcome = game.outcome(play(game, game.start(), *moves.split()))
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.scores) == (winner, "territory", scores)


def test_f2_even_rows_stand_to_the_right() -> None:
    field = Grid(5, 4)
    near = {
        name: [field.names[n] for n in field.neighbours[field.names.index(name)]]
        for name in field.names
    }
    assert near["C2"] == ["C1", "D1", "B2", "D2", "C3", "D3"]
    assert near["C3"] == ["B2", "C2", "B3", "D3", "B4", "C4"]
    assert near["A1"] == ["B1", "A2"]
    assert near["A2"] == ["A1", "B1", "B2", "A3", "B3"]


def test_f2_cells_are_named_by_column_and_row() -> None:
    field = Grid(40, 40)
    assert (field.names[0], field.names[39], field.names[-1]) == ("A1", "AN1", "AN40")
    assert all(field.cell(name) == cell for cell, name in enumerate(field.names))
    assert [field.cell(name) for name in ("AO1", "A41", "A0", "a1", "A01", "", "A", "٣")] == [
        None
    ] * 8


@pytest.mark.parametrize("size", [(3, 3), (7, 6), (4, 9), (13, 12)])
def test_f2_growing_a_mask_is_adding_neighbours(size: tuple[int, int]) -> None:
    field = Grid(*size)
    for cell in range(field.size):
        assert cells_of(field.grow(1 << cell)) == sorted([cell, *field.neighbours[cell]])
        assert all(cell in field.neighbours[near] for near in field.neighbours[cell])


def test_f2_distance_is_the_number_of_steps() -> None:
    field = Grid(7, 6)
    for start in range(field.size):
        reached, steps = 1 << start, 0
        while reached != field.everywhere:
            edge, steps = field.grow(reached) & ~reached, steps + 1
            assert {field.distance(start, cell) for cell in cells_of(edge)} == {steps}
            reached |= edge


# -- Modes -----------------------------------------------------------------------------------------


def test_f4_young_is_open_land_and_one_fortress_a_turn() -> None:
    game = on("meadow")
    assert (game.scenario.mountains, game.scenario.water) == (0, 0)
    assert "generals" in refused(game, game.start(), "B3-C3")


def test_f5_rough_has_mountains_and_water() -> None:
    game = on("foothills")
    assert names(game, game.scenario.mountains) == "D1 G2 I4 A5 C7 F8"
    assert len(cells_of(game.scenario.water)) == 12


def test_f6_in_plenty_only_generals_build() -> None:
    game = on(PLENTY)
    assert "generals" in refused(game, game.start(), "B2")
    assert all("-" in move for move in texts(game, game.start()))


# -- Fortresses ------------------------------------------------------------------------------------


def test_f7_a_fortress_stands_on_or_next_to_own_cells() -> None:
    game = on("young:5x4:3:A2:E3")
    assert " ".join(texts(game, game.start())) == "A1 B1 C1 B2 C2 A3 B3 C3 A4 B4"
    assert refused(game, game.start(), "E1") == "E1 is neither a cell of yours nor next to one"
    with pytest.raises(NotYourTurn):
        game.apply(game.start(), SECOND, game.parse_move("E2"))


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("A2", "A2 is a city"),
        ("C2", "C2 is a mountain"),
        ("C3", "C3 is water"),
        ("B2", "a fortress stands on B2"),
    ],
)
def test_f7_not_on_cities_features_and_fortresses(move: str, why: str) -> None:
    game = on("rough:6x4:3:A2:F3:C2:C3,D2")
    state = play(game, game.start(), "B2", "E2")
    assert refused(game, state, move) == why


def test_f7_not_on_a_fortress_of_the_opponent() -> None:
    game = on("young:5x4:3:A2:E3")
    assert "fortress" in refused(game, play(game, game.start(), "C2"), "C2")


def test_f8_a_fortress_takes_its_surroundings_with_enemy_fortresses() -> None:
    game = on("young:5x4:3:A2:E3")
    state = play(game, game.start(), "C2", "D3")
    assert game.format_position(state) == "3 4f./2fS2s/2fsSs/2.3s"


def test_f8_a_city_is_not_taken() -> None:
    game = on("young:5x4:3:A2:E3")
    state = play(game, game.start(), "C2", "D3", "D2")
    assert game.grid.distance(*(game.grid.names.index(name) for name in ("D2", "E3"))) == 1
    assert names(game, state.lands[1]) == "C3 E3 C4 D4 E4"


def test_f8_water_and_mountains_are_taken() -> None:
    game = on("rough:6x4:3:A2:F3:C2:C3,D2")
    state = play(game, game.start(), "B2", "D3")
    assert names(game, state.lands[1]) == "C2 D2 E2 F2 C3 D3 E3 F3 C4 D4 E4 F4"


@pytest.mark.parametrize("scenario", ["meadow", "two-lakes", "river"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_f8_land_is_what_lies_around_fortresses_and_cities(scenario: str, seed: int) -> None:
    game = on(scenario)
    for state in walk(game, seed):
        first, second = state.lands
        assert first & second == 0
        assert first | second == game.grid.grow(
            state.forts | game.play.cities[0] | game.play.cities[1]
        )
        assert state.forts & ~game.play.open_land == 0
        assert first & game.play.cities[0]
        assert second & game.play.cities[1]


@pytest.mark.parametrize("scenario", ["meadow", "foothills", "archipelago"])
def test_f9_each_player_takes_exactly_the_turns_of_the_scenario(scenario: str) -> None:
    game = on(scenario)
    states = list(walk(game, 1))
    turns = sorted({game.turn(state) for state in states})
    assert turns == list(range(1, 2 * game.scenario.turns + 2))
    assert isinstance(game.awaits(states[-1]), Ended)
    assert all(state.seat is Seat(1 - state.turn % 2) for state in states)


def test_f9_one_passes_only_without_a_site() -> None:
    walled = on("rough:4x4:2:A1:D4:B1,A2,B2,C3,D3,C4:C1,D1,C2,D2,A3,B3,A4,B4")
    assert texts(walled, walled.start()) == ["pass"]
    outcome = walled.outcome(play(walled, walled.start(), "pass", "pass", "pass", "pass"))
    assert outcome is not None
    assert outcome.scores == (3, 3)
    assert "nothing can be done" in refused(on("meadow"), on("meadow").start(), "pass")
    assert "one fortress" in refused(on("meadow"), on("meadow").start(), "end")


# -- Generals --------------------------------------------------------------------------------------


def test_f10_a_general_appears_each_turn_and_may_not_stay() -> None:
    game = on(PLENTY)
    state = game.start()
    assert [names(game, mask) for mask in state.generals] == ["A2", ""]
    assert "must leave" in refused(game, state, "end")
    state = play(game, state, "A2-A1", "G3-G4")
    assert [names(game, mask) for mask in state.generals] == ["A1 A2", "G4"]
    last = on("plenty:7x4:1:A2:G3::")
    state = play(last, last.start(), "A2-A1", "G3-G4")
    assert [names(last, mask) for mask in state.generals] == ["A1", "G4"]


def test_f11_what_a_general_may_do() -> None:
    game = on(PLENTY)
    state = game.parse_position(f"3 {START} A2,B2 -")
    orders = [move for move in texts(game, state) if move.startswith("B2")]
    one = "B2-B1 B2-C2 B2-B3 B2-C3"
    two = "B2-B1-A1 B2-C2-D2 B2-C2-C3 B2-B3-A3 B2-B3-C3 B2-B3-A4 B2-B3-B4 B2-C3-C2"
    building = "B2+ B2-B1+ B2-B3+"
    assert sorted(orders) == sorted(f"{one} {two} {building}".split())
    assert "not adjacent" in refused(game, state, "A2-C2")
    with pytest.raises(NotAMove, match="one cell at most"):
        game.parse_move("B2-B3-B4+")


def test_f11_a_general_acts_once() -> None:
    game = on(PLENTY)
    state = play(game, game.parse_position(f"3 {START} A2,B2 -"), "B2-C2")
    assert "has acted" in refused(game, state, "C2-D2")
    assert "no general of first" in refused(game, state, "B2-B1")
    assert "no general of first" in refused(game, state, "G3-G4")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("E1-E2", "E2 is controlled by second"),
        ("B2-C1", "C1 is a mountain"),
        ("A2-B2", "a general is on B2"),
        ("E1-D1-C1", "C1 is a mountain"),
        ("A3-B3-B2", "a general is on B2"),
        ("A3-A4", "a general is on A4"),
    ],
)
def test_f12_where_no_general_goes(move: str, why: str) -> None:
    game = on(PLENTY)
    state = game.parse_position("9 2f2.2s./2f.sS2s/2f2.3s/5.2s E1,A2,B2,A3 A4")
    assert refused(game, state, move) == why


def test_f12_fortresses_and_water_are_no_obstacle() -> None:
    game = on(PLENTY)
    state = game.parse_position("3 3f4./fFf2.2s/3f2.2s/5.2s A2 -")
    assert {"A2-B2", "A2-B2-C2", "A2-B2-B1"} <= set(texts(game, state))


def test_f13_generals_act_in_any_order_or_not_at_all() -> None:
    game = on(PLENTY)
    start = game.parse_position(f"5 {START} A1,A2,A4 -")
    assert play(game, start, "A2-B2", "A4-B4", "end") == play(game, start, "A4-B4", "A2-B2", "end")
    assert play(game, start, "A2-B2", "end").turn == 6


def test_f13_the_turn_ends_by_itself_when_no_general_can_act() -> None:
    game = on(PLENTY)
    assert play(game, game.start(), "A2-B2").turn == 2
    assert play(game, game.start(), "A2-B2+").turn == 2


def test_f13_a_general_without_a_way_out_is_disbanded() -> None:
    game = on(PLENTY)
    state = game.parse_position(f"11 {START} A1,B1,A2,B2,A3,B3 -")
    assert "end" in texts(game, state)
    assert names(game, play(game, state, "end").generals[0]) == "A1 B1 B2 A3 B3"
    # Another makes room: now it must leave.
    assert "must leave" in refused(game, play(game, state, "B2-C2"), "end")


def test_f13_a_way_out_may_be_shut_again() -> None:
    game = on(PLENTY)
    state = game.parse_position(f"11 {START} A1,B1,A2,B2,A3,B4 -")
    assert names(game, play(game, state, "B4-B3", "end").generals[0]) == "A1 B1 B2 A3 B3"


def test_f13_nothing_at_all_is_a_pass() -> None:
    game = on(PLENTY)
    state = game.parse_position("7 S2s4./fSs2.2s/S2s2.2s/s4.2s A2 -")
    assert texts(game, state) == ["pass"]
    assert "pass" in refused(game, state, "end")
    assert [names(game, mask) for mask in play(game, state, "pass").generals] == ["", "G3"]


def test_f14_from_water_by_water_or_one_step_to_land() -> None:
    game = on("plenty:7x4:6:A2:G3::C2,C3,D2,E2")
    state = play(game, game.parse_position(f"3 {START} A2,C2 -"), "A2-A3")
    moves = " ".join(texts(game, state))
    assert moves == "C2-C1 C2-D1 C2-B2 C2-D2 C2-D2-E2 C2-C3 C2-D3 end"
    for move in ("C2-D1+", "C2-D3-D4", "C2-D2-D3"):
        assert (
            refused(game, state, move)
            == "from water a general steps to adjacent land and no further"
        )


def test_f14_from_land_into_water_but_not_out_again() -> None:
    game = on(PLENTY)
    state = game.parse_position(f"3 {START} D1,A2 -")
    assert {"D1-C2", "D1-C2-C3", "D1-D2-C2"} <= set(texts(game, state))
    assert "from water" in refused(game, state, "D1-C2-D3")


def test_f15_no_way_back_and_no_stop_in_a_city() -> None:
    game = on(PLENTY)
    state = game.parse_position(f"3 {START} A2,B2 -")
    assert "come back" in refused(game, state, "B2-B3-B2")
    state = play(game, state, "A2-A1")
    assert "city" in refused(game, state, "B2-A2")
    assert "B2-A2-A3" in texts(game, state)
    assert "controlled by second" in refused(
        game, game.parse_position(f"3 {START} A2,F1 -"), "F1-F2-G3"
    )


def test_f16_a_general_builds_where_a_player_would_and_is_gone() -> None:
    game = on(PLENTY)
    state = game.parse_position(f"5 {START} A2,C4,D4 -")
    assert "next to one" in refused(game, state, "D4+")
    after = play(game, state, "C4-B4+")
    assert names(game, after.forts) == "B4"
    assert names(game, after.generals[0]) == "A2 D4"
    assert "city" in refused(game, state, "A2+")
    water = game.parse_position(f"5 {START} A2,C2 -")
    assert "water" in refused(game, water, "C2+")


def test_f16_free_supply_builds_anywhere_on_land() -> None:
    game = on(PLENTY, supply="free")
    state = game.parse_position(f"5 {START} A2,C2,D4 -")
    assert names(game, play(game, state, "D4+").forts) == "D4"
    for move in ("A2+", "C2+", "C2-D3+"):
        refused(game, state, move)
    with pytest.raises(BadOption):
        on(PLENTY, supply="none")
    assert texts(on("meadow", supply="free"), on("meadow").start()) == texts(
        on("meadow"), on("meadow").start()
    )


def test_f17_a_general_on_hostile_ground_stays_and_acts() -> None:
    rows = "3f.2s./fFfsS2s/3f.3s/5.2s"
    game = on(PLENTY)
    state = game.parse_position(f"9 {rows} E1,A2 -")
    assert [move for move in texts(game, state) if move.startswith("E1")] == [
        "E1-D1",
        "E1-D1+",
        "E1-D1-C2",
    ]
    free = on(PLENTY, supply="free")
    assert names(free, play(free, state, "E1+").lands[1]) == "F2 G2 E3 F3 G3 F4 G4"


def by_the_book(game: Fortress, state: State, path: tuple[int, ...], builds: bool) -> bool:
    """F11–F17 once more, path by path, as a reader of the rule book would check an order."""
    seat, start, stop = state.seat, path[0], path[-1]
    generals = {*cells_of(state.generals[0]), *cells_of(state.generals[1])}
    barred = {*cells_of(state.lands[seat.other]), *cells_of(game.scenario.mountains), *generals}
    wet = [cell in game.play.water for cell in path]
    if any(game.grid.distance(a, b) != 1 for a, b in pairwise(path)):
        return False
    if barred & set(path[1:]) or (len(path) > 1 and stop in game.scenario.cities):
        return False
    leaves_water = any(a and not b for a, b in pairwise(wet))
    if leaves_water and (builds or len(path) > 2):
        return False
    if builds:
        own = state.lands[seat]
        near = game.options["supply"] == "free" or any(
            game.grid.distance(stop, cell) <= 1 for cell in cells_of(own)
        )
        buildable = not wet[-1] and stop not in game.scenario.cities and not state.forts >> stop & 1
        return near and buildable and len(path) <= 2
    return start != stop and len(path) in (2, 3)


@pytest.mark.parametrize("supply", ["connected", "free"])
def test_f11_to_f17_orders_are_those_of_the_book(supply: str) -> None:
    game = on("plenty:6x4:6:A2:F3:C1:C2,C3,D2,E4", supply=supply)
    cells = range(game.grid.size)
    for state in list(walk(game, 5))[:-1:7]:
        ready = cells_of(state.generals[state.seat] & ~state.acted)
        paths = [
            (start, *rest) for start in ready for n in range(3) for rest in product(cells, repeat=n)
        ]
        expected = {
            (path, builds)
            for path in paths
            for builds in (False, True)
            if by_the_book(game, state, path, builds)
        }
        listed = [m for m in game.legal(state, state.seat) if not isinstance(m, Call)]
        assert len(set(listed)) == len(listed)
        assert {tuple(move) for move in listed} == expected

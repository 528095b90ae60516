"""D&E among bad cells, clause by clause (D13–D15, D17)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.rules.dande_scene import BLUE, RED, after, at, game, goes, play
from visavis.rules.dande import DandE, Effect, Reason
from visavis.rules.dande.board import CELL_OF, cell_name, opposite
from visavis.rules.errors import BadOption, IllegalMove
from visavis.rules.protocol import OptionValue, Outcome, Roll

# -- Bad cells -------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1, 3, 8, -2, "many"])
def test_d14_bad_cells_out_of_range(value: OptionValue) -> None:
    with pytest.raises(BadOption, match="one of 0, 2, 4, 6"):
        DandE({"bad_cells": value})


@pytest.mark.parametrize("bad_cells", [0, 2, 4, 6])
def test_d13_d14_bad_cells_are_drawn_at_the_start(bad_cells: int) -> None:
    rules = game(bad_cells)
    rng = random.Random(bad_cells)
    seen: Counter[str] = Counter()
    for _ in range(200):
        state = rules.start()
        while isinstance(awaited := rules.awaits(state), Roll):
            assert rules.turn(state) == 0
            assert len(awaited.faces) == 16 - len(state.pairs)
            assert {weight for _, weight in awaited.faces} == {1}
            state = rules.roll(state, rng.choice(awaited.faces)[0])
        assert rules.turn(state) == 1
        cells = [cell for pair in state.pairs for cell in pair.cells]
        assert len(set(cells)) == bad_cells
        assert {opposite(cell) for cell in cells} == set(cells)
        assert {cell_name(cell)[1] for cell in cells} <= set("3456")
        assert all(pair.effect is None for pair in state.pairs)
        seen.update(map(cell_name, cells))
    assert len(seen) == (32 if bad_cells else 0)


def test_d14_half_a_turn_of_the_board() -> None:
    pairs = [("a1", "h8"), ("d1", "e8"), ("a3", "h6"), ("b3", "g6"), ("d4", "e5")]
    assert all(opposite(CELL_OF[one]) == CELL_OF[other] for one, other in pairs)


def test_d14_a_drawn_cell_is_not_drawn_again() -> None:
    rules = game(4)
    state = rules.roll(rules.start(), "c4")
    with pytest.raises(IllegalMove):
        rules.roll(state, "c4")
    with pytest.raises(IllegalMove):
        rules.roll(state, "f5")


def test_d14_the_order_of_drawing_is_not_remembered() -> None:
    rules = game(4)
    one, other = (rules.start(), rules.start())
    for face in ("c4", "b3"):
        one = rules.roll(one, face)
    for face in ("b3", "c4"):
        other = rules.roll(other, face)
    assert one == other


def test_d14_effects_are_drawn_at_the_first_stop_without_repetition() -> None:
    rules = game(4)
    position = at("k7/8/8/8/8/1EE5/8/7K", "b4:?,c4:?")
    stopped = play(rules, position, "b3-b4")
    assert rules.awaits(stopped) == Roll(tuple((effect.value, 1) for effect in Effect))
    assert rules.awaited(stopped) == ()
    with pytest.raises(IllegalMove):
        rules.roll(stopped, "b4")
    again = play(rules, position, "b3-b4", "crown", "a8-a7", "c3-c4")
    rolled = rules.awaits(again)
    assert isinstance(rolled, Roll)
    assert [face for face, _ in rolled.faces] == ["pit", "mire", "spur", "gate", "mirror"]
    with pytest.raises(IllegalMove):
        rules.roll(again, "crown")


def test_d14_a_known_effect_is_not_drawn_again_and_holds_for_both_cells() -> None:
    rules = game(2)
    position = at("k7/8/5e2/8/8/2E5/8/7K", "c4:?")
    assert after(rules, position, "c3-c4", "crown", "f6-f5") == at(
        "k7/8/8/5j2/2J5/8/8/7K", "c4:crown", turn="3", plies=2
    )


@pytest.mark.parametrize("letter", "KJED")
def test_d14_pit_takes_any_piece(letter: str) -> None:
    rules = game(2)
    state = play(rules, at(f"k7/8/8/8/8/2{letter}5/8/7D", "c4:pit"), "c3-c4")
    assert rules.format_position(state) == at("k7/8/8/8/8/8/8/7D", "c4:pit", turn="2", plies=1)
    assert state.captured == (9, 9)


@pytest.mark.parametrize("letter", "KJED")
def test_d14_mire_holds_any_piece_for_two_turns_of_its_owner(letter: str) -> None:
    rules = game(2)
    position = at(f"k7/8/8/8/8/2{letter}5/8/7E", "c4:mire")
    state = play(rules, position, "c3-c4")
    for red, blue in (("a8-a7", "h1-h2"), ("a7-a8", "h2-h3")):
        state = play(rules, rules.format_position(state), red)
        assert not [move for move in rules.legal(state, BLUE) if move.origin == CELL_OF["c4"]]
        with pytest.raises(IllegalMove, match="mired"):
            rules.apply(state, BLUE, rules.parse_move("c4-c5"))
        state = play(rules, rules.format_position(state), blue)
    state = play(rules, rules.format_position(state), "a8-a7")
    assert rules.parse_move("c4-c5") in rules.legal(state, BLUE)


def test_d14_a_mired_piece_can_not_capture() -> None:
    rules = game(2)
    position = at("k7/8/8/1e6/2E5/8/8/7K", "c4:mire", "c4:1", turn="3", plies=2)
    with pytest.raises(IllegalMove, match="mired"):
        play(rules, position, "c4xb5")
    assert goes(rules, at("k7/8/8/1e6/2E5/8/8/7K", "c4:mire"), "c4") == "xb5 -c5"


def test_d14_the_opponents_turns_do_not_count_for_mire() -> None:
    rules = game(2)
    position = at("k7/8/8/8/2E5/8/8/7K", "c4:mire", "c4:2", turn="2", plies=1)
    assert after(rules, position, "a8-a7").endswith(" c4:2")
    assert after(rules, position, "a8-a7", "h1-h2").endswith(" c4:1")


def test_d14_both_cells_of_a_mire_can_hold_a_piece() -> None:
    rules = game(2)
    position = at("k7/8/5e2/8/2E5/8/8/7K", "c4:mire", "c4:2", turn="2", plies=1)
    assert after(rules, position, "f6-f5").endswith(" 3 2 c4:mire c4:2,f5:2")


def test_d14_a_piece_that_leaves_and_returns_is_mired_anew() -> None:
    rules = game(2)
    position = at("k7/8/8/8/2K5/8/8/8", "c4:mire")
    moves = ("c4-c5", "a8-a7", "c5-c4")
    assert after(rules, position, *moves).endswith(" c4:mire c4:2")


@pytest.mark.parametrize(("letter", "becomes"), [("E", "J"), ("D", "J"), ("J", "J"), ("K", "K")])
def test_d14_crown(letter: str, becomes: str) -> None:
    rules = game(2)
    position = at(f"k7/8/8/8/8/2{letter}5/8/7D", "c4:crown")
    expected = at(f"k7/8/8/8/2{becomes}5/8/8/7D", "c4:crown", turn="2", plies=1)
    assert after(rules, position, "c3-c4") == expected


def test_d14_a_crowned_walker_is_no_longer_turned() -> None:
    rules = game(4)
    position = at("k7/8/8/2E~5/8/8/8/7K", "c3:mirror,c4:crown")
    assert "2J5" in after(rules, position, "c5-c4")


@pytest.mark.parametrize("letter", "KJED")
def test_d14_gate(letter: str) -> None:
    rules = game(2)
    open_gate = at(f"k7/8/8/8/8/2{letter}5/8/7D", "c4:gate")
    assert after(rules, open_gate, "c3-c4").startswith(f"k7/8/8/5{letter}2/8/8/8/7D 2 ")
    for blocker in "De":
        shut = at(f"k7/8/8/5{blocker}2/8/2{letter}5/8/8", "c4:gate")
        assert after(rules, shut, "c3-c4").startswith(f"k7/8/8/5{blocker}2/2{letter}5/8/8/8 2 ")


def test_d14_gate_captures_first_and_can_lead_back() -> None:
    rules = game(2)
    captures = at("k7/8/8/8/2e5/3E4/8/8", "c4:gate")
    assert after(rules, captures, "d3xc4").startswith("k7/8/8/5E2/8/8/8/8 2 ")
    back = at("k7/8/8/8/8/2K5/8/8", "c3:gate")
    assert after(rules, back, "c3-f6").startswith("k7/8/8/8/8/2K5/8/8 2 1 ")


@pytest.mark.parametrize("letter", "ED")
def test_d14_d17_mirror_turns_walkers_each_time(letter: str) -> None:
    rules = game(2)
    position = at(f"k7/8/8/8/8/2{letter}5/8/7K", "c4:mirror")
    once = after(rules, position, "c3-c4")
    assert once.startswith(f"k7/8/8/8/2{letter}~5/8/8/7K 2 ")
    assert goes(rules, after(rules, once, "a8-a7"), "c4") == "-c3"
    twice = at(f"k7/8/8/2{letter}~5/8/8/8/7K", "c4:mirror")
    assert after(rules, twice, "c5-c4").startswith(f"k7/8/8/8/2{letter}5/8/8/7K 2 ")


@pytest.mark.parametrize("letter", "KJ")
def test_d14_mirror_leaves_kings_and_jumpers(letter: str) -> None:
    rules = game(2)
    position = at(f"k7/8/8/8/8/2{letter}5/8/7D", "c4:mirror")
    assert after(rules, position, "c3-c4").startswith(f"k7/8/8/8/2{letter}5/8/8/7D 2 ")


def test_d14_a_turned_walker_captures_as_before_and_stops_at_its_own_edge() -> None:
    rules = game(2)
    position = at("k7/8/8/2eje3/2eE~e3/2e1e3/8/8", "a3:mirror")
    assert goes(rules, position, "d4") == "xc3 -d3 xe3 xc4 xe4 xc5 xe5"
    edge = rules.parse_position(at("k7/8/8/8/8/8/8/3E~4", "a3:mirror"))
    assert rules.outcome(edge) == Outcome(RED, Reason.NO_MOVES, (9, 9))


def test_d15_capture_comes_first() -> None:
    rules = game(2)
    state = play(rules, at("k7/8/8/8/2e5/1D6/8/7K", "c4:?"), "b3xc4")
    assert rules.format_position(state) == at("k7/8/8/8/2D5/8/8/7K", "c4:?", turn="1@c4", plies=1)
    assert rules.roll(state, "pit").captured == (9, 9)


def test_d15_who_has_only_mired_pieces_loses() -> None:
    rules = game(2)
    state = play(rules, at("k7/8/8/8/8/2E5/8/8", "c4:mire"), "c3-c4", "a8-a7")
    assert rules.outcome(state) == Outcome(RED, Reason.NO_MOVES, (9, 9))


# -- Spur ------------------------------------------------------------------------------------------


def test_d17_spur_gives_a_second_move_in_the_same_turn() -> None:
    rules = game(2)
    position = at("k7/8/8/5e2/8/2E5/8/5K2", "c4:spur")
    due = play(rules, position, "c3-c4")
    assert (rules.turn(due), due.plies, rules.awaited(due)) == (1, 1, (BLUE,))
    assert {move.origin for move in rules.legal(due, BLUE)} == {CELL_OF["c4"], CELL_OF["f1"]}
    done = play(rules, position, "c3-c4", "f1xf5")
    assert (rules.turn(done), done.plies, rules.awaited(done)) == (2, 2, (RED,))
    assert done.captured == (9, 8)


def test_d17_the_second_move_does_not_spur_again() -> None:
    rules = game(2)
    position = at("k7/8/8/8/8/2E5/8/5K2", "c4:?")
    assert after(rules, position, "c3-c4", "spur", "f1-f5") == at(
        "k7/8/8/5K2/2E5/8/8/8", "c4:spur", turn="2", plies=2
    )
    assert after(
        rules, position, "c3-c4", "spur", "f1-f5", "a8-a7", "f5-f4", "a7-a8", "f4-f5"
    ) == at("k7/8/8/5K2/2E5/8/8/8", "c4:spur", turn="5+", plies=6)


def test_d17_no_second_move_passes_the_turn_without_loss() -> None:
    rules = game(2)
    state = play(rules, at("k7/8/8/2e5/8/2E5/8/8", "c4:spur"), "c3-c4")
    assert (rules.turn(state), rules.awaited(state)) == (2, (RED,))
    drawn = play(rules, at("k7/8/8/2e5/8/2E5/8/8", "c4:?"), "c3-c4", "spur")
    assert (rules.turn(drawn), rules.awaited(drawn)) == (2, (RED,))


def test_d17_the_second_move_may_discover_another_effect() -> None:
    rules = game(4)
    position = at("k7/8/8/8/8/1EE5/8/7K", "b4:spur,c4:?")
    stopped = play(rules, position, "b3-b4", "c3-c4")
    rolled = rules.awaits(stopped)
    assert isinstance(rolled, Roll)
    assert "spur" not in dict(rolled.faces)
    for effect in ("pit", "mire", "crown", "gate", "mirror"):
        state = rules.roll(stopped, effect)
        assert (rules.turn(state), state.plies, rules.awaited(state)) == (2, 2, (RED,))


def test_d17_mire_does_not_count_the_second_move() -> None:
    rules = game(4)
    position = at("k7/8/8/8/2E5/1E6/8/7K", "b4:spur,c4:mire", "c4:1")
    due = play(rules, position, "b3-b4")
    assert due.spurred
    assert not [move for move in rules.legal(due, BLUE) if move.origin == CELL_OF["c4"]]
    done = play(rules, position, "b3-b4", "h1-h2")
    assert rules.format_position(done).endswith(" 2 2 b4:spur,c4:mire -")


def test_d17_a_second_move_into_mire_sits_out_two_full_turns() -> None:
    rules = game(4)
    position = at("k7/8/8/8/8/1EE5/8/7K", "b4:spur,c4:mire")
    assert after(rules, position, "b3-b4", "c3-c4").endswith(" 2 2 b4:spur,c4:mire c4:2")


def test_d17_mired_pieces_give_no_second_move() -> None:
    rules = game(4)
    position = at("k7/8/8/1e6/2E5/1E6/8/8", "b4:spur,c4:mire", "c4:2")
    assert after(rules, position, "b3-b4").endswith(" 2 1 b4:spur,c4:mire c4:1")


def test_d17_ply_limit_with_a_second_move_due_ends_the_game() -> None:
    rules = game(2, ply_limit=1)
    state = play(rules, at("k7/8/8/8/8/2E5/8/7K", "c4:spur"), "c3-c4")
    assert state.spurred
    assert rules.outcome(state) == Outcome(BLUE, Reason.PLY_LIMIT, (9, 8))


def test_d17_an_effect_is_drawn_before_the_limit_counts() -> None:
    rules = game(2, ply_limit=1)
    stopped = play(rules, at("k7/8/8/8/8/2E5/8/7K", "c4:?"), "c3-c4")
    assert isinstance(rules.awaits(stopped), Roll)
    assert rules.outcome(rules.roll(stopped, "pit")) == Outcome(None, Reason.PLY_LIMIT, (9, 9))


def test_d17_no_move_left_at_the_limit_wins() -> None:
    rules = game(ply_limit=1)
    state = play(rules, at("k7/8/8/8/8/8/8/K7"), "a1xa8")
    assert rules.outcome(state) == Outcome(BLUE, Reason.NO_MOVES, (10, 9))

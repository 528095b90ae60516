"""D&E, clause by clause."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.driver import walk
from visavis.rules import game as registered
from visavis.rules.dande import DandE, Effect, Kind, State
from visavis.rules.dande.board import CELL_OF, cell_name, opposite
from visavis.rules.errors import BadOption, IllegalMove
from visavis.rules.protocol import GameClock, OptionValue, Outcome, Roll, Seat

BLUE, RED = Seat.FIRST, Seat.SECOND
HOME = "3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3"


def game(bad_cells: int = 0, **options: OptionValue) -> DandE:
    return DandE({"bad_cells": bad_cells, "clock": "off", **options})


def at(board: str, pairs: str = "-", mired: str = "-", turn: str = "1", plies: int = 0) -> str:
    return f"{board} {turn} {plies} {pairs} {mired}"


def play(rules: DandE, position: str, *actions: str) -> State:
    """Play moves, of whoever is on turn, and faces of rolls, from a position."""
    state = rules.parse_position(position)
    for action in actions:
        if isinstance(rules.awaits(state), Roll):
            state = rules.roll(state, action)
        else:
            state = rules.apply(state, state.mover, rules.parse_move(action))
    return state


def after(rules: DandE, position: str, *actions: str) -> str:
    return rules.format_position(play(rules, position, *actions))


def goes(rules: DandE, position: str, origin: str, seat: Seat = BLUE) -> str:
    """Where a piece can go, as the signs and targets of its moves."""
    moves = map(rules.format_move, rules.legal(rules.parse_position(position), seat))
    return " ".join(move[2:] for move in moves if move.startswith(origin))


# -- Board -----------------------------------------------------------------------------------------


def test_d1_blue_starts_and_turns_alternate() -> None:
    rules = game()
    state = rules.start()
    assert rules.seat_names == ("blue", "red")
    assert rules.awaited(state) == (BLUE,)
    assert rules.awaited(play(rules, at(HOME), "a2-a3")) == (RED,)
    assert rules.awaited(play(rules, at(HOME), "a2-a3", "h7-h6")) == (BLUE,)


def test_d2_set_up() -> None:
    rules = game()
    assert rules.format_position(rules.start()) == at(HOME)
    stands = {
        (piece.seat, piece.kind, cell_name(cell))
        for cell, piece in enumerate(rules.start().cells)
        if piece is not None
    }
    assert len(stands) == 20
    assert {(BLUE, Kind.KING, "d1"), (RED, Kind.KING, "e8")} <= stands
    assert {(BLUE, Kind.JUMPER, "e1"), (RED, Kind.JUMPER, "d8")} <= stands
    for seat, rank in ((BLUE, 2), (RED, 7)):
        assert {(seat, Kind.EXECUTIONER, f"{file}{rank}") for file in "abcfgh"} <= stands
        assert {(seat, Kind.DEFENDER, f"{file}{rank}") for file in "de"} <= stands


# -- Moves -----------------------------------------------------------------------------------------


def test_d3_king_goes_any_distance_but_not_over_pieces() -> None:
    board = at("8/8/1e6/8/3K2E1/8/3e4/8")
    assert goes(game(), board, "d4") == (
        "-a1 -g1 -b2 xd2 -f2 -c3 -d3 -e3 -a4 -b4 -c4 -e4 -f4 "
        "-c5 -d5 -e5 xb6 -d6 -f6 -d7 -g7 -d8 -h8"
    )


def test_d4_jumper_goes_one_cell_any_way() -> None:
    board = at("8/8/8/2e5/3J4/4E3/8/8")
    assert goes(game(), board, "d4") == "-c3 -d3 -c4 -e4 xc5 -d5 -e5"


@pytest.mark.parametrize(
    ("letter", "sides"), [("E", "xc3 xe3 xc4 xe4 xc5 xe5"), ("D", "xc3 xe3 xc5 xe5")]
)
def test_d5_d6_walkers_step_forward_and_capture_aside(letter: str, sides: str) -> None:
    assert goes(game(), at(f"8/8/8/2eje3/2e{letter}e3/2ede3/8/8"), "d4") == sides
    assert goes(game(), at(f"7k/8/8/8/3{letter}4/8/8/8"), "d4") == "-d5"
    red = at(f"8/8/8/8/3{letter.lower()}4/8/8/7K", turn="2", plies=1)
    assert goes(game(), red, "d4", RED) == "-d3"
    assert goes(game(), at(f"8/8/8/2EJE3/2E{letter}E3/8/8/7k"), "d4") == ""


def test_d7_captures_replace_and_never_ones_own() -> None:
    rules = game()
    assert after(rules, at("8/8/8/4e3/3E4/8/8/k7"), "d4xe5").startswith("8/8/8/4E3/8/8/8/k7 2")
    with pytest.raises(IllegalMove):
        play(rules, at(HOME), "d1xd2")


@pytest.mark.parametrize("letter", "ED")
def test_d7_nothing_promotes_on_the_last_rank(letter: str) -> None:
    rules = game()
    position = at(f"k7/3{letter}4/8/8/8/8/8/7K")
    assert after(rules, position, "d7-d8").startswith(f"k2{letter}4/")
    assert goes(rules, at(f"3{letter}4/2e5/8/8/8/8/8/7K"), "d8") == "xc7"


@given(seed=st.integers(0, 2**32), bad_cells=st.sampled_from((0, 2, 4, 6)))
@settings(max_examples=25, deadline=None)
def test_d7_d9_d14_captured_counts(seed: int, bad_cells: int) -> None:
    """What each has captured is the captures told in moves, and the other's losses in pits."""
    rules = game(bad_cells)
    captured = [0, 0]
    steps = walk(registered("dande", rules.options), random.Random(seed), 400)
    for step, following in itertools.pairwise(steps):
        before, now = step.state, following.state
        assert isinstance(before, State)
        assert isinstance(now, State)
        captured[before.mover] += "x" in step.action
        stopped = before.stop if step.actor is None else CELL_OF[step.action[3:]]
        pair = None if stopped is None else now.pair_at(stopped)
        if pair is not None and pair.effect is Effect.PIT:
            captured[before.mover.other] += 1
        assert list(now.captured) == captured
        assert rules.standing(now) == now.captured


# -- Winning ---------------------------------------------------------------------------------------


def test_d8_the_king_is_a_piece_like_others() -> None:
    rules = game()
    state = play(rules, at("k6e/8/8/8/8/8/8/K7"), "a1xa8")
    assert rules.awaited(state) == (RED,)
    assert rules.outcome(play(rules, at("k7/8/8/8/8/8/8/K7"), "a1xa8")) == Outcome(
        BLUE, "no_moves", (10, 9)
    )


def test_d8_who_cant_move_loses() -> None:
    rules = game()
    blocked = rules.parse_position(at("8/8/8/8/3e4/3E4/8/8"))
    assert rules.outcome(blocked) == Outcome(RED, "no_moves", (9, 9))
    assert rules.legal(blocked, BLUE) == ()
    assert rules.legal(blocked, RED) == ()


def test_d8_who_does_not_move_in_time_loses() -> None:
    rules = game(clock="on")
    assert rules.on_timeout(rules.start(), BLUE) == Outcome(RED, "timeout", (0, 0))
    assert rules.on_timeout(rules.start(), RED) == Outcome(BLUE, "timeout", (0, 0))


@pytest.mark.parametrize(
    ("board", "winner", "scores"),
    [
        (HOME, None, (0, 0)),
        ("3jk3/eeeddee1/8/8/8/8/EEEDDEEE/3KJ3", BLUE, (1, 0)),
        ("3jk3/eeeddeee/8/8/8/8/EEE2EEE/3KJ3", RED, (0, 2)),
        ("3jk3/eeedde2/8/8/8/8/EEE2EEE/3KJ3", None, (2, 2)),
    ],
)
def test_d9_game_time_is_up(board: str, winner: Seat | None, scores: tuple[int, int]) -> None:
    rules = game(clock="on")
    assert rules.on_timeout(rules.parse_position(at(board)), None) == Outcome(
        winner, "gametime", scores
    )


@pytest.mark.parametrize("value", [4, 26, 0, -5, "ten", "", "10.5"])
def test_d9_game_minutes_out_of_range(value: OptionValue) -> None:
    with pytest.raises(BadOption, match="from 5 to 25"):
        DandE({"game_minutes": value})


@pytest.mark.parametrize("value", [14, 101, 0, "15%"])
def test_d10_move_share_out_of_range(value: OptionValue) -> None:
    with pytest.raises(BadOption, match="from 15 to 100"):
        DandE({"move_share": value})


@pytest.mark.parametrize(
    ("minutes", "share", "clock"),
    [
        (5, 15, GameClock(300_000, 45_000)),
        (10, 15, GameClock(600_000, 90_000)),
        (7, 33, GameClock(420_000, 138_600)),
        (25, 100, GameClock(1_500_000, 1_500_000)),
    ],
)
def test_d9_d10_clock(minutes: int, share: int, clock: GameClock) -> None:
    assert DandE({"game_minutes": minutes, "move_share": share}).clock() == clock


def test_d9_d10_d12_defaults() -> None:
    assert DandE().clock() == GameClock(600_000, 90_000)
    assert game().clock() is None
    assert DandE().options["ply_limit"] == 300


def test_d12_ply_limit_is_as_the_game_time() -> None:
    rules = game(ply_limit=2)
    assert rules.outcome(play(rules, at(HOME), "a2-a3")) is None
    assert rules.outcome(play(rules, at(HOME), "a2-a3", "a7-a6")) == Outcome(
        None, "ply_limit", (0, 0)
    )
    ahead = play(rules, at("7k/8/8/4e3/3E4/8/8/K7"), "d4xe5", "h8-h7")
    assert rules.outcome(ahead) == Outcome(BLUE, "ply_limit", (9, 8))


def test_d12_ply_limit_counts_only_without_clocks() -> None:
    rules = game(clock="on", ply_limit=1)
    assert rules.awaited(play(rules, at(HOME), "a2-a3")) == (RED,)


@pytest.mark.parametrize("value", [0, 10_001])
def test_d12_ply_limit_out_of_range(value: int) -> None:
    with pytest.raises(BadOption, match="from 1 to 10000"):
        game(ply_limit=value)


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
    assert rules.outcome(edge) == Outcome(RED, "no_moves", (9, 9))


def test_d15_capture_comes_first() -> None:
    rules = game(2)
    state = play(rules, at("k7/8/8/8/2e5/1D6/8/7K", "c4:?"), "b3xc4")
    assert rules.format_position(state) == at("k7/8/8/8/2D5/8/8/7K", "c4:?", turn="1@c4", plies=1)
    assert rules.roll(state, "pit").captured == (9, 9)


def test_d15_who_has_only_mired_pieces_loses() -> None:
    rules = game(2)
    state = play(rules, at("k7/8/8/8/8/2E5/8/8", "c4:mire"), "c3-c4", "a8-a7")
    assert rules.outcome(state) == Outcome(RED, "no_moves", (9, 9))


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
    assert rules.outcome(state) == Outcome(BLUE, "ply_limit", (9, 8))


def test_d17_an_effect_is_drawn_before_the_limit_counts() -> None:
    rules = game(2, ply_limit=1)
    stopped = play(rules, at("k7/8/8/8/8/2E5/8/7K", "c4:?"), "c3-c4")
    assert isinstance(rules.awaits(stopped), Roll)
    assert rules.outcome(rules.roll(stopped, "pit")) == Outcome(None, "ply_limit", (9, 9))


def test_d17_no_move_left_at_the_limit_wins() -> None:
    rules = game(ply_limit=1)
    state = play(rules, at("k7/8/8/8/8/8/8/K7"), "a1xa8")
    assert rules.outcome(state) == Outcome(BLUE, "no_moves", (10, 9))

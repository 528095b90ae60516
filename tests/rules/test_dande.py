"""D&E, clause by clause: the board, the moves and winning (D1–D12)."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.driver import walk
from tests.rules.dande_scene import BLUE, HOME, RED, after, at, game, goes, play
from visavis.rules import game as registered
from visavis.rules.dande import DandE, Effect, Kind, Reason, State
from visavis.rules.dande.board import CELL_OF, cell_name
from visavis.rules.errors import BadOption, IllegalMove
from visavis.rules.protocol import GameClock, OptionValue, Outcome, Seat

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
        BLUE, Reason.NO_MOVES, (10, 9)
    )


def test_d8_who_cant_move_loses() -> None:
    rules = game()
    blocked = rules.parse_position(at("8/8/8/8/3e4/3E4/8/8"))
    assert rules.outcome(blocked) == Outcome(RED, Reason.NO_MOVES, (9, 9))
    assert rules.legal(blocked, BLUE) == ()
    assert rules.legal(blocked, RED) == ()


def test_d8_who_does_not_move_in_time_loses() -> None:
    rules = game(clock="on")
    assert rules.on_timeout(rules.start(), BLUE) == Outcome(RED, Reason.TIMEOUT, (0, 0))
    assert rules.on_timeout(rules.start(), RED) == Outcome(BLUE, Reason.TIMEOUT, (0, 0))


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
        winner, Reason.GAMETIME, scores
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
        None, Reason.PLY_LIMIT, (0, 0)
    )
    ahead = play(rules, at("7k/8/8/4e3/3E4/8/8/K7"), "d4xe5", "h8-h7")
    assert rules.outcome(ahead) == Outcome(BLUE, Reason.PLY_LIMIT, (9, 8))


def test_d12_ply_limit_counts_only_without_clocks() -> None:
    rules = game(clock="on", ply_limit=1)
    assert rules.awaited(play(rules, at(HOME), "a2-a3")) == (RED,)


@pytest.mark.parametrize("value", [0, 10_001])
def test_d12_ply_limit_out_of_range(value: int) -> None:
    with pytest.raises(BadOption, match="from 1 to 10000"):
        game(ply_limit=value)

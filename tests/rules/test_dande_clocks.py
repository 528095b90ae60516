"""D&E through a match: the clock of the game and that of the turn (D8-D12, D17, D18)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.rules import game
from visavis.rules.dande import Reason
from visavis.rules.protocol import Outcome, Seat
from visavis.session import ClockSpec, Match, Move, Ready, Record, Tick
from visavis.session.errors import ClockPrescribed, NoSharedClock

BLUE, RED = Seat.FIRST, Seat.SECOND
SEED = bytes(32)
GAME_MS = 300_000
TURN_MS = 45_000
KINGS = "k7/8/8/8/8/8/8/7K 1 0 - -"


def begin(start: str | None = None, bad_cells: int = 0, share: int = 15) -> Match:
    rules = game("dande", {"game_minutes": 5, "move_share": share, "bad_cells": bad_cells})
    return Match.begin(rules, seed=SEED, start=start, ready=(BLUE, RED))[0]


def move(match: Match, text: str, now: int) -> Match:
    return match.execute(Move(match.awaited[0], text), now)[0]


def tick(match: Match, now: int) -> Outcome | None:
    ending = match.execute(Tick(), now)[0].ending
    return None if ending is None else ending.outcome


def shuffle(match: Match, until: int, pace: int) -> Match:
    """Let two kings step to and fro, a step each ``pace``, as long as there is time."""
    steps = ("h1-h2", "a8-a7", "h2-h1", "a7-a8")
    for count, now in enumerate(range(pace, until, pace)):
        match = move(match, steps[count % 4], now)
    return match


def test_d10_the_match_has_the_prescribed_clock() -> None:
    match = begin()
    assert match.clock.spec == ClockSpec.shared(GAME_MS, TURN_MS)
    with pytest.raises(ClockPrescribed):
        Match.begin(game("dande"), seed=SEED, clock=ClockSpec.none())


@pytest.mark.parametrize("clock", ["60/game+1/move", "600/game+90/move", "3d/game+1d/move"])
def test_d12_the_authors_clocks_are_set_by_options_alone(clock: str) -> None:
    """Which have the ranges of D9 and D10; the refusal says them."""
    chosen = ClockSpec.parse(clock)
    ranges = "game_minutes: .* from 5 to 25; move_share: .* percent .* from 15 to 100"
    with pytest.raises(NoSharedClock, match=ranges):
        Match.begin(game("dande", {"clock": "off"}), seed=SEED, clock=chosen)
    with pytest.raises(ClockPrescribed, match=ranges):
        Match.begin(game("dande", {"game_minutes": 5}), seed=SEED, clock=chosen)


@pytest.mark.parametrize("clock", ["none", "300+5", "30/move", "3d/move"])
def test_d12_the_limit_of_moves_counts_beside_an_ordinary_clock(clock: str) -> None:
    rules = game("dande", {"clock": "off", "bad_cells": 0, "ply_limit": 2})
    match, _ = Match.begin(rules, seed=SEED, clock=ClockSpec.parse(clock))
    assert match.unready == ()
    match = move(move(match, "a2-a3", 0), "a7-a6", 0)
    assert match.ending is not None
    assert match.ending.outcome == Outcome(None, Reason.PLY_LIMIT, (0, 0))


def test_d18_nobodys_time_runs_while_the_rules_are_being_read() -> None:
    rules = game("dande", {"game_minutes": 5})
    match, _ = Match.begin(rules, seed=SEED)
    assert tick(match, 10 * GAME_MS) is None
    match, _ = match.execute(Ready(RED), 10 * GAME_MS)
    assert tick(match, 20 * GAME_MS) is None
    match, _ = match.execute(Ready(BLUE), 20 * GAME_MS)
    assert match.clock.game_left(20 * GAME_MS) == GAME_MS
    assert match.deadline() == 20 * GAME_MS + TURN_MS


def test_d18_the_computer_is_ready() -> None:
    match, _ = Match.begin(game("dande"), seed=SEED, ready=(RED,))
    assert match.unready == (BLUE,)


def test_d8_a_turn_out_of_time_loses() -> None:
    assert tick(begin(), TURN_MS - 1) is None
    assert tick(begin(), TURN_MS) == Outcome(RED, Reason.TIMEOUT, (0, 0))
    answered = move(begin(), "a2-a3", 1_000)
    assert tick(answered, 1_000 + TURN_MS) == Outcome(BLUE, Reason.TIMEOUT, (0, 0))


def test_d11_the_turns_clock_starts_afresh_with_each_turn() -> None:
    match = move(begin(), "a2-a3", TURN_MS - 1)
    assert match.clock.left(RED, TURN_MS - 1) == TURN_MS
    match = move(match, "a7-a6", TURN_MS + 10)
    assert match.clock.left(BLUE, TURN_MS + 10) == TURN_MS


def test_d11_the_games_clock_runs_from_the_start_for_both() -> None:
    match = begin()
    assert match.clock.game_left(2_000) == GAME_MS - 2_000
    match = move(move(match, "a2-a3", 10_000), "a7-a6", 30_000)
    assert match.clock.game_left(30_000) == GAME_MS - 30_000


def test_d9_game_time_is_up() -> None:
    match = shuffle(begin(KINGS), GAME_MS, 40_000)
    assert tick(match, GAME_MS - 1) is None
    assert tick(match, GAME_MS) == Outcome(None, Reason.GAMETIME, (9, 9))
    ahead = shuffle(begin("k7/8/8/8/8/8/8/E6K 1 0 - -"), GAME_MS, 40_000)
    assert tick(ahead, GAME_MS) == Outcome(BLUE, Reason.GAMETIME, (9, 8))


def test_d11_both_at_the_same_moment_is_game_time() -> None:
    full_share = begin(KINGS, share=100)
    assert tick(full_share, GAME_MS - 1) is None
    assert tick(full_share, GAME_MS) == Outcome(None, Reason.GAMETIME, (9, 9))
    late = shuffle(begin(KINGS), GAME_MS - TURN_MS + 1, GAME_MS - TURN_MS - 240_000)
    assert late.deadline() == GAME_MS
    assert tick(late, GAME_MS) == Outcome(None, Reason.GAMETIME, (9, 9))


def test_d11_whichever_ran_out_first_counts_however_late_it_is_noticed() -> None:
    assert tick(begin(), GAME_MS * 2) == Outcome(RED, Reason.TIMEOUT, (0, 0))
    match = shuffle(begin(KINGS), GAME_MS, 40_000)
    assert tick(match, GAME_MS * 2) == Outcome(None, Reason.GAMETIME, (9, 9))


def test_d11_a_move_in_time_stands() -> None:
    match = move(begin(), "a2-a3", TURN_MS - 1)
    assert not match.is_over
    assert match.awaited == (RED,)


@pytest.mark.parametrize("late_by", [0, 1, 10_000])
def test_d17_a_move_when_the_time_used_equals_the_limit_is_late(late_by: int) -> None:
    match = move(begin(), "a2-a3", TURN_MS + late_by)
    assert match.ending is not None
    assert match.ending.outcome == Outcome(RED, Reason.TIMEOUT, (0, 0))
    assert match.game.format_position(match.state).startswith("3jk3/eeeddeee/8/8/8/8/EEEDDEEE/")


def test_d17_the_turns_clock_runs_on_through_a_spur() -> None:
    match = begin("k7/8/8/8/8/2E5/8/5K2 1 0 c4:spur -", bad_cells=2)
    match = move(match, "c3-c4", 30_000)
    assert match.awaited == (BLUE,)
    assert match.clock.left(BLUE, 30_000) == TURN_MS - 30_000
    assert tick(match, TURN_MS) == Outcome(RED, Reason.TIMEOUT, (9, 8))
    match = move(match, "f1-f2", TURN_MS - 1)
    assert match.clock.left(RED, TURN_MS - 1) == TURN_MS


def test_drawing_a_bad_cells_effect_takes_no_time() -> None:
    match = begin("k7/8/8/8/8/2E5/8/5K2 1 0 c4:? -", bad_cells=2)
    match = move(match, "c3-c4", 30_000)
    assert not match.is_over
    assert match.awaited


def test_the_record_tells_moves_effects_and_times() -> None:
    match = begin("k7/8/8/8/8/2E5/8/5K2 1 0 c4:spur -", bad_cells=2)
    match = move(move(match, "c3-c4", 30_000), "f1-f5", 40_000)
    match, _ = match.execute(Tick(), GAME_MS)
    text = match.record(None).text
    assert "1. first: c3-c4{spur}; f1-f5{spur}  @0:05/4:20\n" in text
    assert '[Reason "timeout"]' in text
    assert Record.parse(text) == match.record(None)


@given(paces=st.lists(st.integers(1, 50_000), max_size=40))
@settings(max_examples=50, deadline=None)
def test_d9_d11_matches_end_by_their_clocks_at_the_right_moment(paces: list[int]) -> None:
    """The first of the two limits that is reached ends the match, and nothing else does."""
    steps = ("h1-h2", "a8-a7", "h2-h1", "a7-a8")
    match, now = begin(KINGS), 0
    for count, pace in enumerate(paces):
        began, now = now, now + pace
        match = move(match, steps[count % 4], now)
        falls = min(GAME_MS, began + TURN_MS)
        assert match.is_over == (now >= falls)
        if match.ending is not None:
            reason = "gametime" if falls == GAME_MS else "timeout"
            assert match.ending.reason == reason
            return

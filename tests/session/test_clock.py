"""Clocks: their texts, and what they do in a match."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.driving import (
    FIRST,
    SECOND,
    Wish,
    begin,
    carry_out,
    openings,
    play,
    wishes,
)
from tests.toys import toy
from visavis.session import AcceptTakeback, AskTakeback, ClockSpec, Match, Move, OfferDraw, Tick
from visavis.session.clock import DAY, MOST_CREDIT_MS
from visavis.session.errors import BadClock, ClockPrescribed
from visavis.session.events import Ended, Event


def ends(events: tuple[Event, ...]) -> list[str]:
    notices = [event.to(None) for event in events]
    return [notice.reason for notice in notices if isinstance(notice, Ended)]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("none", "none"),
        ("300+5", "300+5"),
        ("5m+5", "300+5"),
        ("90", "90+0"),
        ("0.5+0.125", "0.5+0.125"),
        ("30/move", "30/move"),
        ("3d/move", "3d/move"),
        ("72h/move", "3d/move"),
        ("600/game+90/move", "600/game+90/move"),
        ("10m/game+90/move", "600/game+90/move"),
    ],
)
def test_texts(text: str, canonical: str) -> None:
    assert ClockSpec.parse(text).text == canonical
    assert ClockSpec.parse(canonical) == ClockSpec.parse(text)


@pytest.mark.parametrize("text", ["", "0+5", "0/move", "367d/move", "5 m", "٣+1", "-5+1", "1e9+0"])
def test_bad_texts(text: str) -> None:
    with pytest.raises(BadClock):
        ClockSpec.parse(text)


@given(st.text() | st.text("0123456789+./dhmgamove "))
def test_any_text(text: str) -> None:
    with contextlib.suppress(BadClock):
        assert ClockSpec.parse(ClockSpec.parse(text).text) == ClockSpec.parse(text)


def test_time_starts_when_both_have_moved() -> None:
    match = play(begin("nim", "60+5"), "take 1", now=50_000)
    assert match.deadline() is None
    match = play(match, "take 1", now=90_000)
    assert match.clock.running == (FIRST,)
    assert match.deadline() == 150_000


def test_increment_for_a_turn_not_for_a_step() -> None:
    match = play(begin("steps", "60+5"), "end", "end", now=0)
    match = play(match, "step", now=10_000)
    assert match.clock.left(FIRST, 10_000) == 50_000
    match = play(match, "end", now=12_000)
    assert match.clock.left(FIRST, 99_000) == 53_000
    assert match.clock.left(SECOND, 14_000) == 58_000


def test_an_answer_is_on_the_time_of_who_answers() -> None:
    match = play(begin("steps", "60+5"), "end", "end", "ask", now=0)
    assert match.clock.running == (SECOND,)
    match = play(match, "yes", now=20_000)
    assert match.clock.left(SECOND, 20_000) == 45_000
    assert match.clock.running == (FIRST,)


def test_time_a_turn_runs_on_in_a_compound_turn() -> None:
    match = play(begin("steps", "10/move"), "end", "end", "step", now=0)
    match = play(match, "step", now=9_000)
    assert match.deadline() == 10_000
    match = play(match, "end", now=9_999)
    assert match.deadline() == 19_999


def test_both_clocks_run_for_secret_choices_and_one_choice_gives_no_time_to_the_other() -> None:
    match = play(begin("duel", "10/move"), "bid 1", "bid 2", now=0)
    assert match.clock.running == (FIRST, SECOND)
    match, _ = match.execute(Move(SECOND, "bid 1"), 4_000)
    assert match.clock.running == (FIRST,)
    assert match.deadline() == 10_000


def test_both_out_of_time_at_once_is_a_draw() -> None:
    match = play(begin("duel", "10/move"), "bid 1", "bid 2", now=0)
    match, events = match.execute(Tick(), 10_000)
    assert ends(events) == ["timeout"]
    assert match.record(None).result == "1/2-1/2"


def test_used_equals_limit_is_out_of_time() -> None:
    match = play(begin("nim", "10+0"), "take 1", "take 1", now=0)
    assert play(match, "take 1", now=9_999).ending is None
    match, events = match.execute(Move(FIRST, "take 1"), 10_000)
    assert ends(events) == ["timeout"]
    assert match.record(None).result == "0-1"
    assert len(match.entries) == 2


def test_the_clock_comes_before_every_command() -> None:
    match = play(begin("nim", "10+0"), "take 1", "take 1", now=0)
    _, events = match.execute(OfferDraw(FIRST), 10_000)
    assert ends(events) == ["timeout"]


def test_a_timeout_happens_at_its_moment_and_once() -> None:
    match = play(begin("nim", "10+0"), "take 1", "take 1", now=0)
    late, events = match.execute(Tick(), 60_000)
    assert ends(events) == ["timeout"]
    assert late.clock.left(FIRST, 60_000) == 0
    assert late.execute(Tick(), 70_000) == (late, ())
    assert late.deadline() is None


def test_credit_for_a_slow_line_is_bounded() -> None:
    match = play(begin("nim", "10+0"), "take 1", "take 1", now=0)
    saved, _ = match.execute(Move(FIRST, "take 1", credit_ms=400), 10_300)
    assert saved.ending is None
    assert saved.clock.left(FIRST, 10_300) == 100
    greedy, _ = match.execute(Move(FIRST, "take 1", credit_ms=99_000), 10_000)
    assert greedy.clock.left(FIRST, 0) == MOST_CREDIT_MS
    quick, _ = match.execute(Move(FIRST, "take 1", credit_ms=900), 100)
    assert quick.clock.left(FIRST, 0) == 10_000


# The clock that rules prescribe (D9-D11, D17)


def test_prescribed_clock() -> None:
    assert begin("timednim").clock.spec.text == "60/game+9/move"
    assert begin("timednim", "60/game+9/move").clock.spec.text == "60/game+9/move"
    with pytest.raises(ClockPrescribed, match="60/game"):
        begin("timednim", "300+5")


def test_shared_clock_runs_from_the_start() -> None:
    match, _ = Match.begin(toy("timednim"), seed=bytes(32), ready=(FIRST, SECOND), now=1_000)
    assert match.deadline() == 10_000
    assert match.clock.game_left(4_000) == 57_000
    _, events = match.execute(Tick(), 10_000)
    assert ends(events) == ["timeout"]


def test_game_time_counts_by_the_rules() -> None:
    match = begin("timednim", None, heap=100)
    for now in range(0, 60_000, 8_000):
        match = play(match, "take 2" if match.awaited == (FIRST,) else "take 1", now=now)
    match, events = match.execute(Tick(), 60_000)
    assert ends(events) == ["gametime"]
    assert match.record(None).result == "1-0"


def test_at_the_same_moment_the_game_clock_counts() -> None:
    match = begin("timednim", None, heap=100)
    for now in (3_000, 11_000, 19_000, 27_000, 35_000, 43_000, 51_000):
        match = play(match, "take 1", now=now)
    assert match.clock.hands[SECOND].falls() == match.clock.game_left(51_000) + 51_000  # type: ignore[operator]
    _, events = match.execute(Tick(), 60_000)
    assert ends(events) == ["gametime"]


def test_credit_does_not_touch_the_shared_clock() -> None:
    match = begin("timednim", None, heap=100)
    for now in range(3_000, 58_000, 6_000):
        match = play(match, "take 1", now=now)
    _, events = match.execute(Move(match.awaited[0], "take 1", credit_ms=900), 60_000)
    assert ends(events) == ["gametime"]


def test_takebacks_give_no_time_back() -> None:
    match = play(begin("nim", "60+5"), "take 1", "take 1", now=0)
    match = play(match, "take 1", now=10_000)
    match, _ = match.execute(AskTakeback(FIRST), 12_000)
    match, _ = match.execute(AcceptTakeback(SECOND), 14_000)
    assert match.awaited == match.clock.running == (FIRST,)
    assert match.clock.left(FIRST, 14_000) == 55_000
    assert match.clock.left(SECOND, 14_000) == 56_000


# Laws


@settings(max_examples=150, deadline=None)
@given(opening=openings(), plan=wishes)
def test_never_negative_and_deadlines_are_told(
    opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]
) -> None:
    reached = 0
    for happened in carry_out(opening[0], plan):
        deadline = happened.before.deadline()
        clock = happened.after.clock
        assert all(hand.left_ms >= 0 for hand in clock.hands)
        assert clock.game is None or clock.game.left_ms >= 0
        timed_out = "timeout" in ends(happened.events) or "gametime" in ends(happened.events)
        if timed_out:
            reached += 1
            assert deadline is not None
            assert happened.now >= deadline
        elif deadline is not None and happened.now >= deadline:
            assert isinstance(happened.command, Move)
            assert happened.now < deadline + MOST_CREDIT_MS
    assert reached <= 1


@settings(max_examples=150, deadline=None)
@given(plan=wishes, base=st.integers(5_000, DAY), increment=st.integers(0, 9_000))
def test_time_is_conserved(plan: list[Wish], base: int, increment: int) -> None:
    """What both have left, and what was used, is what they were given."""
    spec = ClockSpec.fischer(base, increment)
    match, _ = Match.begin(toy("nim", {"heap": 500}), seed=bytes(32), clock=spec)
    plan = [Wish(w.kind, w.seat, w.pick, w.after_ms, 0) for w in plan]
    given_ms, used, before = 2 * base, 0, 10**6
    for happened in carry_out(match, plan):
        deadline = happened.before.deadline()
        now = happened.now if deadline is None else min(happened.now, deadline)
        used += (now - before) if happened.before.clock.running else 0
        played = len(happened.after.entries) > len(happened.before.entries)
        given_ms += increment if played and happened.before.clock.running else 0
        before = now
        left = [happened.after.clock.left(seat, now) or 0 for seat in (FIRST, SECOND)]
        assert sum(left) + used == given_ms

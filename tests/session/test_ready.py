"""A clock that both share waits until both are ready, and no clock of that kind is made up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.driving import FIRST, SECOND, Wish, carry_out, wishes
from tests.toys import toy
from visavis.rules.errors import IllegalMove, NotYourTurn
from visavis.rules.protocol import Seat
from visavis.session import (
    Abort,
    AcceptDraw,
    ClockSpec,
    ClockStart,
    Command,
    Event,
    Match,
    Move,
    OfferDraw,
    Ready,
    Record,
    Resign,
    Tick,
    check,
)
from visavis.session.errors import (
    AlreadyReady,
    BadClock,
    MatchOver,
    NoSharedClock,
    NotReady,
    RecordError,
    WrongHeader,
)
from visavis.session.events import Began, GotReady, Notice, Stands

SEED = bytes(32)
LATE = 10**9
READY = 35
"""The kind of a wish to be ready."""


@st.composite
def plans(draw: st.DrawFn) -> list[Wish]:
    """Anything, with both getting ready somewhere among it."""
    plan = draw(wishes)
    for seat in Seat:
        wish = Wish(READY, seat, 0, draw(st.integers(0, 4_000)), 0)
        plan.insert(draw(st.integers(0, 10)), wish)
    return plan


def fresh(*ready: Seat, now: int = 0, slug: str = "timednim") -> Match:
    return Match.begin(toy(slug, {"heap": 100}), seed=SEED, ready=ready, now=now)[0]


def after(match: Match, *commands: Command, now: int = 0) -> Match:
    for command in commands:
        match, _ = match.execute(command, now)
    return match


def told(events: tuple[Event, ...], kind: type[Notice]) -> list[Notice]:
    notices = [event.to(None) for event in events]
    return [notice for notice in notices if isinstance(notice, kind)]


def stands_still(match: Match) -> bool:
    whole = match.clock.spec.stand()
    return (match.clock.hands, match.clock.game) == (whole.hands, whole.game)


def test_time_runs_when_both_are_ready() -> None:
    match, events = Match.begin(toy("timednim"), seed=SEED, now=1_000)
    (began,) = told(events, Began)
    assert isinstance(began, Began)
    assert began.unready == match.unready == match.seen_by(None).unready == (FIRST, SECOND)
    match, events = match.execute(Ready(SECOND), 50_000)
    assert told(events, GotReady) == [GotReady(SECOND)]
    assert stands_still(match)
    assert match.unready == (FIRST,)
    match, events = match.execute(Ready(FIRST), 99_000)
    (stands,) = told(events, Stands)
    assert isinstance(stands, Stands)
    assert stands.awaited == match.clock.running == (FIRST,)
    assert match.deadline() == 99_000 + 9_000
    assert match.clock.game_left(100_000) == 59_000


def test_who_is_a_computer_need_not_say_so() -> None:
    assert fresh(FIRST).unready == (SECOND,)
    both = fresh(FIRST, SECOND, now=5)
    assert (both.unready, both.deadline()) == ((), 9_005)


def test_nobody_moves_before_the_other_is_ready() -> None:
    """Else who is not ready could think about the answer for nothing."""
    match = after(fresh(), Ready(FIRST))
    assert match.awaited == match.seen_by(FIRST).awaited == ()
    assert match.seen_by(FIRST).asked is None
    with pytest.raises(NotReady, match="second is not ready yet"):
        match.execute(Move(FIRST, "take 1"), 0)
    with pytest.raises(NotYourTurn):
        match.execute(Move(SECOND, "take 1"), 0)


def test_who_moves_is_ready() -> None:
    match = fresh(SECOND)
    assert match.awaited == (FIRST,)
    with pytest.raises(IllegalMove):
        match.execute(Move(FIRST, "take 9"), 0)
    moved, events = match.execute(Move(FIRST, "take 1", credit_ms=500), 70_000)
    assert [type(event.to(None)).__name__ for event in events] == ["GotReady", "Moved", "Stands"]
    assert moved.clock.left(FIRST, 70_000) == 9_000
    assert (moved.deadline(), moved.clock.game_left(80_000)) == (79_000, 50_000)


def test_ready_is_said_once_and_only_where_it_counts() -> None:
    match = after(fresh(), Ready(FIRST))
    for nobody in (match, after(match, Ready(SECOND)), fresh(FIRST, SECOND), fresh(slug="nim")):
        with pytest.raises(AlreadyReady, match="does not wait for first"):
            nobody.execute(Ready(FIRST), 0)
    with pytest.raises(MatchOver):
        after(match, Resign(FIRST)).execute(Ready(SECOND), 0)


def test_a_match_may_end_before_its_clock_starts() -> None:
    waiting = after(fresh(), Ready(SECOND))
    for commands, reason in (
        ((Resign(FIRST),), "resigned"),
        ((Abort(),), "aborted"),
        ((OfferDraw(FIRST), AcceptDraw(SECOND)), "agreed"),
    ):
        match = after(waiting, *commands, now=LATE)
        assert match.ending is not None
        assert match.ending.reason == reason
        assert stands_still(match)
        assert check(Record.parse(match.record(None).text), toy).moves == 0


@settings(max_examples=200, deadline=None)
@given(plan=plans(), ready=st.sets(st.sampled_from(Seat)))
def test_no_time_passes_before_both_are_ready(plan: list[Wish], ready: set[Seat]) -> None:
    for happened in carry_out(fresh(*ready), plan):
        match = happened.after
        if match.unready:
            assert stands_still(match)
            assert match.deadline() is None
            assert match.entries == fresh().entries
            assert match.execute(Tick(), LATE) == (match, ())


@settings(max_examples=200, deadline=None)
@given(plan=plans(), ready=st.sets(st.sampled_from(Seat), max_size=1))
def test_then_it_is_the_match_that_had_just_begun(plan: list[Wish], ready: set[Seat]) -> None:
    """From its start on the match is one that started at once at that moment."""
    twin: Match | None = None
    for happened in carry_out(fresh(*ready), plan):
        match = happened.after
        if twin is not None:
            twin, events = twin.execute(happened.command, happened.now)
            assert events == happened.events
        elif not match.unready:
            twin, _ = Match.begin(
                match.game, seed=SEED, clock_start=ClockStart.AT_ONCE, now=happened.now
            )
            if isinstance(happened.command, Move):
                twin, _ = twin.execute(happened.command, happened.now)
            twin = replace(twin, draw_offer=match.draw_offer, takeback=match.takeback)
        if twin is not None:
            assert replace(twin, game=match.game, clock_start=match.clock_start) == match


# The record


def test_a_record_says_how_its_clock_started() -> None:
    match = after(fresh(FIRST, SECOND), Move(FIRST, "take 1"), Resign(SECOND))
    record = match.record(None)
    assert '[Clock "60/game+9/move"]\n[ClockStart "ready"]\n' in record.text
    assert check(Record.parse(record.text), toy).moves == 1
    before = replace(record, clock_start=None)
    assert "ClockStart" not in before.text
    assert check(before, toy).moves == 1


def test_other_starts_are_found() -> None:
    record = after(fresh(slug="nim"), Resign(FIRST)).record(None)
    assert record.clock_start is None
    with pytest.raises(WrongHeader, match="line 6: only a clock that both share"):
        check(replace(record, clock_start=ClockStart.READY), toy)
    shared = after(fresh(), Resign(FIRST)).record(None).text
    with pytest.raises(RecordError, match="ClockStart is ready"):
        Record.parse(shared.replace('"ready"', '"noon"'))


# Shared clocks that the rules do not prescribe


@pytest.mark.parametrize("slug", ["nim", "duel"])
def test_players_agree_on_no_shared_clock_of_their_own(slug: str) -> None:
    shared = ClockSpec.parse("600/game+90/move")
    with pytest.raises(NoSharedClock, match="this game has none"):
        Match.begin(toy(slug), seed=SEED, clock=shared)
    assert issubclass(NoSharedClock, BadClock)


def test_one_that_was_once_agreed_on_stands() -> None:
    shared = ClockSpec.parse("600/game+90/move")
    match, _ = Match.begin(
        toy("nim"), seed=SEED, clock=shared, clock_start=ClockStart.AT_ONCE, now=7
    )
    assert (match.unready, match.deadline()) == ((), 90_007)
    record = after(match, Resign(FIRST)).record(None)
    assert check(record, toy).moves == 0
    with pytest.raises(WrongHeader, match="this game has none"):
        check(replace(record, clock_start=ClockStart.READY), toy)

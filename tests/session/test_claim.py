"""Claims against one who has left: what they end, when they are refused, and their records."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.session.driving import FIRST, SECOND, Wish, begin, last, openings, play, wishes
from tests.toys import toy
from visavis.rules.protocol import MatchReason, Outcome, Seat
from visavis.session import Claim, Event, Match, Record, Resign, check
from visavis.session.errors import ClaimRefused, Discrepancy, MatchOver, WrongResult


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        (Claim(FIRST), Outcome(FIRST, MatchReason.ABANDONED)),
        (Claim(SECOND), Outcome(SECOND, MatchReason.ABANDONED)),
        (Claim(FIRST, draw=True), Outcome(None, MatchReason.ABANDONED)),
    ],
)
def test_a_claim_ends_the_match(command: Claim, outcome: Outcome) -> None:
    match, events = play(begin("nim", "300+5"), "take 1", "take 1").execute(command, 0)
    assert [type(event.to(None)).__name__ for event in events] == ["Ended", "Stands"]
    assert match.ending is not None
    assert match.ending.outcome == outcome
    with pytest.raises(MatchOver, match="abandoned"):
        match.execute(Resign(FIRST), 0)


def test_time_comes_first() -> None:
    match, _ = play(begin("nim", "3+0"), "take 1", "take 1").execute(Claim(SECOND), 3_000)
    assert match.ending is not None
    assert match.ending.reason == "timeout"


@pytest.mark.parametrize(
    ("clock", "moves", "why"),
    [
        ("none", (), "aborted"),
        ("300+5", ("take 1",), "aborted"),
        ("3d/move", ("take 1", "take 1"), "days"),
    ],
)
def test_what_cannot_be_claimed(clock: str, moves: tuple[str, ...], why: str) -> None:
    match = play(begin("nim", clock), *moves)
    with pytest.raises(ClaimRefused, match=why):
        match.execute(Claim(FIRST), 0)


@pytest.mark.parametrize(
    ("clock", "moves"),
    [("none", ("take 1",)), ("3d/move", ("take 1", "take 1"))],
)
def test_a_record_does_not_claim_what_cannot_be(clock: str, moves: tuple[str, ...]) -> None:
    match, _ = play(begin("nim", clock), *moves).execute(Resign(FIRST), 0)
    text = match.record(None).text.replace('"resigned"', '"abandoned"')
    with pytest.raises(WrongResult):
        check(Record.parse(text), toy)


@given(openings(), wishes)
@settings(max_examples=200)
def test_claims_end_live_matches_that_are_under_way_and_no_others(
    opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]
) -> None:
    """The law, whatever was played before; and the record of such an end holds."""
    match = last(opening[0], plan)
    for seat in Seat:
        for draw in (False, True):
            now = 10**9 if match.clock.deadline() is None else 0
            try:
                after, _ = match.execute(Claim(seat, draw=draw), now)
            except ClaimRefused:
                assert not (match.is_underway and match.clock.spec.is_live)
                continue
            except MatchOver:
                assert match.is_over
                continue
            assert match.is_underway
            assert match.clock.spec.is_live
            assert after.ending is not None
            assert after.ending.outcome == Outcome(None if draw else seat, MatchReason.ABANDONED)
            record = after.record(None)
            assert Record.parse(record.text) == record
            check(record, toy)
            with pytest.raises(Discrepancy):
                check(Record.parse(record.text.replace('"abandoned"', '"left"')), toy)

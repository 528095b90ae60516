"""Replaying and verifying records: what was tampered with is found, and named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.driving import FIRST, SECOND, Wish, begin, last, openings, play, wishes
from tests.toys import toy
from visavis.rules import game
from visavis.session import (
    AcceptDraw,
    Checked,
    Event,
    Match,
    Move,
    OfferDraw,
    Record,
    Resign,
    Tick,
    check,
    replay,
)
from visavis.session.errors import (
    Discrepancy,
    SessionError,
    WrongHeader,
    WrongMove,
    WrongRemark,
    WrongResult,
    WrongRoll,
    WrongSeal,
    WrongSeed,
)


def duel() -> Record:
    match = begin("duel")
    return play(match, "bid 1", "bid 2", "bid 3", "bid 1", "bid 2", "bid 2").record(None)


def steps() -> Record:
    match = play(begin("steps", "300+5"), "dice", "end", "step", "end", "dice")
    return match.execute(Resign(FIRST), 0)[0].record(None)


def changed(record: Record, old: str, new: str) -> Record:
    assert old in record.text
    return Record.parse(record.text.replace(old, new, 1))


def test_a_good_record() -> None:
    assert check(duel(), toy) == Checked(moves=6, rolls=5, seals=6, has_seed=True)
    assert check(steps(), toy) == Checked(moves=5, rolls=2, seals=0, has_seed=True)


def test_what_a_viewer_was_not_shown_is_said_to_be_hidden() -> None:
    seen = play(begin("duel"), "bid 1").record(SECOND)
    assert "?" in seen.text
    with pytest.raises(Discrepancy, match="hidden here"):
        replay(seen, toy)


def test_replay_gives_the_states() -> None:
    match = begin("steps")
    played = replay(play(match, "step", "dice").record(None), toy)
    assert played.start == match.start
    assert [step.seat for step in played.steps] == [FIRST, FIRST, None]
    assert played.final == play(match, "step", "dice").state


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("bid 1", "bid 2", WrongSeal),
        ("1. second:", "1. chance: *1\n1. second:", WrongRoll),
        ('[Seed "00', '[Seed "01', WrongSeed),
        ('[Commitment "63', '[Commitment "64', WrongSeed),
        ('[Game "duel"]', '[Game "chess"]', WrongHeader),
        ('[Option rounds "3"]\n', "", WrongHeader),
        ('[Option rounds "3"]', '[Option rounds "03"]', WrongHeader),
        ('[Option rounds "3"]', '[Option rounds "30"]', WrongHeader),
        ('[Option rounds "3"]', '[Option rounds "3"]\n[Option more "3"]', WrongHeader),
        ("2. first:", "3. first:", WrongMove),
        ("2. first:", "2. second:", WrongMove),
        ('[Reason "points"]', '[Reason "resigned"]', WrongResult),
        ('[Reason "points"]\n', "", WrongResult),
    ],
)
def test_tampering(old: str, new: str, error: type[Discrepancy]) -> None:
    with pytest.raises(error):
        check(changed(duel(), old, new), toy)


def test_the_line_is_named() -> None:
    record = changed(duel(), "2. first:", "2. second:")
    with pytest.raises(WrongMove) as caught:
        check(record, toy)
    named = record.text.splitlines()[caught.value.line - 1]
    assert named.startswith("2. second:")


@pytest.mark.parametrize("index", range(len(duel().lines)))
def test_no_line_can_go(index: int) -> None:
    record = duel()
    with pytest.raises(Discrepancy):
        check(replace(record, lines=record.lines[:index] + record.lines[index + 1 :]), toy)


@pytest.mark.parametrize("seal", [None, "0" * 64])
def test_seals(seal: str | None) -> None:
    record = duel()
    line = record.lines[1]
    spoiled = replace(line, items=(replace(line.items[0], seal=seal), *line.items[1:]))
    with pytest.raises(WrongSeal):
        check(replace(record, lines=(record.lines[0], spoiled, *record.lines[2:])), toy)


def test_every_other_face_is_found() -> None:
    record = duel()
    for at, line in enumerate(record.lines):
        for index, item in enumerate(line.items):
            for face in {"1", "2", "3"} - {item.text} if item.is_roll else ():
                items = list(line.items)
                items[index] = replace(item, text=face)
                lines = list(record.lines)
                lines[at] = replace(line, items=tuple(items))
                with pytest.raises(WrongRoll):
                    check(replace(record, lines=tuple(lines)), toy)


def test_remarks() -> None:
    for old, new in [("{at ", "{at 1"), ("first: dice", "first: step{at 1}; dice")]:
        with pytest.raises(WrongRemark):
            check(changed(steps(), old, new), toy)


def test_results_taken_from_the_header_must_be_possible() -> None:
    good = steps()
    assert (good.result, good.reason) == ("0-1", "resigned")
    for result, reason in [
        ("1/2-1/2", "resigned"),
        ("1-0", "agreed"),
        ("*", "aborted"),
        ("1-0", "timeout"),
        ("1-0", "eight"),
        ("*", "resigned"),
    ]:
        with pytest.raises(WrongResult):
            check(replace(good, result=result, reason=reason), toy)
    with pytest.raises(WrongResult):
        check(replace(good, scores=(1, 2)), toy)
    assert check(replace(good, result="0-1", reason="timeout"), toy)
    with pytest.raises(WrongResult):
        check(replace(good, result="0-1", reason="timeout", clock="none"), toy)


def test_a_missing_seed_is_found_and_a_lost_one_is_told() -> None:
    with pytest.raises(WrongSeed):
        check(replace(duel(), seed=None), toy)
    with pytest.raises(WrongSeed):
        check(replace(duel(), commitment=None), toy)
    assert not check(replace(duel(), commitment=None, seed=None), toy).has_seed


def test_a_roll_missing_at_the_end() -> None:
    record = play(begin("steps"), "step", "dice").record(None)
    line = record.lines[-1]
    with pytest.raises(WrongRoll):
        check(replace(record, lines=(replace(line, items=line.items[:-1]),)), toy)


def test_running_records() -> None:
    assert check(play(begin("nim"), "take 1").record(None), toy).moves == 1
    with pytest.raises(WrongRoll, match=r"\?"):
        check(play(begin("duel"), "bid 1").record(SECOND), toy)


def test_other_clocks_than_the_prescribed_are_found() -> None:
    match, _ = begin("timednim").execute(Tick(), 9_000)
    assert check(match.record(None), toy)
    with pytest.raises(WrongHeader):
        check(replace(match.record(None), clock="300+5"), toy)
    with pytest.raises(WrongHeader):
        check(replace(match.record(None), clock="quick"), toy)


def test_a_foul_is_the_last_move() -> None:
    match, _ = Match.begin(game("osakana"), seed=bytes(32))
    match, _ = match.execute(Move(FIRST, "KC4A1"), 0)
    record = match.record(None)
    assert (record.result, record.reason) == ("0-1", "foul")
    assert check(record).moves == 1
    with pytest.raises(WrongMove):
        check(changed(record, "1. first: か↑C4A1", "1. first: か↑C4A1\n1. second: か↓A1A2"))


def test_agreed() -> None:
    match, _ = begin("nim").execute(OfferDraw(FIRST), 0)
    match, _ = match.execute(AcceptDraw(SECOND), 0)
    assert check(match.record(None), toy).moves == 0


@settings(max_examples=150, deadline=None)
@given(opening=openings(), plan=wishes)
def test_finished_matches_check(opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]) -> None:
    match = last(opening[0], plan)
    if not match.is_over:
        match, _ = match.execute(Resign(FIRST), 10**6)
    checked = check(Record.parse(match.record(None).text), toy)
    assert checked.moves + checked.rolls == len(match.entries)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_slip_of_a_secret_record_is_found(data: st.DataObject) -> None:
    """Change a character of moves, rolls, seals or promises: it does not check any more."""
    text = duel().text
    start = text.index("[Result")
    at = data.draw(st.integers(start, len(text) - 2))
    new = data.draw(st.sampled_from("0123456789abc?"))
    if text[at] == new or text[at].isspace():
        return
    tampered = text[:at] + new + text[at + 1 :]
    with pytest.raises(SessionError):
        check(Record.parse(tampered), toy)

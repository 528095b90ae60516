"""The text of records: round trips, and errors that name the place."""

from __future__ import annotations

import contextlib
import gc
import string
import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.driving import Wish, last, openings, wishes
from visavis.rules import game
from visavis.rules.protocol import Seat
from visavis.session import (
    VIEWERS,
    ClockStart,
    Event,
    Item,
    Line,
    Match,
    Record,
    Time,
    check,
    resume,
)
from visavis.session import record as record_module
from visavis.session.errors import RecordError, WrongHeader
from visavis.session.record import Written, write_lines

DIGEST = "0123456789abcdef" * 4

WHOLE = f"""\
[Visavis "1"]
[Game "duel"]
[Option rounds "2"]
[First "Mio \\"the Eel\\" \\\\o/"]
[Second "Ren\\u000a"]
[Date "2026-11-15"]
[Clock "300+5"]
[Commitment "{DIGEST}"]
[Start "1 23 -- 0 0 all"]
[Result "1-0"]
[Reason "points"]
[Score "12-9"]
[Seed "{DIGEST}"]

# Both knew better.
0. chance: *2; *3
1. first: bid 2{{#{DIGEST}}}  @4:58.2
1. second: bid 3{{bold}}{{#{DIGEST}}}; *1  @1:00:00/0:05.001  # why?
2. first: \\*a; b \\@c; d@e; \\\\f; \\ g\\ 
#
# The end
"""


def test_a_whole_record() -> None:
    record = Record.parse(WHOLE)
    assert record.text == WHOLE
    assert record.names == ('Mio "the Eel" \\o/', "Ren\n")
    assert record.scores == (12, 9)
    assert record.lines[0] == Line(
        0,
        None,
        (Item("2", is_roll=True), Item("3", is_roll=True)),
        above=("Both knew better.",),
    )
    assert record.lines[2] == Line(
        1,
        Seat.SECOND,
        (Item("bid 3", "bold", DIGEST), Item("1", is_roll=True)),
        Time(3_600_000, 5_001),
        "why?",
    )
    assert [item.text for item in record.lines[3].items] == ["*a", "b @c", "d@e", "\\f", " g "]
    assert record.below == ("", "The end")
    assert (record.lines[1].number, record.place("Clock")) == (17, 7)


def test_the_version_of_the_rules() -> None:
    """A record that does not say it is of version 1, and does not come to say it."""
    first = Record.parse(WHOLE)
    assert first.rules_version == 1
    assert "[Rules" not in first.text
    second = replace(first, rules_version=2)
    assert '[Game "duel"]\n[Rules "2"]\n' in second.text
    assert Record.parse(second.text) == second
    for wrong in ("0", "", "x", "1.5", "-1"):
        with pytest.raises(RecordError, match="line 3, column 9"):
            Record.parse(second.text.replace('[Rules "2"]', f'[Rules "{wrong}"]'))


def test_a_record_of_other_rules_is_refused() -> None:
    match, _ = Match.begin(game("osakana"), seed=bytes(32))
    record = match.whole_record()
    check(record)
    other = replace(record, rules_version=2)
    for judge in (check, lambda record: resume(record, 0)):
        with pytest.raises(WrongHeader, match="under version 2 of the rules of osakana"):
            judge(other)


def test_lenient_reading() -> None:
    text = '\ufeff[Visavis "1"]\r\n[Game  "nim"]\r\n\r\n 01.first:take 1 ;take 2#x\r\n'
    record = Record.parse(text)
    assert record.text == (
        '[Visavis "1"]\n[Game "nim"]\n[First "?"]\n[Second "?"]\n[Result "*"]\n\n'
        "1. first: take 1; take 2  # x\n"
    )


HEAD = '[Visavis "1"]\n[Game "nim"]\n\n'


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ('[Game "nim"]', 1, 1),
        ('[Visavis "2"]', 1, 1),
        ('[Visavis "1"]\n', 1, 1),
        ('[Visavis "1"]\n[Game nim]', 2, 1),
        ('[Visavis "1"]\n[Game "nim"]\n[Game "nim"]', 3, 1),
        ('[Visavis "1"]\n[Gamer "nim"]', 2, 2),
        ('[Visavis "1"]\n[Option "nim"]', 2, 2),
        ('[Visavis "1"]\n[Result "2-0"]', 2, 10),
        ('[Visavis "1"]\n[Seed "abc"]', 2, 8),
        ('[Visavis "1"]\n[First "a\\x"]', 2, 10),
        (HEAD + "take 1", 4, 1),
        (HEAD + "1. third: take 1", 4, 1),
        (HEAD + "1. first:", 4, 10),
        (HEAD + "1. first: a; ; b", 4, 14),
        (HEAD + "1. first: a{b", 4, 12),
        (HEAD + "1. first: a{b}{c}", 4, 18),
        (HEAD + "1. first: a{#12}", 4, 17),
        (HEAD + "1. first: a  @5", 4, 14),
        (HEAD + "1. first: a  @5:99", 4, 19),
        (HEAD + "1. first: a  @5:00 b", 4, 20),
        (HEAD + "1. first: a\\b", 4, 12),
        (HEAD + "1. first: *", 4, 12),
        (HEAD + "1. first: a\x07", 4, 11),
        (HEAD + '1. first: a\n[First "late"]', 5, 1),
    ],
)
def test_errors_name_the_place(text: str, line: int, column: int) -> None:
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_very_long_texts_are_not_read() -> None:
    with pytest.raises(RecordError):
        Record.parse("#" * 5_000_000)


# Work in proportion to the text


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, those in C too, once everything is warm."""
    count = 0
    work()

    def note(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()  # it calls whoever has asked to hear of it
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


@pytest.mark.parametrize(
    "text", ["1. first: {}", "1. first: a{{{}}}", "# {}", "1. first: a{}b"], ids=str.split
)
def test_long_texts_are_read_and_written_in_one_piece(text: str) -> None:
    """Nothing goes through a text letter by letter, least of all by copying it each time."""
    filling = " " if "b" in text else "x"
    short, long = (HEAD + text.format(filling * size) for size in (10, 10_000))
    assert calls(lambda: Record.parse(short)) == calls(lambda: Record.parse(long))
    read = [Record.parse(each) for each in (short, long)]
    assert calls(lambda: read[0].text) == calls(lambda: read[1].text)


@pytest.mark.parametrize("part", ["a; ", "\\@", "*a; ", "a{b}; ", "\\  "])
def test_twice_the_parts_are_twice_the_work(part: str) -> None:
    one, two = (
        calls(lambda text=HEAD + "1. first: " + part * count + "a": Record.parse(text))  # type: ignore[misc]
        for count in (1_000, 2_000)
    )
    assert two <= 2 * one


def test_a_line_is_made_once_however_much_is_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def line(turn: int, seat: Seat | None, items: tuple[Item, ...], *rest: Any) -> Line:
        made.append(len(items))
        return Line(turn, seat, items, *rest)

    monkeypatch.setattr(record_module, "Line", line)
    written = [Written(1, Seat.FIRST, Item(str(n)), Time(n) if n % 2 else None) for n in range(99)]
    (only,) = write_lines(written)
    assert [item.text for item in only.items] == list(map(str, range(99)))
    assert only.time == Time(97)
    assert made == [99]


# Laws

plain = st.text(
    st.characters(exclude_characters=";{}#", exclude_categories=("Cc", "Cs", "Zl", "Zp"))
    | st.sampled_from(" @*\\\"'<>?"),
    min_size=1,
    max_size=8,
)
digests = st.text("0123456789abcdef", min_size=64, max_size=64)
times = st.builds(Time, st.integers(0, 10**9), st.none() | st.integers(0, 10**9))
items = st.builds(Item, plain, st.just("") | plain, st.none() | digests) | st.builds(
    Item, plain, is_roll=st.just(True)
)
comments = st.lists(st.text(max_size=6), max_size=2).map(tuple)
lines = st.builds(
    Line,
    turn=st.integers(0, 9_999_999),
    seat=st.sampled_from([*Seat, None]),
    items=st.lists(items, min_size=1, max_size=3).map(tuple),
    time=st.none() | times,
    comment=st.text(max_size=6),
    above=comments,
)
option_names = st.text(string.ascii_lowercase, min_size=1, max_size=5)
records = st.builds(
    Record,
    game=st.text(max_size=8),
    options=st.dictionaries(option_names, st.text(max_size=8), max_size=3).map(
        lambda options: tuple(options.items())
    ),
    names=st.tuples(st.text(max_size=8), st.text(max_size=8)),
    date=st.none() | st.text(max_size=8),
    clock=st.text(max_size=8),
    clock_start=st.none() | st.just(ClockStart.READY),
    commitment=st.none() | digests,
    start=st.none() | st.text(max_size=8),
    result=st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]),
    reason=st.none() | st.text(max_size=8),
    scores=st.none() | st.tuples(st.integers(-999, 999), st.integers(-999, 999)),
    seed=st.none() | digests,
    lines=st.lists(lines, max_size=4).map(tuple),
    below=comments,
)


@settings(max_examples=400, deadline=None)
@given(records)
def test_records_come_back_from_their_text(record: Record) -> None:
    assert Record.parse(record.text) == record
    assert Record.parse(record.text).text == record.text


@settings(max_examples=100, deadline=None)
@given(opening=openings(), plan=wishes)
def test_records_of_matches_come_back(
    opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]
) -> None:
    match = last(opening[0], plan)
    for viewer in VIEWERS:
        record = match.record(viewer)
        assert Record.parse(record.text) == record


scraps = st.sampled_from(
    [HEAD, WHOLE, "1. first: ", "; ", "{", "}", "{#", DIGEST, "  @4:58", "#", "\\", "*", "\n", '"']
)


@settings(max_examples=400, deadline=None)
@given(st.text() | st.lists(scraps | st.text(max_size=3)).map("".join))
def test_any_text(text: str) -> None:
    """Whatever the text, it is a record with a canonical text, or the error names its place."""
    with contextlib.suppress(RecordError):
        record = Record.parse(text)
        assert Record.parse(record.text) == record


@settings(max_examples=400, deadline=None)
@given(at=st.integers(0, len(WHOLE)), cut=st.integers(0, 3), new=st.text(max_size=2))
def test_any_slip(at: int, cut: int, new: str) -> None:
    with contextlib.suppress(RecordError):
        record = Record.parse(WHOLE[:at] + new + WHOLE[at + cut :])
        assert Record.parse(record.text) == record

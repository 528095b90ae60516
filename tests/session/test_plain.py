"""Plain lists of moves."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.toys import toy
from visavis.rules import game
from visavis.session import Record, check, read_plain
from visavis.session.errors import RecordError

SPELLINGS = [
    "take 1\ntake 2\ntake 3",
    "take 1 take 2 take 3",
    "1. take 1 2. take 2 3. take 3",
    "1) 1 2) 2 3) 3",
    "1. first: take 1; 2. second: take 2; 3. first: take 3 *",
    "1 2 3  # a comment; 2 2 2",
    "1{a note} 2 3",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spellings(text: str) -> None:
    record = read_plain(toy("nim"), text)
    assert record == read_plain(toy("nim"), SPELLINGS[0])
    assert record.text.endswith("\n1. first: take 1\n2. second: take 2\n3. first: take 3\n")
    assert check(record, toy).moves == 3


def test_results() -> None:
    assert read_plain(toy("nim"), "1 1-0").reason == "resigned"
    assert read_plain(toy("nim"), "1 1/2-1/2").reason == "agreed"
    ended = read_plain(toy("nim", {"heap": 3}), "3 1-0")
    assert (ended.result, ended.reason, ended.scores) == ("1-0", "last", (3, 0))
    assert ended.lines[0].items[0].remark == "the last"


def test_rolls_and_seats() -> None:
    text = "*3 *1 second: bid 2 bid 1; *2 bid 3"
    record = read_plain(toy("duel"), text)
    assert [line.seat for line in record.lines] == [None, 1, 0, 0]
    assert check(record, toy) == check(Record.parse(record.text), toy)


def test_remarks_after_rolls() -> None:
    record = read_plain(toy("steps"), "dice *two end")
    assert record.text.endswith("1. first: dice{at 2}; *two; end\n")


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("take 1\n  take 7", 2, 3, "take 7"),
        ("take 1\nwhat", 2, 1, "not a move"),
        ("take 1 ; second: first: take 1", 1, 25, "first"),
        ("3 3 3 3 1", 1, 9, "first"),
        ("3 3 3 3 1-0", 1, 9, "0-1"),
        ("1-0 take 1", 1, 5, "after"),
        ("*3", 1, 1, "not a move"),
    ],
)
def test_errors_name_the_place(text: str, line: int, column: int, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        read_plain(toy("nim"), text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_missing_roll_is_named() -> None:
    with pytest.raises(RecordError, match="roll"):
        read_plain(toy("duel"), "bid 1")


def test_the_authors_notation() -> None:
    record = read_plain(game("osakana"), "い↑B3B2\nか↓A1A2")
    assert check(record).moves == 2


def test_a_foul_ends_the_list() -> None:
    assert read_plain(game("osakana"), "KC4A1").reason == "foul"
    with pytest.raises(RecordError):
        read_plain(game("osakana"), "KC4A1 kA1A2")


@settings(max_examples=300, deadline=None)
@given(
    slug=st.sampled_from(["nim", "steps", "duel"]),
    text=st.text()
    | st.lists(
        st.sampled_from(["take 1", "step", "dice", "*one", "*3", "bid 2", "end", ";", "first:"])
        | st.text(max_size=2)
    ).map(" ".join),
)
def test_any_text(slug: str, text: str) -> None:
    with contextlib.suppress(RecordError):
        record = read_plain(toy(slug), text)
        check(record, toy)
        assert Record.parse(record.text) == record

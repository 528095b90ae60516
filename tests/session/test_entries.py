"""Entries are a value like a tuple; only that what is longer shares all of what is shorter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.rules.protocol import Seat
from visavis.session import entries
from visavis.session.entries import Chance, Decision, Entries, Entry
from visavis.session.events import ForEach


def roll(turn: int) -> Chance:
    return Chance(turn, "6", ForEach.same("6"))


def move(seat: Seat, turn: int) -> Decision:
    return Decision(seat, turn, "m", ForEach.same("m"), "", None, False, None)


some = st.builds(roll, st.integers(0, 3)) | st.builds(
    move, st.sampled_from(Seat), st.integers(0, 3)
)
lists = st.lists(some, max_size=30)
ends = st.none() | st.integers(-35, 35)


def made(listed: list[Entry]) -> Entries:
    """The number of entries stands for the state behind them."""
    return Entries().extended((entry, number) for number, entry in enumerate(listed, 1))


@given(lists)
def test_like_a_tuple(listed: list[Entry]) -> None:
    value = made(listed)
    assert tuple(value) == tuple(listed)
    assert tuple(reversed(value)) == tuple(reversed(listed))
    assert len(value) == len(listed)
    assert [value[at] for at in range(-len(listed), len(listed))] == listed * 2
    with pytest.raises(IndexError):
        value[len(listed)]
    assert repr(value) == f"Entries({listed!r})"
    assert value.decisions == sum(isinstance(entry, Decision) for entry in listed)
    assert value.rolls == sum(isinstance(entry, Chance) for entry in listed)
    assert value.decided == {entry.seat for entry in listed if isinstance(entry, Decision)}


@given(listed=lists, start=ends, stop=ends, step=st.sampled_from([None, 1, 2, -1]))
def test_slices(listed: list[Entry], start: int | None, stop: int | None, step: int | None) -> None:
    value, wanted = made(listed)[start:stop:step], listed[start:stop:step]
    assert value == made(wanted)
    assert (value.decisions, value.decided) == (made(wanted).decisions, made(wanted).decided)


@given(one=lists, two=lists)
def test_equal_if_all_are(one: list[Entry], two: list[Entry]) -> None:
    assert (made(one) == made(two)) == (one == two)
    assert made(one) == made(one)
    assert hash(made(one)) == hash(made(one))
    assert made(one) != tuple(one)


@given(listed=lists, at=st.integers(0, 30), one=lists, two=lists)
def test_what_is_longer_shares_what_is_shorter(
    listed: list[Entry], at: int, one: list[Entry], two: list[Entry]
) -> None:
    """Two that go on from the same entries don't see each other."""
    shared = made(listed)[:at]
    left = shared.extended((entry, None) for entry in one)
    right = shared.extended((entry, None) for entry in two)
    assert tuple(left) == (*listed[:at], *one)
    assert tuple(right) == (*listed[:at], *two)
    assert left[: len(shared)] is right[: len(shared)] is shared


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 20])
def test_the_last_state_that_is_kept(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "STATE_EVERY", 8)
    listed: list[Entry] = [roll(turn) for turn in range(count)]
    state, behind = made(listed).since_state("start")
    kept = count // 8 * 8
    assert (state, behind) == (kept or "start", listed[kept:])


def test_long_ones_are_compared_and_let_go_of() -> None:
    """Nothing goes down the chain by recursion."""
    listed: list[Entry] = [roll(turn) for turn in range(50_000)]
    one, two = made(listed), made(listed)
    assert one == two
    assert one != two.extended([(roll(0), None)])[1:]
    del one, two

"""A match takes a seat as itself or as its plain number, and nothing else for one."""

from __future__ import annotations

import pytest

from tests.toys import toy
from visavis.rules.errors import NotAMove, NotASeat
from visavis.rules.protocol import Seat
from visavis.session import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    DeclineDraw,
    DeclineTakeback,
    Match,
    Move,
    OfferDraw,
    Resign,
)
from visavis.session.events import ForEach

NO_SEATS: list[object] = [2, -1, True, False, 1.0, "first", b"", (0,)]
OF_SEAT = [
    *(Resign, OfferDraw, AcceptDraw, DeclineDraw),
    *(AskTakeback, AcceptTakeback, DeclineTakeback, Abort),
]


@pytest.mark.parametrize("command", OF_SEAT)
def test_commands(command: type[Resign]) -> None:
    for seat in Seat:
        assert command(int(seat)).seat is seat  # type: ignore[arg-type]
    for wrong in NO_SEATS:
        with pytest.raises(NotASeat):
            command(wrong)  # type: ignore[arg-type]


def test_only_the_house_has_no_seat() -> None:
    assert Abort(None).seat is None
    for command in OF_SEAT[:-1]:
        with pytest.raises(NotASeat):
            command(None)


def test_a_move_by_number_is_the_seats_own() -> None:
    match, _ = Match.begin(toy("duel"), seed=bytes(32))
    by_seat, told = match.execute(Move(Seat.FIRST, "bid 2"), 0)
    by_number, told_too = match.execute(Move(0, "bid 2"), 0)  # type: ignore[arg-type]
    assert repr((by_number, told_too)) == repr((by_seat, told))
    with pytest.raises(NotASeat):
        Move("first", "bid 2")  # type: ignore[arg-type]
    with pytest.raises(NotAMove):
        match.execute(Move(Seat.FIRST, None), 0)  # type: ignore[arg-type]


def test_who_looks_by_number_sees_no_more() -> None:
    match, _ = Match.begin(toy("duel"), seed=bytes(32))
    match, events = match.execute(Move(Seat.SECOND, "bid 2"), 0)
    for seat in Seat:
        number = int(seat)
        assert repr(match.seen_by(number)) == repr(match.seen_by(seat))  # type: ignore[arg-type]
        assert match.view(number) == match.view(seat)  # type: ignore[arg-type]
        assert match.record(number) == match.record(seat)  # type: ignore[arg-type]
        assert [e.to(number) for e in events] == [e.to(seat) for e in events]  # type: ignore[arg-type]
    ended, _ = match.execute(Resign(Seat.FIRST), 0)
    for wrong in NO_SEATS:
        for looked_at in (match, ended):
            for look in (looked_at.seen_by, looked_at.view, looked_at.record):
                with pytest.raises(NotASeat):
                    look(wrong)  # type: ignore[arg-type]
        with pytest.raises(NotASeat):
            ForEach("first's", "second's", "all").to(wrong)  # type: ignore[arg-type]

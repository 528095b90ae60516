"""A match that was kept goes on as if it had never been away."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from visavis.rules import game, games
from visavis.rules.protocol import Seat
from visavis.session import ClockSpec, Match, Move, Ready, Record, Resign, resume
from visavis.session.errors import MatchOver, WrongHeader, WrongMove


def played(slug: str, decisions: int, seed: int) -> tuple[Match, int]:
    """A match of random moves with some time for each, and the moment of the last one."""
    rng, now = random.Random(seed), 1_000
    rules = game(slug)
    clock = ClockSpec.parse("10h+7") if rules.clock() is None else None
    match, _ = Match.begin(rules, seed=rng.randbytes(32), clock=clock, now=now)
    if decisions:
        for seat in match.unready:
            now += rng.randrange(50)
            match, _ = match.execute(Ready(seat), now)
    for _ in range(decisions):
        if match.is_over:
            break
        seat = rng.choice(match.awaited)
        now += rng.randrange(50)
        move = rules.format_move(rng.choice(rules.legal(match.state, seat)))
        match, _ = match.execute(Move(seat, move), now)
    return match, now


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("decisions", [0, 1, 2, 5, 11])
def test_resumed_is_as_it_was(slug: str, decisions: int) -> None:
    match, now = played(slug, decisions, seed=decisions)
    if match.is_over:
        return
    record = Record.parse(match.whole_record().text)
    resumed = resume(record, now + 99_000)
    assert resumed.whole_record() == match.whole_record()
    assert resumed.state == match.state
    assert resumed.awaited == match.awaited
    assert resumed.unready == match.unready
    for seat in Seat:
        assert resumed.clock.left(seat, now + 99_000) == match.clock.left(seat, now)
    assert resumed.clock.game_left(now + 99_000) == match.clock.game_left(now)


def test_what_can_not_be_resumed() -> None:
    match, now = played("osakana", 2, seed=1)
    record = match.whole_record()
    with pytest.raises(WrongHeader, match="seed"):
        resume(replace(record, seed=None), now)
    with pytest.raises(WrongHeader, match="chess"):
        resume(replace(record, game="chess"), now)
    line = record.lines[1]
    with pytest.raises(WrongMove):
        resume(replace(record, lines=(line, line)), now)
    over, _ = match.execute(Resign(Seat.FIRST), now)
    with pytest.raises(MatchOver):
        resume(over.whole_record(), now)

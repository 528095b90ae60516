"""Every registered game through a match: it can be played, kept and verified from texts alone."""

from __future__ import annotations

import random

import pytest

from visavis.rules import game, games
from visavis.rules.protocol import Seat
from visavis.session import VIEWERS, Match, Move, Record, Resign, check
from visavis.session.asked import MOST_LISTED


def random_match(slug: str, seed: int, moves: int) -> Match:
    """A random match; one that takes too long is resigned."""
    rng = random.Random(seed)
    rules = game(slug)
    match, _ = Match.begin(rules, seed=rng.randbytes(32), ready=tuple(Seat))
    for _ in range(moves):
        if match.is_over:
            return match
        seat = rng.choice(match.awaited)
        move = rng.choice(rules.legal(match.state, seat))
        match, _ = match.execute(Move(seat, rules.format_move(move)), 0)
    return match if match.is_over else match.execute(Resign(Seat.FIRST), 0)[0]


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("seed", range(3))
def test_random_matches_check(slug: str, seed: int) -> None:
    match = random_match(slug, seed, 60)
    record = Record.parse(match.record(None).text)
    assert record == match.record(None)
    checked = check(record)
    assert checked.moves + checked.rolls == len(match.entries)


@pytest.mark.parametrize("slug", games())
def test_snapshots_and_running_records(slug: str) -> None:
    rules = game(slug)
    match, _ = Match.begin(rules, seed=bytes(32), ready=tuple(Seat))
    rng = random.Random(1)
    for _ in range(12):
        for viewer in VIEWERS:
            seen = match.seen_by(viewer)
            assert rules.format_view(rules.parse_view(seen.view)) == seen.view
            assert Record.parse(seen.record.text) == seen.record
            asked = seen.asked
            assert (asked is not None) == (viewer in match.awaited)
            if asked is not None:
                assert asked.legal is None or len(asked.legal) == asked.count
                assert (asked.legal is None) == (asked.count > MOST_LISTED)
        if match.is_over:
            break
        seat = rng.choice(match.awaited)
        move = rng.choice(rules.legal(match.state, seat))
        match, _ = match.execute(Move(seat, rules.format_move(move)), 0)

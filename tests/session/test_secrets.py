"""Nobody is told more than their view holds: a viewer who can't tell two matches apart by what
the rules say the viewer knows is told the same in both, byte for byte, seals aside.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import replace

import pytest

from tests.session.driving import FIRST, SECOND, play
from tests.toys import LEAKY, Duel, DuelState, toy
from visavis.rules.protocol import Seat, Viewer
from visavis.session import VIEWERS, AskTakeback, Match, Move, Record, Resign
from visavis.session.errors import TakebackRefused
from visavis.session.events import Began, Event, Moved, Stands

MASK = "0" * 64


def masked(event: Event, viewer: Viewer) -> str:
    """What a viewer is told, with digests of the seed out of sight."""
    notice = event.to(viewer)
    if isinstance(notice, Began):
        notice = replace(notice, commitment=MASK)
    elif isinstance(notice, Moved) and notice.seal is not None:
        assert len(notice.seal) == len(MASK)
        notice = replace(notice, seal=MASK)
    return repr(notice)


def masked_record(record: Record) -> str:
    lines = [
        replace(
            line,
            items=tuple(replace(i, seal=MASK if i.seal else None) for i in line.items),
        )
        for line in record.lines
    ]
    return replace(record, game="", commitment=MASK, lines=tuple(lines)).text


def check_secrecy(slug: str, viewer: Viewer) -> None:
    """Play one round with many seeds and bids, and compare what looks alike to the viewer."""
    told = defaultdict[tuple[str, ...], set[str]](set)
    orders = ((FIRST, SECOND), (SECOND, FIRST))
    plans = itertools.product(range(12), "123", "123", orders)
    for seed, first, second, order in plans:
        match, events = Match.begin(toy(slug), seed=bytes([seed] * 32))
        bids = {FIRST: f"bid {first}", SECOND: f"bid {second}"}
        known = [knowledge(match, viewer), str(order)]
        traffic = [masked(event, viewer) for event in events]
        for seat in order:
            match, events = match.execute(Move(seat, bids[seat]), 0)
            known.append(knowledge(match, viewer) + (bids[seat] if seat is viewer else ""))
            traffic += [masked(event, viewer) for event in events]
            traffic.append(masked_record(match.seen_by(viewer).record))
            traffic.append(repr(replace(match.seen_by(viewer), record=Record(""))))
            known.append(dice(match))
            told[tuple(known)].add("\n".join(traffic))
    assert all(len(traffics) == 1 for traffics in told.values())


def knowledge(match: Match, viewer: Viewer) -> str:
    """What the viewer may know, by a game that does not leak."""
    state = match.state
    assert isinstance(state, DuelState)
    return repr(Duel().view(state, viewer))


def dice(match: Match) -> str:
    """Public rolls; the views of the next round do not tell them."""
    rolls = [entry.face for entry in match.entries if hasattr(entry, "face")]
    return " ".join(rolls[2:])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_leaks(viewer: Viewer) -> None:
    check_secrecy("duel", viewer)


@pytest.mark.parametrize("slug", LEAKY)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_leaky_games_are_caught(slug: str, viewer: Viewer) -> None:
    with pytest.raises(AssertionError):
        check_secrecy(slug, viewer)


def duel(*moves: str) -> Match:
    return play(Match.begin(toy("duel"), seed=bytes(32))[0], *moves)


def test_a_viewer_has_a_seal_for_what_the_viewer_does_not_see() -> None:
    _, events = duel().execute(Move(FIRST, "bid 2"), 0)
    moved = [events[0].to(viewer) for viewer in VIEWERS]
    seals = [notice.seal for notice in moved if isinstance(notice, Moved)]
    assert seals[0] is None
    assert seals[1] == seals[2]
    assert len(seals[1] or "") == 64


def test_the_record_of_a_running_match_is_the_viewers() -> None:
    match = duel("bid 2")
    (seal,) = {i.seal for _, i in match.record(SECOND).items() if i.seal}
    assert f"1. first: bid ?{{#{seal}}}\n" in match.record(SECOND).text
    assert "1. first: bid 2\n" in match.record(FIRST).text
    assert match.seed.hex() not in match.record(FIRST).text
    assert Record.parse(match.record(SECOND).text) == match.record(SECOND)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everything_is_open_in_the_end(viewer: Viewer) -> None:
    match, events = duel("bid 2").execute(Resign(FIRST), 0)
    stands = events[-1].to(viewer)
    assert isinstance(stands, Stands)
    assert "?" not in stands.view
    assert match.record(viewer) == match.record(None) == match.whole_record()
    assert match.record(viewer).seed == bytes(32).hex()


def test_a_hidden_start_waits_for_the_end() -> None:
    match, _ = Match.begin(toy("duel"), seed=bytes(32), start="2 31 -- 1 0 all")
    assert match.record(None).start is None
    match, _ = match.execute(Resign(FIRST), 0)
    assert match.record(None).start == "2 31 -- 1 0 all"


def test_no_secrets_in_the_representation() -> None:
    match, _ = Match.begin(toy("nim"), seed=bytes(range(32)))
    assert repr(bytes(range(32))) not in repr(match)


def test_sealed_moves_are_final() -> None:
    """Or the seal of the same move made again would tell that it is the same."""
    for seat in Seat:
        with pytest.raises(TakebackRefused):
            duel("bid 2").execute(AskTakeback(seat), 0)

"""A match: what commands do, what they refuse, and the laws of a value machine."""

from __future__ import annotations

import gc
from dataclasses import is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings

from tests.session.driving import (
    FIRST,
    SECOND,
    Wish,
    begin,
    carry_out,
    last,
    openings,
    play,
    wishes,
)
from tests.toys import ToyReason, toy
from visavis.rules.errors import IllegalMove, NotAMove, NotYourTurn, VisavisError
from visavis.rules.protocol import AnyGame, MatchReason, Outcome, Seat
from visavis.session import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Command,
    DeclineDraw,
    DeclineTakeback,
    Match,
    Move,
    OfferDraw,
    Resign,
    Tick,
    check,
    entries,
)
from visavis.session.entries import Decision, Entries
from visavis.session.errors import (
    AlreadyOffered,
    BadSeed,
    MatchOver,
    NoOffer,
    TakebackRefused,
    TooLate,
)
from visavis.session.events import Event


def names(events: tuple[Event, ...]) -> list[str]:
    return [type(event.to(None)).__name__ for event in events]


def test_begin_tells_the_commitment_and_throws_the_first_rolls() -> None:
    match, events = Match.begin(toy("duel"), seed=bytes(32), names=("Mio", "Ren"))
    assert names(events) == ["Began", "Rolled", "Rolled", "Stands"]
    assert match.commitment.startswith("66687aad")
    assert match.names == ("Mio", "Ren")


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(BadSeed):
        Match.begin(toy("nim"), seed=b"short")


def test_from_a_position() -> None:
    match, _ = Match.begin(toy("nim"), seed=bytes(32), start="2 5 5 8 second")
    match, events = match.execute(Move(SECOND, "2"), 0)
    assert names(events) == ["Moved", "Ended", "Stands"]
    assert match.ending is not None
    assert match.ending.outcome == Outcome(SECOND, ToyReason.LAST, (5, 7))
    assert match.record(None).start == "2 5 5 8 second"
    assert check(match.record(None), toy).moves == 1


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (Move(SECOND, "take 1"), NotYourTurn),
        (Move(FIRST, "xyz"), NotAMove),
        (Move(FIRST, "take 4"), IllegalMove),
        (AcceptDraw(FIRST), NoOffer),
        (DeclineDraw(FIRST), NoOffer),
        (AcceptTakeback(FIRST), NoOffer),
        (DeclineTakeback(FIRST), NoOffer),
        (AskTakeback(FIRST), TakebackRefused),
    ],
)
def test_refusals(command: Command, error: type[VisavisError]) -> None:
    with pytest.raises(error):
        begin("nim").execute(command, 0)


def test_resigning() -> None:
    match, events = begin("nim").execute(Resign(SECOND), 0)
    assert names(events) == ["Ended", "Stands"]
    assert match.ending is not None
    assert match.ending.outcome == Outcome(FIRST, MatchReason.RESIGNED)
    with pytest.raises(MatchOver, match="resigned"):
        match.execute(Move(FIRST, "take 1"), 0)


def test_a_draw_is_offered_and_accepted() -> None:
    match, events = begin("nim").execute(OfferDraw(SECOND), 0)
    assert names(events) == ["DrawOffered"]
    with pytest.raises(AlreadyOffered):
        match.execute(OfferDraw(SECOND), 0)
    with pytest.raises(NoOffer):
        match.execute(AcceptDraw(SECOND), 0)
    match, _ = match.execute(AcceptDraw(FIRST), 0)
    assert match.record(None).reason == "agreed"


def test_two_offers_agree() -> None:
    match, _ = begin("nim").execute(OfferDraw(SECOND), 0)
    match, _ = match.execute(OfferDraw(FIRST), 0)
    assert match.record(None).result == "1/2-1/2"


def test_an_offer_lapses_when_the_opponent_moves() -> None:
    match, _ = begin("nim").execute(OfferDraw(FIRST), 0)
    match = play(match, "take 1")
    assert match.draw_offer is FIRST
    match, events = match.execute(Move(SECOND, "take 1"), 0)
    assert names(events) == ["Moved", "DrawDeclined", "Stands"]
    assert match.draw_offer is None


def test_declining() -> None:
    before = begin("nim")
    match, _ = before.execute(OfferDraw(FIRST), 0)
    match, events = match.execute(DeclineDraw(SECOND), 0)
    assert names(events) == ["DrawDeclined"]
    assert match == before


def test_aborting_until_both_have_moved() -> None:
    match = play(begin("nim"), "take 1")
    ended, _ = match.execute(Abort(), 0)
    assert (ended.record(None).result, ended.record(None).reason) == ("*", "aborted")
    with pytest.raises(TooLate):
        play(match, "take 1").execute(Abort(FIRST), 0)


def held(value: object, kind: type) -> int:
    """Return how many things of a kind a value holds on to."""
    seen, todo = set[int](), [value]
    found = 0
    while todo:
        value = todo.pop()
        if id(value) in seen or not (is_dataclass(value) or isinstance(value, tuple | Entries)):
            continue
        seen.add(id(value))
        found += isinstance(value, kind)
        todo += gc.get_referents(value)
    return found


def test_a_match_holds_few_states_of_the_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """States may hold everything before them, so that to keep them all would cost the square."""
    monkeypatch.setattr(entries, "STATE_EVERY", 8)
    match = begin("nim", heap=30)
    kind = type(match.state)
    for _ in range(20):
        match = play(match, "take 1")
    assert len(match.entries) == 20
    assert held(match, kind) == 2 + 20 // 8


def test_going_back_plays_on_from_the_last_state_that_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However long the match is; to take back again and again would play it all each time."""
    monkeypatch.setattr(entries, "STATE_EVERY", 8)
    states = [begin("nim", heap=30)]
    for _ in range(20):
        states.append(play(states[-1], "take 1"))
    applied = list[object]()
    kind = type(states[0].game)
    apply = kind.apply

    def counted(game: AnyGame, state: Any, seat: Seat, move: Any) -> Any:
        applied.append(move)
        return apply(game, state, seat, move)

    monkeypatch.setattr(kind, "apply", counted)
    match = states[-1]
    for back in range(19, 0, -1):
        asker = Seat.SECOND if back % 2 else Seat.FIRST
        applied.clear()
        match = take_back(match, asker)
        assert match.state == states[back].state
        assert match.entries == states[back].entries
        assert len(applied) == back % 8


# Takebacks


def take_back(match: Match, asker: Seat, now: int = 0) -> Match:
    match, _ = match.execute(AskTakeback(asker), now)
    return match.execute(AcceptTakeback(asker.other), now)[0]


def test_back_to_the_askers_last_decision() -> None:
    one = play(begin("nim"), "take 1")
    two = play(one, "take 2")
    assert take_back(two, SECOND).state == one.state
    assert take_back(two, FIRST).state == begin("nim").state
    assert len(take_back(two, FIRST).entries) == 0


def test_one_step_of_a_compound_turn() -> None:
    match = play(begin("steps"), "step", "step")
    assert take_back(match, FIRST).entries == match.entries[:1]


def test_a_request_lapses_when_anybody_moves() -> None:
    match, _ = play(begin("nim"), "take 1").execute(AskTakeback(FIRST), 0)
    with pytest.raises(AlreadyOffered):
        match.execute(AskTakeback(FIRST), 0)
    match, events = match.execute(Move(SECOND, "take 1"), 0)
    assert names(events) == ["Moved", "TakebackDeclined", "Stands"]
    assert match.takeback is None


def test_declining_a_takeback() -> None:
    before = play(begin("nim"), "take 1")
    match, _ = before.execute(AskTakeback(FIRST), 0)
    match, events = match.execute(DeclineTakeback(SECOND), 0)
    assert names(events) == ["TakebackDeclined"]
    assert match == before


@pytest.mark.parametrize(
    ("slug", "moves", "why"),
    [
        ("steps", ("dice",), "roll"),
        ("steps", ("end", "dice"), "roll"),
        ("steps", ("step", "show"), "shown"),
        ("duel", ("bid 1",), "sealed"),
        ("nim", (), "nothing"),
    ],
)
def test_what_no_takeback_crosses(slug: str, moves: tuple[str, ...], why: str) -> None:
    with pytest.raises(TakebackRefused, match=why):
        play(begin(slug), *moves).execute(AskTakeback(FIRST), 0)


# Laws


@settings(max_examples=150, deadline=None)
@given(opening=openings(), plan=wishes)
def test_failing_commands_change_nothing(
    opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]
) -> None:
    """A refused command is refused again, and the match plays on as if it had not been tried."""
    match, now = opening[0], 10**6
    for wish in plan:
        now += wish.after_ms
        command, before = wish.command(match), repr(match)
        try:
            match, _ = match.execute(command, now)
        except VisavisError as error:
            assert repr(match) == before
            with pytest.raises(type(error), match=r".*"):
                match.execute(command, now)


@settings(max_examples=100, deadline=None)
@given(opening=openings(), plan=wishes)
def test_same_seed_and_commands_same_match(
    opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]
) -> None:
    match, _ = opening
    again = match
    for happened in carry_out(match, plan):
        again, events = again.execute(happened.command, happened.now)
        assert again == happened.after
        assert events == happened.events


@settings(max_examples=150, deadline=None)
@given(opening=openings(), plan=wishes)
def test_takebacks_never_cross_what_cannot_be_unsaid(
    opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]
) -> None:
    match, _ = opening
    stood = {match.entries: match.state}
    for happened in carry_out(match, plan):
        match = happened.after
        stood[match.entries] = match.state
        for seat in Seat:
            try:
                back = take_back(match, seat, happened.now)
            except VisavisError:
                continue
            kept = len(back.entries)
            assert back.entries == match.entries[:kept]
            assert back.state == stood[back.entries]
            for entry in match.entries[kept:]:
                assert isinstance(entry, Decision)
                assert not entry.reveals
                assert entry.seal is None


@settings(max_examples=100, deadline=None)
@given(opening=openings(), plan=wishes)
def test_a_match_ends_once_and_for_all(
    opening: tuple[Match, tuple[Event, ...]], plan: list[Wish]
) -> None:
    endings = [
        happened for happened in carry_out(opening[0], plan) if "Ended" in names(happened.events)
    ]
    assert len(endings) <= 1
    match = last(opening[0], plan)
    assert match.is_over == bool(endings)
    if match.is_over:
        assert match.awaited == ()
        assert match.deadline() is None
        assert match.execute(Tick(), 10**12) == (match, ())

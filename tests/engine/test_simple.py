"""The simple computer player: any game, from a view alone, and no gross blunders."""

from __future__ import annotations

import json
import random
from collections.abc import Hashable, Iterator
from pathlib import Path

import pytest

from tests.toys import toy
from visavis.engine.simple import WORK, choose, prospects
from visavis.rules import game, games
from visavis.rules.errors import NotASeat
from visavis.rules.protocol import AnyGame, Ended, Roll, Seat

VECTORS = Path(__file__).parents[2] / "vectors"


def roll(rules: AnyGame, state: Hashable, rng: random.Random) -> Hashable:
    """Let chance have its way until somebody is asked, or the game is over."""
    while isinstance(awaited := rules.awaits(state), Roll):
        faces, weights = zip(*awaited.faces, strict=True)
        state = rules.roll(state, rng.choices(faces, weights)[0])
    return state


def random_states(rules: AnyGame, seed: int, decisions: int) -> Iterator[Hashable]:
    """States of a random game in which somebody is asked."""
    rng = random.Random(seed)
    state = roll(rules, rules.start(), rng)
    for _ in range(decisions):
        if rules.outcome(state):
            return
        yield state
        seat = rng.choice(rules.awaited(state))
        state = roll(rules, rules.apply(state, seat, rng.choice(rules.legal(state, seat))), rng)


@pytest.mark.parametrize("slug", games())
def test_moves_are_legal_and_come_from_the_text_of_a_view(slug: str) -> None:
    rules = game(slug)
    for state in random_states(rules, seed=1, decisions=12):
        for seat in rules.awaited(state):
            view = rules.parse_view(rules.format_view(rules.view(state, seat)))
            choice = choose(rules, view, seat, random.Random(1), work=60)
            assert choice.move in rules.legal(state, seat)
            assert 0 <= choice.value <= 1


@pytest.mark.parametrize("slug", games())
def test_the_same_seed_chooses_the_same(slug: str) -> None:
    rules = game(slug)
    *_, state = random_states(rules, seed=2, decisions=5)
    seat = rules.awaited(state)[0]
    view = rules.view(state, seat)
    once, again = (choose(rules, view, seat, random.Random(3), work=200) for _ in range(2))
    assert once == again


@pytest.mark.parametrize("slug", games())
def test_work_is_bounded(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = game(slug)
    applied = 0
    apply = type(rules).apply

    def counted(self: AnyGame, state: Hashable, seat: Seat, move: Hashable) -> Hashable:
        nonlocal applied
        applied += 1
        return apply(self, state, seat, move)

    monkeypatch.setattr(type(rules), "apply", counted)
    *_, state = random_states(rules, seed=3, decisions=4)
    seat = rules.awaited(state)[0]
    applied = 0
    choose(rules, rules.view(state, seat), seat, random.Random(1), work=WORK // 10)
    assert applied < WORK // 10 + 1_000


def osakana_positions() -> list[str]:
    lines = (VECTORS / "osakana" / "positions.jsonl").read_text().splitlines()
    return [json.loads(line)["position"] for line in lines[::40]]


def wins_at_once(rules: AnyGame, state: Hashable, seat: Seat) -> list[Hashable]:
    """The moves after which the game is over, and won."""
    ends = [
        (move, rules.awaits(rules.apply(state, seat, move))) for move in rules.legal(state, seat)
    ]
    return [move for move, end in ends if isinstance(end, Ended) and end.outcome.winner is seat]


def test_an_obvious_win_is_taken_and_an_obvious_loss_avoided() -> None:
    rules = game("osakana")
    won = saved = 0
    for text in osakana_positions():
        state = rules.parse_position(text)
        if rules.outcome(state):
            continue
        (seat,) = rules.awaited(state)
        move = choose(rules, rules.view(state, seat), seat, random.Random(5), work=3_000).move
        if wins := wins_at_once(rules, state, seat):
            won += 1
            assert move in wins, text
            continue
        losing = {
            move: bool(wins_at_once(rules, rules.apply(state, seat, move), seat.other))
            for move in rules.legal(state, seat)
        }
        if any(losing.values()) and not all(losing.values()):
            saved += 1
            assert not losing[move], text
    assert won > 1
    assert saved > 5


@pytest.mark.parametrize("slug", ["dande", "fortress", "osakana", "stones"])
def test_it_beats_random_play(slug: str) -> None:
    rules = game(slug, games()[slug].untimed)
    rng = random.Random(9)
    points = 0.0
    for number in range(4):
        player = Seat(number % 2)
        state = roll(rules, rules.start(), rng)
        for _ in range(150):
            if rules.outcome(state):
                break
            seat = rules.awaited(state)[0]
            if seat is player:
                move = choose(rules, rules.view(state, seat), seat, rng, work=60).move
            else:
                move = rng.choice(rules.legal(state, seat))
            state = roll(rules, rules.apply(state, seat, move), rng)
        end = rules.outcome(state)
        points += 0.5 if end is None else end.value(player)
    assert points > 2


def test_prospects_tell_a_won_game_from_a_lost_one() -> None:
    rules = game("osakana")
    state = rules.parse_position("1m1/3/1I1/TMK b ITK")
    view = rules.view(state, Seat.FIRST)
    first, second = (prospects(rules, view, seat, random.Random(1)) for seat in Seat)
    assert first > 0.55 > 0.45 > second


def test_a_seat_may_be_a_plain_number() -> None:
    nim = toy("nim")
    view = nim.view(nim.start(), Seat.FIRST)
    by_number = choose(nim, view, 0, random.Random(1))  # type: ignore[arg-type]
    assert by_number == choose(nim, view, Seat.FIRST, random.Random(1))
    for wrong in (2, True, None, "first"):
        with pytest.raises(NotASeat):
            choose(nim, view, wrong, random.Random(1))  # type: ignore[arg-type]

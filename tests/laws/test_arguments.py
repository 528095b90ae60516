"""Every game takes seats, moves and texts of moves from outside in the same way."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.arguments import check_hand_made, check_seats, check_spelling, hand_made
from tests.laws.driver import Step, all_games, walk
from tests.toys import SOUND, Heap, Nim, toy
from visavis.rules import game, games
from visavis.rules.errors import (
    BadOption,
    IllegalMove,
    NotAMove,
    NotAPosition,
    NotASeat,
    NotAView,
)
from visavis.rules.protocol import AnyGame, Number, Options, Seat

GAMES = [*all_games(), *((slug, {}) for slug in SOUND)]
WALKED = 120


def a_game(slug: str, options: Options) -> AnyGame:
    return toy(slug) if slug in SOUND else game(slug, options)


@cache
def moves_of_all() -> tuple[object, ...]:
    """A few moves of each game."""
    found: list[object] = []
    for slug, options in GAMES:
        rules = a_game(slug, options)
        steps = walk(rules, random.Random(1), 20)
        found += [rules.parse_move(step.action) for step in steps if step.actor is not None][:4]
    return tuple(found)


@cache
def walked(chosen: int, seed: int) -> list[Step]:
    """A random game of one of the games."""
    return list(walk(a_game(*GAMES[chosen]), random.Random(seed), WALKED))


def decisions(steps: list[Step]) -> list[int]:
    return [at for at, step in enumerate(steps) if step.actor is not None]


@pytest.mark.parametrize(("slug", "options"), GAMES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_seats(slug: str, options: Options, seed: int) -> None:
    rules, rng = a_game(slug, options), random.Random(seed)
    steps = list(walk(rules, rng, WALKED))
    for at in {0, len(steps) - 1, *(rng.randrange(len(steps)) for _ in range(6))}:
        check_seats(rules, steps[at], steps[min(at + 1, len(steps) - 1)].state)


@pytest.mark.parametrize("chosen", range(len(GAMES)), ids=lambda at: f"{GAMES[at][0]}-{at}")
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 5), data=st.data())
def test_moves_made_by_hand(chosen: int, seed: int, data: st.DataObject) -> None:
    rules, steps = a_game(*GAMES[chosen]), walked(chosen, seed)
    step = steps[data.draw(st.sampled_from(decisions(steps)))]
    assert step.actor is not None
    move = rules.parse_move(step.action)
    made = data.draw(hand_made(move, moves_of_all()))
    check_hand_made(rules, step.state, step.actor, made)


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("made", [None, "", "A1", 5, (), object(), IllegalMove])
def test_what_is_no_move_is_named(slug: str, made: object) -> None:
    rules = game(slug)
    step = next(step for step in walk(rules, random.Random(1), 30) if step.actor is not None)
    assert step.actor is not None
    with pytest.raises(IllegalMove, match=f"not a move of {rules.title}; parse_move"):
        rules.apply(step.state, step.actor, made)


@pytest.mark.parametrize(("slug", "options"), GAMES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_spelling(slug: str, options: Options, seed: int) -> None:
    rules, rng = a_game(slug, options), random.Random(seed)
    steps = list(walk(rules, rng, WALKED))
    for at in rng.choices(decisions(steps), k=12):
        check_spelling(rules, steps[at].action, rng)


class Mixed:
    """A part of a game that is no game itself."""

    def view(self, state: Heap, viewer: object) -> Heap:
        assert viewer is None or isinstance(viewer, Seat)
        return state


class MixedNim(Mixed, Nim):
    slug = "mixednim"


def test_what_is_mixed_in_is_checked_too() -> None:
    rules = MixedNim()
    assert rules.view(rules.start(), 1) == rules.start()
    with pytest.raises(NotASeat):
        rules.view(rules.start(), 2)


@pytest.mark.parametrize("slug", games())
def test_what_is_no_text(slug: str) -> None:
    rules = game(slug)
    for value in (None, 5, b"A1", ["A1"]):
        with pytest.raises(NotAMove):
            rules.parse_move(value)  # type: ignore[arg-type]
        with pytest.raises(NotAPosition):
            rules.parse_position(value)  # type: ignore[arg-type]
        with pytest.raises(NotAView):
            rules.parse_view(value)  # type: ignore[arg-type]
        with pytest.raises(IllegalMove):
            rules.roll(rules.start(), value)  # type: ignore[arg-type]
    with pytest.raises(NotAMove, match="longer than 100"):
        rules.parse_move(" " * 101)


@pytest.mark.parametrize("slug", games())
def test_number_options_are_plain_digits(slug: str) -> None:
    for option in games()[slug].schema:
        if isinstance(option, Number):
            text = str(option.default)
            assert option.check(text) == option.check(option.default) == option.default
            for odd in (
                f" {text}",
                f"{text}\n",
                f"+{text}",
                f"{text}.0",
                f"{text}_0",
                "٤٠",
                "-0",
                "",
            ):
                with pytest.raises(BadOption, match="must be"):
                    option.check(odd)
            for odd_value in (True, float(option.default), None):
                with pytest.raises(BadOption):
                    option.check(odd_value)  # type: ignore[arg-type]

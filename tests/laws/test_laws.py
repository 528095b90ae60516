"""Every registered game obeys the laws; a leaky one is caught."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.driver import all_games, check_game, walk
from tests.toys import LEAKY, SOUND, toy
from visavis.lab.conformance import has_kernel
from visavis.lab.lengths import measure_lengths
from visavis.rules import game, games
from visavis.rules.errors import NotAMove, NotAPosition, NotAView
from visavis.rules.protocol import AnyGame, Options

PARSERS = [
    ("parse_move", NotAMove),
    ("parse_position", NotAPosition),
    ("parse_view", NotAView),
]


@pytest.mark.parametrize(("slug", "options"), all_games())
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_laws(slug: str, options: Options, seed: int) -> None:
    check_game(game(slug, options), seed)


def check_games(rules: AnyGame) -> None:
    for seed in range(20):
        check_game(rules, seed)


@pytest.mark.parametrize("slug", SOUND)
def test_toys_obey(slug: str) -> None:
    check_games(toy(slug))


@pytest.mark.parametrize("slug", LEAKY)
def test_leaky_toys_are_caught(slug: str) -> None:
    with pytest.raises(AssertionError):
        check_games(toy(slug))


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize(("parser", "error"), PARSERS)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_text(slug: str, parser: str, error: type[Exception], data: st.DataObject) -> None:
    """Whatever the text, a parser returns something or raises the error of its kind."""
    rules = game(slug)
    start = rules.format_position(rules.start())
    view = rules.format_view(rules.view(rules.start(), None))
    letters = st.sampled_from(sorted(set(start + view + "AB19=-x@*+ ?⑨²→\x00ま★")))
    text = data.draw(st.text() | st.text(letters) | spoiled(start) | spoiled(view))
    with contextlib.suppress(error):
        getattr(rules, parser)(text)


@st.composite
def spoiled(draw: st.DrawFn, text: str) -> str:
    """A good text with a few characters taken out, doubled or replaced."""
    chars = list(text)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(chars) - 1)))
        chars[at : at + 1] = draw(st.text(st.sampled_from([*text, "0", "9", "?", " "]), max_size=2))
    return "".join(chars)


@pytest.mark.parametrize("slug", games())
def test_nothing_shared_can_be_changed(slug: str) -> None:
    """What a game hands out again and again is the same for everybody, and stays so."""
    rules = game(slug)
    shared: list[object] = [games(), rules.untimed]
    for step in walk(rules, random.Random(1), 20):
        shared += [rules.suggestions(step.state, seat) for seat in rules.awaited(step.state)]
    for handed_out in filter(None, shared):  # an empty one is fresh each time
        with pytest.raises(TypeError, match="does not support item"):
            handed_out["new"] = None  # type: ignore[index]


@pytest.mark.parametrize(("slug", "options"), all_games())
def test_random_games_end(slug: str, options: Options) -> None:
    rules = game(slug, {**games()[slug].untimed, **options})
    if rules.clock() is not None:
        pytest.skip("only its clock is sure to end such a game")
    if not has_kernel(rules):
        for seed in range(50):
            assert rules.outcome(list(walk(rules, random.Random(seed), 10_000))[-1].state)
        return
    lengths = measure_lengths(rules, games=10_000, seed=1)
    assert (lengths.games, lengths.unfinished) == (10_000, 0)

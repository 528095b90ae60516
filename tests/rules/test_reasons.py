"""Why games end, in words: the page has the same list, in every language."""

import ast
import inspect
import json
from pathlib import Path

import pytest

from visavis.cli.wording import ending_words
from visavis.rules import game, games
from visavis.rules.protocol import AnyGame, Outcome, Seat
from visavis.session.events import Ending

VECTORS = Path(__file__).parents[2] / "vectors" / "reasons.json"


def ways(playing: type[AnyGame]) -> dict[str, list[str]]:
    """Return how a game can end for each of its reasons."""
    return {
        word: [way for way, words in (("won", why.won), ("drawn", why.drawn)) if words is not None]
        for word, why in playing.reasons.items()
    }


def test_the_page_knows_every_reason() -> None:
    listed = json.loads(VECTORS.read_text("utf-8"))
    assert listed == {slug: ways(playing) for slug, playing in games().items()}


@pytest.mark.parametrize("slug", games())
def test_the_rules_give_no_other_reason(slug: str) -> None:
    """Every word in an outcome of the package is declared; some come by a variable."""
    package = Path(inspect.getfile(type(game(slug)))).parent
    trees = [ast.parse(file.read_text("utf-8")) for file in package.glob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = {
        node.args[1].value
        for node in calls
        if getattr(node.func, "id", "") in {"Outcome", "by_captures"}
        and len(node.args) > 1
        and isinstance(node.args[1], ast.Constant)
    }
    assert named <= game(slug).reasons.keys()


@pytest.mark.parametrize("slug", games())
def test_a_draw_is_not_told_as_a_win(slug: str) -> None:
    playing = game(slug)
    for word, why in playing.reasons.items():
        assert why.won != why.drawn
        if why.drawn is not None:
            said = ending_words(playing, Ending(Outcome(None, word, (21, 21))))
            assert said == f"A draw: {why.drawn}, 21–21 (1/2-1/2)"
            assert not {"more", "decide"} & set(said.split())
        if why.won is not None:
            said = ending_words(playing, Ending(Outcome(Seat.SECOND, word)))
            assert said == f"{playing.seat_names[1]} wins: {why.won} (0-1)"

"""The game in `docs/add-a-game.md` is complete: it obeys the laws and can be played."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.terminal import run
from tests.laws.arguments import check_hand_made, check_seats, check_spelling
from tests.laws.driver import check_game, walk
from visavis import rules

DOCUMENT = Path(__file__).parents[1] / "docs" / "add-a-game.md"


def block(language: str) -> str:
    """The first block of a language in the document."""
    found = re.search(
        rf"^```{language}\n(.*?)^```$", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE
    )
    assert found is not None
    return found[1]


@pytest.fixture
def _heap_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the package where the document says, or rather where Python finds it there too."""
    package = tmp_path / "heap"
    package.mkdir()
    (package / "__init__.py").write_text(block("python"))
    (package / "rules.md").write_text(block("markdown"))
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    rules.games.cache_clear()
    yield
    rules.games.cache_clear()
    del sys.modules["visavis.rules.heap"]


@pytest.mark.usefixtures("_heap_is_there")
def test_it_obeys_the_laws() -> None:
    for seed in range(20):
        check_game(rules.game("heap", {"stones": 1 + seed}), seed)


@pytest.mark.usefixtures("_heap_is_there")
def test_it_is_handed_what_it_should() -> None:
    heap = rules.game("heap")
    rng = random.Random(1)
    steps = list(walk(heap, rng, 100))
    for step, after in pairwise(steps):
        assert step.actor is not None
        check_seats(heap, step, after.state)
        check_spelling(heap, step.action, rng)
        for made in (None, "2", 2.0, True, 4, (1,), 10**9, 1, 3):
            check_hand_made(heap, step.state, step.actor, made)


@pytest.mark.usefixtures("_heap_is_there")
def test_it_can_be_played() -> None:
    assert "heap" in run("games").out
    assert "*(ruling)*" in run("rules", "heap").out
    game = ("play", "heap", "--option", "stones=4")
    assert run(*game, "--second", "human", typed="3\n4\n1\n").out.endswith(
        "second wins: took the last stone (0-1)\n"
    )
    assert run("perft", "heap", "3", "--engine", "python").out == "27\n"


@pytest.mark.usefixtures("_heap_is_there")
def test_the_computer_plays_it_well() -> None:
    out = run("play", "heap", "--option", "stones=7", "--first", "computer", typed="1\n").out
    assert "first: 3\n" in out
    assert out.endswith("first wins: took the last stone (1-0)\n")

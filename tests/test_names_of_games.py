"""Only a game's own source names it: the folder of the rules is the one list of games."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import visavis
from visavis.rules import games

SOURCE = Path(visavis.__file__).parent
ROOT = SOURCE.parents[1]
OWN = ("rules/{}/", "engine/solvers/{}.py")
"""What belongs to a game."""
STUB = "_core.pyi"
"""Says what the native module has; it is held to that, not to us."""


def named(text: str) -> Iterator[str]:
    """Give the games that a source names, by slug, title or class; examples that run are tests."""
    given = {
        line.strip()
        for example in doctest.DocTestParser().get_examples(text)
        for line in example.want.split("\n")
    }
    text = "\n".join(line for line in text.split("\n") if not is_example(line.strip(), given))
    for slug, game in games().items():
        words = {slug, game.title, game.__name__}
        if re.search("|".join(rf"(?<![a-z]){re.escape(w)}(?![a-z])" for w in words), text, re.I):
            yield slug


def is_example(line: str, given: set[str]) -> bool:
    """Whether a line is of an example in a docstring, or of what the examples give."""
    return line.startswith((">>> ", "... ")) or line in given


def is_own(path: str, slug: str) -> bool:
    return any(path.startswith(own.format(slug)) for own in OWN)


# Stones and elements are English words too, and may be said where no game is meant.
WORDS = {"stones", "elements"}


def sources() -> list[str]:
    paths = (*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyi"))
    return sorted(str(path.relative_to(SOURCE)) for path in paths)


@pytest.mark.parametrize("path", [path for path in sources() if path != STUB])
def test_no_source_names_a_game_of_others(path: str) -> None:
    text = (SOURCE / path).read_text("utf-8")
    found = {slug for slug in named(text) if not is_own(path, slug)}
    if not re.search(r"[\"'](stones|elements)[\"']|game (stones|elements)", text):
        found -= WORDS
    assert found == set()


def test_the_folder_is_the_list() -> None:
    folders = {path.parent.name for path in (SOURCE / "rules").glob("*/game.py")}
    assert folders == set(games())
    for slug, game in games().items():
        assert game.__module__ == f"visavis.rules.{slug}.game"


def test_tools_and_settings_name_no_game() -> None:
    for path in (ROOT / "pyproject.toml", ROOT / "Makefile", *(ROOT / "tools").glob("*")):
        if path.is_file():
            assert list(named(path.read_text("utf-8"))) == [], path


def test_a_name_is_noticed() -> None:
    slug = next(iter(games()))
    assert list(named(f"if game.slug == '{slug}':")) == [slug]
    assert list(named(f">>> game('{slug}').hidden\nFalse\n")) == []

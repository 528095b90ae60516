"""Every game has a golden playthrough, which goes as written and touches every clause."""

from __future__ import annotations

import pytest

from tests.rules.playthrough import VECTORS, Playthrough, clauses_of
from visavis.rules import games, rule_book
from visavis.rules.errors import IllegalMove


@pytest.mark.parametrize("slug", games())
def test_playthrough(slug: str) -> None:
    playthrough = Playthrough()
    playthrough.read(VECTORS / slug / "playthrough.txt")
    clauses = clauses_of(rule_book(slug))
    assert clauses
    assert playthrough.touched - clauses == set()
    assert clauses - playthrough.touched == set()


@pytest.mark.parametrize(
    "line",
    [
        "first か↑C4C2",
        "legal first 5",
        "position kmt/1i1/1I1/TMK w -",
        "refuse first か↑C4C3",
        "ended draw repetition",
        "nonsense",
    ],
)
def test_a_wrong_line_fails(line: str) -> None:
    playthrough = Playthrough()
    playthrough.do("game osakana fouls=refuse")
    with pytest.raises((AssertionError, IllegalMove, KeyError)):
        playthrough.do(line)

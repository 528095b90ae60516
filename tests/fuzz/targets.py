"""All that is fuzzed."""

from __future__ import annotations

from tests.fuzz.of_games import targets_of
from tests.fuzz.of_server import server_targets
from tests.fuzz.of_words import other_targets
from tests.fuzz.target import Target
from visavis.rules import games


def all_targets() -> list[Target]:
    """Return all targets, in an order that is always the same."""
    found: list[Target] = []
    moves: dict[str, list[str]] = {}
    for slug in games():
        of_game = list(targets_of(slug))
        moves[slug] = list(next(t.known for t in of_game if t.name == f"{slug}.move"))
        found += of_game
    return [*found, *server_targets(moves), *other_targets()]

"""The rules of the games. Standard library only; the specification that everything else obeys.

A game is a package in this folder with a class derived from `Game` under the name ``GAME``. The
folder is the list of games: putting a package here registers it, and no other source names it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from visavis.rules.errors import UnknownGame
from visavis.rules.protocol import AnyGame, Options


@cache
def games() -> Mapping[str, type[AnyGame]]:
    """Return all games by slug, in the order of their slugs."""
    found: dict[str, type[AnyGame]] = {}
    for module in pkgutil.iter_modules(__path__, prefix=__name__ + "."):
        declared = getattr(importlib.import_module(module.name), "GAME", None)
        if declared is not None:
            found[declared.slug] = declared
    return MappingProxyType(dict(sorted(found.items())))


def game_type(slug: str) -> type[AnyGame]:
    """Return the class of a game, or raise `UnknownGame`."""
    try:
        return games()[slug]
    except KeyError:
        raise UnknownGame(slug, tuple(games())) from None


def game(slug: str, options: Options | None = None) -> AnyGame:
    """Return a game with its options chosen.

    >>> game("osakana").title
    'Osakana Taisen'
    """
    return game_type(slug)(options)


def rule_book(slug: str) -> str:
    """Return the rules of a game in English, as Markdown, clause by clause."""
    module = importlib.import_module(game_type(slug).__module__)
    package = module.__package__ or module.__name__
    return resources.files(package).joinpath("rules.md").read_text(encoding="utf-8")

"""Versions of a game's rules: what was played under one is never judged by another."""

from __future__ import annotations

from visavis.rules.protocol import AnyGame
from visavis.session.errors import OtherRules


def check_rules(game: AnyGame, version: int) -> None:
    """Raise `OtherRules` if something was played under another version of the game's rules.

    When a version is to be read beside the next one, this is where a function goes that makes
    matches of the one into matches of the other.
    """
    if version != game.rules_version:
        raise OtherRules(game.slug, version, game.rules_version)

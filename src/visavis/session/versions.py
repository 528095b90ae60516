"""Versions of a game's rules: what was played under one is never judged by another.

When a game's rules change so that the same moves may lead to something else, its `rules_version` is
raised. For matches that were played before, its class may have a static method
``upgrade_rules_N``, which takes the options and the start of a match of version N and returns those
with which version N + 1 plays it alike (as a rule, with an option that keeps what was). Moves keep
their texts. Without such a method, matches of version N are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from visavis.rules.protocol import AnyGame
from visavis.session.errors import OtherRules
from visavis.session.record import Record


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match was begun with, under some version of the rules."""

    rules_version: int
    options: dict[str, str]
    start: str | None


Upgrade = Callable[[dict[str, str], str | None], tuple[dict[str, str], str | None]]
"""The form of ``upgrade_rules_N``: from options and start to those of the next version."""


def upgrade(game: type[AnyGame], terms: Terms) -> Terms:
    """Return the terms of a match in the current version of the rules, or raise `OtherRules`."""
    options, start = terms.options, terms.start
    if terms.rules_version > game.rules_version:
        raise OtherRules(game.slug, terms.rules_version, game.rules_version)
    for version in range(terms.rules_version, game.rules_version):
        step: Upgrade | None = getattr(game, f"upgrade_rules_{version}", None)
        if step is None:
            raise OtherRules(game.slug, terms.rules_version, game.rules_version)
        options, start = step(dict(options), start)
    return Terms(game.rules_version, options, start)


def upgrade_record(game: type[AnyGame], record: Record) -> Record:
    """Return a record as the current version of the rules has it, or raise `OtherRules`."""
    if record.rules_version == game.rules_version:
        return record
    terms = upgrade(game, Terms(record.rules_version, dict(record.options), record.start))
    return replace(
        record,
        rules_version=terms.rules_version,
        options=tuple(terms.options.items()),
        start=terms.start,
    )

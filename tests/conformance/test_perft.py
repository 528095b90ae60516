"""The native kernels count the same lines of play as the Python rules, wherever one starts."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from tests.conformance.test_conformance import WITH_KERNEL
from tests.laws.driver import walk
from visavis.cli.perft import count_in_python, count_natively
from visavis.rules import game
from visavis.rules.errors import TooManyMoves
from visavis.rules.protocol import LISTABLE, AnyGame, Decide, Options

PLAIN = 3
"""So many positions of each kind are counted from."""
BUSY = 1_500
"""Where more lines than these are to be gone through, they are not."""


def kind_of(game: AnyGame, state: Hashable, before: Hashable) -> str:
    """What is special about a position: a roll, a choice of both, or half of one, and so on."""
    awaited = game.awaits(state)
    if not isinstance(awaited, Decide):
        return type(awaited).__name__
    earlier = game.awaited(before)
    if len(awaited.seats) == 2:
        return "simultaneous"
    if len(earlier) == 2:
        return "half done"
    return "compound" if game.turn(state) == game.turn(before) else "plain"


def special_positions(game: AnyGame, walks: int = 12) -> dict[str, list[Hashable]]:
    """A few positions of each kind that random games come to."""
    found: dict[str, list[Hashable]] = {}
    for seed in range(walks):
        states = [step.state for step in walk(game, random.Random(seed), 300)]
        for before, state in zip([states[0], *states], states, strict=False):
            kept = found.setdefault(kind_of(game, state, before), [])
            if len(kept) < PLAIN and state not in kept:
                kept.append(state)
    return found


def counted(count: object, game: AnyGame, state: Hashable, depth: int, divide: bool) -> object:
    try:
        return count(game, state, depth, divide)  # type: ignore[operator]
    except TooManyMoves as error:
        return str(error)


@pytest.mark.parametrize(("slug", "options"), WITH_KERNEL)
def test_counts_agree_everywhere(slug: str, options: Options) -> None:
    rules = game(slug, options)
    for kind, states in special_positions(rules).items():
        for state in states:
            widths = [len(rules.legal(state, seat)) for seat in rules.awaited(state)]
            deepest = 2 if max(widths, default=0) < BUSY or min(widths) > LISTABLE else 1
            for depth in range(deepest + 1):
                for divide in (False, True):
                    told = (kind, rules.format_position(state), depth, divide)
                    ours = counted(count_in_python, rules, state, depth, divide)
                    assert ours == counted(count_natively, rules, state, depth, divide), told


def test_half_a_set_up_is_counted_or_refused() -> None:
    """A secret choice that is half made: its moves are too many for all but their number."""
    rules = game("elements")
    for position in ("setup WFFAWWMAAEMMFEE -", "setup - AFWFMEMWAWEFEAM"):
        state = rules.parse_position(position)
        assert count_natively(rules, state, 1, False) == [("", 168_168_000)]
        for depth, divide in ((2, False), (1, True), (3, True)):
            with pytest.raises(TooManyMoves, match="168,168,000 moves"):
                count_natively(rules, state, depth, divide)
    assert count_natively(rules, rules.start(), 2, False) == [("", 0)]

"""The engine knows what its seat knows: never more, and the same whatever the truth is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

import pytest

from visavis._core import Kernel
from visavis.engine.native import Engine, Limits
from visavis.rules import game
from visavis.rules.protocol import Seat

HIDDEN = ("elements", "stones")
STYLES = ("full", "mcts", "3")


def doubtful(kernel: Kernel) -> Iterator[tuple[Seat, str, str]]:
    """Yield a seat that must choose, the truth, and another truth that looks the same to it."""
    for seed in count():
        for step in kernel.walk(seed, 300)[seed % 7 :: 7]:
            if step["actor"] is None or len(step["legal"][step["actor"]]) < 2:
                continue
            seat = Seat(step["actor"])
            other = kernel.determinize(step["views"][seat], seed)
            if other != step["position"]:
                yield seat, step["position"], other
                break


@pytest.mark.parametrize("slug", HIDDEN)
@pytest.mark.parametrize("style", STYLES)
def test_the_truth_does_not_change_the_answer(slug: str, style: str) -> None:
    rules = game(slug)
    engine, kernel = Engine(rules), Kernel(slug, rules.kernel_options())
    for seat, *truths in islice(doubtful(kernel), 12):
        views = {kernel.view(truth, seat) for truth in truths}
        assert len(views) == 1
        limits = Limits(nodes=300, lines=3, seed=5)
        thoughts = [engine.think(kernel.view(t, seat), seat, limits, style=style) for t in truths]
        assert thoughts[0] == thoughts[1]
        for truth in truths:
            move = rules.parse_move(thoughts[0].best)
            assert move in rules.legal(rules.parse_position(truth), seat)


@pytest.mark.parametrize("slug", HIDDEN)
def test_a_seed_decides_and_another_may_decide_otherwise(slug: str) -> None:
    rules = game(slug)
    kernel = Kernel(slug, rules.kernel_options())
    seat, truth, _ = next(doubtful(kernel))
    view = kernel.view(truth, seat)
    thoughts = {Engine(rules).think(view, seat, Limits(nodes=500, seed=s)) for s in (1, 1, 2)}
    assert len(thoughts) == 2

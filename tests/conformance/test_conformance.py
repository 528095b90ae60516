"""The native kernels and the Python rules say the same."""

from __future__ import annotations

import pytest

from tests.laws.driver import all_games
from visavis.lab.conformance import compare, has_kernel
from visavis.rules import game
from visavis.rules.protocol import Options

POSITIONS = 1_500


WITH_KERNEL = [chosen for chosen in all_games() if has_kernel(game(*chosen))]


@pytest.mark.parametrize(("slug", "options"), WITH_KERNEL)
def test_kernel_agrees(slug: str, options: Options) -> None:
    walks = list(compare(game(slug, options), seed=1, positions=POSITIONS))
    assert sum(walk.positions for walk in walks) >= POSITIONS


def test_every_shipped_game_has_a_kernel() -> None:
    assert {slug for slug, _ in WITH_KERNEL} >= {
        "dande",
        "elements",
        "fortress",
        "osakana",
        "stones",
    }

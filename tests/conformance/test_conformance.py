"""The native kernels and the Python rules say the same."""

from __future__ import annotations

import pytest

from tests.laws.driver import all_games
from visavis.lab.conformance import compare
from visavis.rules import game
from visavis.rules.protocol import Options

POSITIONS = 1_500


@pytest.mark.parametrize(("slug", "options"), all_games())
def test_kernel_agrees(slug: str, options: Options) -> None:
    walks = list(compare(game(slug, options), seed=1, positions=POSITIONS))
    assert sum(walk.positions for walk in walks) >= POSITIONS

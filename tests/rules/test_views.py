"""Views with their legal moves, as the page's tests read them, against the rules."""

import json
import random
from pathlib import Path

import pytest

from visavis.rules import game
from visavis.rules.protocol import Seat

FILES = sorted((Path(__file__).parents[2] / "vectors").glob("*/views.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_views_and_their_legal_moves(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        rules = game(path.parent.name, vector["options"])
        view = rules.parse_view(vector["view"])
        assert rules.format_view(view) == vector["view"]
        seat = Seat[vector["seat"].upper()]
        state = rules.determinize(view, random.Random(0))
        legal = [rules.format_move(move) for move in rules.legal(state, seat)]
        assert legal == vector["legal"]

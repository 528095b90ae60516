"""The words of the engine protocol: numbers are plain digits, whoever says them."""

from __future__ import annotations

import pytest

from visavis.engine.native import Limits
from visavis.engine.wire import Go, WireError, parse_go, parse_info

ODD_NUMBERS = ["+5", "-5", "1_0", "٤٠", "５", "5.0", "1e3", "", "0x10", "9" * 30]


@pytest.mark.parametrize("text", ODD_NUMBERS)
def test_go_takes_plain_numbers(text: str) -> None:
    with pytest.raises(WireError):
        parse_go(f"go nodes {text} depth")
    with pytest.raises(WireError):
        parse_go(f"go nodes {text or 'none'}")
    assert parse_go("go nodes 40 seed 0") == Go(Limits(nodes=40, seed=0))


@pytest.mark.parametrize(
    "head",
    [
        *(f"line {text}" for text in ODD_NUMBERS if text),
        *("line 0", "line 1001", "mate 1_0", "mate x", "mate --3", "mate 99999"),
        *(
            "score nan",
            "score inf",
            "score -0.5",
            "score 1.5",
            "score 1e-3",
            "score ٠.5",
            "score .",
        ),
    ],
)
def test_what_an_engine_says_is_read_or_passed_over(head: str) -> None:
    assert parse_info(f"info {head} pv a; b") is None


@pytest.mark.parametrize(
    ("head", "score", "mate"),
    [("", 0.5, None), ("score 1", 1.0, None), ("score 0.25 mate -7", 0.25, -7), ("mate 9", 0.5, 9)],
)
def test_scores_and_mates(head: str, score: float, mate: int | None) -> None:
    found = parse_info(f"info line 3 depth 2 nodes 8 {head} pv a; b")
    assert found is not None
    number, line = found
    assert (number, line.moves, line.score, line.mate) == (3, ("a", "b"), score, mate)

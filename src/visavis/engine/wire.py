"""The engine protocol: lines of text over standard input and output, in the spirit of UCI.

A host (a match, a server) starts an engine as a program and talks to it in lines of UTF-8; see
``docs/engine-protocol.md``. This module has the words that both sides use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from visavis.engine.native import Limits, Line, Thought
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.rules.spelling import whole_number

VERSION: Final = 1
LINE_LIMIT: Final = 1_000_000
"""No line is longer than this, in characters."""
SEPARATOR: Final = "; "
"""Between moves, which may have spaces in them but never a semicolon."""
MOST: Final = {
    "nodes": 10**15,
    "millis": 10**9,
    "depth": 1_000,
    "lines": 1_000,
    "threads": 256,
    "seed": 2**64 - 1,
}
"""The numbers that ``go`` takes, and the largest of each."""
_SCORE: Final = re.compile(r"0(?:\.[0-9]{1,9})?|1(?:\.0{1,9})?")


class WireError(VisavisError):
    """A line that the protocol does not know, or a word in it that makes no sense."""


@dataclass(frozen=True, slots=True)
class Go:
    """An order to think: the limits, and how."""

    limits: Limits
    style: str = "full"


def format_go(go: Go) -> str:
    """Return an order to think as a line.

    >>> format_go(Go(Limits(nodes=500), "3"))
    'go style 3 nodes 500'
    """
    default = Limits()
    words = ["go"] if go.style == "full" else ["go", "style", go.style]
    for name in MOST:
        value = getattr(go.limits, name)
        if value != getattr(default, name):
            words += [name, str(value)]
    return " ".join(words)


def parse_go(line: str) -> Go:
    """Read an order to think, or raise `WireError`.

    >>> parse_go("go millis 200 threads 2").limits.millis
    200
    """
    words = line.split()[1:]
    if len(words) % 2:
        raise WireError(f"go takes pairs of a name and a value, such as 'nodes 1000': {line!r}")
    style, numbers = "full", dict[str, int]()
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name == "style":
            style = value
        elif name in MOST:
            numbers[name] = parse_number(name, value)
        else:
            raise WireError(f"go does not know {name!r}; it knows style, {', '.join(MOST)}")
    return Go(Limits(**numbers), style)


def parse_number(name: str, text: str) -> int:
    """Read one of the numbers of ``go``, or raise `WireError`."""
    number = whole_number(text, 0, MOST[name])
    if number is None:
        raise WireError(f"{name} is a whole number up to {MOST[name]}, not {text[:40]!r}")
    return number


def parse_seat(text: str) -> Seat:
    """Read a seat, or raise `WireError`."""
    for seat in Seat:
        if text == str(seat):
            return seat
    raise WireError(f"a seat is first or second, not {text[:40]!r}")


def format_info(thought: Thought) -> list[str]:
    """Return what a search has found, a line of text for each line of play."""
    return [
        " ".join(
            [
                f"info line {number} depth {thought.depth} nodes {thought.nodes}",
                f"score {line.score:.4f}",
                *([] if line.mate is None else [f"mate {line.mate}"]),
                f"pv {SEPARATOR.join(line.moves)}",
            ]
        )
        for number, line in enumerate(thought.lines, start=1)
    ]


def parse_info(text: str) -> tuple[int, Line] | None:
    """Read what an engine says it has found: the line's number and the line; None if unreadable.

    >>> parse_info("info line 1 depth 3 nodes 90 score 0.75 pv take 4; skip")
    (1, Line(moves=('take 4', 'skip'), score=0.75, mate=None, share=0.0))
    """
    head, _, moves = text.partition(" pv ")
    words = head.split()[1:]
    facts = dict(zip(words[::2], words[1::2], strict=False))
    number = whole_number(facts.get("line", "1"), 1, MOST["lines"])
    score, mate = facts.get("score", "0.5"), facts.get("mate")
    plies = None if mate is None else whole_number(mate, -MOST["depth"], MOST["depth"])
    if number is None or not _SCORE.fullmatch(score) or (mate is not None and plies is None):
        return None
    return number, Line(tuple(moves.split(SEPARATOR)), float(score), plies, 0.0)

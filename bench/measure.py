"""Measures two ways to do the same work in turns, so that what else the machine does hits both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 7
SLICE = 0.3
"""Seconds that each side works in a round."""

Work = Callable[[], int]
"""Does a piece of work and returns its size: nodes, plies."""


@dataclass(frozen=True, slots=True)
class Row:
    """Our work beside somebody's, in one unit, and the ratio that we promise, if we do."""

    what: str
    unit: str
    ours: Work
    peer: str
    theirs: Work
    promise: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Medians over the rounds. The ratio is the median of the rounds' ratios."""

    row: Row
    ours: float
    theirs: float
    ratio: float

    @property
    def kept(self) -> bool:
        """Whether the ratio is what was promised."""
        return self.row.promise is None or self.ratio >= self.row.promise


def rate(work: Work, seconds: float = SLICE) -> float:
    """How much of the work is done in a second."""
    done, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds or not done:
        done += work()
    return done / passed


def measure(row: Row) -> Result:
    """Let both sides work in turns."""
    row.ours()
    row.theirs()
    rounds = [(rate(row.ours), rate(row.theirs)) for _ in range(ROUNDS)]
    return Result(
        row,
        statistics.median(ours for ours, _ in rounds),
        statistics.median(theirs for _, theirs in rounds),
        statistics.median(ours / theirs for ours, theirs in rounds),
    )

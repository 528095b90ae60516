"""How long random games run, and how they end."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.lab.conformance import native_kernel
from visavis.rules.protocol import AnyGame

GAME_LIMIT = 100_000
"""Decisions after which a random game counts as one that does not end."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """What many random games looked like."""

    games: int
    unfinished: int
    first: int
    second: int
    drawn: int
    reasons: dict[str, int]
    lengths: tuple[int, ...]
    """In decisions, ascending."""

    def quantile(self, share: float) -> int:
        """Return the length that this share of the games does not exceed.

        >>> Lengths(3, 0, 1, 1, 1, {}, (4, 8, 90)).quantile(0.5)
        8
        """
        return self.lengths[min(len(self.lengths) - 1, int(share * len(self.lengths)))]


def measure_lengths(game: AnyGame, games: int, seed: int) -> Lengths:
    """Play random games in the native kernel."""
    kernel = native_kernel(game)
    totals = kernel.playouts(kernel.start(), games, seed, GAME_LIMIT)
    first, second, drawn = totals["results"]
    reasons = dict(sorted(totals["reasons"].items(), key=lambda item: -item[1]))
    lengths = tuple(sorted(totals["lengths"]))
    return Lengths(totals["games"], totals["unfinished"], first, second, drawn, reasons, lengths)

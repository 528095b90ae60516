"""What a solved game is made of: values, tables of them, books, puzzles."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from functools import total_ordering
from pathlib import Path
from typing import Protocol

OnProgress = Callable[[int, int], object]
"""Is called with the phase and how much of it is done. What it raises ends the work."""


class Result(enum.StrEnum):
    """What perfect play makes of a position, for the player to move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@total_ordering
@dataclass(frozen=True, slots=True)
class Value:
    """A result and how many plies it takes, draws none. The better value is the greater.

    >>> Value(Result.LOSS, 4) < Value(Result.LOSS, 6) < Value(Result.DRAW) < Value(Result.WIN, 3)
    True
    """

    result: Result
    distance: int | None = None

    @property
    def rank(self) -> int:
        """Order values: quick wins, slow wins, draws, slow losses, quick losses."""
        plies = self.distance or 0
        return {Result.WIN: 10_000 - plies, Result.DRAW: 0, Result.LOSS: plies - 10_000}[
            self.result
        ]

    def __lt__(self, other: Value) -> bool:
        return self.rank < other.rank

    @property
    def before(self) -> Value:
        """The value of a move to a position that has this value for the opponent."""
        if self.distance is None:
            return self
        return Value(Result.LOSS if self.result is Result.WIN else Result.WIN, self.distance + 1)

    def __str__(self) -> str:
        return self.result if self.distance is None else f"{self.result} in {self.distance}"


@dataclass(frozen=True, slots=True)
class Census:
    """How many positions have which value, and the longest distance."""

    wins: int
    losses: int
    draws: int
    longest: int

    @property
    def total(self) -> int:
        """All positions."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class Fault:
    """A value in a table that is not what the moves say."""

    position: str
    found: Value | None
    derived: Value


@dataclass(frozen=True, slots=True)
class Found:
    """A position with a single winning move."""

    position: str
    number: int
    """Tells it from all others."""
    plies: int
    weighed: int
    """How many moves a solver has to weigh who plays the win against every defence."""


class Table(Protocol):
    """The solved positions of one game."""

    def value(self, position: str) -> Value:
        """Return the value of a position for the player to move, without its history."""

    def validate(self, on_progress: OnProgress, threads: int) -> Census | Fault:
        """Derive all values anew from forward moves, and return how many there are, or a fault."""

    def census(self, on_progress: OnProgress, threads: int) -> Census:
        """Count the positions that a game can come to."""

    def book(self) -> bytes | None:
        """Return a book of answers for second, as the bytes of a file, if second wins."""

    def puzzle(self, near: float, moves: int) -> Found | None:
        """Return a position won in so many moves of the mover's, by one first move only.

        ``near`` is anything from 0 to 1; the same always gives the same puzzle.
        """


class Book(Protocol):
    """Answers for the player whose game from the start is won."""

    def choose(self, position: str, after: list[str]) -> int | None:
        """Return which of the positions after each move to go to, or None if there is no answer."""

    def prove(self) -> tuple[int, int]:
        """Play everything against the book; return how many positions, and the longest game.

        Raises ValueError, which names a position, if some play is not answered or goes round.
        """


@dataclass(frozen=True, slots=True)
class Solver:
    """How a game is solved, and how its table and its book are opened."""

    solve: Callable[[Path, Path, OnProgress, int], None]
    """Takes the paths of the table and of unfinished work, a callback, and how many threads."""
    open: Callable[[Path], Table]
    open_book: Callable[[Path], Book]

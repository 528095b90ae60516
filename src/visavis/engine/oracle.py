"""Games that are solved: exact values from a table, and players and puzzles made of them.

A solver is found by the slug of its game. Everything here speaks texts of positions and moves; the
rules say which moves there are and what they lead to, the table says what that is worth.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import total_ordering
from pathlib import Path
from typing import Final, Protocol

from visavis import _core
from visavis.engine.tables import (
    MissingTable,
    table_path,
    unfinished_path,
)
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Decide

Told = Callable[[int, int], object]
"""Is told of progress: the phase, and how much is done. What it raises ends the work."""


class NotSolved(VisavisError):
    """A game that can't be solved here."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"{slug} can't be solved; these can: {', '.join(SOLVERS)}")
        self.slug = slug


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


class Table(Protocol):
    """The solved positions of one game."""

    def value(self, position: str) -> Value:
        """Return the value of a position for the player to move, without its history."""

    def validate(self, told: Told, threads: int) -> Census | Fault:
        """Derive all values anew from forward moves, and return how many there are, or a fault."""

    def census(self, told: Told, threads: int) -> Census:
        """Count the positions that a game can come to."""


@dataclass(frozen=True, slots=True)
class Solver:
    """How a game is solved, and how its table is opened."""

    solve: Callable[[Path, Path, Told, int], None]
    """Takes the paths of the table and of unfinished work, whom to tell, how many threads."""
    open: Callable[[Path], Table]


class OsakanaTable:
    """Osakana's positions, under its own rules (O7–O11)."""

    def __init__(self, path: Path) -> None:
        self.native = _core.OsakanaOracle(path)

    def value(self, position: str) -> Value:
        """Return the value of a position; what was played before it is not looked at."""
        return _value(self.native.value(position.partition(" seen ")[0]))

    def value_in_dobutsu(self, position: str) -> Value:
        """Return the value as dōbutsu shōgi counts plies: a try wins at once."""
        return _value(self.native.value_in_dobutsu(position.partition(" seen ")[0]))

    def validate(self, told: Told, threads: int) -> Census | Fault:
        """Derive all values anew."""
        right, wrong = self.native.validate(told, threads=threads)
        if wrong is not None:
            position, found, derived = wrong
            return Fault(position, None if found is None else _value(found), _value(derived))
        assert right is not None, "stopped only by what told raises"
        return Census(*right)

    def census(self, told: Told, threads: int) -> Census:
        """Count the positions that a game can come to."""
        return Census(*self.native.census(told, threads=threads))


def _value(native: _core._Value) -> Value:
    return Value(Result(native[0]), native[1])


def _solve_osakana(path: Path, unfinished: Path, told: Told, threads: int) -> None:
    _core.solve_osakana(path, unfinished, told, threads=threads)


SOLVERS: Final[Mapping[str, Solver]] = {"osakana": Solver(_solve_osakana, OsakanaTable)}


def solver(slug: str) -> Solver:
    """Return how a game is solved, or raise `NotSolved`."""
    if slug not in SOLVERS:
        raise NotSolved(slug)
    return SOLVERS[slug]


def solve(slug: str, told: Told, *, path: Path | None = None, threads: int = 2) -> Path:
    """Solve a game and write its table; return where. Unfinished work is taken up again."""
    path = path or table_path(slug)
    path.parent.mkdir(parents=True, exist_ok=True)
    solver(slug).solve(path, unfinished_path(path), told, threads)
    return path


def open_table(slug: str, path: Path | None = None) -> Table:
    """Open the table of a game, or raise a `TableError`."""
    found = solver(slug)
    path = path or table_path(slug)
    if not path.exists():
        raise MissingTable(path, f"no such table; visavis solve {slug} makes one")
    return found.open(path)


def values(game: AnyGame, table: Table, position: str) -> dict[str, Value]:
    """Return the value of every legal move of a position, best first.

    A move that ends the game is worth how it ends; repetition is one such end.
    """
    state = game.parse_position(position)
    awaited = game.awaits(state)
    if not isinstance(awaited, Decide):
        return {}
    (seat,) = awaited.seats
    found = {
        game.format_move(move): table.value(
            game.format_position(game.apply(state, seat, move))
        ).before
        for move in game.legal(state, seat)
    }
    return dict(sorted(found.items(), key=lambda item: -item[1].rank))

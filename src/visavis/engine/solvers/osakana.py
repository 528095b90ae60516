"""Osakana, which is solved: its table and its book (the work is done natively)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from visavis import _core
from visavis.engine.values import Census, Fault, Found, OnProgress, Result, Solver, Value

SLUG: Final = "osakana"


class OsakanaTable:
    """The value of every position under O7–O11, without repetition (O9)."""

    def __init__(self, path: Path) -> None:
        self.native = _core.Solver(SLUG).open(path)

    def value(self, position: str) -> Value:
        """Return the value of a position; what was played before it is not looked at."""
        return _value(self.native.value(without_history(position)))

    def value_in_dobutsu(self, position: str) -> Value:
        """Return the value as dōbutsu shōgi counts plies: a try wins at once."""
        return _value(self.native.value(without_history(position), "dobutsu"))

    def validate(self, on_progress: OnProgress, threads: int) -> Census | Fault:
        """Derive all values anew."""
        right, wrong = self.native.validate(on_progress, threads=threads)
        if wrong is not None:
            position, found, derived = wrong
            return Fault(position, None if found is None else _value(found), _value(derived))
        assert right is not None, "stopped only by what on_progress raises"
        return Census(*right)

    def census(self, on_progress: OnProgress, threads: int) -> Census:
        """Count the positions that a game can come to."""
        return Census(*self.native.census(on_progress, threads=threads))

    def book(self) -> bytes | None:
        """Return a book of answers for second."""
        return self.native.book()

    def puzzle(self, near: float, moves: int) -> Found | None:
        """Return a puzzle. A win by a try takes a ply more, the opponent's last turn (O8)."""
        start = int(near * (self.native.numbers() - 1))
        found = self.native.puzzle(start, 2 * moves - 1, 2 * moves)
        return None if found is None else Found(*found)


class OsakanaBook:
    """An answer to everything that first may do."""

    def __init__(self, path: Path) -> None:
        self.native = _core.Solver(SLUG).open_book(path)

    def choose(self, position: str, after: list[str]) -> int | None:
        """Return which of the positions after each move to go to."""
        return self.native.choose(without_history(position), list(map(without_history, after)))

    def prove(self) -> tuple[int, int]:
        """Play everything against the book."""
        return self.native.prove()


def without_history(position: str) -> str:
    """Return a position without what came before it.

    >>> without_history("kmt/1i1/1IK/TM1 w - seen kmt/1i1/1I1/TMK b -")
    'kmt/1i1/1IK/TM1 w -'
    """
    return position.partition(" seen ")[0]


def _value(native: _core._Value) -> Value:
    return Value(Result(native[0]), native[1])


def _solve(path: Path, unfinished: Path, on_progress: OnProgress, threads: int) -> None:
    _core.Solver(SLUG).solve(path, unfinished, on_progress, threads=threads)


SOLVER: Final = Solver(_solve, OsakanaTable, OsakanaBook)

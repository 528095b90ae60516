"""Games that are solved: exact values from a table, and the books that come with the package.

A solver is found by the slug of its game, among `visavis.engine.solvers`. Everything here speaks
texts of positions and moves; the rules say which moves there are and what they lead to, the table
says what that is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from visavis.engine import solvers
from visavis.engine.tables import MissingTable, UnreadableTable, table_path, unfinished_path
from visavis.engine.values import Book, OnProgress, Result, Solver, Table, Value
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Decide, Ended

SOLVERS: Final[Mapping[str, Solver]] = solvers.found()
BOOKS: Final = Path(__file__).parent / "data"
"""Where the package keeps its books."""


class NotSolved(VisavisError):
    """A game that can't be solved here."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"{slug} can't be solved; these can: {', '.join(SOLVERS)}")
        self.slug = slug


def solver(slug: str) -> Solver:
    """Return how a game is solved, or raise `NotSolved`."""
    if slug not in SOLVERS:
        raise NotSolved(slug)
    return SOLVERS[slug]


def solve(
    slug: str, on_progress: OnProgress, *, path: Path | None = None, threads: int = 2
) -> Path:
    """Solve a game and write its table; return where. Unfinished work is taken up again."""
    path = path or table_path(slug)
    path.parent.mkdir(parents=True, exist_ok=True)
    solver(slug).solve(path, unfinished_path(path), on_progress, threads)
    return path


def open_table(slug: str, path: Path | None = None) -> Table:
    """Open the table of a game, or raise a `TableError`."""
    found = solver(slug)
    path = path or table_path(slug)
    if path.is_dir():
        raise UnreadableTable(path, "is a directory")
    if not path.exists():
        raise MissingTable(path, f"no such table; visavis solve {slug} makes one")
    return found.open(path)


def is_solved(slug: str) -> bool:
    """Whether the game is solved here: its table is there, whatever is in it."""
    return slug in SOLVERS and table_path(slug).exists()


def find_table(slug: str) -> Table | None:
    """Return the table of a game if it is solved here, and None if not."""
    return open_table(slug) if is_solved(slug) else None


def book_path(slug: str) -> Path:
    """Return where the book of a game is in the package."""
    return BOOKS / f"{slug}.book"


@cache
def shipped_book(slug: str) -> Book | None:
    """Return the book of a game that comes with the package, if there is one."""
    return SOLVERS[slug].open_book(book_path(slug)) if slug in SOLVERS else None


def successors(game: AnyGame, position: str) -> dict[str, str]:
    """Return the position after each legal move of a position in which somebody is to move."""
    state = game.parse_position(position)
    awaited = game.awaits(state)
    if not isinstance(awaited, Decide):
        return {}
    (seat,) = awaited.seats
    return {
        game.format_move(move): game.format_position(game.apply(state, seat, move))
        for move in game.legal(state, seat)
    }


def values(game: AnyGame, table: Table, position: str) -> dict[str, Value]:
    """Return the value of every legal move of a position, best first.

    A move that ends the game is worth how it ends, a draw by repetition included; otherwise the
    table, which knows nothing of what was played before, has the value.
    """
    found = {
        move: _value_of_move(game, table, after)
        for move, after in successors(game, position).items()
    }
    return dict(sorted(found.items(), key=lambda item: -item[1].rank))


def _value_of_move(game: AnyGame, table: Table, after: str) -> Value:
    awaited = game.awaits(game.parse_position(after))
    if isinstance(awaited, Ended) and awaited.outcome.winner is None:
        return Value(Result.DRAW)
    return table.value(after).before

"""Puzzles from a solved game: a position, one winning move, and a win in so many moves.

How hard the move is to find is measured, not guessed: by how many moves a solver has to weigh who
plays the win against every defence. A forcing win leaves few defences and is found soon; a quiet
move, to which there are many answers, is not.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from visavis.engine.oracle import successors, values
from visavis.engine.tables import data_directory
from visavis.engine.values import Found, Result, Table, Value
from visavis.rules.errors import IllegalMove, VisavisError
from visavis.rules.protocol import AnyGame
from visavis.rules.spelling import whole_number

GRADES: Final = (0.6, 0.9, 1.25, 1.8)
"""Up to so many times what is usual has to be weighed in a puzzle of the first grade, and so on;
the last grade is for all the rest."""
HARDEST: Final = len(GRADES) + 1
USUAL: Final = 42
"""Moves to weigh in a win in one."""
GROWTH: Final = 2.5
"""How many times more for each further move."""
TRIES: Final = 200
"""How many puzzles are drawn in search of an unseen one of the wanted grade."""
DAILY_MOVES: Final = (2, 2, 3, 3, 4, 4, 5)
"""Moves of the puzzle of the day, from Monday to Sunday."""


class NoPuzzle(VisavisError):
    """No puzzle of the kind that was asked for."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move only wins."""

    position: str
    number: int
    """Tells it from all others of the game."""
    moves: int
    """How many moves of the solver's the win takes."""
    solution: str
    grade: int
    """From 1, soon seen."""


def puzzle_of_the_day(game: AnyGame, table: Table, day: date) -> Puzzle:
    """Return the puzzle of a day: the same for everybody, harder towards the end of the week."""
    digest = hashlib.sha256(f"{game.slug} {day.isoformat()}".encode()).digest()
    near = int.from_bytes(digest[:6]) / 2**48
    return _make(game, table, near, DAILY_MOVES[day.weekday()])


def draw_puzzle(
    game: AnyGame,
    table: Table,
    moves: int,
    rng: random.Random,
    *,
    grade: int | None = None,
    seen: frozenset[int] = frozenset(),
) -> Puzzle:
    """Return a puzzle that has not been seen, or raise `NoPuzzle`."""
    for _ in range(TRIES):
        found = _find(table, rng.random(), moves)
        if found.number in seen:
            continue
        puzzle = _graded(game, table, found, moves)
        if grade in (None, puzzle.grade):
            return puzzle
    wanted = f" of grade {grade}" if grade else ""
    raise NoPuzzle(f"no new puzzle{wanted} with a win in {moves} turned up")


def _make(game: AnyGame, table: Table, near: float, moves: int) -> Puzzle:
    return _graded(game, table, _find(table, near, moves), moves)


def _find(table: Table, near: float, moves: int) -> Found:
    found = table.puzzle(near, moves)
    if found is None:
        raise NoPuzzle(f"there is no puzzle with a win in {moves}")
    return found


def _graded(game: AnyGame, table: Table, found: Found, moves: int) -> Puzzle:
    ranked = values(game, table, found.position)
    (solution,) = (move for move, value in ranked.items() if value.result is Result.WIN)
    usual = USUAL * GROWTH ** (moves - 1)
    grade = 1 + sum(found.weighed > most * usual for most in GRADES)
    return Puzzle(found.position, found.number, moves, solution, grade)


@dataclass(frozen=True, slots=True)
class Tried:
    """A move tried in a puzzle: what it is worth, and how the puzzle goes on."""

    move: str
    value: Value
    is_right: bool
    """Whether it wins in as many moves as were left."""
    reply: str | None
    """The longest resistance to a right move; None if there is nothing more to do."""
    position: str
    """Where the puzzle goes on: unchanged by a move that is not right."""


def try_move(game: AnyGame, table: Table, position: str, text: str, left: int) -> Tried:
    """Try a move with so many left to win in; raises `NotAMove` or `IllegalMove`."""
    ranked = values(game, table, position)
    move = game.format_move(game.parse_move(text))
    if move not in ranked:
        raise IllegalMove(move, "not possible here")
    value = ranked[move]
    if value.result is not Result.WIN or (value.distance or 0) > 2 * left:
        return Tried(move, value, False, None, position)
    after = _play(game, position, move)
    replies = values(game, table, after)
    if not replies:
        return Tried(move, value, True, None, after)
    reply = next(iter(replies))
    return Tried(move, value, True, reply, _play(game, after, reply))


def _play(game: AnyGame, position: str, move: str) -> str:
    return successors(game, position)[move]


class Shown:
    """Remembers which puzzles of a game were shown, in the data directory."""

    def __init__(self, slug: str, path: Path | None = None) -> None:
        self.path = path or data_directory() / f"{slug}.puzzles"

    @property
    def numbers(self) -> frozenset[int]:
        """All that were shown; lines that are no numbers are passed over."""
        return frozenset(self._read())

    def _read(self) -> Iterator[int]:
        if not self.path.exists():
            return
        for line in self.path.read_text(encoding="ascii", errors="replace").splitlines():
            if (number := whole_number(line, 0, 2**63)) is not None:
                yield number

    def add(self, puzzle: Puzzle) -> None:
        """Remember one more."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="ascii") as file:
            file.write(f"{puzzle.number}\n")

    def forget(self) -> None:
        """Forget them, so that they may come again."""
        self.path.unlink(missing_ok=True)

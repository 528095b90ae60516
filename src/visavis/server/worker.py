"""What a worker process does: choose moves, analyse, find puzzles; all in texts and views."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial, wraps
from typing import Final, TypeVar

from visavis.engine.native import Engine, Limits, Thought
from visavis.engine.oracle import find_table, open_table, values
from visavis.engine.outside import EngineFailure
from visavis.engine.perfect import exact_lines
from visavis.engine.player import Question
from visavis.engine.players import PlayerSpec, Resources, Roster
from visavis.engine.pool import stop_flag
from visavis.engine.puzzles import Puzzle, Tried, draw_puzzle, puzzle_of_the_day, try_move
from visavis.engine.values import Table
from visavis.rules import game
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Seat

T = TypeVar("T")
Asked = TypeVar("Asked")
Chosen = tuple[tuple[str, str], ...]
"""Options of a game, as texts."""

TABLE_MIB: Final = 16
ENGINES: Final = 8
"""How many engines a worker keeps ready."""
QUOTED: Final = 8
"""A line that repeats this many consecutive characters of a view quotes it."""
TELLING: Final = 4
"""A line that contains a move this long quotes the question; shorter moves occur in any text."""
UNQUOTED: Final = "[a line that repeats what the engine was asked]"


@dataclass(frozen=True, slots=True)
class MoveTask:
    """A player is asked for a move."""

    slug: str
    options: Chosen
    player: PlayerSpec
    question: Question


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """An analysis is asked for."""

    slug: str
    options: Chosen
    view: str
    seat: Seat
    limits: Limits


@dataclass(frozen=True, slots=True)
class PuzzleTask:
    """A puzzle is asked for: of a day, or drawn by a seed."""

    slug: str
    day: date | None = None
    moves: int = 2
    grade: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class AttemptTask:
    """A move in a puzzle is tried; None asks for the right one."""

    slug: str
    position: str
    move: str | None
    left: int


class ComputerFailed(Exception):
    """A player or an engine did not come up with anything. Crosses processes, so plain.

    The message may repeat what the engine was asked, a secret view for one; ``kind`` and
    ``stderr``, the last lines of an outside program, never do.
    """

    def __init__(self, message: str, kind: str, stderr: tuple[str, ...] = ()) -> None:
        super().__init__(message, kind, stderr)
        self.kind = kind
        self.stderr = stderr

    def __str__(self) -> str:
        return str(self.args[0])


def plainly(work: Callable[[Asked], T]) -> Callable[[Asked], T]:
    """Make every expected failure of some work one that can cross processes."""

    @wraps(work)
    def run(asked: Asked) -> T:
        try:
            return work(asked)
        except (VisavisError, ValueError, OSError) as error:
            raise ComputerFailed(str(error), type(error).__name__) from None

    return run


_roster = Roster()


@plainly
def choose(task: MoveTask) -> str:
    """Return a move."""
    question, chosen = task.question, _game(task.slug, task.options)
    if question.moves is not None and len(question.moves) == 1:
        return question.moves[0]
    start = partial(task.player.open, chosen, resources=SHARED, may_stand_in=True)
    if not task.player.command:
        return start().choose(question)
    try:
        return _roster.get((task.player, task.slug, task.options), start).choose(question)
    except EngineFailure as error:
        stderr = tuple(unquoted(line, question) for line in error.stderr)
        raise ComputerFailed(str(error), type(error).__name__, stderr) from None


def unquoted(line: str, question: Question) -> str:
    """Return a line that a program wrote, or a stand-in if it repeats what the program was asked.

    >>> unquoted("no idea what 3jk3/eeeddeee is", Question("3jk3/eeeddeee 1 b3", Seat.FIRST, (), 1))
    '[a line that repeats what the engine was asked]'
    """
    pieces = [line[at : at + QUOTED] for at in range(max(1, len(line) - QUOTED + 1))]
    moves = (move for move in question.moves or () if len(move) >= TELLING)
    if any(piece in question.view for piece in pieces) or any(move in line for move in moves):
        return UNQUOTED
    return line


@plainly
def analyse(task: AnalysisTask) -> Thought:
    """Return what is best in a view: for certain where the game is solved, else by search."""
    chosen = _game(task.slug, task.options)
    table = find_table(task.slug)
    if table is not None and (lines := exact_lines(chosen, table, task.view)):
        return Thought(lines[: task.limits.lines], nodes=len(lines), depth=1)
    return _shared_engine(task.slug, task.options).think(
        task.view, task.seat, task.limits, stop=stop_flag()
    )


@plainly
def find_puzzle(task: PuzzleTask) -> Puzzle:
    """Return a puzzle."""
    chosen, table = game(task.slug), _table(task.slug)
    if task.day is not None:
        return puzzle_of_the_day(chosen, table, task.day)
    rng = random.Random(task.seed)
    return draw_puzzle(chosen, table, task.moves, rng, grade=task.grade)


@plainly
def attempt(task: AttemptTask) -> Tried:
    """Return what a legal move in a puzzle is worth; of none, the right one and nothing done."""
    chosen, table = game(task.slug), _table(task.slug)
    if task.move is not None:
        return try_move(chosen, table, task.position, task.move, task.left)
    move, value = next(iter(values(chosen, table, task.position).items()))
    return Tried(move, value, False, None, task.position)


def options_of(chosen: AnyGame) -> Chosen:
    """Return the options of a game as texts."""
    return tuple((name, str(value)) for name, value in chosen.options.items())


def _game(slug: str, options: Chosen) -> AnyGame:
    return game(slug, dict(options))


@lru_cache(ENGINES)
def _shared_engine(slug: str, options: Chosen) -> Engine:
    return Engine(_game(slug, options), table_mib=TABLE_MIB)


def _engine(chosen: AnyGame) -> Engine:
    return _shared_engine(chosen.slug, options_of(chosen))


@lru_cache(ENGINES)
def _table(slug: str) -> Table:
    return open_table(slug)


SHARED: Final = Resources(_engine, _table)
"""What the players of a worker share."""

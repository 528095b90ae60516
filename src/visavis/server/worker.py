"""What a worker process does: choose moves, analyse, find puzzles; all in texts and views."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, wraps
from multiprocessing.connection import Connection, wait
from typing import Final, TypeVar

from visavis.engine.native import Engine, Limits, NoEngine, Stop, Thought
from visavis.engine.oracle import find_table, open_table, values
from visavis.engine.perfect import PerfectPlayer, exact_lines
from visavis.engine.players import (
    NativePlayer,
    OutsidePlayer,
    Player,
    SimplePlayer,
    with_book,
)
from visavis.engine.puzzles import Puzzle, Tried, draw_puzzle, puzzle_of_the_day, try_move
from visavis.engine.values import Table
from visavis.rules import game
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Seat

T = TypeVar("T")
Asked = TypeVar("Asked")
Chosen = tuple[tuple[str, str], ...]
"""Options of a game, as texts."""

PERFECT: Final = "perfect"
"""The player that plays from the table of a solved game."""
SIMPLE: Final = "simple"
"""The player that works from the rules alone, and so never fails."""
NICENESS: Final = 19
TABLE_MIB: Final = 16
ENGINES: Final = 8
"""So many engines a worker keeps ready."""


@dataclass(frozen=True, slots=True)
class Question:
    """A move is asked for: all in texts, and never more than the seat may know."""

    slug: str
    options: Chosen
    player: str
    command: str
    view: str
    seat: Seat
    moves: tuple[str, ...] | None
    seed: int
    millis: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """An analysis is asked for."""

    slug: str
    options: Chosen
    view: str
    seat: Seat
    limits: Limits


@dataclass(frozen=True, slots=True)
class Riddle:
    """A puzzle is asked for: of a day, or drawn by a seed."""

    slug: str
    day: date | None = None
    moves: int = 2
    grade: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move in a puzzle; None asks for the right one."""

    slug: str
    position: str
    move: str | None
    left: int


class ComputerFailed(Exception):
    """A player or an engine did not come up with anything. Crosses processes, so plain.

    The message may repeat what the engine was asked, a secret view for one; ``kind`` never does.
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message, kind)
        self.kind = kind

    def __str__(self) -> str:
        return str(self.args[0])


def settle_in(nice: bool, stops: Connection | None) -> None:
    """Begin as a worker: it is for the server to say when to end, and its end is the worker's.

    A ``nice`` one takes only the time that nobody else wants. One that is told over ``stops`` which
    question nobody waits for any longer stops thinking about it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_outlive_nobody, daemon=True).start()
    if stops is not None:
        threading.Thread(target=_heed, args=(stops,), daemon=True).start()
    if nice:
        os.nice(NICENESS)


def _outlive_nobody() -> None:
    """End when the server is gone, however it went; nobody waits for an answer then."""
    server = multiprocessing.parent_process()
    assert server is not None, "a worker is started by a server"
    wait([server.sentinel])
    os._exit(1)


class _Question:
    """The question before a worker, and those that nobody waits for though they come later."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._stopped: set[int] = set()
        self.stop = Stop()

    def begin(self, number: int) -> None:
        """Think about a question."""
        with self._lock:
            self._number, self.stop = number, Stop()
            if number in self._stopped:
                self.stop.set()
            self._stopped = {later for later in self._stopped if later > number}

    def give_up(self, number: int) -> None:
        """Stop thinking about a question, or don't begin."""
        with self._lock:
            if number == self._number:
                self.stop.set()
            elif number > self._number:
                self._stopped.add(number)


_question = _Question()


def attend(number: int, work: Callable[[Asked], T], asked: Asked) -> T:
    """Do some work as the question of a number; numbers go up."""
    _question.begin(number)
    return work(asked)


def _heed(stops: Connection) -> None:
    with suppress(EOFError, OSError):
        while True:
            _question.give_up(stops.recv())


def plainly(work: Callable[[Asked], T]) -> Callable[[Asked], T]:
    """Make every expected failure of some work one that can cross processes."""

    @wraps(work)
    def run(asked: Asked) -> T:
        try:
            return work(asked)
        except (VisavisError, ValueError, OSError) as error:
            raise ComputerFailed(str(error), type(error).__name__) from None

    return run


@plainly
def choose(question: Question) -> str:
    """Return a move."""
    if question.moves is not None and len(question.moves) == 1:
        return question.moves[0]
    player = _player(_game(question.slug, question.options), question)
    try:
        return player.choose(question.view, question.seat, question.moves, question.seed)
    finally:
        player.close()


def _player(chosen: AnyGame, question: Question) -> Player:
    limits, style = Limits(millis=question.millis), question.player
    if question.command:
        return OutsidePlayer(chosen, question.command, limits)
    if style == SIMPLE:
        return SimplePlayer(chosen)
    if style == PERFECT:
        return PerfectPlayer(chosen, _table(question.slug))
    try:
        engine = _engine(question.slug, question.options)
    except NoEngine:
        return with_book(chosen, style, SimplePlayer(chosen))
    return with_book(chosen, style, NativePlayer(engine, style, limits))


@plainly
def analyse(doubt: Doubt) -> Thought:
    """Return what is best in a view: for certain where the game is solved, else by search."""
    chosen = _game(doubt.slug, doubt.options)
    table = find_table(doubt.slug)
    if table is not None and (lines := exact_lines(chosen, table, doubt.view)):
        return Thought(lines[: doubt.limits.lines], nodes=len(lines), depth=1)
    engine = _engine(doubt.slug, doubt.options)
    return engine.think(doubt.view, doubt.seat, doubt.limits, stop=_question.stop)


@plainly
def find_puzzle(riddle: Riddle) -> Puzzle:
    """Return a puzzle."""
    chosen, table = game(riddle.slug), _table(riddle.slug)
    if riddle.day is not None:
        return puzzle_of_the_day(chosen, table, riddle.day)
    rng = random.Random(riddle.seed)
    return draw_puzzle(chosen, table, riddle.moves, rng, grade=riddle.grade)


@plainly
def attempt(asked: Attempt) -> Tried:
    """Return what a legal move in a puzzle is worth; of none, the right one and nothing done."""
    chosen, table = game(asked.slug), _table(asked.slug)
    if asked.move is not None:
        return try_move(chosen, table, asked.position, asked.move, asked.left)
    move, value = next(iter(values(chosen, table, asked.position).items()))
    return Tried(move, value, False, None, asked.position)


@lru_cache(ENGINES)
def _engine(slug: str, options: Chosen) -> Engine:
    return Engine(_game(slug, options), table_mib=TABLE_MIB)


@lru_cache(ENGINES)
def _table(slug: str) -> Table:
    return open_table(slug)


def _game(slug: str, options: Chosen) -> AnyGame:
    return game(slug, dict(options))

"""Computer seats: a few worker processes think, within a time that shrinks when many wait.

People's moves never wait for them. Play comes before analysis. A worker that dies is replaced and
what it had before it is asked again.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Final, TypeVar

from visavis.engine.native import Engine, Limits, NoEngine, Thought
from visavis.engine.players import OutsidePlayer, Player, RandomPlayer, SimplePlayer
from visavis.rules import game
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Seat
from visavis.server.errors import Refusal
from visavis.server.metrics import Metrics
from visavis.session import Match

T = TypeVar("T")
Asked = TypeVar("Asked")

LEVELS: Final = tuple("12345678")
TRIES: Final = 3
LEAST_MS: Final = 20
"""However many wait, a computer thinks for so long."""
SHARE_OF_CLOCK: Final = 30
"""Of the time left on its clock a computer uses at most one part in so many for a move."""
TABLE_MIB: Final = 16
ENGINES: Final = 8
"""So many engines a worker keeps ready."""
PLAY, ANALYSIS = 0, 1


@dataclass(frozen=True, slots=True)
class Question:
    """What a worker is asked: all in texts, and never more than the seat may know."""

    slug: str
    options: tuple[tuple[str, str], ...]
    player: str
    command: str
    view: str
    seat: Seat
    moves: tuple[str, ...] | None
    seed: int
    millis: int


class Computers:
    """The pool of workers."""

    def __init__(
        self,
        workers: int,
        think_ms: int,
        engines: tuple[tuple[str, str], ...],
        metrics: Metrics,
        most_analyses: int,
    ) -> None:
        self._workers = workers
        self._think_ms = think_ms
        self._engines = dict(engines)
        self._metrics = metrics
        self._most_analyses = most_analyses
        self._pool: ProcessPoolExecutor | None = None
        self.waiting = [0, 0]
        """How many wait for a move, and for an analysis."""
        self._free = asyncio.PriorityQueue[tuple[int, int, asyncio.Future[None]]]()
        self._turn = 0
        self._busy = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Who can take a computer's seat: levels, and outside engines by name."""
        return (*LEVELS, *self._engines)

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self.kill_workers()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def kill_workers(self) -> None:
        """End the workers in the middle of whatever they do; others take their place."""
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.terminate()

    async def choose(self, match: Match, seat: Seat, player: str, now: int) -> str:
        """Return a move for a seat, from its view alone."""
        chosen, moves = match.game, match.game.legal(match.state, seat)
        left = match.clock.left(seat, now)
        question = Question(
            slug=chosen.slug,
            options=tuple((name, str(value)) for name, value in chosen.options.items()),
            player=player,
            command=self._engines.get(player, ""),
            view=chosen.format_view(match.view(seat)),
            seat=seat,
            moves=tuple(map(chosen.format_move, moves)) if len(moves) <= 5_000 else None,
            seed=zlib.crc32(f"{match.commitment}{len(match.entries)}".encode()),
            millis=self.allowed(left),
        )
        began = time.perf_counter()
        text = await self._ask(PLAY, answer, question)
        self._metrics.thoughts.observe(time.perf_counter() - began)
        return text

    async def analyse(self, chosen: AnyGame, view: str, seat: Seat, limits: Limits) -> Thought:
        """Return what the engine thinks of a view; waits until nobody plays."""
        if self.waiting[ANALYSIS] >= self._most_analyses:
            raise Refusal("busy", "too many questions wait; ask again later")
        options = tuple((name, str(value)) for name, value in chosen.options.items())
        asked = (chosen.slug, options, view, seat, limits)
        return await self._ask(ANALYSIS, _analyse, asked)

    def allowed(self, left: int | None) -> int:
        """Return how long to think: less when more wait, and less when the clock is low."""
        crowd = max(1.0, (self.waiting[PLAY] + 1) / self._workers)
        allowed = self._think_ms / crowd
        if left is not None:
            allowed = min(allowed, left / SHARE_OF_CLOCK)
        return max(LEAST_MS, round(allowed))

    async def _ask(self, priority: int, work: Callable[[Asked], T], asked: Asked) -> T:
        self.waiting[priority] += 1
        self._metrics.thinking.set(sum(self.waiting))
        try:
            await self._take(priority)
            try:
                return await self._try(work, asked)
            finally:
                self._give()
        finally:
            self.waiting[priority] -= 1
            self._metrics.thinking.set(sum(self.waiting))

    async def _take(self, priority: int) -> None:
        """Wait for a free worker; play goes first."""
        if self._busy < self._workers:
            self._busy += 1
            return
        self._turn += 1
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._free.put_nowait((priority, self._turn, ready))
        await ready

    def _give(self) -> None:
        while not self._free.empty():
            _, _, ready = self._free.get_nowait()
            if not ready.done():
                ready.set_result(None)
                return
        self._busy -= 1

    async def _try(self, work: Callable[[Asked], T], asked: Asked) -> T:
        for left in reversed(range(TRIES)):
            pool = self._open()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, work, asked)
            except BrokenProcessPool:
                self._metrics.retries.inc()
                if pool is self._pool:
                    self._pool = None
                if not left:
                    raise Refusal("busy", "the engine does not answer") from None
        raise AssertionError("the last try returns or raises")

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, context, _ignore_interrupts)
        return self._pool


# -- In a worker -----------------------------------------------------------------------------------


def _ignore_interrupts() -> None:
    """Leave it to the server when to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class ComputerFailed(Exception):
    """A player or an engine did not come up with anything. Crosses processes, so plain."""


def plainly(work: Callable[[Asked], T]) -> Callable[[Asked], T]:
    """Make every expected failure of some work one that can cross processes."""

    @wraps(work)
    def run(asked: Asked) -> T:
        try:
            return work(asked)
        except (VisavisError, ValueError, OSError) as error:
            raise ComputerFailed(str(error)) from None

    return run


@plainly
def answer(question: Question) -> str:
    """Return a move."""
    chosen = _game(question.slug, question.options)
    if question.moves is not None and len(question.moves) == 1:
        return question.moves[0]
    if not question.command and question.player != "simple":
        try:
            engine = _engine(question.slug, question.options)
        except NoEngine:
            pass
        else:
            limits = Limits(millis=question.millis, seed=question.seed)
            return engine.think(question.view, question.seat, limits, style=question.player).best
    player = _player(chosen, question)
    try:
        return player.choose(question.view, question.seat, question.moves, question.seed)
    finally:
        player.close()


def _player(chosen: AnyGame, question: Question) -> Player:
    if question.command:
        return OutsidePlayer(chosen, question.command, Limits(millis=question.millis))
    return RandomPlayer(chosen) if question.player == "random" else SimplePlayer(chosen)


@plainly
def _analyse(asked: tuple[str, tuple[tuple[str, str], ...], str, Seat, Limits]) -> Thought:
    slug, options, view, seat, limits = asked
    return _engine(slug, options).think(view, seat, limits)


@lru_cache(ENGINES)
def _engine(slug: str, options: tuple[tuple[str, str], ...]) -> Engine:
    return Engine(_game(slug, options), table_mib=TABLE_MIB)


def _game(slug: str, options: tuple[tuple[str, str], ...]) -> AnyGame:
    return game(slug, dict(options))

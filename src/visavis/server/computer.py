"""Computer seats: a few worker processes think, within a time that shrinks when many wait.

People's moves never wait for them. Analyses and puzzles have a worker of their own, which the
system lets run when nobody who plays needs the core.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from visavis.engine.native import LEVELS, Limits, Thought
from visavis.engine.oracle import is_solved
from visavis.engine.player import Question
from visavis.engine.players import PlayerSpec, parse_player
from visavis.engine.puzzles import Puzzle, Tried
from visavis.rules.protocol import AnyGame, Seat
from visavis.server import worker
from visavis.server.engines import Engines
from visavis.server.metrics import Metrics
from visavis.server.pool import FairPool
from visavis.server.worker import options_of
from visavis.session import Match
from visavis.session.seal import thinking_seed

LEVEL_NAMES: Final = tuple(map(str, range(1, LEVELS + 1)))
PERFECT: Final = "perfect"
"""The player that plays from the table of a solved game."""
SIMPLE: Final = "simple"
"""The player that works from the rules alone, and so never fails."""
LEAST_MS: Final = 20
"""A computer thinks for at least this long, however many are waiting."""
SHARE_OF_CLOCK: Final = 30
"""A computer spends at most one part in this many of its remaining time on a move."""


class Computers:
    """Who thinks: workers for moves, and one for everything that can wait."""

    def __init__(
        self,
        workers: int,
        think_ms: int,
        engines: tuple[tuple[str, str], ...],
        metrics: Metrics,
        most_analyses: int,
        analyses_per_client: int = 0,
    ) -> None:
        self._think_ms = think_ms
        self._commands = dict(engines)
        self._metrics = metrics
        self.players = FairPool(workers, metrics.retries.inc)
        self.engines = Engines(self.players)
        self.analysts = FairPool(
            1,
            metrics.retries.inc,
            nice=True,
            most=most_analyses,
            most_each=analyses_per_client,
        )

    def names(self, slug: str) -> tuple[str, ...]:
        """Who can take a computer's seat in a game: levels, perfect play, engines by name."""
        perfect = (PERFECT,) if is_solved(slug) else ()
        return (*LEVEL_NAMES, *perfect, *self._commands)

    @property
    def waiting(self) -> int:
        """How many decisions and questions are before the computers."""
        return self.players.waiting + self.analysts.waiting

    def close(self) -> None:
        """End the workers and the engines."""
        self.engines.close()
        self.players.stop()
        self.analysts.stop()

    async def choose(
        self, id: str, match: Match, seat: Seat, player: str, *, number: int, now: int
    ) -> str:
        """Return a move for a seat of the match ``id``, from its view alone.

        ``number`` tells decisions apart. Raises `ComputerFailed`.
        """
        left, spec = match.clock.left(seat, now), self._spec(player)
        task = worker.MoveTask(
            slug=match.game.slug,
            options=options_of(match.game),
            player=spec,
            question=Question.of(match, seat, thinking_seed(match.seed, number, seat)),
        )

        def timed() -> worker.MoveTask:
            return replace(task, question=replace(task.question, millis=self.allowed(left)))

        began = time.perf_counter()
        if spec.command:
            text = await self.engines.choose(id, seat, player, timed)
        else:
            text = await self.players.ask(worker.choose, timed)
        self._metrics.thoughts.observe(time.perf_counter() - began)
        return text

    def _spec(self, player: str) -> PlayerSpec:
        if (command := self._commands.get(player)) is not None:
            return parse_player(f"cmd:{command}")
        if player not in (*LEVEL_NAMES, PERFECT, SIMPLE):  # an engine that was attached once
            raise worker.ComputerFailed(f"no engine called {player!r} is attached", "NotAttached")
        return parse_player(player)

    def allowed(self, left: int | None) -> int:
        """Return how long to think: less when more wait, and less when the clock is low."""
        allowed = self._think_ms / max(1.0, self.players.waiting / self.players.size)
        if left is not None:
            allowed = min(allowed, left / SHARE_OF_CLOCK)
        return max(LEAST_MS, round(allowed))

    async def analyse(
        self, chosen: AnyGame, view: str, seat: Seat, limits: Limits, client: str
    ) -> Thought:
        """Return what the engine thinks of a view."""
        task = worker.AnalysisTask(chosen.slug, options_of(chosen), view, seat, limits)
        return await self.analysts.ask(worker.analyse, lambda: task, client)

    async def puzzle(self, task: worker.PuzzleTask, client: str) -> Puzzle:
        """Return a puzzle."""
        return await self.analysts.ask(worker.find_puzzle, lambda: task, client)

    async def attempt(self, task: worker.AttemptTask, client: str) -> Tried:
        """Return what a move in a puzzle is worth."""
        return await self.analysts.ask(worker.attempt, lambda: task, client)

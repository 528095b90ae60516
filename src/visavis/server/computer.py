"""Computer seats: a few worker processes think, within a time that shrinks when many wait.

People's moves never wait for them. Analyses and puzzles have a worker of their own, which the
system lets run when nobody who plays needs the core.
"""

from __future__ import annotations

import time
from typing import Final

from visavis.engine.native import LEVELS, Limits, Thought
from visavis.engine.oracle import is_solved
from visavis.engine.puzzles import Puzzle, Tried
from visavis.rules.protocol import AnyGame, Seat
from visavis.server import worker
from visavis.server.crew import Crew
from visavis.server.metrics import Metrics
from visavis.session import Match
from visavis.session.seal import thinking_seed

LEAST_MS: Final = 20
"""However many wait, a computer thinks for so long."""
SHARE_OF_CLOCK: Final = 30
"""Of the time left on its clock a computer uses at most one part in so many for a move."""
LISTED: Final = 5_000
"""More legal moves than this are not sent along."""


class Computers:
    """Who thinks: a crew for moves, and a worker for everything that can wait."""

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
        self._engines = dict(engines)
        self._metrics = metrics
        self.players = Crew(workers, metrics.retries.inc)
        self.analysts = Crew(
            1,
            metrics.retries.inc,
            nice=True,
            most=most_analyses,
            most_each=analyses_per_client,
        )

    def names(self, slug: str) -> tuple[str, ...]:
        """Who can take a computer's seat in a game: levels, perfect play, engines by name."""
        levels = map(str, range(1, LEVELS + 1))
        perfect = (worker.PERFECT,) if is_solved(slug) else ()
        return (*levels, *perfect, *self._engines)

    @property
    def waiting(self) -> int:
        """How many decisions and questions are before the computers."""
        return self.players.waiting + self.analysts.waiting

    def close(self) -> None:
        """End the workers."""
        self.players.close()
        self.analysts.close()

    async def choose(self, match: Match, seat: Seat, player: str, *, number: int, now: int) -> str:
        """Return a move for a seat, from its view alone; ``number`` tells decisions apart."""
        chosen, moves = match.game, match.game.legal(match.state, seat)
        view = chosen.format_view(match.view(seat))
        left = match.clock.left(seat, now)

        def question() -> worker.Question:
            return worker.Question(
                slug=chosen.slug,
                options=_options(chosen),
                player=player,
                command=self._engines.get(player, ""),
                view=view,
                seat=seat,
                moves=tuple(map(chosen.format_move, moves)) if len(moves) <= LISTED else None,
                seed=thinking_seed(match.seed, number, seat),
                millis=self.allowed(left),
            )

        began = time.perf_counter()
        text = await self.players.ask(worker.choose, question)
        self._metrics.thoughts.observe(time.perf_counter() - began)
        return text

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
        doubt = worker.Doubt(chosen.slug, _options(chosen), view, seat, limits)
        return await self.analysts.ask(worker.analyse, lambda: doubt, client)

    async def puzzle(self, riddle: worker.Riddle, client: str) -> Puzzle:
        """Return a puzzle."""
        return await self.analysts.ask(worker.find_puzzle, lambda: riddle, client)

    async def attempt(self, asked: worker.Attempt, client: str) -> Tried:
        """Return what a move in a puzzle is worth."""
        return await self.analysts.ask(worker.attempt, lambda: asked, client)


def _options(chosen: AnyGame) -> worker.Chosen:
    return tuple((name, str(value)) for name, value in chosen.options.items())

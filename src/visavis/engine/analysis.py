"""What each move of a record was worth.

Every decision is looked at twice: from what the seat knew when it decided, and, where a game has
secrets and they are out, with everything open. A score is the expected one, 0 to 1, of the seat
that decides; what a move gives away is how much less it promises than the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from visavis.engine.native import Engine, Limits, Line
from visavis.engine.oracle import find_table
from visavis.engine.perfect import exact_lines
from visavis.rules.protocol import LISTABLE, AnyGame, Seat
from visavis.session import Record, Replay, Step, replay

TURNING: Final = 0.15
"""A move that gives away this much is a turning point."""
BLUNDER: Final = 0.35
DEFAULT_NODES: Final = 50_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision judged from one state of knowledge. ``lines`` has every move that was looked at,
    best first."""

    lines: tuple[Line, ...]
    score: float
    """What the move that was made promised; of one that was not looked at, no more than this."""

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def given_away(self) -> float:
        """How much the move gave away."""
        return max(0.0, self.best.score - self.score)

    @property
    def mark(self) -> str:
        """``??`` for a blunder, ``?`` for another turning point."""
        return "??" if self.given_away >= BLUNDER else "?" * (self.given_away >= TURNING)


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision of a record."""

    number: int
    """Of the step in the record, from 1."""
    turn: int
    seat: Seat
    move: str
    known: Verdict
    """By what the seat knew."""
    opened: Verdict | None
    """With everything open; None if nothing was hidden, or it still is."""


def analyse(
    record: Record, limits: Limits | None = None, *, only: int | None = None
) -> Iterator[Judged]:
    """Judge the decisions of a record one after the other, single-choice ones left out.

    ``only`` is the number of the one to judge, if it is one that matters.
    Where the game is solved, scores are exact. Raises what `replay` raises, or `NoEngine`.
    """
    played = replay(record)
    game = played.game
    judge = _judge(game, limits or Limits(nodes=DEFAULT_NODES))
    opened = game.hidden and record.reason is not None
    for number, seat, step in decisions(played):
        if only not in (None, number):
            continue
        # Knowledge is the game's: a view is made for the seat, never the state handed over.
        known = game.format_view(game.view(step.before, seat))
        full = game.format_view(game.reveal(step.before))
        # A record may write a move in another way than the engine does.
        move = game.format_move(step.move)
        verdicts = [judge(view, seat, move) for view in ((known, full) if opened else (known,))]
        if step.move not in game.legal(step.before, seat) and (end := game.outcome(step.after)):
            # A foul, which no search looks at: it is worth what it brought about.
            verdicts = [replace(verdict, score=end.value(seat)) for verdict in verdicts]
        yield Judged(
            number,
            step.line.turn,
            seat,
            move,
            verdicts[0],
            verdicts[1] if opened else None,
        )


def _judge(game: AnyGame, limits: Limits) -> Callable[[str, Seat, str], Verdict]:
    """Return how a move is judged by what a view tells: for certain, or by search."""
    table = find_table(game.slug)
    if table is not None:
        return lambda view, _seat, move: _verdict(exact_lines(game, table, view), move)
    engine = Engine(game)
    every = replace(limits, lines=LISTABLE)
    return lambda view, seat, move: _verdict(engine.think(view, seat, every).lines, move)


def _verdict(lines: tuple[Line, ...], move: str) -> Verdict:
    score = next((line.score for line in lines if line.moves[0] == move), lines[-1].score)
    return Verdict(lines, score)


def decisions(played: Replay) -> list[tuple[int, Seat, Step]]:
    """Return the decisions that `analyse` judges, with their numbers in the record and seats."""
    return [
        (number, step.seat, step)
        for number, step in enumerate(played.steps, start=1)
        if step.seat is not None and 1 < len(played.game.legal(step.before, step.seat)) <= LISTABLE
    ]

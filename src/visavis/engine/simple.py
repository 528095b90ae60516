"""A simple computer player for any game, from its rules alone.

It knows no game. From what its seat may know (a view, never a state) it draws worlds, looks a few
moves ahead in each for wins, losses and scores, and lets random play to the end decide between the
moves that look alike. Work is counted, not timed, so that the same seed gives the same move.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from visavis.rules.protocol import LISTABLE, Decide, Ended, Game, Roll, Seat
from visavis.rules.seats import seat_of

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move", bound=Hashable)
View = TypeVar("View", bound=Hashable)

WORK: Final = 6_000
"""What one decision may cost unless told otherwise: about as many positions looked at."""
MOVES_A_UNIT: Final = 25
"""A position costs one unit to look at, and one more for every this many moves."""
WORLDS: Final = 6
"""How many worlds are drawn from a view that hides something."""
CANDIDATES: Final = 60
"""If there are more moves than this, only a random sample of this size is looked at."""
DEEPEST: Final = 4
"""The look-ahead goes no deeper than this many decisions."""
PLAYOUT_LIMIT: Final = 120
"""Random play stops after this many decisions, and is judged by the score or as a draw."""
HASTE: Final = 0.004
"""What a decision sooner is worth: a win at once is better than a win later."""
ALIKE: Final = 0.0005
"""Moves whose values differ by less are alike."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[Move]):
    """A move, and what the player thinks its prospects are: 0 lost, 1 won."""

    move: Move
    value: float


def choose(
    game: Game[State, Move, View], view: View, seat: Seat, rng: random.Random, work: int = WORK
) -> Choice[Move]:
    """Choose a move for an awaited seat that sees this view.

    >>> from visavis.rules import game
    >>> osakana = game("osakana")
    >>> view = osakana.parse_view("kmt/1I1/3/TMK b I")
    >>> osakana.format_move(choose(osakana, view, Seat.FIRST, random.Random(1)).move)
    'い↑B2B1'
    """
    return _Thought(game, seat, rng, work).choose(view)


def prospects(
    game: Game[State, Move, View], view: View, seat: Seat, rng: random.Random, work: int = WORK
) -> float:
    """Say what a view of an unfinished game is worth to a seat, whoever is to move: 0 to 1."""
    thought = _Thought(game, seat, rng, work)
    total, rounds = 0.0, 0
    while rounds == 0 or thought.left > 0:
        total += thought.random_play(game.determinize(view, rng))
        thought.left -= 1
        rounds += 1
    return total / rounds


class _Spent(Exception):
    """The work allowed for the look-ahead is used up."""


class _Thought(Generic[State, Move, View]):
    """One decision being thought about: the game, whose it is, and the work that is left."""

    def __init__(
        self, game: Game[State, Move, View], seat: Seat, rng: random.Random, work: int
    ) -> None:
        self.game = game
        self.seat = seat_of(seat)
        self.rng = rng
        self.left = work

    def choose(self, view: View) -> Choice[Move]:
        world = self.game.determinize(view, self.rng)
        moves = self.game.legal(world, self.seat)
        if len(moves) == 1:
            return Choice(moves[0], 0.5)
        if len(moves) > LISTABLE:  # a secret set-up: anything goes
            return Choice(self.rng.choice(moves), 0.5)
        worlds = [world]
        if self.game.hidden:
            worlds += [self.game.determinize(view, self.rng) for _ in range(WORLDS - 1)]
        values = self.look_ahead(worlds, self.drawn(moves))
        best = max(values.values())
        alike = [move for move, value in values.items() if value > best - ALIKE]
        if len(alike) == 1:
            return Choice(alike[0], best)
        return self.play_out(worlds, alike)

    # Looking ahead

    def look_ahead(self, worlds: Sequence[State], moves: Sequence[Move]) -> dict[Move, float]:
        """Value the moves, deeper and deeper while half the work lasts."""
        reserve = self.left // 2
        values = dict.fromkeys(moves, 0.5)
        for depth in range(DEEPEST):
            try:
                values = {move: self.value_of(worlds, move, depth, reserve) for move in values}
            except _Spent:
                break
            values = dict(sorted(values.items(), key=lambda item: -item[1]))
            if max(values.values()) > 1 - HASTE * DEEPEST:
                break
        return values

    def value_of(self, worlds: Sequence[State], move: Move, depth: int, reserve: int) -> float:
        return sum(
            self.search(self.play(world, self.seat, move), depth, 0.0, 1.0, reserve)
            for world in worlds
        ) / len(worlds)

    def search(self, state: State, depth: int, low: float, high: float, reserve: int) -> float:
        """Return what a state is worth to the seat if both look ``depth`` decisions ahead."""
        awaited = self.game.awaits(state)
        if isinstance(awaited, Ended):
            return awaited.outcome.value(self.seat)
        if depth == 0 or not isinstance(awaited, Decide):
            return self.judge(state)
        if self.left <= reserve:
            raise _Spent
        actor = awaited.seats[0] if self.seat not in awaited.seats else self.seat
        own = actor is self.seat
        best = 0.0 if own else 1.0
        for move in self.drawn(self.game.legal(state, actor)):
            after = self.play(state, actor, move)
            value = 0.5 + (self.search(after, depth - 1, low, high, reserve) - 0.5) * (1 - HASTE)
            best = max(best, value) if own else min(best, value)
            low, high = (max(low, best), high) if own else (low, min(high, best))
            if low >= high:
                break
        return best

    def judge(self, state: State) -> float:
        """Return what an unfinished state is worth: by its score, else it may go either way."""
        scores = self.game.standing(state)
        return 0.5 if scores is None else 0.5 + _lead(scores, self.seat)

    # Random play

    def play_out(self, worlds: Sequence[State], moves: Sequence[Move]) -> Choice[Move]:
        """Let random play decide between moves, in turn, until the work is done."""
        totals = dict.fromkeys(moves, 0.0)
        rounds = 0
        while rounds == 0 or self.left > 0:
            for move in moves:
                world = worlds[rounds % len(worlds)]
                totals[move] += self.random_play(self.play(world, self.seat, move))
            rounds += 1
        move = max(totals, key=totals.__getitem__)
        return Choice(move, totals[move] / rounds)

    def random_play(self, state: State) -> float:
        for _ in range(PLAYOUT_LIMIT):
            awaited = self.game.awaits(state)
            if isinstance(awaited, Ended):
                return awaited.outcome.value(self.seat)
            if self.left <= 0 or not isinstance(awaited, Decide):
                break
            actor = awaited.seats[0]
            moves = self.game.legal(state, actor)
            self.left -= len(moves) // MOVES_A_UNIT
            state = self.play(state, actor, self.rng.choice(moves))
        return self.judge(state)

    # Steps

    def play(self, state: State, seat: Seat, move: Move) -> State:
        """Make a move, let chance and a partner in a secret choice do their part at random."""
        joint = seat.other in self.game.awaited(state)
        state = self.game.apply(state, seat, move)
        if joint and seat.other in self.game.awaited(state):
            state = self.game.apply(
                state, seat.other, self.rng.choice(self.game.legal(state, seat.other))
            )
        while isinstance(awaited := self.game.awaits(state), Roll):
            faces, weights = zip(*awaited.faces, strict=True)
            state = self.game.roll(state, self.rng.choices(faces, weights)[0])
        self.left -= 1
        return state

    def drawn(self, moves: Sequence[Move]) -> Sequence[Move]:
        """Return the moves to look at, in random order."""
        self.left -= len(moves) // MOVES_A_UNIT
        if len(moves) > LISTABLE:
            return [self.rng.choice(moves) for _ in range(CANDIDATES)]
        return self.rng.sample(moves, min(len(moves), CANDIDATES))


def _lead(scores: tuple[int, int], seat: Seat) -> float:
    """Return what a lead in the score is worth: always less than a win."""
    margin = scores[seat] - scores[seat.other]
    return 0.4 * margin / (5 + abs(margin))

"""Help for the tests of Stones: games in which groups are made on purpose."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tests.laws.driver import Step, draw_face
from visavis.rules.protocol import Ended, Roll, Seat
from visavis.rules.stones import Stones
from visavis.rules.stones.play import groups
from visavis.rules.stones.state import Move, Phase, State

TRIES = 25
"""Placings among which the one that makes the largest groups is made."""

# Positions for first to place; the comment says what to place to what effect.
A_THREE = (  # 9@C3r1: a group of three of tokens 1, 5, 9
    "9 place skips:0 bonus:0 VVGBi@A2r0 YYBRi=1 RVYGb@E5r0 RBVGb=1 VVBGi@A4r2 GGYRi@D1r1 BBYGi=2 "
    "GGRYi=1 RBGYb=1 RYBVb=1 RRYVi=2 RBGVb=2 RYGBb=2"
)
A_FOUR = (  # 12@D5r3: a group of four of tokens 3, 10, 12; second has seen 10, nobody 3
    "9 place skips:0 bonus:0 YYVBi=2 YVGBb@A1r2 YBVGb@D3r2 GGRBb=1 RRBVi=2 YYGRi=1 YYRBi@E1r2 "
    "YVGBb=2 GGBVi@B3r2 VVGY2b@B5r3 RBGYb=2 BBVRi=1 GGVYb=1 RYBVb=1"
)
A_FIVE = (  # 14@E5r3: a group of five of tokens 1, 5, 12, 14; nobody has seen 1 and 12
    "9 place skips:0 bonus:0 YGVBb@C3r1 GGYBi@C1r3 YGBVb=1 BBRVi=2 RRVGi@E3r0 RVYBb=1 RGVYb=2 "
    "YVBGb=1 BBVRi=1 RVBYb@A1r2 GGRBi=2 RBGVb@C5r0 RBVGb=2 GGVBi=1 GGRVi@A4r2"
)
THREE_THREES = (  # 6@C3r0: groups of three of tokens 3, 5, 6, of 1, 4, 6 and of 2, 6
    "9 place skips:0 bonus:0 RRGVi@E3r2 YYBGi@D5r0 RYBVb@B1r2 RBYGb@D1r0 RYBGb@A3r1 RGYBb=1 "
    "BBYRi=1 RVYGb=1 RBGVb=1 RVBYb=1 VVRBi=2 BBGYi=2 RYGBb=2 RGVBb=2"
)
TWO_SIXES = (
    "21 level skips:0 bonus:0 RRYGi@A1r0 RRBVi@C1r0 RRYBi@E1r0 VVRYi@A5r0 VVGBi@C5r0 VVRGi@E5r0 "
    "BBYRi=1 GGRYi=2"
)
START = "0 deal skips:0 bonus:0"
RICH = (START, A_FIVE, THREE_THREES, TWO_SIXES, START)
"""Where to start walks that are to see everything; on the field of 6×6."""


@dataclass(frozen=True)
class StonesStep(Step):
    """A step of a walk through Stones."""

    state: State


def played(game: Stones, position: str, *steps: str) -> State:
    """The state after moves of the seat to move; a text in brackets is a face of a roll."""
    state = game.parse_position(position)
    for step in steps:
        if step.startswith("("):
            state = game.roll(state, step[1:-1])
        else:
            state = game.apply(state, state.seat, game.parse_move(step))
    return state


def greedy_move(game: Stones, state: State, seat: Seat, rng: random.Random) -> Move:
    moves = game.legal(state, seat)
    if state.phase not in (Phase.PLACE, Phase.MORE):
        return rng.choice(moves)

    def worth(move: Move) -> int:
        found = groups(game.apply(state, seat, move))
        return sum(len(group.cells) ** 2 for group in found)

    return max((rng.choice(moves) for _ in range(TRIES)), key=worth)


@cache
def greedy_walk(game: Stones, seed: int, start: str = START) -> tuple[StonesStep, ...]:
    """A game of players that join what stones they can: each state with what is done in it."""
    return tuple(_walk(game, seed, start))


def _walk(game: Stones, seed: int, start: str) -> Iterator[StonesStep]:
    rng = random.Random(seed)
    state = game.parse_position(start)
    while not isinstance(awaited := game.awaits(state), Ended):
        if isinstance(awaited, Roll):
            face = draw_face(awaited, rng)
            yield StonesStep(state, None, face)
            state = game.roll(state, face)
        else:
            move = greedy_move(game, state, state.seat, rng)
            yield StonesStep(state, state.seat, game.format_move(move))
            state = game.apply(state, state.seat, move)
    yield StonesStep(state, None, "")

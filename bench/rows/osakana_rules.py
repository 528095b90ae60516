"""Osakana: the native kernel against the Python rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

from bench.measure import Row
from visavis._core import Kernel
from visavis.rules.osakana import Osakana, State

GAMES = 20_000
"""Games that the kernel plays at a call."""
DEPTH = 7
PYTHON_DEPTH = 4


def native_perft(kernel: Kernel) -> int:
    return kernel.perft(kernel.start(), DEPTH)


def native_plies(kernel: Kernel, seed: int) -> int:
    return kernel.playouts(kernel.start(), GAMES, seed, 1_000_000)["plies"]


def python_perft(game: Osakana, state: State, depth: int) -> int:
    moves = game.legal(state, state.position.mover)
    if depth == 1:
        return len(moves)
    mover = state.position.mover
    return sum(python_perft(game, game.apply(state, mover, move), depth - 1) for move in moves)


def python_plies(game: Osakana, rng: random.Random) -> int:
    state, plies = game.start(), 0
    while seats := game.awaited(state):
        state = game.apply(state, seats[0], rng.choice(game.legal(state, seats[0])))
        plies += 1
    return plies


def rows() -> Iterator[Row]:
    game, kernel = Osakana(), Kernel("osakana", [])
    rng, seeds = random.Random(1), count()
    yield Row(
        what="osakana perft",
        unit="nodes",
        ours=lambda: native_perft(kernel),
        peer="Python rules",
        theirs=lambda: python_perft(game, game.start(), PYTHON_DEPTH),
        promise=300,
    )
    yield Row(
        what="osakana random play",
        unit="plies",
        ours=lambda: native_plies(kernel, next(seeds)),
        peer="Python rules",
        theirs=lambda: python_plies(game, rng),
    )

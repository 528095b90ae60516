"""The four larger games: random play of the native kernels against OpenSpiel's in C++."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pyspiel

from bench.measure import Row, Work
from visavis.lab.conformance import native_kernel
from visavis.lab.lengths import GAME_LIMIT
from visavis.rules import game
from visavis.rules.protocol import Options

GAMES_A_CALL = 200
ROLLOUTS = 200
"""Rollouts for each position that OpenSpiel's searcher looks at."""
LENGTHS_FROM = 300
"""Random games from which the mean length of OpenSpiel's is taken."""

ROUGH = "rough:11x11:25:B3:J9:D1,H11,C8,I4:F5,F6,E6,F7,G6"
OURS: list[tuple[str, str, Options, str, float]] = [
    ("elements", "elements", {}, "dark_chess", 5),
    ("fortress", "fortress, rough 11×11", {"scenario": ROUGH}, "hex", 2),
    ("dande", "dande", {"clock": "off"}, "breakthrough", 3),
    ("stones", "stones", {}, "breakthrough", 1),
]


def native_plies(slug: str, options: Options, games: int = GAMES_A_CALL) -> Work:
    """Random play in our kernel, so many games a call."""
    kernel = native_kernel(game(slug, options))
    start, seeds = kernel.start(), count(1)
    return lambda: kernel.playouts(start, games, next(seeds), GAME_LIMIT)["plies"]


def peer_plies(name: str) -> Work:
    """Random rollouts in C++, as its tree search calls them: nearly nothing but rollouts."""
    peer = pyspiel.load_game(name)
    length = mean_length(peer)
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(peer, evaluator, 1.0, 2, 1000, False, 1, False)

    def work() -> int:
        bot.step(peer.new_initial_state())
        return int(2 * ROLLOUTS * length)

    return work


def mean_length(peer: pyspiel.Game) -> float:
    """The mean length of its random games, in moves."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in (0, 1)]
    total = 0
    for seed in range(LENGTHS_FROM):
        state = peer.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        total += len(state.history())
    return total / LENGTHS_FROM


def rows() -> Iterator[Row]:
    for slug, what, options, peer, promise in OURS:
        yield Row(
            what=f"{what} random play",
            unit="plies",
            ours=native_plies(slug, options),
            peer=f"open_spiel {peer}",
            theirs=peer_plies(peer),
            promise=promise,
            note=f"open_spiel: its MCTS bot, a call being {ROLLOUTS} rollouts of each of two "
            "positions; its plies are rollouts times the mean length of its random games.",
        )

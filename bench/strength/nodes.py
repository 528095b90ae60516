"""Nodes a second of each game's engine, with one thread and with two.

Thinks in positions from random games. The two are measured in turn, position by position, and the
geometric means are told, so that positions in which nodes are costly count as much as others.

python bench/strength/nodes.py osakana dande
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time

from visavis.engine.native import Engine, Limits, NoEngine
from visavis.lab.arena import untimed
from visavis.rules import game_type, games
from visavis.rules.protocol import AnyGame, Ended, Roll, Seat

ASKED = 1.6
"""How many times as many nodes two threads must look at."""
DEEPEST = 30
"""Decisions into a random game, at most."""


def random_views(game: AnyGame, count: int, seed: int) -> list[tuple[Seat, str]]:
    """Return what a seat sees that must decide, in random games."""
    rng = random.Random(seed)
    views: list[tuple[Seat, str]] = []
    while len(views) < count:
        state, left = game.start(), rng.randrange(DEEPEST)
        while not isinstance(awaited := game.awaits(state), Ended):
            if isinstance(awaited, Roll):
                faces, weights = zip(*awaited.faces, strict=True)
                state = game.roll(state, rng.choices(faces, weights)[0])
                continue
            seat = awaited.seats[0]
            moves = game.legal(state, seat)
            if left <= 0 and len(moves) > 1:
                views.append((seat, game.format_view(game.view(state, seat))))
                break
            state = game.apply(state, seat, rng.choice(moves))
            left -= 1
    return views


def speed(engine: Engine, view: str, seat: Seat, millis: int, threads: int) -> float | None:
    """Return the nodes a second of one search; None if it was done before its time."""
    engine.forget()
    started = time.perf_counter()
    nodes = engine.think(view, seat, Limits(millis=millis, threads=threads)).nodes
    seconds = time.perf_counter() - started
    return nodes / seconds if seconds >= millis / 1000 else None


def main() -> int:
    """Print a line for each game; the exit code tells whether a second thread pays."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    arguments.add_argument("game", nargs="*", default=sorted(games()))
    arguments.add_argument("--positions", type=int, default=8)
    arguments.add_argument("--millis", type=int, default=500)
    arguments.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    chosen = arguments.parse_args()
    given = dict(text.split("=", 1) for text in chosen.option)
    print(f"{'game':10} {'1 thread/s':>12} {'2 threads/s':>12}  ratio ({ASKED} asked)")
    slow = 0
    for slug in chosen.game:
        kind = game_type(slug)
        game = kind(untimed(kind, given))
        try:
            engine = Engine(game)
        except NoEngine:
            print(f"{slug:10} has no engine")
            continue
        speeds: list[tuple[float, float]] = []
        for seat, view in random_views(game, 4 * chosen.positions, seed=1):
            with_one = speed(engine, view, seat, chosen.millis, 1)
            with_two = with_one and speed(engine, view, seat, chosen.millis, 2)
            if with_one and with_two:
                speeds.append((with_one, with_two))
            if len(speeds) == chosen.positions:
                break
        one, two = (statistics.geometric_mean(column) for column in zip(*speeds, strict=True))
        ratio = two / one
        slow += ratio < ASKED
        mark = "" if ratio >= ASKED else "  TOO LITTLE"
        print(f"{slug:10} {one:12,.0f} {two:12,.0f}  {ratio:.2f}{mark}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())

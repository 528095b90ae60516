"""How soon a search ends when it is told to stop.

Thinks without limits in positions from random games, with two threads, and stops each search from
outside after a while.

python bench/strength/stops.py fortress stones
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time

from nodes import random_views

from visavis.engine.native import Engine, Limits, Stop
from visavis.lab.arena import untimed
from visavis.rules import game_type, games
from visavis.rules.protocol import Seat

ASKED_MILLIS = 20
STYLES = ("full", "mcts")
LONGEST_MILLIS = 2_000
"""Searches are stopped after so long at most, some of them right at their beginning."""


def millis_to_stop(engine: Engine, view: str, seat: Seat, style: str, after: float) -> float:
    """Return how many milliseconds pass from the order to stop to the answer."""
    stop, ended = Stop(), list[float]()

    def think() -> None:
        engine.think(view, seat, Limits(threads=2), style=style, stop=stop)
        ended.append(time.perf_counter())

    search = threading.Thread(target=think)
    search.start()
    search.join(after)
    told = time.perf_counter()
    stop.set()
    search.join()
    return 1000 * max(0.0, ended[0] - told)


def main() -> int:
    """Print a line for each game; the exit code tells whether every search ended in time."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    arguments.add_argument("game", nargs="*", default=sorted(games()))
    arguments.add_argument("--positions", type=int, default=20)
    arguments.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    chosen = arguments.parse_args()
    given = dict(text.split("=", 1) for text in chosen.option)
    rng, late = random.Random(1), 0
    print(f"{'game':10} style  median ms  longest ms  ({ASKED_MILLIS} asked)")
    for slug in chosen.game:
        kind = game_type(slug)
        game = kind(untimed(kind, given))
        engine, views = Engine(game), random_views(game, chosen.positions, seed=1)
        for style in STYLES:
            waits = sorted(
                millis_to_stop(engine, view, seat, style, rng.random() * LONGEST_MILLIS / 1000)
                for seat, view in views
            )
            in_time = waits[-1] <= ASKED_MILLIS
            late += not in_time
            middle = waits[len(waits) // 2]
            line = f"{slug:10} {style:5} {middle:10.1f} {waits[-1]:11.1f}"
            print(line + ("" if in_time else "  TOO LATE"), flush=True)
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())

"""The Python rules of every game: legal moves, a move and a view, against the native kernel."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from bench.measure import Row, Work
from bench.rows.open_spiel import GAMES_A_CALL, native_plies
from visavis.rules import game, games
from visavis.rules.protocol import AnyGame, Decide, Ended, Options, Roll, Seat

STEPS = 60
LARGE: Options = {"scenario": "random:plenty:40x40:1"}


def python_plies(rules: AnyGame, worst: list[float]) -> Work:
    """Random play in Python with all that a server asks at each ply, noting how long each took."""
    rng = random.Random(1)
    state = rules.start()

    def work() -> int:
        nonlocal state
        for _ in range(STEPS):
            match rules.awaits(state):
                case Ended():
                    state = rules.start()
                case Roll(faces):
                    texts, weights = zip(*faces, strict=True)
                    state = rules.roll(state, rng.choices(texts, weights)[0])
                case Decide(seats):
                    start = time.perf_counter()
                    move = rng.choice(rules.legal(state, seats[0]))
                    state = rules.apply(state, seats[0], move)
                    rules.format_view(rules.view(state, Seat.FIRST))
                    worst.append(time.perf_counter() - start)
        return STEPS

    return work


def rows() -> Iterator[Row]:
    chosen: list[tuple[str, Options, str]] = [
        *((slug, kind.untimed, slug) for slug, kind in games().items()),
        ("fortress", LARGE, "fortress, plenty 40×40"),
    ]
    for slug, options, what in chosen:
        rules, taken = game(slug, options), list[float]()
        yield Row(
            what=f"{what} kernel",
            unit="plies",
            ours=native_plies(slug, options, games=1 if options is LARGE else GAMES_A_CALL),
            peer="its Python rules",
            theirs=python_plies(rules, taken),
        )
        mean = 1000 * sum(taken) / len(taken)
        print(f"    legal + apply + view in Python: {mean:.3f} ms on average", flush=True)

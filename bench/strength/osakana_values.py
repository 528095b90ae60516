"""How well the engine keeps the game value in solved positions of Osakana.

The golden positions tell the exact value of every move. Where a wrong move exists (one that turns a
win into less, or a draw into a loss) the engine must not choose one; where a win is near it must
find a win. Distances are in the solvers' convention, see vectors/osakana/README.md.

python bench/strength/osakana_values.py --sample 100
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

from visavis.engine.native import Engine, Limits
from visavis.rules import game as make_game
from visavis.rules.protocol import Seat

POSITIONS = Path(__file__).parents[2] / "vectors" / "osakana" / "positions.jsonl"
WORTH = {"loss": 0, "draw": 1, "win": 2}
NEAR = 9
"""Wins of at most this distance are near."""
KEPT_ASKED = 0.97
FOUND_ASKED = 0.99


def main() -> int:
    """Print counts and shares; the exit code tells whether they are enough."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    arguments.add_argument("--sample", type=int, help="so many positions instead of all")
    arguments.add_argument("--millis", type=int, default=200, help="time a move")
    arguments.add_argument("--nodes", type=int, help="nodes a move instead of time")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--verbose", action="store_true", help="show every wrong choice")
    chosen = arguments.parse_args()
    golden = [json.loads(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    if chosen.sample:
        golden = random.Random(chosen.seed).sample(golden, min(chosen.sample, len(golden)))
    counts = Counter[str]()
    game = make_game("osakana")
    engine = Engine(game)
    millis = None if chosen.nodes else chosen.millis
    limits = Limits(millis=millis, nodes=chosen.nodes, threads=chosen.threads)
    for entry in golden:
        values = {move["move"]: WORTH[move["value"]] for move in entry["moves"]}
        value, best = WORTH[entry["value"]], max(values.values())
        near = entry["value"] == "win" and entry["distance"] <= NEAR
        if not near and min(values.values()) == best:
            continue
        engine.forget()
        seat = Seat.FIRST if entry["position"].split()[1] == "b" else Seat.SECOND
        thought = engine.think(entry["position"], seat, limits)
        kept = values[thought.best] == best
        if min(values.values()) < best:
            counts["tested"] += 1
            counts["kept"] += kept
            counts[f"tested {entry['value']}"] += 1
            counts[f"kept {entry['value']}"] += kept
        if near:
            counts["near"] += 1
            counts["found"] += kept
        if thought.lines[0].mate is not None:
            claimed = WORTH["win"] if thought.lines[0].mate > 0 else WORTH["loss"]
            counts["claimed"] += 1
            counts["claimed wrongly"] += claimed != values[thought.best]
        if chosen.verbose and not kept:
            line = thought.lines[0]
            print(
                f"{entry['position']}  {entry['value']} in {entry['distance']}:"
                f" chose {thought.best} (score {line.score:.2f}, depth {thought.depth},"
                f" {thought.nodes} nodes), which is worth {values[thought.best]} of {value}"
            )
    kept, found = counts["kept"] / counts["tested"], counts["found"] / max(1, counts["near"])
    print(
        f"value kept: {counts['kept']} of {counts['tested']} ({kept:.1%}; {KEPT_ASKED:.0%} asked)"
    )
    for value in ("win", "draw"):
        tested = counts[f"tested {value}"]
        print(f"  in a {value}: {counts[f'kept {value}']} of {tested}")
    near_counts = f"{counts['found']} of {counts['near']}"
    print(f"near wins found: {near_counts} ({found:.1%}; {FOUND_ASKED:.0%} asked)")
    print(f"wins and losses claimed: {counts['claimed']}, wrongly {counts['claimed wrongly']}")
    enough = kept >= KEPT_ASKED and found >= FOUND_ASKED and not counts["claimed wrongly"]
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())

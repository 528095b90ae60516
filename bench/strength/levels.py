"""Every level against the one below it: the table of the levels of a game.

python bench/strength/levels.py dande --games 200
"""

from __future__ import annotations

import sys

from matches import chosen_options, match, parser

from visavis.engine.native import LEVELS

ASKED = {"elements": 0.56, "stones": 0.56}
"""The share a level must win against the one below, where chance makes it less than the usual."""
USUAL = 0.60


def main() -> int:
    """Print the table; the exit code tells whether every level is clearly stronger."""
    arguments = parser(__doc__, games_to_play=200)
    arguments.add_argument("--lowest", type=int, default=1, help="begin with this level")
    arguments.add_argument("--highest", type=int, default=LEVELS, help="end with this level")
    chosen = arguments.parse_args()
    asked = ASKED.get(chosen.game, USUAL)
    options = " ".join(f"{name}={value}" for name, value in chosen_options(chosen).items())
    print(f"{chosen.game} {options}: {chosen.games} games a pair, at least {asked:.0%} asked")
    weak = 0
    for level in range(chosen.lowest + 1, chosen.highest + 1):
        result = match(chosen, str(level), str(level - 1))
        enough = result.standing.share >= asked
        weak += not enough
        print(f"  {level} v {level - 1}  {result}{'' if enough else '  TOO LITTLE'}", flush=True)
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())

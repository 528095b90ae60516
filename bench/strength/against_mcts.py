"""The engine at full strength against plain Monte-Carlo tree search with the same time a move.

python bench/strength/against_mcts.py osakana --millis 100 --games 100
"""

from __future__ import annotations

import sys

from matches import chosen_options, match, parser

ASKED = {"elements": 0.70, "stones": 0.70}
"""The share to win, where chance makes it less than the usual."""
USUAL = 0.85


def main() -> int:
    """Print the score; the exit code tells whether it is enough."""
    arguments = parser(__doc__, games_to_play=100)
    arguments.add_argument("--millis", type=int, default=100, help="time a move")
    chosen = arguments.parse_args()
    asked = ASKED.get(chosen.game, USUAL)
    options = " ".join(f"{name}={value}" for name, value in chosen_options(chosen).items())
    result = match(chosen, f"full:{chosen.millis}ms", f"mcts:{chosen.millis}ms")
    enough = result.standing.share >= asked
    print(f"{chosen.game} {options}: full v mcts, {chosen.millis} ms a move, {asked:.0%} asked")
    print(f"  {result}{'' if enough else '  TOO LITTLE'}")
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())

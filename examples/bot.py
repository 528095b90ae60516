"""A whole bot in forty lines, with nothing but the standard library: it takes what it can.

Let it play:  visavis match 'cmd:python examples/bot.py' random --game dande --games 10
"""

import random
import sys


def choose(moves: list[str], rng: random.Random) -> str:
    """Prefer captures (``c2xb3``) and tokens (``take 17``); else anything."""
    if not moves:  # too many to list: the set-up of Five Elements
        return "".join(rng.sample("AAAEEEFFFMMMWWW", 15))
    return rng.choice([move for move in moves if "x" in move or "take" in move] or moves)


def main() -> None:
    """Answer the lines of the engine protocol until told to quit."""
    moves, rng = list[str](), random.Random()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "visavis":
            print("id name Grab", "ok", sep="\n")
        elif word == "game":
            print("ok")  # the rest of the line is the game and its options
        elif word == "isready":
            print("readyok")
        elif word == "view":
            moves = []  # the rest of the line is the seat and what it knows
        elif word == "moves":
            moves = rest.split("; ")
        elif word == "go":
            print("bestmove", choose(moves, rng))
        elif word == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()

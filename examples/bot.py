"""A whole bot in forty lines, with nothing but the standard library: it takes what it can.

Let it play:  visavis match 'cmd:python examples/bot.py' random --game dande --games 10
"""

import random
import sys


def choose(moves: list[str], rng: random.Random) -> str:
    """Prefer captures (``c2xb3``) and tokens (``take 17``); else anything."""
    greedy = [move for move in moves if "x" in move or move.startswith("take")]
    return rng.choice(greedy or moves)


def main() -> None:
    """Answer the lines of the engine protocol until told to quit."""
    moves: list[str] = []
    rng = random.Random()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "visavis":
            print("id name Grab")
            print("ok")
        elif word == "game":
            print("ok")  # the rest of the line is the game and its options
        elif word == "isready":
            print("readyok")
        elif word == "moves":
            moves = rest.split("; ")  # the legal moves of the seat that the last view was for
        elif word == "go":
            print("bestmove", choose(moves, rng))
        elif word == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()

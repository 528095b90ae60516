"""What the strength measurements share: arguments, and matches with their score so far."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass

from visavis.engine.players import parse_player
from visavis.lab.arena import Pairing, Standing, play_match, untimed
from visavis.rules import game_type, games


@dataclass(frozen=True, slots=True)
class Result:
    """A finished match, as seen by the first of the two players."""

    standing: Standing
    reasons: Counter[str]
    plies: float
    seconds: float

    def __str__(self) -> str:
        standing = self.standing
        counts = f"+{standing.wins} ={standing.draws} -{standing.losses}"
        reasons = ", ".join(f"{reason} {count}" for reason, count in self.reasons.most_common(3))
        return (
            f"{100 * standing.share:5.1f} % ± {100 * standing.error:4.1f}  {counts:14}"
            f"  {self.plies:5.0f} plies  {self.seconds:6.0f} s  {reasons}"
        )


def parser(description: str | None, games_to_play: int) -> argparse.ArgumentParser:
    """Return a parser for the arguments of all measurements."""
    arguments = argparse.ArgumentParser(description=(description or "").split("\n\n")[0])
    arguments.add_argument("game", choices=sorted(games()))
    arguments.add_argument("--games", type=int, default=games_to_play, help="games a match")
    arguments.add_argument("--jobs", type=int, default=2, help="games at once")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game; may be given several times",
    )
    return arguments


def chosen_options(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the options of the game that the arguments name, without clocks."""
    given = dict(text.split("=", 1) for text in arguments.option)
    return untimed(game_type(arguments.game), given)


def match(arguments: argparse.Namespace, one: str, other: str) -> Result:
    """Play a match between two players by name, with the score so far on standard error."""
    pairing = Pairing(
        arguments.game,
        tuple(chosen_options(arguments).items()),
        (parse_player(one), parse_player(other)),
        arguments.seed,
    )
    standing, reasons, plies = Standing(), Counter[str](), 0
    started = time.perf_counter()
    for played in play_match(pairing, arguments.games, arguments.jobs):
        standing = standing.after(played)
        reasons[played.reason] += 1
        plies += played.plies
        if sys.stderr.isatty():
            score = f"{100 * standing.share:.1f} % ± {100 * standing.error:.1f}"
            sys.stderr.write(f"\r{one} v {other}: {standing.games}/{arguments.games}  {score}  ")
            sys.stderr.flush()
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    seconds = time.perf_counter() - started
    return Result(standing, reasons, plies / max(1, standing.games), seconds)

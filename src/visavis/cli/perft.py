"""``visavis perft``."""

from __future__ import annotations

import enum
import time
from collections.abc import Hashable, Sequence
from typing import Annotated

import typer
from rich.console import Console

from visavis._core import Kernel
from visavis.cli.arguments import GameName, OptionTexts, chosen_game
from visavis.cli.waiting import interruptibly
from visavis.rules.errors import TooManyMoves
from visavis.rules.protocol import LISTABLE, AnyGame, Decide, Seat

Counts = list[tuple[str, int]]


class Engine(enum.StrEnum):
    """Who counts."""

    NATIVE = "native"
    PYTHON = "python"


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=100, help="How many moves deep.")],
    position: Annotated[
        str | None, typer.Option(help="Where to start, in the game's one-line text.")
    ] = None,
    engine: Annotated[
        Engine, typer.Option(help="The native kernel, or the Python rules.")
    ] = Engine.NATIVE,
    divide: Annotated[bool, typer.Option("--divide", help="Split by the first move.")] = False,
    option: OptionTexts = [],  # noqa: B006 (typer reads the default, nobody changes it)
) -> None:
    """Count the lines of play of exactly DEPTH moves, for checking rules and for measuring speed.

    Lines end at the end of the game, at rolls and at simultaneous choices. A decision with too many
    moves to go through, such as a secret set-up, can only be the last. Counts go to standard
    output, the time to standard error, so that two runs can be compared with diff:

    `visavis perft GAME 6 --divide --engine python`
    """
    chosen = chosen_game(game, option)
    state = chosen.start() if position is None else chosen.parse_position(position)
    count = count_natively if engine is Engine.NATIVE else count_in_python
    started = time.perf_counter()
    with Console(stderr=True).status("counting"):
        counts = count(chosen, state, depth, divide)
    seconds = time.perf_counter() - started
    total = sum(nodes for _, nodes in counts)
    if divide:
        for move, nodes in counts:
            typer.echo(f"{move}\t{nodes}")
    typer.echo(total)
    speed = total / max(seconds, 1e-9)
    typer.echo(f"{seconds:.3f} s, {speed:,.0f} lines a second ({engine})", err=True)


def count_natively(game: AnyGame, state: Hashable, depth: int, divide: bool) -> Counts:
    """Count with the native kernel."""
    try:
        kernel = Kernel(game.slug, game.kernel_options())
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from None
    position = game.format_position(state)
    if divide and depth:
        return interruptibly(lambda: kernel.divide(position, depth))
    return [("", interruptibly(lambda: kernel.perft(position, depth)))]


def count_in_python(game: AnyGame, state: Hashable, depth: int, divide: bool) -> Counts:
    """Count with the Python rules."""
    if not (divide and depth):
        return [("", lines(game, state, depth))]
    awaited = game.awaits(state)
    if not (isinstance(awaited, Decide) and len(awaited.seats) == 1):
        return []
    (seat,) = awaited.seats
    return [
        (game.format_move(move), lines(game, game.apply(state, seat, move), depth - 1))
        for move in listed(game, state, seat)
    ]


def lines(game: AnyGame, state: Hashable, depth: int) -> int:
    """Return the number of lines of exactly ``depth`` moves.

    >>> from visavis.rules import game
    >>> osakana = game("osakana")
    >>> lines(osakana, osakana.start(), 3)
    123
    """
    if depth == 0:
        return 1
    awaited = game.awaits(state)
    if not (isinstance(awaited, Decide) and len(awaited.seats) == 1):
        return 0
    (seat,) = awaited.seats
    if depth == 1:
        return len(game.legal(state, seat))
    moves = listed(game, state, seat)
    return sum(lines(game, game.apply(state, seat, move), depth - 1) for move in moves)


def listed(game: AnyGame, state: Hashable, seat: Seat) -> Sequence[Hashable]:
    """Return the legal moves, or raise `TooManyMoves` if they can't be gone through."""
    moves = game.legal(state, seat)
    if len(moves) > LISTABLE:
        raise TooManyMoves(len(moves))
    return moves

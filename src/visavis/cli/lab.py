"""``visavis lab``: measurements for people who design games or write kernels."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import as_completed
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from visavis.cli.arguments import GameName, OptionTexts, chosen_game
from visavis.cli.waiting import interruptibly
from visavis.engine.pool import workers
from visavis.lab.conformance import Disagreement, compare
from visavis.lab.lengths import Lengths, measure_lengths
from visavis.rules import game as make_game

lab = typer.Typer(
    help="Measure games: how long they run, whether kernel and rules agree.", no_args_is_help=True
)
BARS = 12
BAR_WIDTH = 40
MOST_SEED = 10**18
SLICE = 5_000
"""Positions that one task of a comparison looks at."""


@lab.command()
def lengths(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, max=10_000_000, help="How many.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="What chance starts from.")] = 1,
    option: OptionTexts = [],  # noqa: B006 (typer reads the default, nobody changes it)
) -> None:
    """Play random games in the native kernel: do they end, how, and after how many decisions?"""
    chosen = chosen_game(game, option)
    if chosen.clock() is not None:
        chosen = make_game(game, {**chosen.options, **type(chosen).untimed})
    measured = interruptibly(lambda: measure_lengths(chosen, games, seed))
    share = 100 / max(1, measured.games)
    typer.echo(f"{chosen.title}: {measured.games} random games, {measured.unfinished} without end")
    typer.echo(
        f"first won {measured.first * share:.1f} %, second {measured.second * share:.1f} %, "
        f"drawn {measured.drawn * share:.1f} %"
    )
    for reason, count in measured.reasons.items():
        typer.echo(f"  {reason:<14} {count * share:5.1f} %")
    if measured.lengths:
        typer.echo("decisions a game:")
        for line in histogram(measured):
            typer.echo(line)


def histogram(measured: Lengths) -> Iterator[str]:
    """Draw how the lengths are spread, with the quantiles below."""
    low, high = measured.lengths[0], measured.lengths[-1]
    step = max(1, -(-(high - low + 1) // BARS))
    counts = [0] * ((high - low) // step + 1)
    for length in measured.lengths:
        counts[(length - low) // step] += 1
    for number, count in enumerate(counts):
        start = low + number * step
        bar = "█" * round(BAR_WIDTH * count / max(counts))
        yield f"  {start:>5}–{start + step - 1:<5} {count:>8} {bar}"
    marks = (("shortest", 0.0), ("median", 0.5), ("90 %", 0.9), ("longest", 1.0))
    yield "  " + ", ".join(f"{name} {measured.quantile(share)}" for name, share in marks)


@lab.command()
def conform(
    game: GameName,
    positions: Annotated[
        int, typer.Option(min=1, max=10**9, help="How many to compare.")
    ] = 1_000_000,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Processes.")] = os.cpu_count() or 1,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="The first random game.")
    ] = 1_000_000,
    option: OptionTexts = [],  # noqa: B006 (typer reads the default, nobody changes it)
) -> None:
    """Set the native kernel against the Python rules, position by position, in random games.

    Compared are positions, what is awaited, legal moves, faces of rolls, the views of both players
    and of a spectator, and worlds drawn from views. The first difference is shown: exit code 1.
    """
    chosen = {name: str(value) for name, value in chosen_game(game, option).options.items()}
    tasks = -(-positions // SLICE)
    done = walks = finished = 0
    with (
        Progress(console=Console(stderr=True), disable=not os.isatty(2)) as progress,
        workers(jobs) as pool,
    ):
        bar = progress.add_task(game, total=positions)
        slices = [
            pool.submit(_compare_slice, game, chosen, seed + number * SLICE, SLICE)
            for number in range(tasks)
        ]
        try:
            for future in as_completed(slices):
                some_positions, some_walks, some_finished = future.result()
                done, walks = done + some_positions, walks + some_walks
                finished += some_finished
                progress.update(bar, completed=min(done, positions))
        except Disagreement as error:
            typer.echo(f"visavis: {error}", err=True)
            raise typer.Exit(1) from None
    typer.echo(
        f"{game}: {done:,} positions in {walks:,} random games ({finished:,} played to the end), "
        "no difference"
    )


def _compare_slice(
    slug: str, options: dict[str, str], seed: int, positions: int
) -> tuple[int, int, int]:
    walks = list(compare(make_game(slug, options), seed, positions))
    return (
        sum(walk.positions for walk in walks),
        len(walks),
        sum(walk.finished for walk in walks),
    )

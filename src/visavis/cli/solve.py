"""``visavis solve`` and ``visavis probe``."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from visavis.cli.arguments import GameName, chosen_game
from visavis.cli.waiting import interruptibly
from visavis.cli.wording import ending_words
from visavis.engine import oracle
from visavis.engine.tables import table_path, unfinished_path
from visavis.engine.values import Book, Census, Fault, OnProgress, Table
from visavis.session.events import Ending

ALL_CORES: Final = os.cpu_count() or 1
Threads = Annotated[
    int, typer.Option(min=1, max=256, help="How many threads to use.", show_default="all cores")
]
TablePath = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="A table elsewhere than in the data directory."),
]


def solve(
    game: GameName,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write (or verify) the table there."),
    ] = None,
    threads: Threads = ALL_CORES,
    verify: Annotated[
        bool, typer.Option("--verify", help="Derive every value anew from the moves, and compare.")
    ] = False,
    book: Annotated[
        Path | None,
        typer.Option(
            "--book", metavar="FILE", help="Write the book of answers for second, from the table."
        ),
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="Play everything against the book that comes with us.")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Count the positions a game can come to, by value.")
    ] = False,
) -> None:
    """Work out the value of every position of a game, once and for all.

    The table goes to the data directory. Ctrl-C keeps what has been done, and the same command
    goes on from there. A finished table is not made again. Examples:

    - `visavis solve GAME`
    - `visavis solve GAME --verify --count`
    - `visavis solve GAME --prove` – needs no table
    """
    rules = chosen_game(game, [])
    solver = oracle.solver(game)
    if prove:
        _prove(solver.open_book(oracle.book_path(game)))
        return
    path = output or table_path(game)
    if not path.exists():
        _solve(game, path, threads)
    table = oracle.open_table(game, path)
    typer.echo(f"{path}: {path.stat().st_size / 1e6:.0f} MB")
    typer.echo(f"start: {table.value(rules.format_position(rules.start()))}")
    if verify:
        _verify(table, path, threads)
    if book is not None:
        _write_book(table, book)
    if count:
        with _bar("counting", total=None) as on_progress:
            found = table.census(on_progress, threads)
        typer.echo(f"reachable: {_census_words(found)}")


def probe(
    game: GameName,
    position: Annotated[str, typer.Argument(help="In the game's one-line text.")],
    table: TablePath = None,
) -> None:
    """Show the exact value of a position and of every move, with the number of plies.

    Where the game is over, by a foul or by repetition too, it says how it ended.

    `visavis probe GAME "POSITION"`
    """
    rules = chosen_game(game, [])
    state = rules.parse_position(position)
    if (outcome := rules.outcome(state)) is not None:
        typer.echo(f"the game is over: {ending_words(rules, Ending(outcome))}")
        return
    text = rules.format_position(state)
    opened = oracle.open_table(game, table)
    typer.echo(str(opened.value(text)))
    for move, value in oracle.values(rules, opened, text).items():
        typer.echo(f"{move}\t{value}")


def _solve(game: str, path: Path, threads: int) -> None:
    started = time.perf_counter()
    if unfinished_path(path).exists():
        typer.echo("going on with unfinished work", err=True)
    try:
        with _bar(
            "solving", total=1000, farewell="stopping when what is done can be kept"
        ) as on_progress:
            oracle.solve(game, on_progress, path=path, threads=threads)
    except KeyboardInterrupt:
        if unfinished_path(path).exists():
            typer.echo("kept; the same command goes on from here", err=True)
        raise
    typer.echo(f"solved in {time.perf_counter() - started:.1f} s", err=True)


def _verify(table: Table, path: Path, threads: int) -> None:
    started = time.perf_counter()
    with _bar("verifying", total=1000) as on_progress:
        verdict = table.validate(on_progress, threads)
    if isinstance(verdict, Fault):
        typer.echo(
            f"{path}: wrong: {verdict.position} is {verdict.derived}, "
            f"the table says {verdict.found or 'nothing'}",
            err=True,
        )
        raise typer.Exit(1)
    typer.echo(f"all values are right: {_census_words(verdict)}")
    typer.echo(f"verified in {time.perf_counter() - started:.1f} s", err=True)


def _write_book(table: Table, path: Path) -> None:
    with Console(stderr=True).status("writing the book"):
        answers = interruptibly(table.book)
    if answers is None:
        raise typer.BadParameter("second does not win, so there is no book", param_hint="--book")
    try:
        path.write_bytes(answers)
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}", param_hint="--book") from None
    typer.echo(f"{path}: {len(answers):,} bytes")


def _prove(book: Book) -> None:
    with Console(stderr=True).status("playing everything against the book"):
        try:
            positions, longest = interruptibly(book.prove)
        except ValueError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from None
    typer.echo(f"second wins: {positions:,} positions of first's, the longest game {longest} plies")


def _census_words(census: Census) -> str:
    return (
        f"{census.total:,} positions, {census.wins:,} won, {census.losses:,} lost, "
        f"{census.draws:,} drawn, longest {census.longest}"
    )


@contextmanager
def _answered(say: Callable[[str], object], words: str) -> Iterator[None]:
    """Answer Ctrl-C at once, where what it breaks off takes a while to end."""

    def answer(_signal: int, _frame: object) -> None:
        say(words)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, answer)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(title: str, total: int | None, farewell: str = "stopping") -> Iterator[OnProgress]:
    """Show a bar on standard error while a person watches; yield what to call with progress."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(title, total=total, note="")

    def on_progress(level: int, done: int) -> None:
        phase = "first look" if level == 0 else f"level {level}"
        bar.update(task, completed=done, note=phase if title == "solving" else f"{done:,}")

    with bar, _answered(bar.console.print, farewell):
        yield on_progress

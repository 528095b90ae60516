"""``visavis analyse``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from visavis.cli.arguments import naming, read_record
from visavis.cli.waiting import each_interruptibly
from visavis.engine.analysis import (
    DEFAULT_NODES,
    Judged,
    Verdict,
    decisions,
)
from visavis.engine.analysis import (
    analyse as judge_moves,
)
from visavis.engine.native import Limits
from visavis.session import replay

UNCUT: Final = 1_000


def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="The record of a game.")],
    nodes: Annotated[
        int, typer.Option(min=1, max=10**12, help="Positions to look at for each decision.")
    ] = DEFAULT_NODES,
    millis: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Or a time for each decision, in ms.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads to use.")] = 1,
    moves: Annotated[
        int | None,
        typer.Option("--move", min=1, help="Show every legal move at this number instead."),
    ] = None,
) -> None:
    """Say what each move of a record was worth, and mark the turning points.

    Scores are expected ones in percent, for who decides. In a game with secrets they are by what
    the player knew; once it is over, a second column shows them with everything open. Examples:

    - `visavis analyse game.visavis`
    - `visavis analyse game.visavis --move 12` – what every move at number 12 gives away
    """
    record = read_record(file)
    limits = Limits(nodes=None if millis else nodes, millis=millis, threads=threads)
    with naming(file):
        played = replay(record)
    # As wide as the table is: a terminal breaks a long line, which says more than cells cut short.
    console = Console(highlight=False, width=UNCUT)
    judged = track(
        each_interruptibly(judge_moves(record, limits, only=moves)),
        total=len(decisions(played)) if moves is None else 1,
        description="thinking",
        console=Console(stderr=True),
        disable=not os.isatty(2),
    )
    if moves is not None:
        for decision in judged:
            console.print(_moves_table(decision))
            return
        raise typer.BadParameter(f"there is no choice at number {moves}", param_hint="--move")
    table, turning = _table(played.game.hidden), 0
    for decision in judged:
        table.add_row(*_row(decision, played.game.seat_names[decision.seat]))
        turning += bool(decision.known.mark)
    console.print(table)
    points = "1 turning point" if turning == 1 else f"{turning} turning points"
    typer.echo(f"{points} (? gives away 15 % or more, ?? 35 % or more)")


def _table(hidden: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("no.", "turn", "who", "move", "score", "best", "away", ""):
        table.add_column(
            name, justify="right" if name in ("no.", "turn", "score", "away") else "left"
        )
    if hidden:
        for name in ("open: score", "best", "away"):
            table.add_column(name, justify="left" if name == "best" else "right")
    return table


def _row(decision: Judged, who: str) -> list[str]:
    known = decision.known
    row = [
        str(decision.number),
        str(decision.turn),
        who,
        decision.move,
        *_words(known),
        known.mark,
    ]
    return row + (_words(decision.opened) if decision.opened else [])


def _words(verdict: Verdict) -> list[str]:
    mate = verdict.best.mate
    best = verdict.best.moves[0] + ("" if mate is None else f" ({mate:+} plies)")
    return [f"{verdict.score:.0%}", best, f"{verdict.given_away:.0%}"]


def _moves_table(decision: Judged) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("move", "score", "gives away", "line"):
        table.add_column(name, justify="right" if name in ("score", "gives away") else "left")
    best = decision.known.best.score
    for line in decision.known.lines:
        mark = " *" if line.moves[0] == decision.move else ""
        rest = "; ".join(line.moves[1:8])
        table.add_row(
            line.moves[0] + mark, f"{line.score:.0%}", f"{max(0.0, best - line.score):.0%}", rest
        )
    return table

"""``visavis match``."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from visavis.cli.arguments import OptionTexts, chosen_options, game_help
from visavis.engine.players import parse_player
from visavis.lab.arena import Pairing, Played, Standing, play_match, untimed
from visavis.rules import game as make_game
from visavis.rules import game_type

RECORD: Final = "game-{}.visavis"
"""The name of a record's file, by the number of its game."""


def match(
    player: Annotated[str, typer.Argument(metavar="A", help="A player; see above.")],
    opponent: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    game: Annotated[str, typer.Option(metavar="GAME", help=game_help())],
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many games.")] = 20,
    option: OptionTexts = [],  # noqa: B006 (typer reads the default, nobody changes it)
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Games at once.")] = 1,
    move_time: Annotated[
        int, typer.Option(min=1, max=3_600_000, help="Time a move of outside programs, in ms.")
    ] = 1_000,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Repeat a match: openings, rolls and choices.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the records there, a file each.")
    ] = None,
) -> None:
    """Let two players meet: seats swapped game by game, openings varied.

    A player is a level from `1` to `8`; `full:200ms` or `full:50000` (the engine with so much time
    or so many nodes a move); `mcts:200ms` or `mcts:1000` (plain UCT with random playouts);
    `perfect`, where the game is solved; `simple`; `random`; or `cmd:PROGRAM …`, a program that
    speaks the engine protocol. An outside program that crashes, is late or makes an illegal move
    loses that game. Examples:

    - `visavis match 5 4 --game GAME --games 100 --jobs 2`
    - `visavis match full:100ms mcts:100ms --game GAME`
    - `visavis match 'cmd:python bot.py' 1 --game GAME --save games/`
    """
    options = untimed(game_type(game), chosen_options(option))
    make_game(game, options)
    pairing = Pairing(
        game,
        tuple(options.items()),
        (
            parse_player(player, move_millis=move_time),
            parse_player(opponent, move_millis=move_time),
        ),
        secrets.randbits(64) if seed is None else seed,
    )
    if save is not None:
        _make_room(save)
    standing, reasons = Standing(), dict[str, int]()
    failed: Played | None = None
    try:
        with (
            _progress(games) as progress,
            contextlib.closing(play_match(pairing, games, jobs)) as played_games,
        ):
            task = progress.add_task("", total=games, score=_score(standing))
            for played in played_games:
                _keep(save, played)
                standing = standing.after(played)
                reasons[played.reason] = reasons.get(played.reason, 0) + 1
                failed = played if played.failure else failed
                progress.update(task, advance=1, score=_score(standing))
    finally:  # what was played counts, also when Ctrl-C or a full disk ends the match
        if standing.games:
            _report(player, opponent, standing, reasons, pairing.seed)
        if failed is not None:
            typer.echo(f"last failure, in game {failed.number + 1}: {failed.failure}")


def _progress(games: int) -> Progress:
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[score]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not os.isatty(2),
    )


def _score(standing: Standing) -> str:
    return f"+{standing.wins} ={standing.draws} -{standing.losses}"


def _make_room(folder: Path) -> None:
    """Make the folder for the records, where none of another match would be written over."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob(RECORD.format("*"))):
        raise typer.BadParameter(
            f"{folder} has the records of a match already; name another folder", param_hint="--save"
        )


def _keep(folder: Path | None, played: Played) -> None:
    if folder is not None:
        path = folder / RECORD.format(f"{played.number + 1:04}")
        path.write_text(played.record, encoding="utf-8")


def _report(
    player: str, opponent: str, standing: Standing, reasons: dict[str, int], seed: int
) -> None:
    elo, weakest, strongest = standing.elo()
    low, high = standing.bounds()
    typer.echo(f"{player} against {opponent}: {_score(standing)} in {standing.games} games")
    typer.echo(f"score {standing.share:.1%}, with 95 % confidence {low:.1%} to {high:.1%}")
    typer.echo(f"Elo difference {elo:+.0f}, {weakest:+.0f} to {strongest:+.0f}")
    ends = sorted(reasons.items(), key=lambda item: -item[1])
    typer.echo("ended by " + ", ".join(f"{reason} {count}" for reason, count in ends))
    typer.echo(f"seed {seed}")

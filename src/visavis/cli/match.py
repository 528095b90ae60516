"""``visavis match``."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from visavis.cli.arguments import OptionTexts, chosen_options, game_help
from visavis.engine.players import parse_player
from visavis.lab.arena import Pairing, Played, Standing, play_match, untimed
from visavis.rules import game as make_game
from visavis.rules import game_type


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
        Path | None, typer.Option(metavar="FOLDER", help="Write the records there.")
    ] = None,
) -> None:
    """Let two players meet: seats swapped game by game, openings varied.

    A player is a level from `1` to `8`; `full:200ms` or `full:50000` (the engine with so much time
    or so many nodes a move); `mcts:200ms` or `mcts:1000` (plain UCT with random playouts);
    `perfect`, where the game is solved; `simple`; `random`; or `cmd:PROGRAM …`, a program that
    speaks the engine protocol. An outside program that crashes, is late or makes an illegal move
    loses that game. Examples:

    - `visavis match 5 4 --game osakana --games 100 --jobs 2`
    - `visavis match full:100ms mcts:100ms --game stones`
    - `visavis match 'cmd:python bot.py' 1 --game dande --save games/`
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
        secrets.randbits(32) if seed is None else seed,
    )
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    standing, reasons = Standing(), dict[str, int]()
    with _progress(games) as progress:
        task = progress.add_task("", total=games, score=_score(standing))
        for played in play_match(pairing, games, jobs):
            standing = standing.after(played)
            reasons[played.reason] = reasons.get(played.reason, 0) + 1
            _keep(save, played)
            progress.update(task, advance=1, score=_score(standing))
    _report(player, opponent, standing, reasons, pairing.seed)


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


def _keep(folder: Path | None, played: Played) -> None:
    if folder is not None:
        path = folder / f"game-{played.number + 1:04}.visavis"
        path.write_text(played.record, encoding="utf-8")


def _report(
    player: str, opponent: str, standing: Standing, reasons: dict[str, int], seed: int
) -> None:
    elo, low, high = standing.elo()
    typer.echo(f"{player} against {opponent}: {_score(standing)} in {standing.games} games")
    typer.echo(f"score {standing.share:.1%} ± {standing.error:.1%}")
    typer.echo(f"Elo difference {elo:+.0f}, with 95 % confidence {low:+.0f} to {high:+.0f}")
    ends = sorted(reasons.items(), key=lambda item: -item[1])
    typer.echo("ended by " + ", ".join(f"{reason} {count}" for reason, count in ends))
    typer.echo(f"seed {seed}")

"""``visavis play``."""

from __future__ import annotations

import contextlib
import random
import re
import secrets
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from visavis.cli.arguments import OptionTexts, chosen_game, game_help, naming, read_record
from visavis.cli.keeping import Keeper
from visavis.cli.screen import Screen
from visavis.cli.terminal_match import Player, Quit, TerminalMatch, now
from visavis.engine.native import LEVELS
from visavis.engine.players import parse_player
from visavis.session import ClockSpec, Match
from visavis.session import resume as resume_match
from visavis.session.seal import SEED_BYTES


def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=game_help())] = None,
    option: OptionTexts = [],  # noqa: B006 (typer reads the default, nobody changes it)
    first: Annotated[
        Player | None, typer.Option(help="Who moves first; if unsaid, a human.")
    ] = None,
    second: Annotated[
        Player | None,
        typer.Option(help="Who moves second; if unsaid, the computer, or else a human."),
    ] = None,
    level: Annotated[
        int,
        typer.Option(min=1, max=LEVELS, help="How strong the computer is: a child's first to 8."),
    ] = 3,
    perfect: Annotated[
        bool,
        typer.Option("--perfect", help="The computer plays perfectly, in a game that is solved."),
    ] = False,
    clock: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="5m+3 (and 3 s a move), 30/move or none; the game's own is set by its options.",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Repeat a game: its rolls and the computer's choices."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game there, move by move.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.")
    ] = None,
) -> None:
    """Play a game: two people at one terminal, or against the computer.

    Type moves, or `help`. Examples:

    - `visavis play GAME` – against the computer
    - `visavis play GAME --first computer --level 6` – a strong one begins
    - `visavis play GAME --second human` – two people
    - `visavis play GAME --option NAME=VALUE --clock 5m+3`
    - `visavis play --resume FILE` – go on with a game that was saved
    """
    if resume is None:
        players = _seated(first, second)
        match = _begin(game, option, players, clock, seed)
        keeper = Keeper(save)
    else:
        if game or option or clock or seed or save:
            raise typer.BadParameter(
                "it stands alone, with --first and --second", param_hint="--resume"
            )
        record = read_record(resume)
        with naming(resume):
            match = resume_match(record, now())
        was_first, was_second = map(_as_player, match.names)
        players = _seated(first or was_first, second or was_second)
        keeper = Keeper(resume, is_own=True)
    private = match.game.hidden and players == (Player.HUMAN, Player.HUMAN)
    screen = Screen(private=private, lines=_lines_needed(match))
    rng = random.Random(match.seed.hex())
    spec = parse_player("perfect" if perfect else str(level))
    computer = spec.open(match.game, may_stand_in=True)
    played = TerminalMatch(match, players, screen, keeper, rng, computer)
    if why := keeper.note(match):
        raise typer.BadParameter(why, param_hint="file")
    try:
        with screen.opened(), contextlib.suppress(Quit):
            played.run()
    except EOFError:
        screen.say()
    except KeyboardInterrupt:
        screen.say()
        _part(played)
        raise typer.Exit(130) from None
    _part(played)


def _seated(first: Player | None, second: Player | None) -> tuple[Player, Player]:
    """Return who plays: a person and the computer, where nothing else was said."""
    other = Player.HUMAN if first is Player.COMPUTER else Player.COMPUTER
    return first or Player.HUMAN, second or other


def _as_player(name: str) -> Player | None:
    """Return who a saved game says sat there, if it was saved here."""
    return Player(name) if name in list(Player) else None


def _lines_needed(match: Match) -> int:
    """Return how many lines of a terminal the board takes, with what is said around it."""
    return match.game.board(match.view(None)).count("\n") + 10


def _begin(
    slug: str | None,
    options: list[str],
    players: tuple[Player, Player],
    clock: str | None,
    seed: str | None,
) -> Match:
    if slug is None:
        raise typer.BadParameter(f"which? {game_help()}", param_hint="GAME")
    match, _ = Match.begin(
        chosen_game(slug, options),
        seed=secrets.token_bytes(SEED_BYTES) if seed is None else _read_seed(seed),
        names=(players[0].value, players[1].value),
        clock=None if clock is None else ClockSpec.parse(clock),
        date=date.today().isoformat(),
        now=now(),
    )
    return match


def _read_seed(text: str) -> bytes:
    """Read a seed; a short one is filled up with zeros in front.

    >>> _read_seed("1f")[-2:]
    b'\\x00\\x1f'
    """
    if not re.fullmatch(rf"[0-9a-fA-F]{{1,{2 * SEED_BYTES}}}", text):
        raise typer.BadParameter(
            f"1 to {2 * SEED_BYTES} hexadecimal digits, please", param_hint="--seed"
        )
    return bytes.fromhex(text.rjust(2 * SEED_BYTES, "0"))


def _part(played: TerminalMatch) -> None:
    """Show how the match ended, or where it is kept."""
    played.show_end()
    if kept := played.keeper.rescue(played.match):
        played.screen.say(kept)
    elif played.match.is_over and played.screen.interactive and played.keeper.last is None:
        with contextlib.suppress(EOFError, KeyboardInterrupt):
            _offer_to_save(played)


def _offer_to_save(played: TerminalMatch) -> None:
    """Ask for the name of a file until there is one, or none is wanted."""
    while line := played.screen.ask(
        "To save the game, type the name of a file; else press Enter: "
    ):
        word, _, rest = line.partition(" ")
        command = word.lower().removeprefix("/")
        if command == "quit":
            return
        if command == "save" and rest:
            line = rest
        elif command in played.actions:
            played.screen.say(f"! The game is over. For a file of that name, type ./{command}")
            continue
        played.save(line)
        if played.keeper.last is not None:
            return

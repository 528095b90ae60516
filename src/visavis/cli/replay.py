"""``visavis replay``."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Annotated

import typer

from visavis.cli.arguments import OptionTexts, chosen_game, game_help, naming, read_text
from visavis.cli.screen import Screen
from visavis.cli.wording import result_words
from visavis.rules.spelling import whole_number
from visavis.session import Record, Replay, Step, check, read_plain
from visavis.session import replay as play_through
from visavis.session.errors import Discrepancy

KEYS = "Enter: on, b: back, NUMBER: go there, q: quit > "


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, or a list of moves.")],
    verify: Annotated[
        bool, typer.Option("--check", help="Don't show it, verify it: exit code 1 if it is wrong.")
    ] = False,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help=f"For a plain list of moves: the game. {game_help()}"),
    ] = None,
    option: OptionTexts = [],  # noqa: B006 (typer reads the default, nobody changes it)
) -> None:
    """Step through the record of a game; piped, print all positions.

    `--check` verifies every move, roll and remark, the result, and that the sealed moves and rolls
    are those that were committed to. Examples:

    - `visavis replay game.visavis`
    - `visavis replay --check game.visavis`
    - `visavis replay --game GAME moves.txt` – moves in the author's own notation
    """
    record = _read(file, game, option)
    try:
        played = play_through(record)
        checked = check(record) if verify else None
    except Discrepancy as error:
        typer.echo(f"visavis: {file}: {error}", err=True)
        raise typer.Exit(1) from None
    if checked is None:
        Show(played, Screen()).run()
        return
    sealed = "rolls and seals are as committed" if checked.has_seed else "no seed to check against"
    typer.echo(
        f"OK: {checked.moves} moves, {checked.rolls} rolls, {checked.seals} seals; {sealed}; "
        f"{result_words(played.game, record)}"
    )


def _read(file: Path, slug: str | None, options: list[str]) -> Record:
    text = read_text(file)
    if re.match(r"\s*(#.*\n\s*)*\[", text):
        if slug or options:
            raise typer.BadParameter("a record names its own game and options", param_hint="--game")
        with naming(file):
            return Record.parse(text)
    if slug is None:
        raise typer.BadParameter(
            f"{file}: not a record; for a list of moves, name the game", param_hint="--game"
        )
    rules = chosen_game(slug, options)
    with naming(file):
        return read_plain(rules, text)


class Show:
    """A record on the screen, position by position."""

    def __init__(self, played: Replay, screen: Screen) -> None:
        self.played = played
        self.screen = screen

    def run(self) -> None:
        """Show all positions, at the pace of the viewer."""
        number, last = 0, len(self.played.steps)
        while True:
            self.show(number)
            if self.screen.interactive:
                try:
                    number = self.next_number(number)
                except EOFError:
                    self.screen.say()
                    return
            else:
                number += 1
            if not 0 <= number <= last:
                return

    def next_number(self, number: int) -> int:
        """Return the number of the position to show next; -1 to stop."""
        last = len(self.played.steps)
        while True:
            answer = self.screen.ask(KEYS).lower()
            if answer == "":
                return number + 1
            if answer == "b":
                return max(0, number - 1)
            if answer == "q":
                return -1
            if (chosen := whole_number(answer, 0, last)) is not None:
                return chosen
            self.screen.say(f"! Type Enter, b, q or a number from 0 to {last}.")

    def show(self, number: int) -> None:
        """Show the position after a number of steps."""
        record, game, steps = self.played.record, self.played.game, self.played.steps
        self.screen.clear()
        names = [f"{game.seat_names[i]} ({name})" for i, name in enumerate(record.names)]
        self.screen.say(f"{game.title}: {', '.join(names)} – {number} of {len(steps)}")
        self.screen.say()
        state = steps[number - 1].after if number else self.played.start
        self.screen.say(game.board(self.view(state)))
        self.screen.say()
        if number:
            self.screen.say(self.words(steps[number - 1]))
        if number == len(steps):
            self.screen.say(result_words(game, record))

    def view(self, state: Hashable) -> Hashable:
        """Return what may be shown: everything, once the match is over."""
        if self.played.record.reason is None:
            return self.played.game.view(state, None)
        return self.played.game.reveal(state)

    def words(self, step: Step) -> str:
        """Return what happened in a step."""
        who = "chance" if step.seat is None else self.played.game.seat_names[step.seat]
        remark = f" ({step.item.remark})" if step.item.remark else ""
        comment = f"  # {step.line.comment}" if step.line.comment else ""
        return f"{step.line.turn}. {who}: {step.item.text}{remark}{comment}"

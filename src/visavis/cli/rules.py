"""``visavis rules``."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.markdown import Markdown

from visavis.cli.arguments import GameName
from visavis.cli.screen import WIDEST
from visavis.rules import game_type, rule_book
from visavis.rules.protocol import AnyGame


def rules(game: GameName) -> None:
    """Print the rules of a game, clause by clause; piped, as plain Markdown.

    What the original game leaves open and this house has decided is marked as a *ruling*.
    """
    text = rule_book(game).rstrip() + "\n" + options_chapter(game_type(game))
    console = Console(highlight=False)
    if console.is_terminal:
        console.width = min(console.width, WIDEST)
        console.print(Markdown(text))
    else:
        typer.echo(text, nl=False)


def options_chapter(game: type[AnyGame]) -> str:
    """Return the chapter on what can be chosen with ``--option``; empty if nothing can."""
    if not game.schema:
        return ""
    lines = [
        f"- `{option.name}`: {option.help} ({option.domain}; default {short(option.default)})"
        for option in game.schema
    ]
    return "\n".join(["", "## Options on the command line", "", *lines, ""])


def short(value: object) -> str:
    """Return a default value fit for one line."""
    text = str(value)
    return f"`{text}`" if 0 < len(text) <= 40 else "built in"

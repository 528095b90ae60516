"""``visavis rules``."""

from __future__ import annotations

import re
import textwrap
from typing import Final

import typer
from rich.console import Console
from rich.markdown import Markdown

from visavis.cli.arguments import GameName, chosen_game
from visavis.cli.screen import WIDEST
from visavis.rules import game_type, rule_book
from visavis.rules.protocol import AnyGame

DIAGRAM: Final = re.compile(
    r"^(?P<indent> *)```board(?P<options>.*)\n *(?P<view>.+)\n(?P<caption>(?:.*\n)*?) *```$",
    re.MULTILINE,
)
"""A diagram in a rule book: a view as text, with the options it needs, and a caption below it."""


def rules(game: GameName) -> None:
    """Print the rules of a game, clause by clause; piped, as plain Markdown.

    What the original game leaves open and this house has decided is marked as a *ruling*.
    """
    text = drawn_rule_book(game).rstrip() + "\n" + options_chapter(game_type(game))
    console = Console(highlight=False)
    if console.is_terminal:
        console.width = min(console.width, WIDEST)
        console.print(Markdown(text))
    else:
        typer.echo(text, nl=False)


def drawn_rule_book(slug: str) -> str:
    """Return the rules of a game with their diagrams drawn as the terminal draws boards."""

    def drawn(diagram: re.Match[str]) -> str:
        game = chosen_game(slug, diagram["options"].split())
        board = game.board(game.parse_view(diagram["view"])).rstrip()
        caption = " ".join(diagram["caption"].split())
        return textwrap.indent(f"```\n{board}\n```\n\n*{caption}*", diagram["indent"])

    return DIAGRAM.sub(drawn, rule_book(slug))


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

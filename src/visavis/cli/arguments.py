"""What several commands take: a game by name, and its options."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from visavis.rules import game, games
from visavis.rules.protocol import AnyGame
from visavis.session import Record
from visavis.session.errors import SessionError

FILE_LIMIT: Final = 1_000_000
"""Files that an option or a record is read from are not larger than this, in bytes."""


def game_help() -> str:
    """Return what can be named as a game."""
    return "One of: " + ", ".join(games()) + "."


GameName = Annotated[str, typer.Argument(metavar="GAME", help=game_help())]
OptionTexts = Annotated[
    list[str],
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game (again for more); VALUE may be @FILE.",
        show_default=False,
    ),
]


def chosen_game(slug: str, option_texts: list[str]) -> AnyGame:
    """Return the game with the options given as ``name=value`` texts, or raise what is wrong."""
    return game(slug, chosen_options(option_texts))


def chosen_options(option_texts: list[str]) -> dict[str, str]:
    """Return the options given as ``name=value`` texts, or raise what is wrong."""
    chosen: dict[str, str] = {}
    for text in option_texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
        if name in chosen:
            raise typer.BadParameter(f"{name!r} is given twice", param_hint="--option")
        chosen[name] = read_text(Path(value[1:])) if value.startswith("@") else value
    return chosen


def read_record(path: Path) -> Record:
    """Return the record in a file that a person named, or raise what is wrong with it."""
    with naming(path):
        return Record.parse(read_text(path))


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in what is wrong with the record in it."""
    try:
        yield
    except SessionError as error:
        raise typer.BadParameter(f"{path}: {error}", param_hint="FILE") from None


def read_text(path: Path) -> str:
    """Return the text of a file that a person named, or raise what is wrong with it."""
    try:
        with path.open("rb") as file:
            data = file.read(FILE_LIMIT + 1)
        if len(data) > FILE_LIMIT:
            raise typer.BadParameter(f"{path}: larger than {FILE_LIMIT} bytes", param_hint="FILE")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{path}: not UTF-8 text", param_hint="FILE") from None
    except FileNotFoundError:
        raise typer.BadParameter(f"there is no file {path}", param_hint="FILE") from None
    except IsADirectoryError:
        raise typer.BadParameter(f"{path} is a folder", param_hint="FILE") from None
    except PermissionError:
        raise typer.BadParameter(f"{path} may not be read", param_hint="FILE") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise typer.BadParameter(f"{path}: {why}", param_hint="FILE") from None

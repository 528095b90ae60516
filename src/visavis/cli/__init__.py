"""The command line. It knows no game: everything is asked of the rules and of the session."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import typer

from visavis.cli.analyse import analyse
from visavis.cli.engine import engine
from visavis.cli.games import games
from visavis.cli.lab import lab
from visavis.cli.match import match
from visavis.cli.perft import perft
from visavis.cli.play import play
from visavis.cli.puzzle import puzzle
from visavis.cli.replay import replay
from visavis.cli.rules import rules
from visavis.cli.serve import export, import_, serve
from visavis.cli.solve import probe, solve
from visavis.cli.usage import usage_words
from visavis.rules.errors import VisavisError

INTERRUPTED: Final = 130
SHOW_CURSOR: Final = "\x1b[?25h"

app = typer.Typer(
    name="visavis",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (games, rules, play, replay, analyse, match, engine, perft, solve, probe, puzzle):
    app.command()(command)
app.command()(serve)
app.command()(export)
app.command("import")(import_)
app.add_typer(lab, name="lab")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"visavis {version('visavis')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def visavis(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Two players, one board: play strategy games in the terminal.

    `visavis games` lists them, `visavis play GAME` plays one.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 1 (failed), 2 (bad input), 130 (Ctrl-C)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 (kept for good)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without kana shows ? instead of dying
    code = _run(arguments)
    # A bar of progress may have been about to hide the cursor, and still hold ``sys.stderr``.
    if code == INTERRUPTED and sys.__stderr__ is not None and sys.__stderr__.isatty():
        sys.__stderr__.write(SHOW_CURSOR)
        sys.__stderr__.flush()
    return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = app(args=arguments, prog_name="visavis", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _refuse(usage_words(error), error.exit_code)
    except VisavisError as error:
        return _refuse(str(error), 2)
    except typer.Abort:
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # a full disk, a folder that may not be written to
        return _refuse(": ".join(filter(None, (error.filename, error.strerror))), 1)
    return code if isinstance(code, int) else 0


def _refuse(message: str, code: int) -> int:
    if message:
        typer.echo("visavis: " + " ".join(message.split()), err=True)
    return code

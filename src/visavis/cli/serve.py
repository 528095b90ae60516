"""``visavis serve``, ``visavis export`` and ``visavis import``."""

from __future__ import annotations

import asyncio
import enum
import inspect
import os
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from visavis.server.options import BadSetting, Option, option_of, read_engines, read_host
from visavis.server.settings import Settings, with_bursts


class LogLevel(enum.StrEnum):
    """The least severe events that are logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def _options() -> Iterator[tuple[str, str, Option]]:
    """Yield of each setting that has an option: its field, its parameter, its option."""
    for setting in fields(Settings):
        if (option := option_of(setting)) is not None:
            yield setting.name, (option.name or setting.name).replace("-", "_"), option


def _parameter(name: str, option: Option) -> inspect.Parameter:
    names = [name, option.formerly] if option.formerly else [name]
    declared = typer.Option(
        *("--" + each.replace("_", "-") for each in names),
        min=option.low,
        max=option.high,
        metavar=option.metavar,
        envvar=[f"VISAVIS_{each.upper()}" for each in names if option.from_environment],
        help=option.help,
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=option.default,
        annotation=Annotated[option.type, declared],
    )


def _with_options(*only: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command options of the settings, all or only some, in place of its ``**given``."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters.values()
        named = [each for each in own if each.kind is not inspect.Parameter.VAR_KEYWORD]
        options = [
            _parameter(name, option) for _, name, option in _options() if name in only or not only
        ]
        vars(command)["__signature__"] = inspect.Signature(
            [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in named] + options
        )
        return command

    return decorate


@_with_options()
def serve(
    host: Annotated[
        str, typer.Option(envvar="VISAVIS_HOST", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, envvar="VISAVIS_PORT", help="The port; 0 takes a free one."),
    ] = 8000,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            envvar="VISAVIS_BEHIND_PROXY",
            help="The same as --proxies 1.",
        ),
    ] = False,
    log_level: Annotated[
        LogLevel, typer.Option(envvar="VISAVIS_LOG_LEVEL", help="How much is logged.")
    ] = LogLevel.INFO,
    open_page: Annotated[
        bool,
        typer.Option("--open", help="Print the page's address and open it in the browser."),
    ] = False,
    **given: object,
) -> None:
    """Serve games to browsers and bots: one process on SQLite, or several on PostgreSQL.

    Every setting can come from the environment variable named beside it. The server stops on
    SIGTERM or Ctrl-C without losing a move; after a crash it goes on with every match.
    """
    from visavis.server.run import run

    settings = _settings(given)
    settings = replace(
        settings,
        hosts=(*_listened_on(host), *settings.hosts),
        proxies=max(settings.proxies, int(behind_proxy)),
        engines=settings.engines or _engines_of_environment(),
    )
    run(settings, host=host, port=port, log_level=log_level, opens=open_page)


def _settings(given: dict[str, object]) -> Settings:
    """Make settings of what was typed."""
    values: dict[str, Any] = {
        field: given[name] if option.read is None else option.read(given[name])
        for field, name, option in _options()
    }
    return with_bursts(Settings(**values))


def _engines_of_environment() -> tuple[tuple[str, str], ...]:
    """Read the engines that the environment names, one a line."""
    return read_engines(os.environ.get("VISAVIS_ENGINE", "").splitlines())


def _listened_on(host: str) -> tuple[str, ...]:
    """Return the name that was given to listen on; the socket refuses it if it is not one."""
    try:
        return (read_host(host),)
    except BadSetting:
        return ()


@_with_options("database")
def export(
    folder: Annotated[Path, typer.Argument(help="Where the records go, a file each.")],
    **given: str,
) -> None:
    """Write every finished match as a record. A server on SQLite must not run meanwhile."""
    from visavis.server.transfer import export_records

    count = asyncio.run(export_records(given["database"], folder))
    typer.echo(f"{count} records written to {folder}")


@_with_options("database")
def import_(
    files: Annotated[list[Path], typer.Argument(help="Records.", exists=True, dir_okay=False)],
    **given: str,
) -> None:
    """Read records of finished matches, verify them and keep them as public matches."""
    from visavis.server.transfer import import_records

    kept, known = asyncio.run(import_records(given["database"], files))
    typer.echo(f"{kept} records kept, {known} known already")

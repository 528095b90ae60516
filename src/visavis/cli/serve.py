"""``visavis serve``, ``visavis export`` and ``visavis import``."""

from __future__ import annotations

import asyncio
import enum
import os
import re
from pathlib import Path
from typing import Annotated

import typer

from visavis.rules.errors import VisavisError

_ENGINE = re.compile(r"([a-z][a-z0-9-]{0,29})=(.+)")
_TAKEN = ("perfect", "simple")
_ORIGIN = re.compile(r"https?://[^/\s]+")
_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SPAN = re.compile(r"([0-9]{1,9})(ms|s|m|h|d)")

DEFAULT_DATABASE = "visavis.db"
Database = Annotated[
    str,
    typer.Option(
        envvar="VISAVIS_DATABASE",
        help="A file for SQLite, or postgresql://… to run as several processes.",
    ),
]
Origins = Annotated[
    list[str],
    typer.Option(
        "--origin",
        envvar="VISAVIS_ORIGIN",
        help="Another site whose pages may connect, as https://host; repeat for more (in the "
        "environment: with blanks between them). None is needed for the server's own page.",
    ),
]
Engines = Annotated[
    list[str],
    typer.Option(
        "--engine",
        metavar="NAME='COMMAND'",
        help="A program that speaks the engine protocol and may take a seat; repeat for more. In "
        "the environment, VISAVIS_ENGINE has NAME=COMMAND a line.",
    ),
]


class LogLevel(enum.StrEnum):
    """From what importance on events are logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class BadSetting(VisavisError):
    """A setting that makes no sense."""


def span(text: str) -> int:
    """Read a span of time, in milliseconds.

    >>> span("15m")
    900000
    """
    found = _SPAN.fullmatch(text)
    if found is None:
        raise BadSetting(f"{text!r} is no time; write 250ms, 5s, 15m, 24h or 3d")
    return int(found[1]) * _UNITS[found[2]]


def serve(
    host: Annotated[
        str, typer.Option(envvar="VISAVIS_HOST", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, envvar="VISAVIS_PORT", help="The port; 0 takes a free one."),
    ] = 8000,
    database: Database = DEFAULT_DATABASE,
    commit_window: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_COMMIT_WINDOW",
            help="How long a move waits for others to share its transaction.",
        ),
    ] = "2ms",
    origin: Origins = [],  # noqa: B006 (typer reads the default, nobody changes it)
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            envvar="VISAVIS_BEHIND_PROXY",
            help="Tell clients apart by the last address in X-Forwarded-For. Only behind a proxy "
            "that sets it.",
        ),
    ] = False,
    engine: Engines = [],  # noqa: B006
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            max=256,
            envvar="VISAVIS_WORKERS",
            help="Processes in which computers think; one core less than there are.",
        ),
    ] = max(1, (os.cpu_count() or 2) - 1),
    think: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_THINK",
            help="The longest a computer thinks about a move; less when many play, and less when "
            "its clock is low.",
        ),
    ] = "2s",
    analyses: Annotated[
        int,
        typer.Option(
            min=0, envvar="VISAVIS_ANALYSES", help="Questions to the engine that may wait."
        ),
    ] = 20,
    credit: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_CREDIT",
            help="The most time a move is credited for a slow line: half the round trip measured, "
            "up to this (at most 1s).",
        ),
    ] = "250ms",
    start_within: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_START_WITHIN",
            help="Live matches in which not both have moved by then are broken off.",
        ),
    ] = "15m",
    open_for: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_OPEN_FOR", help="Challenges that nobody takes are closed after this."
        ),
    ] = "24h",
    message_bytes: Annotated[
        int,
        typer.Option(
            min=1_024,
            max=1_048_576,
            envvar="VISAVIS_MESSAGE_BYTES",
            help="The longest message or body that is read.",
        ),
    ] = 16_384,
    requests: Annotated[
        float,
        typer.Option(
            min=0,
            max=1_000_000,
            envvar="VISAVIS_REQUESTS",
            help="HTTP requests a second for each client, five times as many at once; 0: no limit.",
        ),
    ] = 10.0,
    messages: Annotated[
        float,
        typer.Option(
            min=0,
            max=1_000_000,
            envvar="VISAVIS_MESSAGES",
            help="Messages a second on each WebSocket, three times as many at once; 0: no limit.",
        ),
    ] = 20.0,
    new_matches: Annotated[
        float,
        typer.Option(
            min=0,
            max=1_000_000,
            envvar="VISAVIS_NEW_MATCHES",
            help="New matches a minute for each client; 0: no limit.",
        ),
    ] = 30.0,
    sockets: Annotated[
        int,
        typer.Option(
            min=1, envvar="VISAVIS_SOCKETS", help="Connections that are held at the same time."
        ),
    ] = 10_000,
    sockets_per_client: Annotated[
        int,
        typer.Option(
            min=1, envvar="VISAVIS_SOCKETS_PER_CLIENT", help="As many of them for each client."
        ),
    ] = 200,
    queue_bytes: Annotated[
        int,
        typer.Option(
            min=16_384,
            envvar="VISAVIS_QUEUE_BYTES",
            help="A connection that lets more than this wait is dropped as too slow.",
        ),
    ] = 262_144,
    watchers: Annotated[
        int,
        typer.Option(min=1, envvar="VISAVIS_WATCHERS", help="Spectators of one match."),
    ] = 1_000,
    idle: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_IDLE", help="A WebSocket that follows nothing is closed after this."
        ),
    ] = "60s",
    tables: Annotated[
        int,
        typer.Option(
            min=1,
            envvar="VISAVIS_TABLES",
            help="Matches kept in memory; others are read from the log when needed.",
        ),
    ] = 20_000,
    log_level: Annotated[
        LogLevel, typer.Option(envvar="VISAVIS_LOG_LEVEL", help="How much is logged.")
    ] = LogLevel.INFO,
    open_page: Annotated[
        bool,
        typer.Option("--open", help="Print the page's address and open it in the browser."),
    ] = False,
) -> None:
    """Serve games to browsers and bots: one process on SQLite, or several on PostgreSQL.

    Every setting can come from the environment variable named beside it. The server stops on
    SIGTERM or Ctrl-C without losing a move; after a crash it goes on with every match.
    """
    from visavis.server.run import run
    from visavis.server.settings import Settings

    settings = Settings(
        database=database,
        commit_window=span(commit_window) / 1_000,
        origins=tuple(map(_origin, origin)),
        behind_proxy=behind_proxy,
        engines=_engines(engine or os.environ.get("VISAVIS_ENGINE", "").splitlines()),
        workers=workers,
        think_ms=span(think),
        analyses=analyses,
        most_credit_ms=min(1_000, span(credit)),
        start_within_ms=span(start_within),
        open_for_ms=span(open_for),
        message_bytes=message_bytes,
        requests_per_second=requests,
        request_burst=max(1, round(requests * 5)),
        messages_per_second=messages,
        message_burst=max(1, round(messages * 3)),
        new_matches_per_minute=new_matches,
        sockets=sockets,
        sockets_per_client=sockets_per_client,
        queue_bytes=queue_bytes,
        watchers_per_match=watchers,
        idle_seconds=span(idle) / 1_000,
        tables=tables,
    )
    run(settings, host=host, port=port, log_level=log_level, opens=open_page)


def _engines(texts: list[str]) -> tuple[tuple[str, str], ...]:
    engines: dict[str, str] = {}
    for text in filter(None, map(str.strip, texts)):
        found = _ENGINE.fullmatch(text)
        if found is None:
            raise BadSetting(f"{text!r} is no engine; write NAME='command'")
        if found[1] in engines or found[1] in _TAKEN:
            raise BadSetting(f"{found[1]!r} is taken; give the engine another name")
        engines[found[1]] = found[2]
    return tuple(engines.items())


def _origin(text: str) -> str:
    if _ORIGIN.fullmatch(text) is None:
        raise BadSetting(f"{text!r} is no site; write https://host or https://host:port")
    return text


def export(
    folder: Annotated[Path, typer.Argument(help="Where the records go, a file each.")],
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Write every finished match as a record. A server on SQLite must not run meanwhile."""
    from visavis.server.transfer import export_records

    count = asyncio.run(export_records(database, folder))
    typer.echo(f"{count} records written to {folder}")


def import_(
    files: Annotated[list[Path], typer.Argument(help="Records.", exists=True, dir_okay=False)],
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Read records of finished matches, verify them and keep them as public matches."""
    from visavis.server.transfer import import_records

    kept, known = asyncio.run(import_records(database, files))
    typer.echo(f"{kept} records kept, {known} known already")

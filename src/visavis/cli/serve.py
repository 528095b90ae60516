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
AllowedHosts = Annotated[
    list[str],
    typer.Option(
        "--allowed-host",
        metavar="NAME",
        envvar="VISAVIS_ALLOWED_HOST",
        help="Another name by which the server is asked for, as in https://NAME/; repeat for more "
        "(in the environment: with blanks between them). Local names, --host and the addresses it "
        "listens on need none. Requests for other names are refused; '*' allows all.",
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
    allowed_host: AllowedHosts = [],  # noqa: B006
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            envvar="VISAVIS_BEHIND_PROXY",
            help="The same as --proxies 1.",
        ),
    ] = False,
    proxies: Annotated[
        int,
        typer.Option(
            min=0,
            max=10,
            envvar="VISAVIS_PROXIES",
            help="How many proxies stand before the server, each adding the address of its client "
            "to X-Forwarded-For. Clients are told apart by the address that is as many from the "
            "right; what is further left is not trusted.",
        ),
    ] = 0,
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
            min=1, envvar="VISAVIS_ANALYSES", help="Questions to the engine that may wait."
        ),
    ] = 200,
    analyses_per_client: Annotated[
        int,
        typer.Option(
            min=1,
            envvar="VISAVIS_ANALYSES_PER_CLIENT",
            help="As many of them for each client. Clients are answered in turn.",
        ),
    ] = 50,
    credit: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_CREDIT",
            help="The most time a move is credited for a slow line: half the round trip measured, "
            "up to this (at most 1s), out of a quota of a second to which each move adds 50ms.",
        ),
    ] = "250ms",
    start_within: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_START_WITHIN",
            help="Live matches in which not both have moved by then are broken off; where the "
            "clock waits until both are ready, those in which not both are.",
        ),
    ] = "15m",
    claim_after: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_CLAIM_AFTER",
            help="Who has left a live match for so long can be claimed against by the opponent; "
            "0s: never.",
        ),
    ] = "3m",
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
            help="HTTP requests a second for each client, openings of WebSockets among them, five "
            "times as many at once; ten times as many for the page's files; 0: no limit.",
        ),
    ] = 40.0,
    messages: Annotated[
        float,
        typer.Option(
            min=0,
            max=1_000_000,
            envvar="VISAVIS_MESSAGES",
            help="Messages a second on each WebSocket, three times as many at once, and ten times "
            "as many on all of a client's; 0: no limit.",
        ),
    ] = 20.0,
    work: Annotated[
        float,
        typer.Option(
            min=0,
            max=1_000,
            envvar="VISAVIS_WORK",
            help="Seconds of a processor that are spent in a second on what one client asks for, "
            "twenty times as many at once; 0: no limit.",
        ),
    ] = 0.5,
    history_bytes: Annotated[
        int,
        typer.Option(
            min=0,
            envvar="VISAVIS_HISTORY_BYTES",
            help="How much is kept of what was read from logs and of replays, each, for those who "
            "ask for it again.",
        ),
    ] = 33_554_432,
    new_matches: Annotated[
        float,
        typer.Option(
            min=0,
            max=1_000_000,
            envvar="VISAVIS_NEW_MATCHES",
            help="New matches a minute for each client; 0: no limit.",
        ),
    ] = 60.0,
    open_per_client: Annotated[
        int,
        typer.Option(
            min=1,
            envvar="VISAVIS_OPEN_PER_CLIENT",
            help="Challenges and invitations of each client that wait at the same time.",
        ),
    ] = 40,
    with_bots_per_client: Annotated[
        int,
        typer.Option(
            min=0,
            envvar="VISAVIS_WITH_BOTS_PER_CLIENT",
            help="Matches with bots that each client has running at the same time.",
        ),
    ] = 100,
    automatic_per_client: Annotated[
        int,
        typer.Option(
            min=0,
            envvar="VISAVIS_AUTOMATIC_PER_CLIENT",
            help="Matches between computers that each client has running at the same time.",
        ),
    ] = 10,
    connections: Annotated[
        int,
        typer.Option(
            min=1,
            envvar="VISAVIS_CONNECTIONS",
            help="TCP connections at the same time; fewer if the system allows too few "
            "descriptors (ulimit -n).",
        ),
    ] = 20_000,
    connections_per_client: Annotated[
        int,
        typer.Option(
            min=1,
            envvar="VISAVIS_CONNECTIONS_PER_CLIENT",
            help="As many of them for each address; no limit behind proxies.",
        ),
    ] = 400,
    sockets: Annotated[
        int,
        typer.Option(
            min=1, envvar="VISAVIS_SOCKETS", help="WebSockets and streams at the same time."
        ),
    ] = 10_000,
    sockets_per_client: Annotated[
        int,
        typer.Option(
            min=1, envvar="VISAVIS_SOCKETS_PER_CLIENT", help="As many of them for each client."
        ),
    ] = 200,
    stall: Annotated[
        str,
        typer.Option(
            envvar="VISAVIS_STALL",
            help="A connection that takes nothing of what is sent to it is closed after this.",
        ),
    ] = "30s",
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
        hosts=(*_listened_on(host), *map(_host, allowed_host)),
        proxies=max(proxies, int(behind_proxy)),
        engines=_engines(engine or os.environ.get("VISAVIS_ENGINE", "").splitlines()),
        workers=workers,
        think_ms=span(think),
        analyses=analyses,
        analyses_per_client=analyses_per_client,
        most_credit_ms=min(1_000, span(credit)),
        start_within_ms=span(start_within),
        claim_after_ms=span(claim_after),
        open_for_ms=span(open_for),
        message_bytes=message_bytes,
        requests_per_second=requests,
        request_burst=max(1, round(requests * 10)),
        messages_per_second=messages,
        message_burst=max(1, round(messages * 3)),
        client_messages_per_second=messages * 10,
        client_message_burst=max(1, round(messages * 100)),
        work_per_second=work,
        work_burst=work * 20,
        history_bytes=history_bytes,
        new_matches_per_minute=new_matches,
        open_per_client=open_per_client,
        automatic_per_client=automatic_per_client,
        with_bots_per_client=with_bots_per_client,
        connections=connections,
        connections_per_client=connections_per_client,
        stall_seconds=span(stall) / 1_000,
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


def _host(text: str) -> str:
    from visavis.server.sites import ANY, host_of

    bare = text.strip("[]")
    host = text if text == ANY else host_of(f"[{bare}]" if ":" in bare else text)
    if host is None:
        raise BadSetting(f"{text!r} is no host; write a name or an address, without a port")
    return host


def _listened_on(host: str) -> tuple[str, ...]:
    """Return the name that was given to listen on; what is none is for the socket to refuse."""
    try:
        return (_host(host),)
    except BadSetting:
        return ()


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

"""What can be set: each setting once, with its default and its option of ``visavis serve``.

`visavis.cli.serve` makes the command line from these fields, in their order. Fields without an
option are not set from outside.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Final

from visavis.server.options import (
    duration,
    number,
    read_engines,
    read_hosts,
    read_origins,
    seconds,
    several,
    span,
    text,
)

MOST_CREDIT_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a server, with their defaults."""

    database: str = text(
        "visavis.db", "A file for SQLite, or postgresql://… to run as several processes."
    )
    commit_window: float = duration(
        "2ms", "How long a move waits for others to share its transaction.", read=seconds
    )
    origins: tuple[str, ...] = several(
        read_origins,
        "Another site whose pages may connect, as https://host; repeat for more (in the "
        "environment: separated by blanks). Not needed for the server's own page.",
        name="origin",
    )
    hosts: tuple[str, ...] = several(
        read_hosts,
        "Another name by which the server is asked for, as in https://NAME/; repeat for more "
        "(in the environment: separated by blanks). Local names, --host and the addresses it "
        "listens on need none. Requests for other names are refused; '*' allows all.",
        name="allowed-host",
        metavar="NAME",
    )
    proxies: int = number(
        0,
        "How many proxies are in front of the server, each adding the address of its client "
        "to X-Forwarded-For. The address that many from the right identifies the client; "
        "anything further left is not trusted.",
        low=0,
        high=10,
    )

    # Computers
    engines: tuple[tuple[str, str], ...] = several(
        read_engines,
        "A program that speaks the engine protocol and may take a seat; repeat for more. In "
        "the environment, VISAVIS_ENGINE has NAME=COMMAND a line.",
        name="engine",
        metavar="NAME='COMMAND'",
        from_environment=False,
    )
    workers: int = number(
        max(1, (os.cpu_count() or 2) - 1),
        "Processes in which computers think; by default one fewer than there are cores.",
        low=1,
        high=256,
    )
    think_ms: int = duration(
        "2s",
        "The longest a computer thinks about a move; less when many play, and less when "
        "its clock is low.",
        name="think",
    )
    analyses: int = number(200, "Questions to the engine that may wait.", low=1)
    analyses_per_client: int = number(
        50, "The same, for each client. Clients are answered in turn.", low=1
    )

    # Time
    most_credit_ms: int = duration(
        "250ms",
        "The most time a move is credited for a slow line: half the round trip measured, "
        "up to this (at most 1s), out of a quota of a second to which each move adds 50ms.",
        name="credit",
        read=lambda text: min(MOST_CREDIT_MS, span(text)),
    )
    start_within_ms: int = duration(
        "15m",
        "Live matches are aborted unless both players have moved by then or, where the "
        "clock waits for both, both are ready.",
        name="start-within",
    )
    claim_after_ms: int = duration(
        "3m",
        "A player who has been away from a live match for this long can be claimed against; "
        "0s: never.",
        name="claim-after",
    )
    open_for_ms: int = duration(
        "24h", "Challenges that nobody takes are closed after this.", name="open-for"
    )
    heartbeat_seconds: float = 1.0

    # Limits
    message_bytes: int = number(
        16_384, "The longest message or body that is read.", low=1_024, high=1_048_576
    )
    requests_per_second: float = number(
        40.0,
        "HTTP requests a second for each client, openings of WebSockets among them, five "
        "times as many at once; ten times as many for the page's files; 0: no limit.",
        name="requests",
        low=0,
        high=1_000_000,
    )
    request_burst: int = 400
    messages_per_second: float = number(
        20.0,
        "Messages a second on each WebSocket, three times as many at once, and ten times "
        "as many on all of a client's; 0: no limit.",
        name="messages",
        low=0,
        high=1_000_000,
    )
    message_burst: int = 60
    client_messages_per_second: float = 200.0
    """On all WebSockets of a client."""
    client_message_burst: int = 2_000
    work_per_second: float = number(
        0.5,
        "Seconds of processor time per second spent on the requests of one client, twenty "
        "times as many at once; 0: no limit.",
        name="work",
        low=0,
        high=1_000,
    )
    work_burst: float = 10.0
    history_bytes: int = number(
        33_554_432,
        "The size of the cache of past updates, and of the cache of replays.",
        low=0,
    )
    new_matches_per_minute: float = number(
        60.0,
        "New matches a minute for each client; 0: no limit.",
        name="new-matches",
        low=0,
        high=1_000_000,
    )
    open_per_client: int = number(
        40, "Challenges and invitations of each client that wait at the same time.", low=1
    )
    with_bots_per_client: int = number(
        100, "Matches with bots that each client has running at the same time.", low=0
    )
    automatic_per_client: int = number(
        10, "Matches between computers that each client has running at the same time.", low=0
    )
    connections: int = number(
        20_000,
        "TCP connections at the same time; fewer if the system allows too few "
        "descriptors (ulimit -n).",
        low=1,
    )
    connections_per_client: int = number(
        400, "The same, for each address; no limit behind proxies.", low=1
    )
    sockets: int = number(10_000, "WebSockets and streams at the same time.", low=1)
    sockets_per_client: int = number(200, "The same, for each client.", low=1)
    stall_seconds: float = duration(
        "30s",
        "A connection that reads nothing of what is sent to it is closed after this.",
        name="stall",
        read=seconds,
    )
    queue_bytes: int = number(
        262_144,
        "A connection with more than this waiting to be sent is dropped as too slow.",
        low=16_384,
    )
    watched_per_socket: int = 50
    watchers_per_match: int = number(1_000, "Spectators of one match.", name="watchers", low=1)
    idle_seconds: float = duration(
        "60s", "A WebSocket that follows nothing is closed after this.", name="idle", read=seconds
    )
    matches_in_memory: int = number(
        20_000,
        "Matches kept in memory; others are read from the log when needed.",
        formerly="tables",
        low=1,
    )


def with_bursts(settings: Settings) -> Settings:
    """Return the settings with bursts that go with their rates."""
    requests, messages = settings.requests_per_second, settings.messages_per_second
    return replace(
        settings,
        request_burst=max(1, round(requests * 10)),
        message_burst=max(1, round(messages * 3)),
        client_messages_per_second=messages * 10,
        client_message_burst=max(1, round(messages * 100)),
        work_burst=settings.work_per_second * 20,
    )

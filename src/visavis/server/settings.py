"""What can be set. ``visavis serve --help`` explains each; `visavis.cli.serve` reads them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a server, with their defaults."""

    database: str = "visavis.db"
    commit_window: float = 0.002
    """Seconds for which an append waits for others to share its transaction."""
    origins: tuple[str, ...] = ()
    """Pages elsewhere that may talk to the server, as ``https://host``."""
    hosts: tuple[str, ...] = ()
    """Names the server goes by, beside local ones and the addresses it listens on; ``*``: any."""
    proxies: int = 0
    """So many proxies stand before the server, each adding its client to X-Forwarded-For."""

    # Limits
    message_bytes: int = 16_384
    requests_per_second: float = 40.0
    request_burst: int = 400
    messages_per_second: float = 20.0
    """On one WebSocket."""
    message_burst: int = 60
    client_messages_per_second: float = 200.0
    """On all WebSockets of a client."""
    client_message_burst: int = 2_000
    work_per_second: float = 0.5
    """Seconds of a processor that a client may have worked for it."""
    work_burst: float = 10.0
    history_bytes: int = 33_554_432
    """So much of what was read from logs is kept, for those who ask for it again."""
    queue_bytes: int = 262_144
    """A socket that has more than this waiting is dropped."""
    stall_seconds: float = 30.0
    """A connection that takes nothing of what is sent to it for so long is closed."""
    connections: int = 20_000
    """TCP connections; fewer if the system does not allow the descriptors for them."""
    connections_per_client: int = 400
    sockets: int = 10_000
    """WebSockets and streams."""
    sockets_per_client: int = 200
    watched_per_socket: int = 50
    watchers_per_match: int = 1_000
    idle_seconds: float = 60.0
    """A socket that has not answered for so long is closed."""
    tables: int = 20_000
    """So many matches are held in memory when nobody watches them."""
    new_matches_per_minute: float = 60.0
    open_per_client: int = 40
    """Challenges and invitations that wait, of one client and made at one process."""
    automatic_per_client: int = 10
    """Matches between computers that run, likewise."""
    with_bots_per_client: int = 100
    """Matches with bots that run, likewise."""

    # Time
    most_credit_ms: int = 250
    """The most that a slow line is credited for one move."""
    start_within_ms: int = 15 * 60_000
    """Live matches that have not got under way by then are broken off."""
    open_for_ms: int = 24 * 3_600_000
    """Challenges that nobody has taken by then are closed."""
    claim_after_ms: int = 3 * 60_000
    """Who has left a live match for so long can be claimed against; 0: never."""
    heartbeat_seconds: float = 1.0

    # Computers
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    think_ms: int = 2_000
    """The longest that a computer thinks about a move."""
    engines: tuple[tuple[str, str], ...] = ()
    """Outside engines that can take a seat: name and command."""
    analyses: int = 200
    """So many questions to the engine may wait."""
    analyses_per_client: int = 50

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
    """Pages elsewhere that may open WebSockets, as ``https://host``."""
    behind_proxy: bool = False
    """Whether the last address in X-Forwarded-For is the client's."""

    # Limits
    message_bytes: int = 16_384
    requests_per_second: float = 10.0
    request_burst: int = 50
    messages_per_second: float = 20.0
    message_burst: int = 60
    queue_bytes: int = 262_144
    """A socket that has more than this waiting is dropped."""
    sockets: int = 10_000
    sockets_per_client: int = 200
    watched_per_socket: int = 50
    watchers_per_match: int = 1_000
    idle_seconds: float = 60.0
    """A socket that has not answered for so long is closed."""
    tables: int = 20_000
    """So many matches are held in memory when nobody watches them."""
    new_matches_per_minute: float = 30.0

    # Time
    most_credit_ms: int = 250
    """The most that a slow line is credited for one move."""
    start_within_ms: int = 15 * 60_000
    """Live matches that have not got under way by then are broken off."""
    open_for_ms: int = 24 * 3_600_000
    """Challenges that nobody has taken by then are closed."""
    heartbeat_seconds: float = 1.0

    # Computers
    workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    think_ms: int = 2_000
    """The longest that a computer thinks about a move."""
    engines: tuple[tuple[str, str], ...] = ()
    """Outside engines that can take a seat: name and command."""
    analyses: int = 20
    """So many questions to the engine may wait."""

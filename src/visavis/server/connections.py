"""TCP connections: how many there may be, of one address and in all."""

from __future__ import annotations

import contextlib
import logging
import resource
from collections import Counter
from typing import Final, Literal

from visavis.server.metrics import Metrics
from visavis.server.settings import Settings

logger = logging.getLogger(__name__)
refusals = logging.getLogger("visavis.refusals")

RESERVED: Final = 128
"""Descriptors reserved for the database, the workers and the log."""
EACH: Final = 2
"""Descriptors per connection: its own, and a file of the page being sent over it."""


def raise_descriptor_limit() -> None:
    """Allow this process as many descriptors as the system lets it have."""
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # then it stays as it is
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    extra = {"before": before, "now": _descriptors()}
    logger.info("descriptors", extra=extra)


def _descriptors() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2**31 if soft == resource.RLIM_INFINITY else soft


class Connections:
    """The connections of a process, limited so that descriptors never run out.

    A quarter of them is never one address's. Behind a proxy all come from there, and only their sum
    counts.
    """

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.most = max(1, min(settings.connections, (_descriptors() - RESERVED) // EACH))
        each = min(settings.connections_per_client, max(1, self.most * 3 // 4))
        self._most_each = self.most if settings.proxies else each
        self._metrics = metrics
        self._by_client: Counter[str] = Counter()
        self._count = 0
        if self.most < settings.connections:
            extra = {"connections": self.most, "wanted": settings.connections}
            logger.info("descriptors allow fewer connections than the settings", extra=extra)

    def may_enter(self, client: str) -> bool:
        """Whether one more of a client is let in."""
        code: Literal["busy", "too_many"]
        if self._count >= self.most:
            code = "busy"
        elif self._by_client[client] >= self._most_each:
            code = "too_many"
        else:
            return True
        self._metrics.connections_refused.labels(code).inc()
        refusals.warning("connections refused", extra={"code": code, "client": client})
        return False

    def enter(self, client: str) -> None:
        """Count one more."""
        self._by_client[client] += 1
        self._change(1)

    def leave(self, client: str) -> None:
        """Count one less."""
        self._by_client[client] -= 1
        if not self._by_client[client]:
            del self._by_client[client]
        self._change(-1)

    def _change(self, by: int) -> None:
        self._count += by
        self._metrics.connections.set(self._count)

"""Structured logs: one JSON object a line, made from named fields, never from messages' bodies."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable
from typing import Final

SPARE_SECONDS: Final = 10.0
"""A warning that clients can provoke is logged at most once in this time."""
SPARED: Final = ("visavis.refusals", "visavis.server.bots", "uvicorn.error")
_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonFormatter(logging.Formatter):
    """Writes a record and its extra fields as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields |= {name: v for name, v in vars(record).items() if name not in _PLAIN}
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str, ensure_ascii=False)


class Sparing(logging.Filter):
    """Lets a warning through once in a while, with how many ``times`` it was given since.

    Whatever anybody can bring about at will must not fill the disk.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[tuple[str, object], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to let a record through."""
        if record.levelno != logging.WARNING:
            return True
        now, key = self._clock(), (record.msg, getattr(record, "code", None))
        at, untold = self._told.get(key, (-SPARE_SECONDS, 0))
        if now - at < SPARE_SECONDS:
            self._told[key] = (at, untold + 1)
            return False
        self._told[key] = (now, 0)
        record.times = untold + 1
        return True


def set_up(level: str) -> None:
    """Send all logs to standard error as JSON.

    Libraries tell nothing below info: their debug logs show what is on the wire, secrets and all.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    wanted = logging.getLevelNamesMapping()[level.upper()]
    logging.basicConfig(level=max(wanted, logging.INFO), handlers=[handler], force=True)
    logging.getLogger("visavis").setLevel(wanted)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    for name in SPARED:
        logging.getLogger(name).filters = [Sparing()]
    # Uvicorn tells of addresses asked for; the middleware does so without query strings.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # Of a database that has gone the store tells, in words of its own that quote nobody's data.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)

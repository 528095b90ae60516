"""Where time comes from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

_STEADY: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Never set by anybody; where there is one that also counts while the machine sleeps, that one."""


def steady_time() -> int:
    """Return the milliseconds by a clock that nobody sets; where it began means nothing."""
    return time.clock_gettime_ns(_STEADY) // 1_000_000


def database_time(connection: sa.Connection) -> int:
    """Return the milliseconds since 1970 by the clock that all processes share."""
    if connection.dialect.name == "postgresql":
        query = sa.text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
        return int(connection.execute(query).scalar_one())
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Clock:
    """A steady clock, and one on the wall, which may be set at any time; tests bring their own."""

    steady: Callable[[], int] = steady_time
    wall: Callable[[sa.Connection], int] = database_time

"""The server's time beside real time, and clocks on the wall that a run can set."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import asyncpg
from websockets.asyncio.client import connect

from tests.server.faults.servers import PATIENCE, Server

HOUR = 3_600_000
SLACK_MS = 10_000
BEHIND_MS = 2_000
"""A process that has just begun may be a heartbeat behind the others, and then catches up."""
LOST_A_FAULT_MS = 2_000
"""What is not known of after a crash, since nobody has said so: less than two heartbeats."""


@dataclass
class Sample:
    """The server's time, which it told between two moments of real time, in milliseconds."""

    pid: int
    sent: float
    now: int
    received: float


class Timekeeper:
    """Asks the servers for their time, and compares it with real time."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.outages = 0.0
        """For how long not all were up, in milliseconds."""
        self.faults = 0

    async def ask(self, server: Server) -> None:
        """Ask one for its time; it never goes back, and never faster than real time."""
        async with asyncio.timeout(PATIENCE), connect(f"ws://{server.address}/api/live") as socket:
            sent = time.monotonic() * 1_000
            await socket.send(json.dumps({"type": "ping", "sent": 0}))
            while (message := json.loads(await socket.recv()))["type"] != "pong":
                pass
        sample = Sample(server.pid, sent, message["now"], time.monotonic() * 1_000)
        for before in reversed(self.samples):
            if before.pid == sample.pid:
                assert before.now <= sample.now, "time has gone back"
                gained = sample.now - before.now - (sample.received - before.sent)
                assert gained <= BEHIND_MS, f"{gained:.0f} ms gained"
                break
        self.samples.append(sample)
        self._compare(self.samples[0], sample)

    def _compare(self, first: Sample, last: Sample) -> None:
        """Nothing is given, and nothing is taken but what the server was away for."""
        ran, real = last.now - first.now, last.received - first.sent
        assert ran <= real + SLACK_MS, f"{ran - real:.0f} ms more than real time"
        least = last.sent - first.received - self.outages
        least -= SLACK_MS + LOST_A_FAULT_MS * self.faults
        assert ran >= least, f"{least - ran:.0f} ms less than real time"


class FileClock:
    """The clock on the wall of servers that were started by this module, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        file.write_text("0")

    @property
    def program(self) -> tuple[str, ...]:
        """What to start in place of ``visavis``."""
        return __name__, str(self._file)

    async def step(self, millis: int) -> None:
        """Set the clock, forward or back."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(str(int(self._file.read_text()) + millis))
        fresh.replace(self._file)  # at once: somebody is always reading it


class DatabaseClock:
    """The clock of a PostgreSQL: another function stands before the one it has."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def put_in(self) -> None:
        """Put the function there; for connections that are made from now on."""
        connection = await asyncpg.connect(self._url)
        try:
            await connection.execute("""
                CREATE SCHEMA fault;
                CREATE TABLE fault.step AS SELECT interval '0' AS step;
                CREATE FUNCTION fault.clock_timestamp() RETURNS timestamptz LANGUAGE sql
                    AS 'SELECT pg_catalog.clock_timestamp() + step FROM fault.step';
                DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, fault,
                    pg_catalog', current_database()); END $$""")
        finally:
            await connection.close()

    async def step(self, millis: int) -> None:
        """Set the clock, forward or back."""
        connection = await asyncpg.connect(self._url)
        try:
            await connection.execute(
                f"UPDATE fault.step SET step = step + {millis} * interval '1 millisecond'"
            )
        finally:
            await connection.close()


def main() -> int:
    """Run ``visavis`` with a clock that is as far off as a file says, in milliseconds."""
    file, real = Path(sys.argv.pop(1)), time.time_ns

    def time_ns() -> int:
        return real() + int(file.read_text()) * 1_000_000

    time.time_ns = time_ns
    time.time = lambda: time_ns() / 1e9
    from visavis.__main__ import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())

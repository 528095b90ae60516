"""Things that go wrong, and are right again afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import asyncpg

from tests.server.faults.players import Crowd
from tests.server.faults.servers import Server
from tests.server.faults.uptime import HOUR, DatabaseClock, FileClock
from tests.server.postgres import Cluster

LITTLE = 32_768
"""Where a file of SQLite may not be written beyond when its disk is full."""
SEGMENT = 1_048_576
"""The size of PostgreSQL's log files, which are always needed whole."""

FILLER = """
    INSERT INTO matches VALUES ('filler', 'over', true, 0, NULL, NULL, NULL, '')
        ON CONFLICT DO NOTHING;
    INSERT INTO log SELECT 'filler', n, 0, convert_to(repeat(md5(n::text), 40), 'utf8')
        FROM generate_series(1, 1500) AS n ON CONFLICT DO NOTHING"""
STUFFING = """
    INSERT INTO log SELECT 'filler', n, 0, '' FROM generate_series(2000, 1000000) AS n"""
"""What does not fit is taken back, but not the room it took."""


@dataclass
class Scene:
    """What can go wrong."""

    servers: list[Server]
    crowd: Crowd
    clock: FileClock | DatabaseClock
    cluster: Cluster | None
    moves: int
    """So many are made while some are away, by those who are left."""
    number: int = 0
    """How many faults there were before."""

    def victims(self, count: int) -> list[Server]:
        """Return whose turn it is."""
        return [self.servers[(self.number + i) % len(self.servers)] for i in range(count)]

    async def go_on_without(self, victims: list[Server]) -> None:
        """Let those who are left serve everybody for a while."""
        if len(victims) < len(self.servers):
            await self.crowd.wait_for(self.moves)


Fault = Callable[[Scene, list[Server]], Awaitable[None]]


async def kill(scene: Scene, victims: list[Server]) -> None:
    """End processes without a word."""
    await _end(scene, victims, signal.SIGKILL)


async def term(scene: Scene, victims: list[Server]) -> None:
    """Ask processes to end."""
    await _end(scene, victims, signal.SIGTERM)


async def _end(scene: Scene, victims: list[Server], how: signal.Signals) -> None:
    await asyncio.gather(*(victim.stop(how) for victim in victims))
    await scene.go_on_without(victims)
    await asyncio.gather(*(victim.start() for victim in victims))


async def stop(scene: Scene, victims: list[Server]) -> None:
    """Have processes hang, for less and for more than the server counts as being up."""
    for victim in victims:
        victim.send(signal.SIGSTOP)
    try:
        await asyncio.sleep((2, 7)[scene.number // len(scene.servers) % 2])
    finally:
        for victim in victims:
            victim.send(signal.SIGCONT)


async def database(scene: Scene, _: list[Server]) -> None:
    """Stop PostgreSQL at once, for less and for more than the server counts as being up."""
    assert scene.cluster is not None, "SQLite never stops"
    await asyncio.to_thread(scene.cluster.stop)
    await asyncio.gather(*(server.until_ready(False) for server in scene.servers))
    await asyncio.sleep((0, 6)[scene.number % 2])
    await asyncio.to_thread(scene.cluster.start)


async def disk(scene: Scene, _: list[Server]) -> None:
    """Let nothing more be written, until the servers have noticed; then there is space again."""
    await _set_limit(scene, full=True)
    await asyncio.gather(*(server.until_ready(False) for server in scene.servers))
    await _set_limit(scene, full=False)


async def _set_limit(scene: Scene, *, full: bool) -> None:
    if scene.cluster is None:
        for server in scene.servers:
            _, most = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            size = LITTLE if full else resource.RLIM_INFINITY
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, most))
    elif full:
        await _fill(scene.cluster)
    else:
        await asyncio.to_thread(scene.cluster.limit, None)


async def _fill(cluster: Cluster) -> None:
    """Let the log of matches not grow, and use up the room that is left in it."""
    connection = await asyncpg.connect(cluster.url)
    try:
        await connection.execute(FILLER)
        size = await connection.fetchval("SELECT pg_relation_size('log')")
        assert size > SEGMENT
        await asyncio.to_thread(cluster.limit, size)
        with contextlib.suppress(asyncpg.PostgresError):
            await connection.execute(STUFFING)
            raise AssertionError("there is room")
    finally:
        await connection.close()


async def clock(scene: Scene, victims: list[Server]) -> None:
    """Set the clock on the wall by an hour: while all are up, while some are not, or nobody is."""
    hour = HOUR if scene.number // 2 % 2 else -HOUR
    if scene.number % 3 == 0:
        await scene.clock.step(hour)
        await scene.crowd.wait_for(scene.moves)
        return
    ended = victims if scene.number % 3 == 1 else scene.servers
    await asyncio.gather(*(victim.stop(signal.SIGKILL) for victim in ended))
    await scene.clock.step(hour)
    await scene.go_on_without(ended)
    await asyncio.gather(*(victim.start() for victim in ended))


FAULTS: dict[str, Fault] = {
    "kill": kill,
    "term": term,
    "stop": stop,
    "database": database,
    "disk": disk,
    "clock": clock,
}

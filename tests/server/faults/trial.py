"""A run: play, let something go wrong, see that all is as it was; at the end verify everything."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.server.faults.injection import FAULTS, Scene
from tests.server.faults.players import Crowd, Player, pair, verify
from tests.server.faults.servers import PATIENCE, Server, free_ports
from tests.server.faults.subscriptions import Subscriptions
from tests.server.faults.uptime import DatabaseClock, FileClock, Timekeeper
from tests.server.postgres import Cluster, started
from visavis.session import Record

HEARD_SECONDS = 2.0
"""A move on one process is heard on the others within this."""


@dataclass(frozen=True)
class Plan:
    """What goes wrong, one after the other, and for how many processes at a time."""

    faults: Sequence[tuple[str, int]]
    on_postgres: bool
    pairs: int = 20
    moves: int = 100
    """Acknowledged between two faults."""
    seed: int = 1
    is_strict: bool = True
    """Whether what is heard late is a failure; on a busy machine it need not be."""


async def run(plan: Plan) -> str:
    """Return what happened, in a line; raises if something was lost, or done twice, or unheard."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="visavis-faults-")))
        cluster = stack.enter_context(started()) if plan.on_postgres else None
        async with _scene(plan, folder, cluster) as scene:
            return await _try(plan, scene)


@contextlib.asynccontextmanager
async def _scene(plan: Plan, folder: Path, cluster: Cluster | None) -> AsyncIterator[Scene]:
    clock: FileClock | DatabaseClock
    if cluster is None:
        clock = FileClock(folder / "clock")
        database, program = str(folder / "visavis.db"), clock.program
    else:
        clock = DatabaseClock(cluster.url)
        await clock.put_in()
        database, program = cluster.url, ("visavis",)
    servers = [Server(database, port, program) for port in free_ports(2 if cluster else 1)]
    crowd = Crowd(servers, random.Random(plan.seed))
    try:
        for server in servers:
            await server.start()
        yield Scene(servers, crowd, clock, cluster, plan.moves // 2)
    finally:
        for server in servers:
            if server.process is not None and server.process.returncode is None:
                server.send(signal.SIGCONT)
                await server.stop(signal.SIGTERM)
    for server in servers:
        assert not server.errors, "".join(server.errors)


async def _try(plan: Plan, scene: Scene) -> str:
    began, crowd = time.monotonic(), scene.crowd
    async with (
        httpx.AsyncClient(timeout=PATIENCE) as http,
        asyncio.TaskGroup() as group,  # if one of them fails, all do
    ):
        subscriptions = Subscriptions(scene.servers, http)
        timekeeper = Timekeeper()
        followers = [group.create_task(work) for work in await subscriptions.begin()]
        pairs = [group.create_task(pair(crowd, "osakana", http)) for _ in range(plan.pairs)]
        for mode, victims in plan.faults:
            await crowd.wait_for(crowd.rng.randint(plan.moves // 2, plan.moves))
            await _let_go_wrong(scene, mode, victims, subscriptions, timekeeper)
            heard = subscriptions.delays.moves
            late = f"a move was heard after {heard:.1f} s"
            assert heard <= HEARD_SECONDS or not plan.is_strict, late
        await crowd.wait_for(plan.moves)
        crowd.is_closing = True
        played = [match for matches in await asyncio.gather(*pairs) for match in matches]
        for first, second in played:
            await _verify(scene, http, first, second)
        for follower in followers:
            follower.cancel()
    back = sum(player.reconnections for match in played for player in match)
    delays = subscriptions.delays
    return (
        f"{len(plan.faults)} faults, {len(played)} matches, {crowd.acknowledged} moves "
        f"acknowledged, {back} reconnections; heard by all within {delays.moves:.2f} s (moves), "
        f"{delays.lobby:.2f} s (lobby), {delays.bots:.2f} s (bots); "
        f"{time.monotonic() - began:.0f} s: nothing lost, nothing twice, no time given or taken"
    )


async def _let_go_wrong(
    scene: Scene, mode: str, victims: int, subscriptions: Subscriptions, timekeeper: Timekeeper
) -> None:
    await subscriptions.prepare()
    for server in scene.servers:
        await timekeeper.ask(server)
    began = time.monotonic()
    await FAULTS[mode](scene, scene.victims(victims))
    for server in scene.servers:
        await server.until_ready()
    timekeeper.outages += (time.monotonic() - began) * 1_000
    timekeeper.faults += 1
    scene.number += 1
    for server in scene.servers:
        await timekeeper.ask(server)
    await subscriptions.check()


async def _verify(scene: Scene, http: httpx.AsyncClient, first: Player, second: Player) -> None:
    url = f"http://{scene.servers[0].address}/api/matches/{first.match}/record"
    verify(first, second, Record.parse((await http.get(url)).text))

"""Clocks: timeouts fire exactly once, and nobody pays for the server's absence."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.server.crashing import Server, free_ports
from tests.server.serving import Client, Json, Served, database_in, notice, quick, serving
from visavis.rules import game
from visavis.rules.protocol import Seat
from visavis.server import computer
from visavis.server.pool import FairPool
from visavis.server.worker import MoveTask
from visavis.session.clock import DAY

pytestmark = pytest.mark.anyio


async def begin(served: Served, clock: str) -> Json:
    """Create a match in which both have made their first move, so that clocks run."""
    made = await served.meet(await served.create("osakana", "me", "invited", clock=clock))
    async with served.client() as first, served.client() as second:
        shown = await first.watch(made["match"], made["secrets"]["first"])
        await second.watch(made["match"], made["secrets"]["second"])
        legal = shown["position"]["asked"]["legal"]
        await first.do(made["match"], "first", type="move", text=legal[0])
        legal = (await second.kind("update"))["asked"]["legal"]
        await second.do(made["match"], "second", type="move", text=legal[0])
    return made


def endings(updates: list[Json]) -> list[Json]:
    return [n for u in updates for n in u["notices"] if n["type"] == "ended"]


async def test_a_timeout_is_told_once(served: Served) -> None:
    made = await begin(served, "1+0")
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"], seen=0)
        ended = await client.until(lambda m: m["type"] == "update" and bool(endings([m])))
        assert notice(ended, "ended")["reason"] == "timeout"
        assert notice(ended, "ended")["winner"] == "second"
        hands = notice(ended, "stands")["clock"]["hands"]
        assert hands[0] == {"left": 0, "since": None}
        late = await client.do(made["match"], "first", type="resign")
        assert late["code"] == "match_over"
    rows = await served.process.store.rows(made["match"])
    assert sum(b'"ticked"' in row.body for row in rows) == 1


async def test_absence_is_charged_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that was away for an hour goes on as if it had not been, and says so."""
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served:
        made = await begin(served, "300+0")
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 3_600 * 10**9)
    async with serving(settings) as served, served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"], seen=0)
        updates = [m for m in client.heard if m["type"] == "update"]
        assert not endings(updates)
        paused = notice(updates[-1], "paused")
        assert 3_599_000 < paused["away"] < 3_700_000
        shown = await client.watch(made["match"])
        hand = shown["position"]["clock"]["hands"][0]
        assert hand["left"] - (shown["now"] - hand["since"]) > 250_000


async def test_a_timeout_that_came_while_nobody_looked(tmp_path: Path) -> None:
    """The match is over soon after the start, though nobody has asked for it."""
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served:
        made = await begin(served, "1+0")
    async with serving(settings) as served, served.client() as client:
        await client.send(type="watch_lobby")
        await client.until(
            lambda m: m["type"] == "lobby" and made["match"] in [o["match"] for o in m["over"]]
        )


async def test_who_does_not_begin_is_not_waited_for(tmp_path: Path) -> None:
    settings = replace(quick(database_in(tmp_path)), start_within_ms=300, open_for_ms=300)
    async with serving(settings) as served, served.client() as client:
        cached = await served.create("osakana", clock="300+0")
        await client.watch(cached["match"])
        assert notice(await client.kind("update"), "ended")["reason"] == "aborted"
        challenge = await served.create("osakana", "me", "open")
        await client.watch(challenge["match"])
        assert notice(await client.kind("update"), "closed")


async def test_days_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Correspondence: the days begin anew with each move, outlast the server, and run out once."""
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served:
        made = await begin(served, "3d/move")
    match, secrets = made["match"], made["secrets"]
    async with serving(settings) as served, served.client() as client:
        shown = await client.watch(match, secrets["first"])
        assert shown["position"]["clock"]["spec"] == "3d/move"
        first, second = shown["position"]["clock"]["hands"]
        assert (first["left"], second) == (3 * DAY, {"left": 3 * DAY, "since": None})
        text = shown["position"]["asked"]["legal"][-1]
        uptime = served.process.uptime
        real = uptime.now
        monkeypatch.setattr(uptime, "now", lambda: real() + 2 * DAY)
        moved = await client.do(match, "first", type="move", text=text)
        first, second = notice(moved, "stands")["clock"]["hands"]
        assert DAY - 60_000 < first["left"] <= DAY
        assert (second["left"], second["since"]) == (3 * DAY, moved["at"])
        monkeypatch.setattr(uptime, "now", lambda: real() + 5 * DAY + 60_000)
        ended = await client.until(lambda m: m["type"] == "update" and bool(endings([m])))
        assert notice(ended, "ended")["reason"] == "timeout"
        assert notice(ended, "ended")["winner"] == "first"
    async with serving(settings) as served:
        await served.process.wakeups.look_after(match)
        rows = await served.process.store.rows(match)
    assert sum(b'"ticked"' in row.body for row in rows) == 1


async def test_a_worker_that_dies_costs_a_retry(served: Served) -> None:
    made = await served.create("osakana", "me", "computer:1")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        served.process.computers.players.stop()
        legal = shown["position"]["asked"]["legal"]
        await client.do(made["match"], "first", type="move", text=legal[0])
        answered = await client.kind("update")
        assert notice(answered, "moved")["seat"] == "second"


async def test_an_engine_that_fails_is_stood_in_for(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), engines=(("broken", "false"),))
    async with serving(settings) as served, served.client() as client:
        made = await served.create("osakana", "me", "computer:broken")
        shown = await client.watch(made["match"], made["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        await client.do(made["match"], "first", type="move", text=legal[0])
        assert notice(await client.kind("update"), "moved")["seat"] == "second"


async def test_an_attached_engine_plays(tmp_path: Path) -> None:
    import sys

    command = f"{sys.executable} -m visavis engine"
    settings = quick(database_in(tmp_path), engines=(("own", command),))
    async with serving(settings) as served, served.client() as client:
        made = await served.create("osakana", "computer:own", "me")
        await client.watch(made["match"], made["secrets"]["second"], seen=0)
        moved = await client.until(
            lambda m: m["type"] == "update" and any(n["type"] == "moved" for n in m["notices"])
        )
        assert notice(moved, "moved")["seat"] == "first"


def test_computers_think_less_in_a_crowd() -> None:
    from visavis.server.metrics import Metrics

    pool = computer.Computers(2, 2_000, (), Metrics(), 1)
    alone = pool.allowed(None)
    pool.players.waiting = 20
    assert (alone, pool.allowed(None)) == (2_000, 200)
    assert pool.allowed(3_000) == 100
    assert pool.allowed(0) == computer.LEAST_MS


async def test_a_crowd_of_computers_is_served_with_less_thought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many ask one worker at once: all move, after less than half of the thought they'd like."""
    crowd, alone = 12, 240
    asked: list[int] = []
    together = asyncio.Barrier(crowd)

    async def ask(self: FairPool, work: object, make: Callable[[], MoveTask]) -> str:
        def noted() -> MoveTask:
            task = make()
            assert task.question.millis is not None
            asked.append(task.question.millis)
            return task

        await together.wait()
        return await patient(self, work, noted)  # type: ignore[arg-type]

    def moved(client: Client) -> set[str]:
        """The matches in which somebody moved."""
        updates = [told for told in client.heard if told["type"] == "update"]
        return {u["match"] for u in updates if any(n["type"] == "moved" for n in u["notices"])}

    patient = FairPool.ask
    monkeypatch.setattr(FairPool, "ask", ask)
    async with serving(quick(database_in(tmp_path), think_ms=alone)) as served:
        matches = [await served.create("osakana", "computer:8", "me") for _ in range(crowd)]
        async with served.client() as client:
            for made in matches:
                await client.watch(made["match"], made["secrets"]["second"], seen=0)
            while len(moved(client)) < crowd:
                await client.next()
    assert len(asked) == crowd
    assert max(asked) <= alone
    assert sum(asked) < crowd * alone / 2


async def test_analysis_does_not_hold_up_play(served: Served) -> None:
    """With one worker for moves, a long analysis is still at work when the move is there."""
    made = await served.create("osakana", "me", "computer:1")
    body = {"game": "elements", "seat": "first", "millis": 10_000}
    rules = game("elements")
    view = rules.format_view(rules.view(rules.start(), Seat.FIRST))
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        asking = asyncio.create_task(served.http.post("/api/analysis", json=body | {"view": view}))
        while not served.process.computers.analysts.waiting:
            await client.send(type="ping")
            await client.kind("pong")
        legal = shown["position"]["asked"]["legal"]
        await client.do(made["match"], "first", type="move", text=legal[0])
        assert notice(await client.kind("update"), "moved")["seat"] == "second"
        assert not asking.done()
        asking.cancel()


async def test_workers_end_with_their_server(tmp_path: Path) -> None:
    """However the server goes: nobody is left to think for nobody."""
    server = Server(str(database_in(tmp_path)), free_ports(1)[0])
    await server.start()
    assert server.process is not None
    async with httpx.AsyncClient(base_url=f"http://{server.address}", timeout=60) as http:
        rules = game("osakana")
        view = rules.format_view(rules.view(rules.start(), Seat.FIRST))
        body = {"game": "osakana", "view": view, "seat": "first", "millis": 1}
        assert (await http.post("/api/analysis", json=body)).status_code == 200
    started = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    workers = [os.pidfd_open(int(pid)) for pid in started.read_text().split()]
    assert workers
    await server.stop(signal.SIGKILL)
    loop = asyncio.get_running_loop()
    for worker in workers:  # a process's descriptor can be read when the process has ended
        ended = asyncio.Event()
        loop.add_reader(worker, ended.set)
        async with asyncio.timeout(60):
            await ended.wait()
        loop.remove_reader(worker)
        os.close(worker)

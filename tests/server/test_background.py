"""Work in the background goes on, whatever the database does, and says how it is."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa

from tests.server import postgres as postgres_server
from tests.server.serving import (
    PATIENCE,
    Client,
    Json,
    Served,
    database_in,
    logged,
    notice,
    quick,
    serving,
)
from tests.server.test_store import READ_ONLY, execute
from visavis.server import supervisor
from visavis.server.metrics import Metrics
from visavis.server.store import Clock, Unavailable
from visavis.server.supervisor import Supervisor, Well

pytestmark = pytest.mark.anyio


# -- The supervisor --------------------------------------------------------------------------------


class Pauses:
    """Pauses that take no time, and are noted."""

    def __init__(self) -> None:
        self.lasted: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.lasted.append(seconds)
        await asyncio.sleep(0)


async def test_work_that_fails_is_started_again_ever_more_slowly() -> None:
    pauses, metrics, done = Pauses(), Metrics(), asyncio.Event()
    kept = Supervisor(metrics, pauses, lambda: 1.0)
    states = []

    async def work(well: Well) -> None:
        states.append(kept.down)
        if len(states) <= 8:
            raise OSError("not yet")
        well()
        states.append(kept.down)
        done.set()
        await asyncio.Event().wait()

    with logged() as log:
        kept.keep("some", work)
        await done.wait()
    assert pauses.lasted == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0]
    assert states == [(), *[("some",)] * 8, ()]
    assert 'visavis_background_failures_total{work="some"} 8.0' in metrics.text().decode()
    assert 'visavis_background_up{work="some"} 1.0' in metrics.text().decode()
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["message"], line["level"]) for line in lines] == [
        ("work in the background fails", "error"),
        ("work in the background goes on", "warning"),
    ]
    assert "not yet" in lines[0]["error"]
    assert lines[1]["failures"] == 8
    await kept.stop()


async def test_pauses_have_some_chance_in_them() -> None:
    chances = iter((0.0, 0.5, 1.0))
    pauses, done = Pauses(), asyncio.Event()
    kept = Supervisor(Metrics(), pauses, lambda: next(chances))

    async def work(_: Well) -> None:
        if len(pauses.lasted) == 3:
            done.set()
            return
        raise OSError

    job = kept.keep("some", work)
    await done.wait()
    assert pauses.lasted == pytest.approx([0.05, 0.15, 0.4])
    await kept.stop()
    assert job.is_well, "what has nothing more to do is well"


async def test_work_that_works_and_fails_in_turn_slows_down_too() -> None:
    pauses, done = Pauses(), asyncio.Event()
    kept = Supervisor(Metrics(), pauses, lambda: 1.0)

    async def work(well: Well) -> None:
        well()
        if len(pauses.lasted) == 4:
            done.set()
        raise OSError

    kept.keep("some", work)
    await done.wait()
    assert pauses.lasted[:4] == [0.1, 0.2, 0.4, 0.8]
    await kept.stop()


async def test_a_cancellation_from_within_is_a_failure() -> None:
    """A library that cancels what it waits for must not end the work for good."""
    pauses, done = Pauses(), asyncio.Event()
    kept = Supervisor(Metrics(), pauses, lambda: 1.0)

    async def work(well: Well) -> None:
        if not pauses.lasted:
            raise asyncio.CancelledError
        done.set()
        await asyncio.Event().wait()

    kept.keep("some", work)
    await done.wait()
    assert kept.down == ("some",)
    await kept.stop()


async def test_everything_ends_at_the_end() -> None:
    kept, ended = Supervisor(Metrics()), []

    async def work(well: Well) -> None:
        well()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("kept")

    async def once() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("once")

    tried = kept.keep("some", work)
    kept.spawn(once())
    await tried.tried.wait()
    await asyncio.sleep(0)
    await kept.stop()
    assert sorted(ended) == ["kept", "once"]


# -- Outages ---------------------------------------------------------------------------------------


async def until(check: Callable[[], Awaitable[bool]]) -> None:
    """Ask again and again until it is so; it may take long on a busy machine."""
    async with asyncio.timeout(3 * PATIENCE):
        while not await check():
            await asyncio.sleep(0.02)


async def is_ready(served: Served) -> bool:
    return (await served.http.get("/readyz")).status_code == 200


async def all_ready(*servers: Served) -> bool:
    return all([await is_ready(served) for served in servers])


async def none_ready(*servers: Served) -> bool:
    return not any([await is_ready(served) for served in servers])


class Subscriptions:
    """A player, a reader of the lobby and a bot on each of two processes, since before."""

    def __init__(self, servers: list[Served]) -> None:
        self.servers = servers
        self.players: list[Client] = []
        self.lobbies: list[Client] = []
        self.bots: list[AsyncIterator[str]] = []
        self.made: Json = {}
        self.asked: Json = {}

    async def begin(self, stack: AsyncExitStack) -> None:
        one = self.servers[0]
        token = (await one.http.post("/api/bots", json={"name": "robin"})).json()["token"]
        self.made = await one.create("osakana")
        for served, seat in zip(self.servers, ("first", "second"), strict=True):
            player = await stack.enter_async_context(served.client())
            shown = await player.watch(self.made["match"], self.made["secrets"][seat])
            self.asked = self.asked or shown["position"]["asked"]
            self.players.append(player)
            lobby = await stack.enter_async_context(served.client())
            await lobby.send(type="watch_lobby")
            await lobby.kind("lobby")
            self.lobbies.append(lobby)
            headers = {"Authorization": f"Bearer {token}"}
            stream = served.http.stream("GET", "/api/bot/events", headers=headers)
            answer = await stack.enter_async_context(stream)
            self.bots.append(answer.aiter_lines())

    async def check(self) -> None:
        """Do something on each process; all must hear of it."""
        match = self.made["match"]
        for mover, hearer, seat in ((0, 1, "first"), (1, 0, "second")):
            text = self.asked["legal"][0]
            moved = await self.players[mover].do(match, seat, type="move", text=text)
            assert moved["type"] == "update", moved
            heard = await self.players[hearer].until(
                lambda m, seq=moved["seq"]: m["type"] == "update" and m["seq"] == seq  # type: ignore[misc]
            )
            assert notice(heard, "moved")["text"] == text
            self.asked = heard["asked"]
        for served in self.servers:
            challenge = (await served.create("osakana", "me", "open"))["match"]
            for lobby in self.lobbies:
                await lobby.until(
                    lambda m, id=challenge: (  # type: ignore[misc]
                        m["type"] == "lobby" and id in [each["match"] for each in m["open"]]
                    )
                )
            met = (await served.create("osakana", "me", "bot:robin"))["match"]
            for lines in self.bots:
                async with asyncio.timeout(3 * PATIENCE):
                    while met not in await anext(lines):
                        pass


@asynccontextmanager
async def two_with_subscriptions(database: str) -> AsyncIterator[Subscriptions]:
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(serving(quick(database))) for _ in range(2)]
        async with AsyncExitStack() as connections:
            subscriptions = Subscriptions(servers)
            await subscriptions.begin(connections)
            yield subscriptions


async def test_all_hear_of_what_others_do(postgres: str) -> None:
    async with two_with_subscriptions(postgres) as subscriptions:
        await subscriptions.check()


async def test_postgres_restarts_under_a_running_server() -> None:
    """All is heard again, by those who were connected before; nothing was away but the database."""
    with postgres_server.started() as cluster:
        async with two_with_subscriptions(cluster.url) as subscriptions:
            one, other = subscriptions.servers
            match, store = subscriptions.made["match"], one.process.store
            assert await all_ready(one, other)
            await asyncio.to_thread(cluster.stop)
            await until(lambda: none_ready(one, other))
            assert (await one.http.get("/readyz")).json() == {"status": "no_database"}
            assert (await one.http.get("/healthz")).json() == {"status": "ok"}
            refused = await subscriptions.players[0].do(match, "first", type="resign")
            assert refused["code"] == "busy"
            answer = await one.http.get("/api/lobby/open")
            assert (answer.status_code, answer.json()["code"]) == (503, "busy")
            await asyncio.to_thread(cluster.start)
            await until(lambda: all_ready(one, other))
            await subscriptions.check()
            before = await store.rows(match)
            async with serving(quick(cluster.url)) as third:
                assert await is_ready(third)
                assert await store.rows(match) == before, "it told of an absence that was none"


async def test_who_can_t_write_is_not_ready(postgres: str) -> None:
    """A database that becomes read only, and can be written again."""
    async with serving(quick(postgres)) as served:
        made = await served.create("osakana")
        async with served.client() as client:
            await client.watch(made["match"], made["secrets"]["first"])
            await execute(postgres, READ_ONLY)
            await until(lambda: none_ready(served))
            refused = await client.do(made["match"], "first", type="say", phrase="hello")
            assert refused["code"] == "busy"
            await execute(postgres, "SET default_transaction_read_only = off", WRITABLE)
            await until(lambda: all_ready(served))
            done = await client.do(made["match"], "first", type="say", phrase="hello")
            assert done["type"] == "update"


WRITABLE = READ_ONLY.replace("= on", "= off")


@pytest.fixture
async def quiet(tmp_path: Path) -> AsyncIterator[Served]:
    """A server without anything in the background, for which no time goes by."""
    async with serving(quick(database_in(tmp_path)), Clock(steady=lambda: 0)) as running:
        await running.process.background.stop()
        yield running


async def test_readiness_asks_nobody(quiet: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer is known beforehand, so that it costs nothing."""

    def refuse(*_: object) -> None:
        raise AssertionError("the database was asked")

    database = quiet.process.store._database
    monkeypatch.setattr(database, "read", refuse)
    monkeypatch.setattr(database, "write", refuse)
    assert await is_ready(quiet)
    monkeypatch.undo()


async def test_an_append_that_fails_is_seen(quiet: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be room for a heartbeat and none for a move."""
    database = quiet.process.store._database
    made = await quiet.create("osakana")

    async def full(_: object) -> None:
        raise Unavailable("no space left on device")

    async with quiet.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        with monkeypatch.context() as patched:
            patched.setattr(database, "write", full)
            refused = await client.do(made["match"], "first", type="say", phrase="hello")
            assert refused["code"] == "busy"
            assert "space" not in refused["message"]
            assert not await is_ready(quiet)
        await quiet.process.uptime.beat()
        assert await is_ready(quiet)


async def test_a_disk_with_room_for_heartbeats_alone_is_full(quiet: Served) -> None:
    """A file that may not grow: beats change what is there, and some moves find a gap."""
    store, uptime = quiet.process.store, quiet.process.uptime
    pages = await store._database.write(lambda c: c.execute(sa.text("PRAGMA page_count")).scalar())

    async def may_have(count: int) -> None:
        limit = sa.text(f"PRAGMA max_page_count = {count}")
        await store._database.write(lambda c: c.execute(limit).scalar())

    await may_have(int(pages or 0))
    body = {"game": "osakana", "seats": [{"kind": "me"}] * 2}
    while (await quiet.http.post("/api/matches", json=body)).status_code == 201:
        pass
    for _ in range(3):
        await uptime.beat()
        assert not await is_ready(quiet)
    await may_have(2**30)
    await uptime.beat()
    assert await is_ready(quiet)
    left = sa.text("SELECT count(*) FROM matches WHERE status = 'trial'")
    assert await store._database.read(lambda c: c.execute(left).scalar()) == 0


async def test_one_match_that_fails_does_not_hold_up_the_others(
    tmp_path: Path,
) -> None:
    """A log that can't be read stands first in the row of those to be looked after."""

    def fail(_: object) -> None:
        raise ZeroDivisionError

    settings = quick(database_in(tmp_path), open_for_ms=100)
    async with serving(settings) as served, served.client() as client:
        broken = await served.create("osakana", "me", "open")
        await client.watch((whole := await served.create("osakana", "me", "open"))["match"])
        matches = served.process.matches
        cached = await matches.get(broken["match"])
        if cached.timer is not None:
            cached.timer.cancel()
        cached.adopt = fail  # type: ignore[assignment, method-assign]
        assert notice(await client.kind("update"), "closed")
        assert client.heard[-1]["match"] == whole["match"]


async def test_a_line_that_says_nothing_is_broken(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-open lines never end by themselves; on a whole one a process hears itself."""
    async with serving(quick(postgres)) as served:
        database = served.process.store._database
        before = database._line  # type: ignore[attr-defined]
        module = sys.modules[type(database).__module__]
        monkeypatch.setattr(module, "SILENCE_SECONDS", 0.0)
        metrics = served.process.metrics

        async def is_new() -> bool:
            return database._line not in (None, before)  # type: ignore[attr-defined]

        await until(is_new)
        monkeypatch.undo()
        assert 'failures_total{work="listen"}' in metrics.text().decode()
        await until(lambda: all_ready(served))


async def test_the_lock_is_taken_again(postgres: str) -> None:
    """Whoever has lost the line takes part again, and a later start does not take it for gone."""
    held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'"
    async with serving(quick(postgres)) as served:
        made = await served.create("osakana")
        watcher = await asyncpg.connect(postgres)
        try:
            listener = "SELECT pid FROM pg_locks WHERE locktype = 'advisory'"
            lost = await watcher.fetchval(listener)
            await watcher.execute("SELECT pg_terminate_backend($1)", lost)

            async def is_held_again() -> bool:
                return bool(await watcher.fetchval(f"{held} AND pid <> $1", lost))

            await until(is_held_again)
        finally:
            await watcher.close()
        async with serving(quick(postgres)):
            rows = await served.process.store.rows(made["match"])
    assert not any(b'"away"' in row.body for row in rows)


def test_pauses_are_bounded() -> None:
    """Somebody waits for the end of each: a move must be heard soon after a restart."""
    assert supervisor.FIRST_PAUSE < supervisor.LONGEST_PAUSE <= 2

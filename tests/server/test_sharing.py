"""Several processes on one PostgreSQL: no entry twice, no timeout twice, whoever is behind."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import asyncpg
import pytest
import sqlalchemy as sa
from sqlalchemy.util import await_only

from tests.server.serving import PATIENCE, Client, Json, Served, notice, quick, serving
from tests.server.test_time import begin, endings
from visavis.rules.protocol import Seat
from visavis.server import match_log, uptime
from visavis.server.fanout import CachedMatch
from visavis.server.store import Row, Unavailable
from visavis.server.vocabulary import Say

pytestmark = pytest.mark.anyio

SAID = match_log.encode(match_log.Did(Say(Seat.FIRST, "hello"), client="c", number=1))


async def two(stack: AsyncExitStack, postgres: str) -> tuple[Served, Served]:
    one = await stack.enter_async_context(serving(quick(postgres)))
    return one, await stack.enter_async_context(serving(quick(postgres)))


async def deaf(_live: CachedMatch, _number: int) -> None:
    """Read nothing of what the others write."""


async def test_who_is_behind_reads_on_and_tries_again(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        one, other = await two(stack, postgres)
        made = await one.create("osakana")
        match, secrets = made["match"], made["secrets"]
        first = await stack.enter_async_context(one.client())
        second = await stack.enter_async_context(other.client())
        await first.watch(match, secrets["first"])
        await second.watch(match, secrets["second"])
        monkeypatch.setattr(other.process.catch_up, "_catch_up", deaf)
        said = await first.do(match, "first", type="say", phrase="hello")
        assert (await other.process.matches.get(match)).hosted.seq < said["seq"]
        answered = await second.do(match, "second", type="say", phrase="thanks")
        assert answered["seq"] == said["seq"] + 1
        assert "visavis_conflicts_total 1.0" in other.process.measure().decode()
        rows = await one.process.store.rows(match)
        assert [row.number for row in rows] == [1, 2, 3]
        updates = [m for m in second.heard if m["type"] == "update"]
        assert [update["seq"] for update in updates] == [2, 3]


def said(client: Client) -> int:
    """Return how many phrases a client has heard."""
    notices = [n for m in client.heard if m["type"] == "update" for n in m["notices"]]
    return sum(n["type"] == "said" for n in notices)


async def test_both_at_once_through_different_processes(postgres: str) -> None:
    """Forty phrases at the same time: each is there once, and everybody hears the same."""
    async with AsyncExitStack() as stack:
        one, other = await two(stack, postgres)
        made = await one.create("osakana")
        match, clients = made["match"], {}
        for served, seat in ((one, "first"), (other, "second")):
            client = await stack.enter_async_context(served.client())
            await client.watch(match, made["secrets"][seat])
            clients[seat] = client

        async def talk(client: Client, seat: str) -> None:
            for _ in range(20):
                done = await client.do(match, seat, type="say", phrase="hello")
                assert done["type"] == "update", done

        await asyncio.gather(*(talk(client, seat) for seat, client in clients.items()))
        for client in clients.values():
            while said(client) < 40:
                await client.next()
            told = [m["seq"] for m in client.heard if m["type"] == "update"]
            assert told == list(range(2, 2 + len(told)))  # a slow machine may note a pause as well
            assert said(client) == 40
        assert len(await one.process.store.rows(match)) == 41


async def test_a_timeout_fires_once_in_many_processes_and_lives(postgres: str) -> None:
    """Both processes hold the match and its timer; later ones find it done."""
    async with AsyncExitStack() as stack:
        one, other = await two(stack, postgres)
        made = await begin(one, "1+0")
        clients = [await stack.enter_async_context(served.client()) for served in (one, other)]
        for client in clients:
            await client.watch(made["match"], seen=0)
        ended: list[Json] = []
        for client in clients:
            while not (told := [m for m in client.heard if m["type"] == "update" and endings([m])]):
                await client.next()
            ended += told
        assert len(ended) == 2
        assert ended[0] == ended[1]
        assert notice(ended[0], "ended")["reason"] == "timeout"
    async with serving(quick(postgres)) as served:
        await served.process.wakeups.look_after(made["match"])
        rows = await served.process.store.rows(made["match"])
    assert sum(b'"ticked"' in row.body for row in rows) == 1
    assert rows[-1].number == ended[0]["seq"]


async def test_absence_is_told_while_others_write(postgres: str) -> None:
    """An entry that is just being written is neither overwritten nor stumbled over."""
    async with serving(quick(postgres)) as served:
        made = await served.create("osakana")
        writer = await asyncpg.connect(postgres)
        try:
            move = writer.transaction()
            await move.start()
            await writer.execute("INSERT INTO log VALUES ($1, 2, 0, $2)", made["match"], SAID)
            absent = served.process.store.beat(lambda last, _: last.after(1, 0), uptime.AWAY_ENTRY)
            beat = asyncio.create_task(absent)
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            async with asyncio.timeout(PATIENCE):
                while not await writer.fetchval(waiting):
                    await asyncio.sleep(0.01)
            await move.commit()
            await beat
        finally:
            await writer.close()
        rows = await served.process.store.rows(made["match"])
    assert [row.number for row in rows][:3] == [1, 2, 3]
    assert b'"away"' in rows[2].body


def heard(served: Served) -> int:
    """Return how often matches were named in what a process has heard."""
    return int(served.process.metrics.heard._value.get())


async def until_heard(served: Served, count: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while heard(served) < count:
            await asyncio.sleep(0.01)


async def test_what_is_heard_while_a_match_is_read(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that comes after the log was read and before the match is there is not missed."""
    async with AsyncExitStack() as stack:
        one, other = await two(stack, postgres)
        made = await one.create("osakana")
        match, matches = made["match"], other.process.matches
        client = await stack.enter_async_context(one.client())
        await client.watch(match, made["secrets"]["first"])
        real, started = other.process.store.rows, asyncio.Event()

        async def rows(*asked: object, **more: object) -> list[Row]:
            """Read, and take long over it."""
            found = await real(*asked, **more)  # type: ignore[arg-type]
            if not started.is_set():
                started.set()
                before = heard(other)
                await client.do(match, "first", type="say", phrase="hello")
                await until_heard(other, before + 1)
            return found

        monkeypatch.setattr(other.process.store, "rows", rows)
        cached = await matches.get(match)
        async with asyncio.timeout(PATIENCE):
            while not cached.has(2):
                await asyncio.sleep(0.01)


async def test_what_a_process_wrote_itself_is_not_read_again(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(quick(postgres)) as served, served.client() as client:
        made = await served.create("osakana")
        await client.watch(made["match"], made["secrets"]["first"])
        read: list[str] = []
        behind = served.process.catch_up
        monkeypatch.setattr(behind, "_refresh", read.append)
        before = heard(served)
        for _ in range(5):
            await client.do(made["match"], "first", type="say", phrase="hello")
        await until_heard(served, before + 5)
        await behind.read()
        assert read == []


async def test_who_hangs_in_a_transaction_holds_up_nobody(postgres: str) -> None:
    """PostgreSQL takes from a process that was stopped what it has locked."""
    async with AsyncExitStack() as stack:
        one, other = await two(stack, postgres)
        locked, let_go = asyncio.Event(), asyncio.Event()

        def hang(connection: sa.Connection) -> None:
            connection.execute(sa.text("SELECT * FROM uptime FOR UPDATE"))
            locked.set()
            await_only(let_go.wait())
            connection.execute(sa.text("SELECT 1"))

        hanging = asyncio.create_task(one.process.store._database.write(hang))
        await locked.wait()
        await other.process.uptime.beat()
        let_go.set()
        with pytest.raises(Unavailable):
            await hanging

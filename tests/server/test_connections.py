"""Connections: nobody takes all of them, and whoever takes nothing is let go of."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from starlette.types import Message

from tests.server.crashing import Server, free_ports
from tests.server.serving import PATIENCE, Served, database_in, quick, serving
from visavis.server import connections
from visavis.server.fanout import Outbox
from visavis.server.http.streams import Stream
from visavis.server.metrics import Metrics
from visavis.server.process import Process
from visavis.server.settings import Settings

pytestmark = pytest.mark.anyio

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@contextlib.asynccontextmanager
async def idle(served: Served, count: int) -> AsyncIterator[list[asyncio.StreamReader]]:
    """Open some connections on which nothing is sent."""
    opened = [await asyncio.open_connection("127.0.0.1", served.port) for _ in range(count)]
    yield [reader for reader, _ in opened]
    for _, writer in opened:
        writer.close()


async def is_served(served: Served) -> bool:
    """Whether one more connection is let in."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    with contextlib.suppress(ConnectionError):
        writer.write(HEALTH)
        return bool(await asyncio.wait_for(reader.read(), PATIENCE))
    return False


async def until_served(served: Served) -> None:
    """Return when there is room; the server hears of the end of connections a little later."""
    async with asyncio.timeout(PATIENCE):
        while not await is_served(served):
            pass


@pytest.mark.parametrize("limits", [{"connections_per_client": 3}, {"connections": 4}])
async def test_an_address_has_so_many_connections(tmp_path: Path, limits: dict[str, int]) -> None:
    async with serving(quick(database_in(tmp_path), **limits)) as served:
        async with idle(served, 2):
            assert await is_served(served)
            async with idle(served, 1):
                assert not await is_served(served)
        await until_served(served)
        assert "visavis_connections_refused_total" in served.process.measure().decode()


async def test_there_are_so_many_connections_in_all(tmp_path: Path) -> None:
    """Behind a proxy everybody comes from one address, which then has no limit of its own."""
    limits = {"connections": 4, "connections_per_client": 1, "proxies": 1}
    async with serving(quick(database_in(tmp_path), **limits)) as served:
        async with idle(served, 3):
            assert await is_served(served)
        async with idle(served, 4):
            assert not await is_served(served)
        await until_served(served)


async def test_a_websocket_is_one_connection(tmp_path: Path) -> None:
    """Counted once, from before the handshake until its end."""
    async with serving(quick(database_in(tmp_path), connections_per_client=2)) as served:
        for _ in range(5):
            async with served.client() as client:
                await client.send(type="ping")
                await client.kind("pong")
                assert "visavis_connections 1.0" in served.process.measure().decode()
                async with idle(served, 1):
                    assert not await is_served(served)
            await until_served(served)
            async with asyncio.timeout(PATIENCE):
                while "visavis_connections 0.0" not in served.process.measure().decode():
                    await asyncio.sleep(0)


async def test_descriptors_never_run_out(tmp_path: Path) -> None:
    """One address takes all it can get; another plays a computer, on disk, as ever."""
    server = Few(str(database_in(tmp_path)), free_ports(1)[0])
    await server.start()
    sockets = []
    for _ in range(300):
        attacker = socket.socket()
        attacker.setblocking(False)
        await asyncio.get_running_loop().sock_connect(attacker, ("127.0.0.1", server.port))
        sockets.append(attacker)
    try:
        elsewhere = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
        base = f"http://127.0.0.1:{server.port}"
        async with httpx.AsyncClient(transport=elsewhere, base_url=base, timeout=60) as http:
            seats = [{"kind": "computer", "player": "1"}, {"kind": "me"}]
            made = await http.post("/api/matches", json={"game": "osakana", "seats": seats})
            assert made.status_code == 201
            async with http.stream("GET", f"/api/matches/{made.json()['match']}/stream") as told:
                async for line in told.aiter_lines():
                    if '"moved"' in line or '"seat":"first","text"' in line:
                        break
    finally:
        for attacker in sockets:
            attacker.close()
        await server.stop(signal.SIGTERM)


class Few(Server):
    """A server that may have 256 descriptors, and at first fewer."""

    def arguments(self) -> list[str]:
        command = (
            "import resource, sys; from visavis.__main__ import main; "
            "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 256)); main()"
        )
        return [
            *("-c", command, "serve", "--port", str(self.port)),
            *("--database", self.database, "--log-level", "error", "--workers", "1"),
        ]


def test_limits_follow_from_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    for descriptors, most in ((1_024, 448), (129, 1), (100, 1), (10**6, 20_000)):
        monkeypatch.setattr(connections, "_descriptors", lambda n=descriptors: n)
        counted = connections.Connections(Settings(), Metrics())
        assert counted.most == most
        for _ in range(min(400, max(1, most * 3 // 4))):
            assert counted.may_enter("192.0.2.1")
            counted.enter("192.0.2.1")
        assert not counted.may_enter("192.0.2.1")
        assert counted.may_enter("192.0.2.2") == (most > 1)


# -- Readers ---------------------------------------------------------------------------------------


async def test_a_stream_that_is_not_read_is_dropped(tmp_path: Path) -> None:
    """More is sent than the line holds, and nothing taken; others don't notice."""
    settings = quick(database_in(tmp_path), stall_seconds=0.05)
    async with serving(settings) as served, served.client() as other:
        made = await served.create("osakana")
        await other.watch(made["match"])
        unread, writer = await asyncio.open_connection("127.0.0.1", served.port, limit=1)
        writer.write(f"GET /api/matches/{made['match']}/stream HTTP/1.1\r\n".encode())
        writer.write(b"Host: localhost\r\n\r\n")
        cached = await served.process.matches.get(made["match"])
        async with asyncio.timeout(PATIENCE):
            while cached.spectators < 2:
                await asyncio.sleep(0)
            _, slow = served.process._readers
            feeding = asyncio.create_task(feed(slow))
            while cached.spectators > 1:
                await asyncio.sleep(0)
            feeding.cancel()
        assert "visavis_sockets_dropped_total 1.0" in served.process.measure().decode()
        assert "visavis_sockets 1.0" in served.process.measure().decode()
        await other.send(type="ping")
        await other.kind("pong")
        writer.close()
        assert not unread.at_eof()  # what came first still waits there


async def feed(outbox: Outbox) -> None:
    """Send as much as is taken."""
    while True:
        await outbox.room()
        outbox.push("x" * 100_000)


async def test_who_hangs_up_before_a_stream_begins_is_forgotten(tmp_path: Path) -> None:
    process = Process(quick(database_in(tmp_path), sockets_per_client=1))

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        await asyncio.Event().wait()

    for _ in range(3):
        outbox = process.admit("192.0.2.1")
        stream = Stream(outbox, partial(process.dismiss, outbox))
        await stream({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)


class Address(str):
    """An address that counts how often it is compared with another."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Address.compared += 1
        return str.__eq__(self, str(other))


async def test_admission_looks_at_nobody_else(tmp_path: Path) -> None:
    process = Process(quick(database_in(tmp_path)))
    for number in range(1_000):
        process.admit(Address(f"192.0.2.{number}"))
    before = Address.compared
    process.admit(Address("192.0.2.1"))
    assert Address.compared - before < 10

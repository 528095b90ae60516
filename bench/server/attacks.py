"""What the flood bench does to a server: each attack runs in a process of its own until stopped.

All come from addresses of their own on the loopback interface, and none opens more than a bounded
number of connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import resource
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Json = dict[str, Any]
BROKEN = (OSError, WebSocketException, httpx.HTTPError, TimeoutError, EOFError)
DESCRIPTORS = 4_096
ATTACKERS = tuple(f"127.0.0.{number}" for number in range(10, 30))
LARGE = {"scenario": "random:rough:40x40:1"}
PAUSE = 0.02


@dataclass(frozen=True)
class Target:
    """A server, and what is known of it."""

    port: int
    long: str = ""
    """A match that runs, with a long log."""
    over: str = ""
    """One like it that is over."""
    large: str = ""
    """A match on the largest board."""
    bot: str = ""
    """The name of a bot that somebody else runs."""
    view: str = ""
    """A view that can be analysed, of the long match's game."""
    token: str = ""
    """The bot's."""


def http(target: Target, address: str, **more: Any) -> httpx.AsyncClient:
    """Return a client whose requests come from an address."""
    transport = httpx.AsyncHTTPTransport(
        local_address=address, limits=httpx.Limits(max_connections=200)
    )
    base = f"http://127.0.0.1:{target.port}"
    return httpx.AsyncClient(base_url=base, transport=transport, timeout=30, **more)


def socket(target: Target, address: str, **more: Any) -> connect:
    """Return a WebSocket, to be opened, that comes from an address."""
    url = f"ws://127.0.0.1:{target.port}/api/live"
    return connect(url, local_addr=(address, 0), max_size=None, open_timeout=30, **more)


Attack = Callable[[Target, Callable[[], None]], Coroutine[Any, Any, None]]
"""Runs until it is cancelled; calls its second argument when it is under way."""
ATTACKS: dict[str, tuple[str, Attack]] = {}


def attack(name: str, words: str) -> Callable[[Attack], Attack]:
    def keep(made: Attack) -> Attack:
        ATTACKS[name] = (words, made)
        return made

    return keep


async def crowd(works: list[Callable[[], Awaitable[None]]], ready: Callable[[], None]) -> None:
    """Do many things at once, each again and again, whatever comes of it."""

    async def repeat(work: Callable[[], Awaitable[None]]) -> None:
        while True:
            with contextlib.suppress(*BROKEN):
                await work()
            await asyncio.sleep(PAUSE)

    tasks = [asyncio.create_task(repeat(work)) for work in works]
    ready()
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def send(line: ClientConnection, **message: object) -> None:
    await line.send(json.dumps(message))


# -- Reading ---------------------------------------------------------------------------------------


@attack("watch", "40 sockets of one address ask for a whole log, again and again")
async def watch(target: Target, ready: Callable[[], None]) -> None:
    async def follow() -> None:
        async with socket(target, ATTACKERS[0]) as line:
            while True:
                await send(line, type="watch", match=target.long, seen=0)
                while json.loads(await line.recv())["type"] not in ("watching", "refused"):
                    pass

    await crowd([follow] * 40, ready)


@attack("replays", "20 requests at a time for the replay of a long match")
async def replays(target: Target, ready: Callable[[], None]) -> None:
    viewers = itertools.cycle(("open", "first", "second", "spectator"))
    async with http(target, ATTACKERS[0]) as client:

        async def read() -> None:
            await client.get(f"/api/matches/{target.over}/replay?as={next(viewers)}")

        await crowd([read] * 20, ready)


@attack("snapshots", "20 sockets ask for the largest board with its legal moves")
async def snapshots(target: Target, ready: Callable[[], None]) -> None:
    async def look() -> None:
        async with socket(target, ATTACKERS[0]) as line:
            while True:
                await send(line, type="watch", match=target.large)
                while json.loads(await line.recv())["type"] not in ("snapshot", "refused"):
                    pass

    await crowd([look] * 20, ready)


@attack("silent", "100 readers ask for a whole log and do not read it")
async def silent(target: Target, ready: Callable[[], None]) -> None:
    async def stare() -> None:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", target.port, local_addr=(ATTACKERS[0], 0), limit=1_024
        )
        try:
            writer.write(upgrade(target))
            await reader.readuntil(b"\r\n\r\n")
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(frame({"type": "watch", "match": target.long, "seen": 0}))
            await asyncio.sleep(60)
        finally:
            writer.close()

    await crowd([stare] * 100, ready)


@attack("stalled", "150 HTTP streams that nobody reads")
async def stalled(target: Target, ready: Callable[[], None]) -> None:
    async def stall() -> None:
        _, writer = await asyncio.open_connection(
            "127.0.0.1", target.port, local_addr=(ATTACKERS[0], 0), limit=1_024
        )
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        try:
            path = f"/api/matches/{target.large}/stream"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            await asyncio.sleep(60)
        finally:
            writer.close()

    await crowd([stall] * 150, ready)


# -- Connections -----------------------------------------------------------------------------------


@attack("idle", "1,200 idle TCP connections of one address")
async def idle(target: Target, ready: Callable[[], None]) -> None:
    writers = []
    for _ in range(1_200):
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(2):
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", target.port, local_addr=(ATTACKERS[0], 0)
                )
                writers.append(writer)
    ready()
    await asyncio.Event().wait()


@attack("sockets", "as many sockets as are let in from five addresses, following the lobby")
async def sockets(target: Target, ready: Callable[[], None]) -> None:
    async with contextlib.AsyncExitStack() as held:
        lines = []
        for address in ATTACKERS[:5]:
            for _ in range(210):
                with contextlib.suppress(*BROKEN):
                    lines.append(await held.enter_async_context(socket(target, address)))
                    await send(lines[-1], type="watch_lobby")
        ready()
        while True:
            for line in lines:
                with contextlib.suppress(*BROKEN):
                    await send(line, type="ping")
            await asyncio.sleep(1)


@attack("ready", "50 connections ask /readyz as fast as they can")
async def readyz(target: Target, ready: Callable[[], None]) -> None:
    async with http(target, ATTACKERS[0]) as client:

        async def check() -> None:
            await client.get("/readyz")

        await crowd([check] * 50, ready)


# -- Thinking --------------------------------------------------------------------------------------


@attack("analyses", "long questions to the engine, hung up at once")
async def analyses(target: Target, ready: Callable[[], None]) -> None:
    question = {"game": "elements", "view": target.view, "seat": "first", "millis": 10_000}

    async def ask() -> None:
        await hang_up(target, ATTACKERS[0], "/api/analysis", question)

    await crowd([ask] * 4, ready)


@attack("computers", "computers set against each other, as many as are let in")
async def computers(target: Target, ready: Callable[[], None]) -> None:
    seats = [{"kind": "computer", "player": "8"}] * 2
    async with http(target, ATTACKERS[0]) as client:

        async def make() -> None:
            await client.post("/api/matches", json={"game": "fortress", "seats": seats})

        await crowd([make] * 2, ready)


@attack("texts", "previews of the largest boards and questions with the longest texts")
async def texts(target: Target, ready: Callable[[], None]) -> None:
    numbers = itertools.count(1)
    async with http(target, ATTACKERS[0]) as client:

        async def look() -> None:
            options = {"scenario": f"random:rough:40x40:{next(numbers)}"}
            await client.post("/api/games/fortress/preview", json={"options": options})

        async def ask() -> None:
            body = {"game": "fortress", "view": "1." * 3_999, "seat": "first", "options": LARGE}
            await client.post("/api/analysis", json=body)

        await crowd([look, ask] * 4, ready)


# -- Matches ---------------------------------------------------------------------------------------


async def flood_with(
    target: Target, ready: Callable[[], None], body: Json, addresses: int, each: int
) -> None:
    """Make so many matches from each of some addresses, then stay."""
    for address in ATTACKERS[:addresses]:
        async with http(target, address) as client:
            for _ in range(each):
                with contextlib.suppress(*BROKEN):
                    await client.post("/api/matches", json=body)
    ready()
    await asyncio.Event().wait()


@attack("challenges", "75 open challenges from three addresses")
async def challenges(target: Target, ready: Callable[[], None]) -> None:
    body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "open"}]}
    await flood_with(target, ready, body, 3, 25)


@attack("bot", "a bot is given 170 matches on the largest board, from six addresses")
async def bot(target: Target, ready: Callable[[], None]) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "player": target.bot}]
    await flood_with(target, ready, {"game": "fortress", "options": LARGE, "seats": seats}, 6, 29)


@attack("forwarded", "creations with a made-up X-Forwarded-For, as fast as they go")
async def forwarded(target: Target, ready: Callable[[], None]) -> None:
    numbers = itertools.count()
    body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "invited"}]}
    async with http(target, ATTACKERS[0]) as client:

        async def make() -> None:
            number = next(numbers)
            headers = [("X-Forwarded-For", f"10.0.{number >> 8 & 255}.{number & 255}")] * 2
            await client.post("/api/matches", json=body, headers=headers)

        await crowd([make] * 5, ready)


# -- On the wire -----------------------------------------------------------------------------------


async def hang_up(target: Target, address: str, path: str, body: Json) -> None:
    """Send a request and do not wait for the answer."""
    _, writer = await asyncio.open_connection("127.0.0.1", target.port, local_addr=(address, 0))
    text = json.dumps(body)
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(text)}\r\n\r\n{text}".encode())
    await writer.drain()
    writer.close()


def upgrade(target: Target) -> bytes:
    """Return what asks for a WebSocket."""
    lines = (
        "GET /api/live HTTP/1.1",
        f"Host: 127.0.0.1:{target.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def frame(message: Json) -> bytes:
    """Return a message as a frame of a client, masked with zeros."""
    text = json.dumps(message).encode()
    assert len(text) < 126
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text


# -- A process of its own --------------------------------------------------------------------------


def run(name: str, target: Target, line: Connection) -> None:
    """Attack until something is said on a line; says there when it is under way."""
    os.nice(19)  # the attackers' own work is not what is measured
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, hard), hard))
    asyncio.run(_run(name, target, line))


async def _run(name: str, target: Target, line: Connection) -> None:
    attacking = asyncio.create_task(ATTACKS[name][1](target, lambda: line.send("ready")))
    stopped = asyncio.create_task(asyncio.to_thread(line.recv))
    await asyncio.wait([attacking, stopped], return_when=asyncio.FIRST_COMPLETED)
    attacking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await attacking

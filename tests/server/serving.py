"""A real server on a free port, and clients that talk to it like anybody else."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import json
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from visavis.server import logs
from visavis.server.app import create_app
from visavis.server.process import Process
from visavis.server.run import Server, configure
from visavis.server.settings import Settings
from visavis.server.store import Clock

PATIENCE = 20.0
"""Seconds that anything may take before a test gives up on it; nothing takes this long."""
Json = dict[str, Any]


def quick(database: object, **changes: object) -> Settings:
    """Settings for tests: no limits on rates, and one worker."""
    settings = Settings(
        database=str(database),
        requests_per_second=0,
        messages_per_second=0,
        client_messages_per_second=0,
        work_per_second=0,
        new_matches_per_minute=0,
        workers=1,
        think_ms=50,
    )
    return replace(settings, **changes)  # type: ignore[arg-type]


class Served:
    """A server that runs in this process."""

    def __init__(self, server: uvicorn.Server, process: Process, port: int) -> None:
        self.server, self.process, self.port = server, process, port
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/api/live"

    @contextlib.asynccontextmanager
    async def client(self, address: str | None = None) -> AsyncIterator[Client]:
        """Connect, as a client of another address if the server is behind a proxy."""
        headers = {} if address is None else {"X-Forwarded-For": address}
        async with connect(self.url, max_size=2**24, additional_headers=headers) as socket:
            yield Client(socket)

    async def create(self, game: str, *seats: str, **more: object) -> Json:
        """Create a match; seats are ``me``, ``invited``, ``open``, ``computer:1``, ``bot:x``."""
        specs = [
            {"kind": kind, "player": player}
            for kind, _, player in (seat.partition(":") for seat in seats or ("me", "me"))
        ]
        answer = await self.http.post("/api/matches", json={"game": game, "seats": specs} | more)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    async def meet(self, made: Json) -> Json:
        """Let a friend take the seat that a match keeps for one; return it with both secrets."""
        ((seat, invitation),) = made["invitations"].items()
        path = f"/api/matches/{made['match']}/join"
        answer = await self.http.post(path, json={"invitation": invitation})
        assert answer.status_code == 200, answer.text
        return made | {"secrets": made["secrets"] | {seat: answer.json()["secret"]}}

    async def raw(self, request: bytes) -> httpx.Response:
        """Send some bytes, whatever they are, and return what is answered until the end."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(request)
        async with asyncio.timeout(PATIENCE):
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        status, *lines = head.decode().split("\r\n")
        fields = [(name, value.strip()) for name, _, value in (li.partition(":") for li in lines)]
        return httpx.Response(int(status.split()[1]), headers=fields, content=body)


@contextlib.asynccontextmanager
async def serving(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Served]:
    app = create_app(settings, clock)
    server = Server(configure(app, settings, "127.0.0.1", 0))
    with contextlib.suppress(AttributeError):
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server._serve())  # serve() would take this process's signals
    while not server.started:
        if task.done():
            task.result()
            raise AssertionError("the server did not start")
        await asyncio.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    served = Served(server, app.state.process, port)
    try:
        yield served
    finally:
        await served.http.aclose()
        server.should_exit = True
        await task


class Client:
    """One WebSocket. Answers probes, numbers its orders, keeps what it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.id = secrets.token_hex(4)
        self.numbers = itertools.count(1)
        self.heard: list[Json] = []
        self.texts: list[str] = []
        self.spectators: list[int] = []
        self.presence: list[Json] = []
        self.seen: dict[tuple[str, str | None], int] = {}

    async def send(self, **message: object) -> None:
        await self.socket.send(json.dumps(message))

    async def next(self) -> Json:
        """Return the next message that is not a probe, nor about who is there."""
        async with asyncio.timeout(PATIENCE):
            while True:
                text = await self.socket.recv()
                message: Json = json.loads(text)
                if message["type"] == "probe":
                    await self.send(type="echo", number=message["number"])
                elif message["type"] == "spectators":
                    self.spectators.append(message["count"])
                elif message["type"] == "presence":
                    self.presence.append(message)
                else:
                    break
        self.heard.append(message)
        self.texts.append(str(text))
        if message["type"] in ("snapshot", "update", "watching"):
            self.seen[message["match"], message["seat"]] = message["seq"]
        return message

    async def until(self, wanted: Callable[[Json], bool]) -> Json:
        while not wanted(message := await self.next()):
            pass
        return message

    async def kind(self, kind: str) -> Json:
        return await self.until(lambda message: message["type"] == kind)

    async def watch(self, match: str, secret: str | None = None, **more: object) -> Json:
        """Watch, and return the snapshot (or what came instead)."""
        await self.send(type="watch", match=match, secret=secret, **more)
        return await self.until(
            lambda m: (
                m["type"] in ("snapshot", "watching", "refused") and m["match"] in (match, None)
            )
        )

    async def order(self, match: str, seat: str, **command: object) -> int:
        """Send an order without waiting; return its number."""
        number = next(self.numbers)
        order = {
            "client": self.id,
            "number": number,
            "command": command,
            "seen": self.seen.get((match, seat)),
        }
        await self.send(type="do", match=match, seat=seat, order=order)
        return number

    async def do(self, match: str, seat: str, **command: object) -> Json:
        """Carry out a command and return what it brought about: an update, or a refusal."""
        number = await self.order(match, seat, **command)

        def answers(message: Json) -> bool:
            if message["type"] == "update":
                done = message["done"]
                return done is not None and (done["client"], done["number"]) == (self.id, number)
            return message["type"] in ("refused", "done") and message["number"] == number

        return await self.until(answers)


def notice(update: Json, kind: str) -> Json:
    """Return the notice of a kind in an update."""
    return next(dict(n) for n in update["notices"] if n["type"] == kind)


def database_in(folder: Path) -> Path:
    return folder / "visavis.db"


@contextlib.contextmanager
def logged() -> Iterator[io.StringIO]:
    """Have what ``visavis serve`` would write to standard error, at the level of debugging."""
    written = io.StringIO()
    root, own = logging.getLogger(), logging.getLogger("visavis")
    handlers, levels = root.handlers[:], (root.level, own.level)
    with contextlib.redirect_stderr(written):
        logs.set_up("debug")
        try:
            yield written
        finally:
            root.handlers = handlers
            for logger, level in zip((root, own), levels, strict=True):
                logger.setLevel(level)

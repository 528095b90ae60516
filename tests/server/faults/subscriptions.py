"""Somebody on each process who follows a match, the lobby and a bot's matches, all the time.

After every fault something is done on each process, and all of them must hear of it, over the
connections they had before if those still stand.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect

from tests.server.faults.players import AWAY, Json
from tests.server.faults.servers import PATIENCE, RETRY_SECONDS, Server

BOT = "listener"
BUSY = 503


@dataclass
class Follower:
    """One who follows everything on one process, and comes back when cut off."""

    server: Server
    match: str = ""
    seq: int = 0
    """The last entry of the match that was heard of."""
    lobby: set[str] = field(default_factory=set)
    """The open challenges."""
    bot_matches: set[str] = field(default_factory=set)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)
    is_following: bool = False
    """Whether the match is followed over a connection that stands, as far as can be told."""
    _socket: Any = None

    async def follow(self, match: str) -> None:
        """Follow another match from now on."""
        self.match, self.seq = match, 0
        with contextlib.suppress(*AWAY):  # who is not connected will ask for it then
            await self._watch()
        await self.until(lambda: self.seq > 0)

    async def until(self, heard: Callable[[], bool]) -> float:
        """Return the moment at which something was heard."""
        async with asyncio.timeout(PATIENCE), self.news:
            await self.news.wait_for(heard)
        return time.monotonic()

    async def _watch(self) -> None:
        if self._socket is not None and self.match:
            await self._socket.send(json.dumps({"type": "watch", "match": self.match}))

    async def listen(self) -> None:
        """Hear of the match and the lobby, for ever."""
        while True:
            try:
                async with connect(f"ws://{self.server.address}/api/live") as socket:
                    self._socket = socket
                    await socket.send(json.dumps({"type": "watch_lobby"}))
                    await self._watch()
                    async for text in socket:
                        await self._hear(json.loads(text))
            except AWAY:
                pass
            self._socket, self.is_following = None, False
            await asyncio.sleep(RETRY_SECONDS)

    async def _hear(self, message: Json) -> None:
        match message["type"]:
            case "refused":
                assert message["code"] == "busy", message
                await asyncio.sleep(RETRY_SECONDS)
                await self._socket.send(json.dumps({"type": "watch_lobby"}))
                await self._watch()
            case "snapshot" | "update" if message["match"] == self.match:
                self.seq, self.is_following = max(self.seq, message["seq"]), True
            case "lobby":
                self.lobby = {each["match"] for each in message["open"]}
            case _:
                pass
        async with self.news:
            self.news.notify_all()

    async def listen_as_bot(self, token: str) -> None:
        """Hear of the bot's matches, for ever."""
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    async for line in _lines(http, self.server, token):
                        self.bot_matches.add(json.loads(line)["match"])
                        async with self.news:
                            self.news.notify_all()
                await asyncio.sleep(RETRY_SECONDS)


async def _lines(http: httpx.AsyncClient, server: Server, token: str) -> AsyncIterator[str]:
    url, headers = f"http://{server.address}/api/bot/events", {"Authorization": f"Bearer {token}"}
    async with http.stream("GET", url, headers=headers) as answer:
        if answer.status_code == BUSY:
            return
        assert answer.status_code == 200, answer.status_code
        async for line in answer.aiter_lines():
            if line:
                yield line


@dataclass
class Delays:
    """How many seconds it took at most until all had heard."""

    moves: float = 0.0
    lobby: float = 0.0
    bots: float = 0.0


class Subscriptions:
    """All followers, and what they are to hear of."""

    def __init__(self, servers: list[Server], http: httpx.AsyncClient) -> None:
        self.followers = [Follower(server) for server in servers]
        self.delays = Delays()
        self._servers, self._http = servers, http
        self._made: Json = {}

    async def begin(self) -> list[Coroutine[object, object, None]]:
        """Return what is to run all the time."""
        answer = await self._post(self._servers[0], "/api/bots", {"name": BOT})
        return [
            work
            for follower in self.followers
            for work in (follower.listen(), follower.listen_as_bot(answer["token"]))
        ]

    async def prepare(self) -> None:
        """Have everybody follow a fresh match, before something goes wrong."""
        body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "me"}]}
        self._made = await self._post(self._servers[0], "/api/matches", body)
        for follower in self.followers:
            await follower.follow(self._made["match"])

    async def check(self) -> None:
        """Do something of everything on each process; note how long all took to hear of it."""
        for follower in self.followers:
            await follower.until(lambda f=follower: f.is_following)  # type: ignore[misc]
        for number, seat in enumerate(("first", "second")):
            await self._move(self._servers[number % len(self._servers)], seat)
        for server in self._servers:
            await self._challenge(server)
            await self._call_bot(server)

    async def _move(self, server: Server, seat: str) -> None:
        match, secret = self._made["match"], self._made["secrets"][seat]
        shown = await self._get(server, f"/api/matches/{match}/snapshot", secret)
        text = shown["position"]["asked"]["legal"][0]
        order = {"client": seat, "number": 1, "command": {"type": "move", "text": text}}
        done = await self._post(server, f"/api/matches/{match}/orders", order, secret)
        began = time.monotonic()
        for follower in self.followers:
            heard = await follower.until(lambda f=follower: f.seq >= done["seq"])  # type: ignore[misc]
            self.delays.moves = max(self.delays.moves, heard - began)

    async def _challenge(self, server: Server) -> None:
        body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "open"}]}
        made = await self._post(server, "/api/matches", body)
        began, match = time.monotonic(), made["match"]
        for follower in self.followers:
            heard = await follower.until(lambda f=follower: match in f.lobby)  # type: ignore[misc]
            self.delays.lobby = max(self.delays.lobby, heard - began)
        order = {"client": "first", "number": 1, "command": {"type": "abort"}}
        path = f"/api/matches/{match}/orders"
        await self._post(server, path, order, made["secrets"]["first"])

    async def _call_bot(self, server: Server) -> None:
        body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "bot", "player": BOT}]}
        made = await self._post(server, "/api/matches", body)
        began, match = time.monotonic(), made["match"]
        for follower in self.followers:
            heard = await follower.until(lambda f=follower: match in f.bot_matches)  # type: ignore[misc]
            self.delays.bots = max(self.delays.bots, heard - began)
        order = {"client": "first", "number": 1, "command": {"type": "resign"}}
        path = f"/api/matches/{match}/orders"
        await self._post(server, path, order, made["secrets"]["first"])

    async def _post(self, server: Server, path: str, body: Json, secret: str = "") -> Json:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        answer = await self._http.post(f"http://{server.address}{path}", json=body, headers=headers)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return dict(answer.json())

    async def _get(self, server: Server, path: str, secret: str) -> Json:
        headers = {"Authorization": f"Bearer {secret}"}
        answer = await self._http.get(f"http://{server.address}{path}", headers=headers)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return dict(answer.json())

"""Players who play match after match, come back when they are cut off, and forget nothing.

What must hold in the end: no acknowledged move is lost, none is done twice, every client has seen
every number once and in order, clocks add up, and both players and the server tell the same story.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.server.faults.servers import PATIENCE, RETRY_SECONDS, Server
from visavis.session import Record, check

Json = dict[str, Any]
AWAY = (OSError, WebSocketException, InvalidHandshake, EOFError, TimeoutError)
INCREMENT_MS = 2_000
MOST_CREDIT_MS = 250
TOO_LATE = ("stale", "not_your_turn", "match_over")
"""Said of what was meant for before; how things stand has come by then."""


@dataclass
class Crowd:
    """All players together: where to connect, and how far they have got."""

    servers: list[Server]
    rng: random.Random
    acknowledged: int = 0
    is_closing: bool = False
    progress: asyncio.Condition = field(default_factory=asyncio.Condition)

    def address(self) -> str:
        return self.rng.choice(self.servers).address

    async def note(self) -> None:
        self.acknowledged += 1
        async with self.progress:
            self.progress.notify_all()

    async def wait_for(self, more: int) -> None:
        goal = self.acknowledged + more
        async with asyncio.timeout(PATIENCE), self.progress:
            await self.progress.wait_for(lambda: self.acknowledged >= goal)


@dataclass
class Player:
    """A client that comes back, and sends again what was not answered."""

    crowd: Crowd
    match: str
    seat: str
    secret: str
    seen: int = 0
    number: int = 0
    asked: Json | None = None
    pending: Json | None = None
    updates: list[Json] = field(default_factory=list)
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    reconnections: int = -1
    is_watching: bool = False
    is_over: bool = False

    async def play(self) -> None:
        while not self.is_over:
            try:
                async with connect(f"ws://{self.crowd.address()}/api/live") as socket:
                    self.reconnections += 1
                    await self._follow(socket)
            except AWAY:
                await asyncio.sleep(RETRY_SECONDS)

    async def _follow(self, socket: Any) -> None:
        self.is_watching = False
        await self._watch(socket)
        while not self.is_over:
            message = json.loads(await socket.recv())
            match message["type"]:
                case "update":
                    await self._hear(message)
                    if self.is_watching and self.pending is None:
                        await self._go_on(socket)
                case "probe":
                    await socket.send(json.dumps({"type": "echo", "number": message["number"]}))
                case "watching":
                    self.is_watching = True
                    await self._go_on(socket)
                case "done":
                    self._settle(message)
                case "refused" if message["code"] == "busy":
                    await self._insist(socket)
                case "refused":
                    assert message["code"] in TOO_LATE, message
                    self._settle(message)
                    await self._go_on(socket)
                case _:
                    pass

    async def _insist(self, socket: Any) -> None:
        """Ask once more for what could not be done; nobody knows whether it was."""
        await asyncio.sleep(RETRY_SECONDS)
        if not self.is_watching:
            await self._watch(socket)
        elif self.pending is not None:
            await socket.send(json.dumps(self.pending))

    async def _watch(self, socket: Any) -> None:
        watch = {"type": "watch", "match": self.match, "secret": self.secret, "seen": self.seen}
        await socket.send(json.dumps(watch))

    def _settle(self, answer: Json) -> None:
        """Note what an order came to; another may have been given since it was sent again."""
        if self.pending is not None and self.pending["order"]["number"] == answer["number"]:
            self.pending = None

    async def _hear(self, update: Json) -> None:
        assert update["seq"] == self.seen + 1, f"{update['seq']} after {self.seen}"
        self.seen = update["seq"]
        self.updates.append(update)
        if any(notice["type"] == "stands" for notice in update["notices"]):
            self.asked = update["asked"]
        if update["done"] is not None:
            assert self.pending is not None, "done, but never asked for"
            order = self.pending["order"]
            assert update["done"] == {"client": order["client"], "number": order["number"]}
            self.acknowledged.append((update["seq"], order["command"]["text"]))
            self.pending = None
            await self.crowd.note()
        self.is_over = any(notice["type"] == "ended" for notice in update["notices"])

    async def _go_on(self, socket: Any) -> None:
        """Send again what was not answered, or decide if it is time to."""
        if self.pending is not None:
            await socket.send(json.dumps(self.pending))
            return
        if self.asked is not None:
            await self._decide(socket, self.asked["legal"])

    async def _decide(self, socket: Any, legal: list[str]) -> None:
        self.number += 1
        command = {"type": "move", "text": self.crowd.rng.choice(legal)}
        order = {
            "client": f"{self.seat}-tab",
            "number": self.number,
            "seen": self.seen,
            "command": command,
        }
        self.pending = {"type": "do", "match": self.match, "seat": self.seat, "order": order}
        await socket.send(json.dumps(self.pending))


async def pair(crowd: Crowd, game: str, http: httpx.AsyncClient) -> list[tuple[Player, Player]]:
    """Play match after match until the crowd is told to close."""
    played = []
    clock = f"900+{INCREMENT_MS // 1_000}"
    body = {"game": game, "seats": [{"kind": "me"}, {"kind": "me"}], "clock": clock}
    while not crowd.is_closing:
        try:
            answer = await http.post(f"http://{crowd.address()}/api/matches", json=body)
            made = answer.json()
        except (httpx.TransportError, json.JSONDecodeError):
            await asyncio.sleep(RETRY_SECONDS)
            continue
        if answer.status_code != 201:
            await asyncio.sleep(RETRY_SECONDS)
            continue
        first, second = (
            Player(crowd, made["match"], seat, made["secrets"][seat]) for seat in made["secrets"]
        )
        await asyncio.gather(first.play(), second.play())
        played.append((first, second))
    return played


def moves_of(updates: list[Json]) -> list[tuple[int, str, str]]:
    return [
        (update["seq"], notice["seat"], notice["text"])
        for update in updates
        for notice in update["notices"]
        if notice["type"] == "moved"
    ]


def verify(first: Player, second: Player, record: Record) -> None:
    """Compare what two players have seen with what the server has kept."""
    check(record)
    assert moves_of(first.updates) == moves_of(second.updates)
    told = moves_of(first.updates)
    kept = [(str(line.seat), item.text) for line, item in record.items() if not item.is_roll]
    assert [(seat, text) for _, seat, text in told] == kept
    for player in (first, second):
        assert [update["seq"] for update in player.updates] == list(range(1, player.seen + 1))
        for seq, text in player.acknowledged:
            assert (seq, player.seat, text) in told, "an acknowledged move was lost"
        assert len(player.acknowledged) == len(set(player.acknowledged))
    uptime_module = [clocks_of(player.updates) for player in (first, second)]
    assert uptime_module[0] == uptime_module[1]
    moments = [update["at"] for update in first.updates]
    assert moments == sorted(moments)
    check_arithmetic(first.updates)
    assert record.reason != "timeout", "nobody takes a quarter of an hour over a move"


def check_arithmetic(updates: list[Json]) -> None:
    """A hand that stops has lost what it ran, less a bounded credit, and earned its increment."""
    hands: list[Json] = []
    for update in updates:
        for stands in (n for n in update["notices"] if n["type"] == "stands"):
            now = stands["clock"]["hands"]
            for before, after in zip(hands, now, strict=bool(hands)):
                if before["since"] is None:
                    assert after["left"] == before["left"]
                elif after["since"] is None:
                    ran = update["at"] - before["since"]
                    credit = after["left"] - (before["left"] - ran + INCREMENT_MS)
                    assert 0 <= credit <= min(ran, MOST_CREDIT_MS)
                else:
                    assert after == before
            hands = now


def clocks_of(updates: list[Json]) -> list[Json]:
    return [n["clock"] for update in updates for n in update["notices"] if n["type"] == "stands"]

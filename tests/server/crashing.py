"""Matches under load while the server is killed again and again.

``python -m tests.server.crashing --kills 30`` is the long run; the test kills three times. With
``--database postgresql://…`` two processes serve, and one of them is killed at a time.

What must hold in the end: no acknowledged move is lost, none is done twice, every client has seen
every number once and in order, clocks add up, and both players and the server tell the same story.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import socket
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from visavis.session import Record, check

Json = dict[str, Any]
AWAY = (OSError, WebSocketException, InvalidHandshake, EOFError, TimeoutError)
RETRY_SECONDS = 0.05
PATIENCE = 120.0
INCREMENT_MS = 2_000
MOST_CREDIT_MS = 250


class Server:
    """A server in a process of its own, on a port that stays the same."""

    def __init__(self, database: str, port: int) -> None:
        self.database, self.port = database, port
        self.process: asyncio.subprocess.Process | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "visavis", "serve", "--port", str(self.port)),
            *("--database", self.database, "--log-level", "error", "--workers", "1"),
            *("--requests", "0", "--messages", "0", "--new-matches", "0"),
        )
        async with httpx.AsyncClient() as http, asyncio.timeout(PATIENCE):
            while True:
                assert self.process.returncode is None, f"exit code {self.process.returncode}"
                try:
                    if (await http.get(f"http://{self.address}/readyz")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(RETRY_SECONDS)

    async def stop(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        await self.process.wait()


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
    pending: Json | None = None
    updates: list[Json] = field(default_factory=list)
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    reconnections: int = -1
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
        watch = {"type": "watch", "match": self.match, "secret": self.secret, "seen": self.seen}
        await socket.send(json.dumps(watch))
        if self.pending is not None:
            await socket.send(json.dumps(self.pending))
        while not self.is_over:
            message = json.loads(await socket.recv())
            match message["type"]:
                case "update":
                    await self._hear(message)
                    if message["asked"] and self.pending is None:
                        await self._decide(socket, message["asked"]["legal"])
                case "probe":
                    await socket.send(json.dumps({"type": "echo", "number": message["number"]}))
                case "watching":
                    await self._go_on(socket)
                case "done":
                    self._settle(message)
                case "refused":
                    # Meant for what was before the crash; how things stand has come by now.
                    assert message["code"] in ("stale", "not_your_turn", "match_over"), message
                    self._settle(message)
                case _:
                    pass

    def _settle(self, answer: Json) -> None:
        """Note what an order came to; another may have been given since it was sent again."""
        if self.pending is not None and self.pending["order"]["number"] == answer["number"]:
            self.pending = None

    async def _hear(self, update: Json) -> None:
        assert update["seq"] == self.seen + 1, f"{update['seq']} after {self.seen}"
        self.seen = update["seq"]
        self.updates.append(update)
        if update["done"] is not None:
            assert self.pending is not None, "done, but never asked for"
            order = self.pending["order"]
            assert update["done"] == {"client": order["client"], "number": order["number"]}
            self.acknowledged.append((update["seq"], order["command"]["text"]))
            self.pending = None
            await self.crowd.note()
        self.is_over = any(notice["type"] == "ended" for notice in update["notices"])

    async def _go_on(self, socket: Any) -> None:
        """After coming back: decide, if the last update asked for it and nothing is on its way."""
        last = self.updates[-1] if self.updates else None
        if last is not None and last["asked"] and self.pending is None:
            await self._decide(socket, last["asked"]["legal"])

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
    clocks = [clocks_of(player.updates) for player in (first, second)]
    assert clocks[0] == clocks[1]
    moments = [update["at"] for update in first.updates]
    assert moments == sorted(moments)
    check_arithmetic(first.updates)


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


async def crash(
    database: str, ports: list[int], *, kills: int, pairs: int, moves: int, seed: int
) -> str:
    """Run matches, kill servers, and verify everything; return what happened, in a line."""
    servers = [Server(database, port) for port in ports]
    crowd = Crowd(servers, random.Random(seed))
    began = time.monotonic()
    for server in servers:
        await server.start()
    try:
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            playing = asyncio.gather(*(pair(crowd, "osakana", http) for _ in range(pairs)))
            for number in range(kills):
                await crowd.wait_for(crowd.rng.randint(moves // 2, moves))
                victim = servers[number % len(servers)]
                await victim.stop(signal.SIGKILL)
                if len(servers) > 1:
                    await crowd.wait_for(moves // 2)  # the others go on without it
                await victim.start()
            await crowd.wait_for(moves)
            crowd.is_closing = True
            played = [match for matches in await playing for match in matches]
            for first, second in played:
                url = f"http://{servers[0].address}/api/matches/{first.match}/record"
                verify(first, second, Record.parse((await http.get(url)).text))
    finally:
        for server in servers:
            if server.process is not None and server.process.returncode is None:
                await server.stop(signal.SIGTERM)
    back = sum(player.reconnections for match in played for player in match)
    return (
        f"{kills} kills, {len(played)} matches, {crowd.acknowledged} moves acknowledged, "
        f"{back} reconnections, {time.monotonic() - began:.0f} s: nothing lost, nothing twice"
    )


def free_ports(count: int) -> list[int]:
    """Return ports that stay free while a server is away.

    They lie below those that clients are given: a client that keeps calling a port of that range
    while nobody listens may at last be connected to itself, and hold the port.
    """
    ports: list[int] = []
    for port in random.SystemRandom().sample(range(20_000, 32_000), 200):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            ports.append(port)
        if len(ports) == count:
            return ports
    raise AssertionError("no free ports")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--moves", type=int, default=200, help="acknowledged between two kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", help="PostgreSQL; otherwise a SQLite file of its own")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = given.database or str(Path(folder) / "visavis.db")
        ports = free_ports(2 if given.database else 1)
        run = crash(
            database,
            ports,
            kills=given.kills,
            pairs=given.pairs,
            moves=given.moves,
            seed=given.seed,
        )
        print(asyncio.run(run))


if __name__ == "__main__":
    main()

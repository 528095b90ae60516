"""What readers that do not read cost the server: ``python -m bench.server.memory``.

A match of Five Elements with 10,000 entries is written into a database and read by one client, so
that the server has it. Then a hundred others ask for it and read nothing: some for every update,
some for how it stands, some for its HTTP stream. What the server and its workers take in addition
is told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import sys
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import connect

from bench.server.attacks import Target, frame, upgrade
from bench.server.flood import Server, shuffled
from visavis.rules.protocol import Seat
from visavis.server import match_log
from visavis.server.hosted_match import HostedMatch
from visavis.server.match_log import Chair, Did, Opened
from visavis.server.secrets import new_id, new_seed
from visavis.server.store import Append, Index, Row, Store, database
from visavis.session import Move

GOAL_MIB = 50
SETTLED = 5.0
"""Seconds in which nothing grows any more."""
KINDS = ("updates", "snapshot", "stream")
OPTIONS = {"quiet_limit": "0"}


async def write(path: Path, count: int) -> str:
    """Write a long match into a database; return its id."""
    id, seats = new_id(), (Chair(kind="me"), Chair(kind="me"))
    opened = Opened(
        game="elements",
        rules_version=1,
        options=OPTIONS,
        clock=None,
        private=False,
        start=None,
        seed=new_seed(),
        created=0,
        chairs=seats,
    )
    info = json.dumps({}).encode()
    hosted, _ = HostedMatch.open(id, opened, 0)
    index = Index(hosted.status, False, 0, None, (None, None), info)
    bodies: list[match_log.AnyEntry] = [opened]
    for number, (seat, text) in enumerate(shuffled(count - 1)):
        who = Seat.FIRST if seat == "first" else Seat.SECOND
        bodies.append(Did(Move(who, text), client="bench", number=number))
    store = Store(database(str(path)), 0.0)
    await store.open()
    rows = [Row(number, 0, match_log.encode(body)) for number, body in enumerate(bodies, 1)]
    await store.append(Append(id, rows[0], index))
    await asyncio.gather(*(store.append(Append(id, row)) for row in rows[1:]))
    await store.close()
    return id


async def read(port: int, match: str) -> int:
    """Read all of a match; return how many updates there were."""
    count = 0
    async with connect(f"ws://127.0.0.1:{port}/api/live", max_size=2**26) as line:
        await line.send(json.dumps({"type": "watch", "match": match, "seen": 0}))
        while (heard := json.loads(await line.recv()))["type"] != "watching":
            if heard["type"] == "refused":
                raise SystemExit(heard["message"])
            count += heard["type"] == "update"
    return count


def stare(target: Target, kind: str) -> socket.socket:
    """Ask for a match, and read nothing of the answer."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.connect(("127.0.0.1", target.port))
    ask: dict[str, object] = {"type": "watch", "match": target.long}
    if kind == "stream":
        path = f"/api/matches/{target.long}/stream"
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        return line
    line.sendall(upgrade(target))
    while b"\r\n\r\n" not in line.recv(4_096, socket.MSG_PEEK):
        time.sleep(0.001)
    line.sendall(frame(ask if kind == "snapshot" else ask | {"seen": 0}))
    return line


def until_answered(line: socket.socket) -> None:
    """Wait until the first of a match has come, and leave it where it is."""
    while b'"type"' not in line.recv(4_096, socket.MSG_PEEK):
        time.sleep(0.01)


async def settled(server: Server) -> float:
    """Return the memory once it grows no longer."""
    most, since = server.memory(), time.monotonic()
    while time.monotonic() - since < SETTLED:
        await asyncio.sleep(0.2)
        if (now := server.memory()) > most + 0.5:
            most, since = now, time.monotonic()
    return most


async def measure(count: int, readers: int) -> float:
    """Return how many mebibytes more the readers take."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        match = await write(path, count)
        async with Server(path, "--stall", "600s", "--work", "0") as server:
            told = await read(server.port, match)
            before = await settled(server)
            print(f"a match of {told} entries, read by one: {before:.0f} MiB", flush=True)
            target = Target(server.port, long=match)
            lines = [stare(target, KINDS[number % len(KINDS)]) for number in range(readers)]
            for line in lines:  # what comes first is the handshake's answer, then the match
                await asyncio.to_thread(until_answered, line)
            after = await settled(server)
            for line in lines:
                line.close()
            return after - before


def main() -> None:
    """Measure, and fail if it is too much."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--readers", type=int, default=100)
    given = parser.parse_args()
    more = asyncio.run(measure(min(given.entries, 10_000), given.readers))
    print(f"{given.readers} readers that do not read: {more:.1f} MiB more (goal: {GOAL_MIB})")
    sys.exit(more > GOAL_MIB)


if __name__ == "__main__":
    main()

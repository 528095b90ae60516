"""An honest player's latency while the server is attacked: ``python -m bench.server.flood``.

A real server with its default settings, on a SQLite file. A pair of honest players plays from one
address, a move every tenth of a second, with a new match and new connections every few seconds;
attackers come from other addresses of the loopback interface, in a process of their own of the
lowest priority. A move counts when the opponent has it. For each attack the pair is measured
without it and under it, and what the attack is aimed at is tried as well: that an analysis is
answered, that a challenge can be seen in the lobby, that a bot hears of its match.

The goal: under each attack the median stays within three times that without it, and nothing the
pair does takes longer than a second. On a machine that is busy otherwise the figures mean little.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import multiprocessing
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection

from bench.server.attacks import ATTACKS, BROKEN, LARGE, Json, Target, http, run, send, socket
from bench.server.run import free_port, write_scripts
from visavis.rules import game
from visavis.rules.protocol import Seat

HONEST = "127.0.0.2"
GUEST = "127.0.0.3"
"""Where those come from who try what an attack is aimed at."""
PACE = 0.1
LONG = 300
"""Moves of the long match."""
LOST = 10.0
"""Who has waited so long for a move gives it up and comes back."""
SETTLED = 3.0
"""So long an attack has gone on when what it is aimed at is tried."""
GOAL_RATIO, GOAL_GAP = 3.0, 1.0
BOT = "honest-bot"
DESCRIPTORS = 1_024


# -- The server ------------------------------------------------------------------------------------


class Server:
    """A server in a process of its own."""

    def __init__(self, database: Path, *more: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "visavis", "serve", "--port", str(self.port)]
        command += ["--database", str(database), "--log-level", "error", *more]
        # What a server under attack says, and how it ends, is not what is measured.
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=start_with_few_descriptors,
        )

    async def __aenter__(self) -> Server:
        async with httpx.AsyncClient() as client, asyncio.timeout(60):
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    url = f"http://127.0.0.1:{self.port}/readyz"
                    if (await client.get(url)).status_code == 200:
                        return self
                if self._process.poll() is not None:
                    raise SystemExit("the server does not start")
                await asyncio.sleep(0.05)

    async def __aexit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            await asyncio.to_thread(self._process.wait, SETTLED)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def memory(self) -> float:
        """Return how much memory it and its workers take, in mebibytes."""
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        workers = " ".join(task.read_text() for task in tasks).split()
        return sum(map(resident, [str(self._process.pid), *workers]))


def resident(process: str) -> float:
    """Return how much memory a process takes, in mebibytes."""
    status = Path(f"/proc/{process}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return int(fields.get("VmRSS", "0 kB").split()[0]) / 1_024


def start_with_few_descriptors() -> None:
    """Begin with the soft limit that most systems give a process."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, hard))


def shuffled(length: int) -> list[tuple[str, str]]:
    """Return a long game of Five Elements: set-ups, then one piece of each to and fro."""
    chosen = game("elements", {"quiet_limit": "0"})
    state = chosen.start()
    letters = "FFFMMMWWWEEEAAA"
    script = [("first", letters), ("second", letters)]
    for seat in Seat:
        state = chosen.apply(state, seat, chosen.parse_move(letters))
    steps = {}
    for seat in Seat:
        moves = map(chosen.format_move, chosen.legal(state, seat) or ())
        steps[seat] = next((move for move in moves if "-N" in move), "")
        if seat is Seat.FIRST:
            state = chosen.apply(state, seat, chosen.parse_move(steps[seat]))
    for number in range(length - 2):
        seat, is_back = Seat(number % 2), number // 2 % 2
        here, there = steps[seat].split("-")
        script.append((str(seat), f"{there}-{here}" if is_back else f"{here}-{there}"))
    return script


async def play(target_port: int, body: Json, script: list[tuple[str, str]]) -> tuple[str, Json]:
    """Play a script as both seats; return the match and its secrets."""
    where = Target(target_port)
    async with http(where, HONEST) as client, socket(where, HONEST) as line:
        made = (await client.post("/api/matches", json=body)).json()
        for secret in made["secrets"].values():
            await send(line, type="watch", match=made["match"], secret=secret, legal=False)
        for number, (seat, text) in enumerate(script):
            order = {"client": "a", "number": number, "command": {"type": "move", "text": text}}
            await send(line, type="do", match=made["match"], seat=seat, order=order)
            while True:
                heard = json.loads(await line.recv())
                if heard["type"] == "refused":
                    raise SystemExit(f"{text} was refused: {heard['message']}")
                if heard["type"] == "update" and heard.get("done"):
                    break
        return str(made["match"]), dict(made["secrets"])


async def prepare(database: Path) -> Target:
    """Leave long matches in a database, and a bot."""
    limits = ("--requests", "0", "--messages", "0", "--new-matches", "0", "--work", "0")
    me = {"seats": [{"kind": "me"}, {"kind": "me"}], "clock": "none"}
    async with Server(database, *limits) as server:
        body = me | {"game": "elements", "options": {"quiet_limit": "0"}}
        long, _ = await play(server.port, body, shuffled(LONG))
        over, secrets = await play(server.port, body, shuffled(LONG))
        large, _ = await play(server.port, me | {"game": "fortress", "options": LARGE}, [])
        where = Target(server.port)
        async with http(where, HONEST) as client:
            order = {"client": "a", "number": 9_999, "command": {"type": "resign"}}
            headers = {"Authorization": f"Bearer {secrets['first']}"}
            await client.post(f"/api/matches/{over}/orders", json=order, headers=headers)
            bot = (await client.post("/api/bots", json={"name": BOT})).json()
    elements = game("elements")
    view = elements.format_view(elements.view(elements.start(), Seat.FIRST))
    return Target(0, long, over, large, BOT, view, bot["token"])


# -- Honest players --------------------------------------------------------------------------------


@dataclass
class Pair:
    """Two who play each other, match after match, and how long everything took them."""

    target: Target
    scripts: list[list[tuple[str, str]]]
    moves: list[float] = field(default_factory=list)
    longest: float = 0.0
    failures: int = 0

    async def play(self) -> None:
        """Play for ever."""
        for number in itertools.count():
            try:
                await self._play(self.scripts[number % len(self.scripts)])
            except (*BROKEN, KeyError):
                self.failures += 1
                await asyncio.sleep(PACE)

    async def _play(self, script: list[tuple[str, str]]) -> None:
        body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "me"}]}
        began = time.monotonic()
        async with http(self.target, HONEST) as client, asyncio.timeout(LOST) as patience:
            made = (await client.post("/api/matches", json=body)).json()
            match, secrets = made["match"], made["secrets"]
            async with socket(self.target, HONEST) as one, socket(self.target, HONEST) as other:
                lines = {"first": one, "second": other}
                for seat, line in lines.items():
                    await send(line, type="watch", match=match, secret=secrets[seat])
                    await heard(line, "snapshot")
                self._note(time.monotonic() - began)
                for number, (seat, text) in enumerate(script):
                    patience.reschedule(asyncio.get_running_loop().time() + LOST)
                    self.moves.append(await self._move(lines, match, seat, text, number))
                    await asyncio.sleep(PACE)

    async def _move(
        self, lines: dict[str, ClientConnection], match: str, seat: str, text: str, number: int
    ) -> float:
        other = lines["second" if seat == "first" else "first"]
        order = {"client": seat, "number": number, "command": {"type": "move", "text": text}}
        began = time.monotonic()
        await send(lines[seat], type="do", match=match, seat=seat, order=order)
        try:
            await heard(other, "update")
        finally:
            self._note(took := time.monotonic() - began)
        await heard(lines[seat], "update")
        return took

    def _note(self, took: float) -> None:
        self.longest = max(self.longest, took)


async def heard(line: ClientConnection, kind: str) -> Json:
    """Return the next message of a kind."""
    while True:
        message: Json = json.loads(await line.recv())
        if message["type"] == kind:
            return message
        if message["type"] == "probe":
            await send(line, type="echo", number=message["number"])
        if message["type"] == "refused":
            raise KeyError(message["code"])


# -- What an attack is aimed at --------------------------------------------------------------------


Aim = Callable[[Target], AsyncIterator[None]]
"""What somebody does before an attack, up to ``yield``, and tries under it."""


async def try_analysis(target: Target) -> AsyncIterator[None]:
    async with http(target, GUEST) as client:
        yield
        body = {"game": "elements", "view": target.view, "seat": "first", "millis": 100}
        (await client.post("/api/analysis", json=body)).raise_for_status()


async def try_computer(target: Target) -> AsyncIterator[None]:
    body = {"game": "osakana", "seats": [{"kind": "computer", "player": "3"}, {"kind": "me"}]}
    async with http(target, GUEST) as client, socket(target, GUEST) as line:
        yield
        made = (await client.post("/api/matches", json=body)).json()
        await send(line, type="watch", match=made["match"], secret=made["secrets"]["second"])
        if (await heard(line, "snapshot"))["seq"] == 1:
            await heard(line, "update")


async def try_challenge(target: Target) -> AsyncIterator[None]:
    """Look for challenges that were made before and after those of the attackers."""
    body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "open"}]}
    async with http(target, GUEST) as client:
        made = [(await client.post("/api/matches", json=body)).json()["match"]]
        yield
        made.append((await client.post("/api/matches", json=body)).json()["match"])
        lobby = (await client.get("/api/lobby")).json()
        shown = [challenge["match"] for challenge in lobby["open"]]
        if not set(made) <= set(shown):
            raise KeyError("not in the lobby")


async def try_bot(target: Target) -> AsyncIterator[None]:
    """Let the bot come back and hear of a match that is made then."""
    headers = {"Authorization": f"Bearer {target.token}"}
    seats = [{"kind": "me"}, {"kind": "bot", "player": BOT}]
    async with http(target, GUEST) as client:
        yield
        async with client.stream("GET", "/api/bot/events", headers=headers) as events:
            made = await client.post("/api/matches", json={"game": "osakana", "seats": seats})
            async for line in events.aiter_lines():
                if made.raise_for_status().json()["match"] in line:
                    return
    raise KeyError("its stream was closed")


AIMS: dict[str, Aim] = {
    "analyses": try_analysis,
    "computers": try_computer,
    "challenges": try_challenge,
    "bot": try_bot,
}


async def attempt(aim: AsyncIterator[None] | None) -> str:
    """Return how what an attack is aimed at went, in words."""
    if aim is None:
        return ""
    await asyncio.sleep(SETTLED)
    began = time.monotonic()
    try:
        async with asyncio.timeout(LOST):
            await anext(aim, None)
    except (*BROKEN, KeyError) as error:
        return f"failed: {error or type(error).__name__}"
    return f"served in {time.monotonic() - began:.1f} s"


# -- Measuring -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What one attack did."""

    name: str
    quiet: float
    under: float
    longest: float
    failures: int
    memory: float
    aim: str

    @property
    def is_met(self) -> bool:
        """Whether the goal is reached."""
        within = self.under <= GOAL_RATIO * self.quiet and self.longest <= GOAL_GAP
        return within and not self.failures and not self.aim.startswith("failed")


async def measure(
    target: Target, scripts: list[Any], seconds: float, aim: AsyncIterator[None] | None = None
) -> tuple[Pair, str]:
    """Let the pair play for a while, and try what an attack is aimed at."""
    pair = Pair(target, scripts)
    playing = asyncio.create_task(pair.play())
    began = time.monotonic()
    went = await attempt(aim)
    await asyncio.sleep(max(0.0, seconds - (time.monotonic() - began)))
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    return pair, went


async def under_attack(folder: Path, target: Target, name: str, seconds: float) -> Row:
    """Measure one attack, on a server of its own with a copy of the database."""
    scripts = json.loads((folder / "scripts.json").read_text())
    database = folder / f"{name}.db"
    database.write_bytes((folder / "prepared.db").read_bytes())
    async with Server(database) as server:
        target = replace(target, port=server.port)
        quiet, _ = await measure(target, scripts, seconds)
        aim = AIMS[name](target) if name in AIMS else None
        if aim is not None:
            await anext(aim)
        context = multiprocessing.get_context("spawn")
        line, theirs = context.Pipe()
        attacker = context.Process(target=run, args=(name, target, theirs))
        attacker.start()
        try:
            await asyncio.to_thread(line.recv)
            pair, went = await measure(target, scripts, seconds, aim)
        finally:
            line.send("stop")
            await asyncio.to_thread(attacker.join, LOST)
            attacker.kill()
        usual, under = (statistics.median(found.moves or [LOST]) for found in (quiet, pair))
        longest = max(pair.longest, 0.0 if pair.moves else LOST)
        return Row(name, usual, under, longest, pair.failures, server.memory(), went)


def tell(row: Row) -> None:
    """Print what an attack did."""
    words = ATTACKS[row.name][0]
    print(
        f"{row.name:11} {row.quiet * 1_000:7.1f} {row.under * 1_000:8.1f} "
        f"{row.under / row.quiet:7.1f}× {row.longest * 1_000:8.0f} {row.failures:6} "
        f"{row.memory:6.0f}  {'yes' if row.is_met else 'NO ':3}  {words}"
        + (f": {row.aim}" if row.aim else ""),
        flush=True,
    )


async def flood(names: list[str], seconds: float) -> bool:
    """Run attacks one after the other; return whether every goal is reached."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_scripts(folder / "scripts.json")
        target = await prepare(folder / "prepared.db")
        print("attack      quiet ms under ms   ratio   gap ms failed    MiB  met")
        rows = []
        for name in names:
            rows.append(await under_attack(folder, target, name, seconds))
            tell(rows[-1])
        return all(row.is_met for row in rows)


def main() -> None:
    """Run all attacks, or some."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack", nargs="*", help=f"one of: {', '.join(ATTACKS)}; if none, all")
    parser.add_argument("--seconds", type=float, default=10.0, help="each of the two measurements")
    given = parser.parse_args()
    if unknown := set(given.attack) - set(ATTACKS):
        parser.error(f"no such attack: {', '.join(sorted(unknown))}")
    sys.exit(not asyncio.run(flood(given.attack or list(ATTACKS), min(given.seconds, 120.0))))


if __name__ == "__main__":
    main()

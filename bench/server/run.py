"""The server against boardgame.io, in the same run: ``python -m bench.server.run``.

The server has one core to itself and the load the other. Visavis plays Osakana, every move checked
by the rules and on disk before anybody hears of it; boardgame.io plays a game without rules. The
load is the same program for both: as many matches, of as many moves, made before the measurement
begins. It reports its own share of a core: well below 1 means that it was not the limit. All take
their turns several times, and the median of the ratios of a turn is told: the machine may be slow
in one minute and quick in the next.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visavis.rules import game
from visavis.rules.protocol import Ended

HERE = Path(__file__).parent
GAME = "osakana"
SCRIPTS, LENGTH = 50, 60
GOALS = {"memory": 1, "files": 4}
"""How many times as many moves as boardgame.io are wanted, by where that keeps its matches."""
SERVER_CORE, LOAD_CORE = 0, min(1, (os.cpu_count() or 1) - 1)


def write_scripts(path: Path) -> None:
    """Write games of `LENGTH` moves: random ones, of which none ends the game."""
    chosen, rng, scripts = game(GAME), random.Random(1), []
    while len(scripts) < SCRIPTS:
        state, script = chosen.start(), []
        while len(script) < LENGTH:
            (seat,) = chosen.awaited(state)
            moves = list(chosen.legal(state, seat))
            rng.shuffle(moves)
            after = ((m, chosen.apply(state, seat, m)) for m in moves)
            found = next(((m, s) for m, s in after if not _is_lost(chosen, s)), None)
            if found is None:
                break
            script.append((str(seat), chosen.format_move(found[0])))
            state = found[1]
        if len(script) == LENGTH:
            scripts.append(script)
    path.write_text(json.dumps(scripts))


def _is_lost(chosen: Any, state: Any) -> bool:
    """Whether the game has ended, or ends with the next move whatever it is."""
    awaited = chosen.awaits(state)
    if isinstance(awaited, Ended):
        return True
    (seat,) = awaited.seats
    return all(
        isinstance(chosen.awaits(chosen.apply(state, seat, m)), Ended)
        for m in chosen.legal(state, seat)
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(command: list[str], url: str) -> Iterator[int]:
    """Run a server on its core until it answers; yield its process id."""
    pinned = ["taskset", "-c", str(SERVER_CORE), *command]
    process = subprocess.Popen(pinned, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(url, timeout=1).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise SystemExit(f"{command[0]} does not start") from None
                time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def visavis(folder: str) -> Iterator[tuple[str, int]]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    limits = ["--requests", "0", "--messages", "0", "--new-matches", "0", "--work", "0"]
    limits += ["--sockets", "50000", "--sockets-per-client", "50000", "--log-level", "error"]
    limits += ["--connections", "50000", "--connections-per-client", "50000"]
    command = [sys.executable, "-m", "visavis", "serve", "--port", str(port), "--workers", "1"]
    with running([*command, "--database", f"{folder}/bench.db", *limits], url + "/readyz") as pid:
        yield url, pid


@contextlib.contextmanager
def boardgame(storage: str) -> Iterator[tuple[str, int]]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with running(["node", str(HERE / "peer.mjs"), str(port), storage], url + "/games") as pid:
        yield url, pid


def loading(plan: dict[str, object]) -> list[str]:
    """Return the command that puts a load on a server."""
    text = json.dumps({"length": LENGTH, **plan})
    return ["taskset", "-c", str(LOAD_CORE), "node", str(HERE / "load.mjs"), text]


def load(**plan: object) -> dict[str, Any]:
    """Put a load on a server and return what the load saw."""
    done = subprocess.run(loading(plan), check=True, stdout=subprocess.PIPE, text=True)
    seen = dict(json.loads(done.stdout))
    if seen["errors"]:
        raise SystemExit(f"{seen['errors']} moves were refused, or --rounds is too low")
    return seen


@contextlib.contextmanager
def held(**plan: object) -> Iterator[None]:
    """Hold idle matches and spectators."""
    process = subprocess.Popen(
        loading(plan), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        if not process.stdout.readline():
            raise SystemExit("the load did not get through")
        yield
    finally:
        process.kill()
        process.wait()


def memory(pid: int) -> int:
    """Return the resident memory of a process, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) * 1024


def show(name: str, result: dict[str, Any]) -> None:
    print(
        f"{name:<38} {result['moves_per_second']:>8.0f} moves/s  p50 {result['p50'] or 0:6.1f} ms  "
        f"p99 {result['p99'] or 0:6.1f} ms  load {result['load_core']:.0%} of its core",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--turns", type=int, default=3, help="how often each server is saturated")
    parser.add_argument("--tables", type=int, default=200, help="matches at a time at saturation")
    parser.add_argument("--rounds", type=int, default=6, help="matches one after another at each")
    parser.add_argument("--paced", type=int, default=1_000, help="matches with a move a second")
    parser.add_argument(
        "--idle", type=int, default=5_000, help="idle matches with a spectator each"
    )
    given = parser.parse_args()
    if not (HERE / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--silent"], cwd=HERE, check=True)
    with tempfile.TemporaryDirectory() as folder:
        scripts = Path(folder) / "scripts.json"
        write_scripts(scripts)
        ours: dict[str, object] = {
            "target": "visavis",
            "game": GAME,
            "options": {},
            "scripts": str(scripts),
        }
        busy: dict[str, object] = {
            "tables": given.tables,
            "rounds": given.rounds,
            "seconds": given.seconds,
        }
        turns = [take_turn(ours, busy) for _ in range(given.turns)]
        for storage, goal in GOALS.items():
            ratio = statistics.median(turn[storage] for turn in turns)
            print(f"Visavis / boardgame.io in {storage}: {ratio:.2f} (wanted: {goal})", flush=True)
        with tempfile.TemporaryDirectory() as fresh, visavis(fresh) as (url, _):
            paced: dict[str, object] = {
                "tables": given.paced,
                "pace": 1_000,
                "seconds": given.seconds,
                "warm": 3_000,
            }
            show(f"{given.paced} matches, a move a second", load(url=url, **ours, **paced))
        with tempfile.TemporaryDirectory() as fresh, visavis(fresh) as (url, pid):
            measure_memory(url, pid, ours, given.idle)


def take_turn(ours: dict[str, object], busy: dict[str, object]) -> dict[str, float]:
    """Saturate each server once; return how many times as many moves ours made, by storage."""
    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        with visavis(folder) as (url, _):
            mine = load(url=url, **ours, **busy)
            show("Visavis, SQLite, durable", mine)
        for storage in GOALS:
            with boardgame(storage if storage == "memory" else f"{folder}/peer") as (url, _):
                peer = load(url=url, target="boardgame", **busy)
                show(f"boardgame.io, {storage}", peer)
            ratios[storage] = mine["moves_per_second"] / max(1.0, peer["moves_per_second"])
    return ratios


def measure_memory(url: str, pid: int, ours: dict[str, object], count: int) -> None:
    """Print what an idle match and a connected spectator cost."""
    empty = memory(pid)
    with held(url=url, **ours, idle=count, spectators=0):
        matches = memory(pid)
    print(f"an idle match: {(matches - empty) / count / 1024:.1f} KiB", flush=True)
    with held(url=url, **ours, idle=count, spectators=1):
        watched = memory(pid)
        client = (watched - matches) / count - (matches - empty) / count
        print(
            f"a connected client: {client / 1024:.1f} KiB; {count} spectated matches held, "
            f"{watched / 2**20:.0f} MiB in all",
            flush=True,
        )
        urllib.request.urlopen(url + "/readyz", timeout=10).close()


if __name__ == "__main__":
    main()

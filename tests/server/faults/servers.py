"""Servers in processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import socket
import sys

import httpx

RETRY_SECONDS = 0.05
PATIENCE = 120.0
"""Seconds that anything may take before a run is given up; nothing takes this long."""
EXPECTED = ("work in the background fails",)
"""What a server may log as an error when something goes wrong; nothing else."""


class Server:
    """A server in a process of its own, on a port that stays the same."""

    def __init__(self, database: str, port: int, program: tuple[str, ...] = ("visavis",)) -> None:
        self.database, self.port, self.program = database, port, program
        self.process: asyncio.subprocess.Process | None = None
        self.errors: list[str] = []
        """What it has logged and should not have."""
        self._reading: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def arguments(self) -> list[str]:
        """What the interpreter is started with: no limits, so that trials may hurry."""
        return [
            *("-m", *self.program, "serve", "--port", str(self.port)),
            *("--database", self.database, "--log-level", "error", "--workers", "1"),
            *("--requests", "0", "--messages", "0", "--new-matches", "0", "--work", "0"),
        ]

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, *self.arguments(), stderr=asyncio.subprocess.PIPE
        )
        self._reading = asyncio.create_task(self._read(self.process))
        await self.until_ready()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            text = line.decode(errors="replace")
            with contextlib.suppress(json.JSONDecodeError, KeyError, TypeError):
                if json.loads(text)["message"] in EXPECTED:
                    continue
            self.errors.append(text)

    async def is_ready(self, http: httpx.AsyncClient) -> bool:
        try:
            return (await http.get(f"http://{self.address}/readyz")).status_code == 200
        except httpx.TransportError:
            return False

    async def until_ready(self, wanted: bool = True) -> None:
        """Wait until it says that it can serve, or that it can't."""
        assert self.process is not None
        async with httpx.AsyncClient(timeout=PATIENCE) as http, asyncio.timeout(PATIENCE):
            while await self.is_ready(http) is not wanted:
                code = self.process.returncode
                assert code is None, f"exit code {code}: {''.join(self.errors)}"
                await asyncio.sleep(RETRY_SECONDS)

    def send(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)

    async def stop(self, how: signal.Signals) -> None:
        assert self.process is not None
        assert self._reading is not None
        self.send(how)
        await self.process.wait()
        await self._reading


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

"""Starting the server: on which database and port, and what is said if it can't."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from sqlalchemy.engine import make_url
from starlette.types import Message

from tests.server.serving import Json, Served, database_in, quick, serving
from visavis.server.app import create_app
from visavis.server.process import Process
from visavis.server.settings import Settings
from visavis.server.store import BadDatabase

pytestmark = pytest.mark.anyio


async def test_one_process_for_a_file(served: Served) -> None:
    with pytest.raises(BadDatabase, match="in use"):
        await Process(Settings(database=served.process.settings.database)).open()


async def test_a_database_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "later.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.commit()
    with pytest.raises(BadDatabase, match="later version"):
        await Process(Settings(database=str(path))).open()


async def test_a_server_that_can_t_start_says_why_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, however long it goes on")
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "lifespan.startup"}

    async def send(message: Message) -> None:
        sent.append(message)

    app = create_app(Settings(database=str(tmp_path / "text")))
    with pytest.raises(BadDatabase):
        await app({"type": "lifespan"}, receive, send)
    why = f"{tmp_path / 'text'} can't be used: file is not a database"
    assert sent == [{"type": "lifespan.startup.failed", "message": why}]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://visavis:secret@127.0.0.1:1/none", "Connect(ion refused| call failed)"),
        ("postgresql://visavis@/none?host=/nowhere", "No such file"),
        ("postgresql:/none", "an address looks like"),
        ("postgresql://host:port/none", "an address looks like"),
        ("mysql://host/none", "mysql is not known"),
    ],
)
async def test_a_database_that_is_not_there(address: str, why: str) -> None:
    with pytest.raises(BadDatabase, match=why) as refused:
        await Process(Settings(database=address)).open()
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("change", [{"username": "nobody_here"}, {"database": "nothing_here"}])
async def test_a_database_that_lets_nobody_in(postgres: str, change: Json) -> None:
    address = make_url(postgres).set(**change).render_as_string(hide_password=False)
    with pytest.raises(BadDatabase, match="does not exist"):
        await Process(Settings(database=address)).open()


def failed_start(*arguments: str) -> str:
    """Return the line that a server says which can't start."""
    command = (sys.executable, "-m", "visavis", "serve", "--log-level", "error", *arguments)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr


def test_a_database_that_is_away_is_an_exit_code_and_a_line() -> None:
    told = failed_start("--port", "0", "--database", "postgresql://visavis:secret@127.0.0.1:1/none")
    assert "127.0.0.1:1/none can't be used" in told
    assert "secret" not in told


async def test_a_database_in_use_is_an_exit_code_and_a_line(tmp_path: Path) -> None:
    async with serving(quick(database_in(tmp_path))):
        told = await asyncio.to_thread(
            failed_start, "--port", "0", "--database", str(database_in(tmp_path))
        )
    assert "is in use by another process" in told


def test_a_taken_port_is_an_exit_code_and_a_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = failed_start("--port", port, "--database", str(tmp_path / "visavis.db"))
    assert f"port {port} of 127.0.0.1 is in use by another process; name another" in told


def test_a_free_port_is_taken_and_the_log_says_which(tmp_path: Path) -> None:
    database = str(tmp_path / "visavis.db")
    command = (sys.executable, "-m", "visavis", "serve", "--port", "0", "--database", database)
    with subprocess.Popen(command, stderr=subprocess.STDOUT, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        told = (json.loads(line) for line in server.stdout)
        address = next(line["address"] for line in told if line["message"] == "listening")
        assert httpx.get(f"{address}healthz").status_code == 200
        server.terminate()

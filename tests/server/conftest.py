from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.engine import make_url

from tests.server.postgres import started
from tests.server.serving import Served, database_in, quick, serving
from visavis.bot import Bot


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": True}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(quick(database_in(tmp_path))) as running:
        yield running


@pytest.fixture(autouse=True)
def stopped_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop the bots of a test behind it: another server may get the port of theirs."""
    bots: list[Bot] = []
    make = Bot.__init__

    def note(bot: Bot, url: str, token: str) -> None:
        make(bot, url, token)
        bots.append(bot)

    monkeypatch.setattr(Bot, "__init__", note)
    yield
    for bot in bots:
        bot.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL on which databases can be created."""
    if url := os.environ.get("VISAVIS_TEST_POSTGRES"):
        yield url
        return
    with started() as cluster:
        yield cluster.url


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of a fresh database."""
    name = f"visavis_{secrets.token_hex(6)}"
    asyncio.run(_execute(postgres_server, f"CREATE DATABASE {name}"))
    try:
        yield make_url(postgres_server).set(database=name).render_as_string(hide_password=False)
    finally:
        asyncio.run(_execute(postgres_server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh database of each kind."""
    if request.param == "sqlite":
        return str(database_in(tmp_path))
    return str(request.getfixturevalue("postgres"))


@pytest.fixture
async def either(database: str) -> AsyncIterator[Served]:
    """A server on each kind of database."""
    async with serving(quick(database)) as running:
        yield running


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()

"""Two databases behind one face: functions over a connection, run off the event loop.

Statements are written once, for SQLAlchemy's plain connection. SQLite runs them in one writer
thread and a few reader threads; PostgreSQL through asyncpg.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Protocol, TypeVar

import asyncpg
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import SingletonThreadPool

from visavis.rules.errors import VisavisError

T = TypeVar("T")
Work = Callable[[sa.Connection], T]
Hear = Callable[[str], Awaitable[None]]

CHANNEL: Final = "visavis"
UP_LOCK: Final = 0x76697376
"""The advisory lock that every process shares while it is up."""
MIGRATION_LOCK: Final = 0x7669736D
READERS: Final = 2
BUSY_SECONDS: Final = 30
RETRY_SECONDS: Final = 0.5


class BadDatabase(VisavisError):
    """A database that can't be used."""


class Database(Protocol):
    """Where things are kept."""

    async def open(self) -> bool:
        """Connect, bring the tables up to date; say whether no other process was up."""

    async def read(self, work: Work[T]) -> T:
        """Run some work that only reads."""

    async def write(self, work: Work[T]) -> T:
        """Run some work in a transaction; it is on disk when this returns."""

    async def listen(self, hear: Hear, lost: Callable[[], Awaitable[None]]) -> None:
        """Hear of what other processes write, for ever; ``lost`` is told of every gap."""

    async def close(self) -> None:
        """Finish what was begun, and let go."""


def database(url: str) -> Database:
    """Return the database of an address: a file name, ``sqlite:///…`` or ``postgresql://…``."""
    if "://" not in url and not url.startswith(("postgres:", "postgresql:")):
        return Sqlite(Path(url))
    try:
        parsed = make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise BadDatabase("an address looks like sqlite:///file or postgresql://…") from None
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return Sqlite(Path(parsed.database or ""))
    if backend in ("postgresql", "postgres"):
        return Postgres(parsed)
    raise BadDatabase(f"{backend} is not known; there are sqlite and postgresql")


# -- SQLite ----------------------------------------------------------------------------------------


class Sqlite:
    """One file, one process, one writer thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Each thread has a connection of its own, for good: there are few of them.
        self._engine = sa.create_engine(
            URL.create("sqlite", database=str(path)),
            poolclass=SingletonThreadPool,
            pool_size=READERS + 1,
            connect_args={"timeout": BUSY_SECONDS},
        )
        sa.event.listen(self._engine, "connect", _set_pragmas)
        self._writer = ThreadPoolExecutor(1, "visavis-writer")
        self._readers = ThreadPoolExecutor(READERS, "visavis-reader")
        self._lock: int | None = None

    async def open(self) -> bool:
        """Take the file for this process alone, and bring the tables up to date."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(f"{self.path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise BadDatabase(f"{self.path} can't be opened: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadDatabase(
                f"{self.path} is in use by another process; several share a PostgreSQL"
            ) from None
        try:
            await self.write(migrate)
        except sa.exc.DBAPIError as error:
            raise BadDatabase(f"{self.path} can't be used: {error.orig}") from None
        except BadDatabase as error:
            raise BadDatabase(f"{self.path} can't be used: {error}") from None
        return True

    async def read(self, work: Work[T]) -> T:
        """Run in a reader thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._run, work)

    async def write(self, work: Work[T]) -> T:
        """Run in the writer thread."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._run, work)

    def _run(self, work: Work[T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)

    async def listen(self, hear: Hear, lost: Callable[[], Awaitable[None]]) -> None:
        """There is nobody else to hear of."""

    async def close(self) -> None:
        """Wait for the threads."""
        await asyncio.to_thread(self._writer.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
        self._engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _set_pragmas(connection: sa.pool.PoolProxiedConnection, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


# -- PostgreSQL ------------------------------------------------------------------------------------


class Postgres:
    """A server that several processes share."""

    def __init__(self, url: URL) -> None:
        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg"), pool_size=5, pool_pre_ping=True
        )
        plain = url.set(drivername="postgresql")
        self._name = plain.render_as_string(hide_password=True)
        self._address = plain.render_as_string(hide_password=False)
        self._up: asyncpg.Connection[asyncpg.Record] | None = None

    async def open(self) -> bool:
        """Connect, and bring the tables up to date, one process at a time."""
        try:
            self._up = await asyncpg.connect(self._address)
            await self._up.execute("SELECT pg_advisory_lock($1)", MIGRATION_LOCK)
            async with self._engine.begin() as connection:
                await connection.run_sync(migrate)
            alone = await self._up.fetchval("SELECT pg_try_advisory_lock($1)", UP_LOCK)
            # Shared and held until this process ends, however it ends.
            await self._up.execute("SELECT pg_advisory_lock_shared($1)", UP_LOCK)
            if alone:
                await self._up.execute("SELECT pg_advisory_unlock($1)", UP_LOCK)
            await self._up.execute("SELECT pg_advisory_unlock($1)", MIGRATION_LOCK)
        except (
            OSError,
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            sa.exc.SQLAlchemyError,
            BadDatabase,
        ) as error:
            why = getattr(error, "orig", None) or error
            line = str(why).partition("\n")[0] or type(why).__name__
            raise BadDatabase(f"{self._name} can't be used: {line}") from None
        return bool(alone)

    async def read(self, work: Work[T]) -> T:
        """Run on a connection of the pool."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Work[T]) -> T:
        """Run on a connection of the pool, in a transaction."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def listen(self, hear: Hear, lost: Callable[[], Awaitable[None]]) -> None:
        """Listen on the channel; connect again when the line breaks."""
        while True:
            with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                async with self._heard() as heard:
                    await lost()
                    while (payload := await heard.get()) is not None:
                        await hear(payload)
            await asyncio.sleep(RETRY_SECONDS)

    @contextlib.asynccontextmanager
    async def _heard(self) -> AsyncIterator[asyncio.Queue[str | None]]:
        heard: asyncio.Queue[str | None] = asyncio.Queue()
        connection = await asyncpg.connect(self._address)
        try:
            connection.add_termination_listener(lambda _: heard.put_nowait(None))
            await connection.add_listener(CHANNEL, lambda *told: heard.put_nowait(str(told[-1])))
            yield heard
        finally:
            await connection.close(timeout=1)

    async def close(self) -> None:
        """Let go of all connections."""
        await self._engine.dispose()
        if self._up is not None:
            await self._up.close(timeout=1)


# -- Both ------------------------------------------------------------------------------------------


def migrate(connection: sa.Connection) -> None:
    """Bring the tables up to date, or raise `BadDatabase` if they are from a later version."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "visavis.server:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError:
        raise BadDatabase("its tables are those of a later version of Visavis") from None


def notify(connection: sa.Connection, payloads: list[str]) -> None:
    """Tell the other processes, once the transaction is through."""
    if connection.dialect.name == "postgresql":
        statement = sa.text("SELECT pg_notify(:channel, :payload)")
        for payload in payloads:
            connection.execute(statement, {"channel": CHANNEL, "payload": payload})


def hold_off_others(connection: sa.Connection, table: str) -> None:
    """Let nobody else write to a table until the transaction is through."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
        connection.execute(sa.text(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))

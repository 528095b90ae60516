"""Two databases behind one face: functions over a connection, run off the event loop.

Statements are written once, for SQLAlchemy's plain connection. SQLite runs them in one writer
thread and a few reader threads; PostgreSQL through asyncpg.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import stat
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Protocol, TypeVar

import asyncpg
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import SingletonThreadPool

from visavis.rules.errors import VisavisError
from visavis.server.store.failures import (
    DRIVER_ERRORS,
    DatabaseFailed,
    Unavailable,
    contained,
    failure,
)

logger = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[sa.Connection], T]
Hear = Callable[[str], Awaitable[None]]

CHANNEL: Final = "visavis"
UP_LOCK: Final = 0x76697376
"""The advisory lock that every process shares while it is up, however it ends."""
TAKE_UP_LOCK: Final = "SELECT pg_advisory_lock_shared($1)"
MIGRATION_LOCK: Final = 0x7669736D
PRIVATE: Final = 0o600
READERS: Final = 2
BUSY_SECONDS: Final = 30
"""A statement that takes longer has failed."""
HANGING_MS: Final = "3000"
"""A process that stops in the middle of a transaction loses it, and what it has locked with it."""
CONNECT_SECONDS: Final = 10
SILENCE_SECONDS: Final = 10


class BadDatabase(VisavisError):
    """A database that can't be used."""


class Database(Protocol):
    """Where things are kept."""

    async def open(self) -> bool:
        """Connect, bring the tables up to date; say whether no other process was up."""

    async def read(self, work: Work[T]) -> T:
        """Run some work that only reads, or raise one of `visavis.server.store.failures`."""

    async def write(self, work: Work[T]) -> T:
        """Run some work in a transaction; it is on disk when this returns. Raises likewise."""

    async def tell(self, payloads: list[str]) -> None:
        """Tell the other processes something; nobody waits for it."""

    async def listen(self, hear: Hear, begin: Callable[[], Awaitable[None]]) -> None:
        """Hear of what processes write. Returns if there is nobody to hear of, else never.

        ``begin`` is called when everything from then on will be heard. Raises `Unavailable` when
        the line breaks.
        """

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
            hide_parameters=True,
        )
        sa.event.listen(self._engine, "connect", _set_pragmas)
        self._writer = ThreadPoolExecutor(1, "visavis-writer")
        self._readers = ThreadPoolExecutor(READERS, "visavis-reader")
        self._lock: int | None = None

    async def open(self) -> bool:
        """Take the file for this process alone, and bring the tables up to date."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(f"{self.path}.lock", os.O_CREAT | os.O_RDWR, PRIVATE)
        except OSError as error:
            raise BadDatabase(f"{self.path} can't be opened: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadDatabase(
                f"{self.path} is in use by another process; several share a PostgreSQL"
            ) from None
        try:
            _make_private(self.path)
            await self.write(migrate)
        except OSError as error:
            raise BadDatabase(f"{self.path} can't be opened: {error.strerror}") from None
        except Unavailable as error:
            raise BadDatabase(f"{self.path} can't be used: {error.why}") from None
        except (DatabaseFailed, BadDatabase) as error:
            raise BadDatabase(f"{self.path} can't be used: {error}") from None
        return True

    async def read(self, work: Work[T]) -> T:
        """Run in a reader thread."""
        return await self._run_in(self._readers, work)

    async def write(self, work: Work[T]) -> T:
        """Run in the writer thread."""
        return await self._run_in(self._writer, work)

    async def _run_in(self, threads: ThreadPoolExecutor, work: Work[T]) -> T:
        if self._lock is None:
            raise Unavailable("the database is closed")
        return await asyncio.get_running_loop().run_in_executor(threads, self._run, work)

    def _run(self, work: Work[T]) -> T:
        with contained(), self._engine.begin() as connection:
            return work(connection)

    async def tell(self, payloads: list[str]) -> None:
        """There is nobody else to be told."""

    async def listen(self, hear: Hear, begin: Callable[[], Awaitable[None]]) -> None:
        """There is nobody else to hear of."""

    async def close(self) -> None:
        """Wait for the threads."""
        lock, self._lock = self._lock, None
        await asyncio.to_thread(self._writer.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
        self._engine.dispose()
        if lock is not None:
            os.close(lock)


def _make_private(path: Path) -> None:
    """Let nobody else read a database, which holds every seed and every move.

    SQLite gives the files that it makes beside it the mode of the database.
    """
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
    for name in (f"{path}{end}" for end in ("", "-wal", "-shm", "-journal", ".lock")):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            os.chmod(name, PRIVATE)
        if os.path.exists(name) and stat.S_IMODE(os.stat(name).st_mode) & 0o077:
            logger.warning("others may read the database", extra={"file": name})


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
            url.set(drivername="postgresql+asyncpg"),
            pool_size=5,
            pool_pre_ping=True,
            connect_args={
                "timeout": CONNECT_SECONDS,
                "command_timeout": BUSY_SECONDS,
                "server_settings": {"idle_in_transaction_session_timeout": HANGING_MS},
            },
            hide_parameters=True,
        )
        plain = url.set(drivername="postgresql")
        self._name = plain.render_as_string(hide_password=True)
        self._address = plain.render_as_string(hide_password=False)
        self._line: asyncpg.Connection[asyncpg.Record] | None = None
        """Says that this process is up, by a lock, and hears of what the others write."""

    async def open(self) -> bool:
        """Connect, and bring the tables up to date, one process at a time."""
        try:
            self._line = line = await asyncpg.connect(self._address, timeout=CONNECT_SECONDS)
            await line.execute("SELECT pg_advisory_lock($1)", MIGRATION_LOCK)
            async with self._engine.begin() as connection:
                await connection.run_sync(migrate)
            alone = await line.fetchval("SELECT pg_try_advisory_lock($1)", UP_LOCK)
            await line.execute(TAKE_UP_LOCK, UP_LOCK)
            if alone:
                await line.execute("SELECT pg_advisory_unlock($1)", UP_LOCK)
            await line.execute("SELECT pg_advisory_unlock($1)", MIGRATION_LOCK)
        except DRIVER_ERRORS as error:
            failed = failure(error)
            why = failed.why if isinstance(failed, Unavailable) else str(failed)
            raise BadDatabase(f"{self._name} can't be used: {why}") from None
        except BadDatabase as error:
            raise BadDatabase(f"{self._name} can't be used: {error}") from None
        return bool(alone)

    async def read(self, work: Work[T]) -> T:
        """Run on a connection of the pool."""
        with contained():
            async with self._engine.connect() as connection:
                return await connection.run_sync(work)

    async def write(self, work: Work[T]) -> T:
        """Run on a connection of the pool, in a transaction."""
        with contained():
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)

    async def tell(self, payloads: list[str]) -> None:
        """Notify the channel, which this process hears too."""
        if payloads:
            await self.write(lambda connection: notify(connection, payloads))

    async def listen(self, hear: Hear, begin: Callable[[], Awaitable[None]]) -> None:
        """Listen on the channel. A lost connection loses the lock too, and takes it again.

        Each process hears its own heartbeats: a line on which nothing comes is broken.
        """
        heard: asyncio.Queue[str | None] = asyncio.Queue()
        try:
            with contained():
                line = await self._connected()
                line.add_termination_listener(lambda _: heard.put_nowait(None))
                await line.add_listener(CHANNEL, lambda *told: heard.put_nowait(str(told[-1])))
            await begin()
            while (payload := await _soon(heard.get())) is not None:
                await hear(payload)
            raise Unavailable("the line on which others are heard broke")
        except Exception:
            self._hang_up()
            raise

    async def _connected(self) -> asyncpg.Connection[asyncpg.Record]:
        """Return the line, connected again if need be."""
        if self._line is None or self._line.is_closed():
            self._line = await asyncpg.connect(self._address, timeout=CONNECT_SECONDS)
            await self._line.execute(TAKE_UP_LOCK, UP_LOCK)
        return self._line

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.terminate()

    async def close(self) -> None:
        """Let go of all connections."""
        await self._engine.dispose()
        if self._line is not None:
            with contextlib.suppress(*DRIVER_ERRORS):  # there is nobody to say goodbye to
                await self._line.close(timeout=1)


async def _soon(heard: Coroutine[object, object, T]) -> T:
    try:
        async with asyncio.timeout(SILENCE_SECONDS):
            return await heard
    except TimeoutError:
        raise Unavailable("nothing is heard of the others") from None


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

"""What a database may say of its failures: never anything that is kept in it.

Drivers quote rows, keys and arguments in their messages, and these end up in logs. So no error of a
driver leaves the store: it becomes one of three, in words that hold no value.

::

    Duplicate         the key is there already
    Unavailable       the database can't be reached, or nothing can be written; a `Refusal`
    DatabaseFailed    anything else: a mistake of ours
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Final

import asyncpg
import sqlalchemy as sa

from visavis.server.errors import Refusal

_UNIQUE: Final = "23505"
_OUTAGES: Final = ("08", "25", "28", "3D", "40", "53", "55", "57", "58", "F0", "XX")
"""Classes of SQLSTATE that speak of the server's condition, and so quote nobody's data."""
_SQLITE_UNIQUE: Final = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)
_SQLITE_OUTAGES: Final = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_READONLY,
)


class Duplicate(Exception):
    """The key is there already."""


class DatabaseFailed(Exception):
    """The database refused what it was asked to do."""


class Unavailable(Refusal):
    """The database can't be reached, or can't write; it may be different soon."""

    def __init__(self, why: str) -> None:
        super().__init__("busy", "the server can't reach its storage just now; try again")
        self.why = why
        """For the log, not for the client; it holds nothing from the database."""
        self.add_note(why)


DRIVER_ERRORS: Final = (
    sa.exc.SQLAlchemyError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,  # and its TimeoutError
)
"""All that drivers raise."""


@contextlib.contextmanager
def contained() -> Iterator[None]:
    """Let no error of a driver out as it is."""
    try:
        yield
    except DRIVER_ERRORS as error:
        raise failure(error) from None


def failure(error: BaseException) -> Duplicate | DatabaseFailed | Unavailable:
    """Return what to raise in place of a driver's error."""
    if isinstance(error, sa.exc.StatementError) and error.orig is not None:
        error = error.orig.__cause__ or error.orig
    name = type(error).__name__
    match error:
        case sqlite3.Error():
            return _of_sqlite(error, str(error))
        case asyncpg.PostgresError():
            return _of_postgres(error, name)
        case OSError() | sa.exc.TimeoutError() | sa.exc.DisconnectionError():
            # An address that can't be reached is in its text, which is what one wants to know.
            return Unavailable(f"{name}: {error}" if str(error) else name)
        case asyncpg.InterfaceError() | asyncpg.InternalClientError() if not isinstance(
            error, ValueError
        ):
            return Unavailable(name)
        case _:
            return DatabaseFailed(name)


def _of_postgres(
    error: asyncpg.PostgresError, name: str
) -> Duplicate | DatabaseFailed | Unavailable:
    state = str(error.sqlstate)
    if state == _UNIQUE:
        return Duplicate()
    if state[:2] in _OUTAGES:
        return Unavailable(f"{name}: {error.args[0]}")
    return DatabaseFailed(f"{name} ({state})")


def _of_sqlite(error: sqlite3.Error, text: str) -> Duplicate | DatabaseFailed | Unavailable:
    """SQLite names tables and columns in its messages, and no values."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code in _SQLITE_UNIQUE:
        return Duplicate()
    return Unavailable(text) if code & 0xFF in _SQLITE_OUTAGES else DatabaseFailed(text)

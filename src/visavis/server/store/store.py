"""The store: append to the log of a match, read it back, find matches, keep time.

Appending is conditional: entry ``number`` goes in only if nobody else has written one of that
number. Whoever comes second has a `Conflict`, reads what the other wrote and thinks again. This is
all the agreement that several processes need: no match has an owner.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.exc import IntegrityError

from visavis.server.store.commits import GroupCommit
from visavis.server.store.database import Database, Hear, hold_off_others, notify
from visavis.server.store.tables import bots, log, matches, records, uptime

NOTICED: Final = 100
"""So many matches are named in one notification; PostgreSQL takes 8,000 bytes."""


class Conflict(Exception):
    """Somebody else has written an entry of this number."""


class Row(Struct, frozen=True):
    """An entry as it is kept."""

    number: int
    at: int
    body: bytes


class Index(Struct, frozen=True):
    """What is kept of a match beside its log, to find it by."""

    status: str
    private: bool
    created: int
    wake: int | None
    bots: tuple[str | None, str | None]
    info: bytes


class Kept(Struct, frozen=True):
    """A match that is over, as a record."""

    match: str
    game: str
    private: bool
    ended: int
    text: str
    info: bytes


class Append(Struct, frozen=True):
    """An entry to be written. ``index`` is there if it has changed, and for entry 1."""

    match: str
    row: Row
    index: Index | None = None
    kept: Kept | None = None
    opens: Append | None = None
    """Another match that begins with this entry."""


class Beat(Struct, frozen=True):
    """What time it is by the database, and how long the server has been away in all."""

    now: int
    away: int


class Store:
    """The store. Everything it has written is on disk when a call returns."""

    def __init__(self, database: Database, window: float) -> None:
        self._database = database
        self._commits = GroupCommit(self._commit, window)

    async def open(self) -> bool:
        """Get ready; say whether no other process was up."""
        return await self._database.open()

    async def close(self) -> None:
        """Write what is still to be written, and let go."""
        await self._commits.close()
        await self._database.close()

    async def listen(self, hear: Hear, lost: Hear) -> None:
        """Hear which matches other processes have written to, as ``id id …``, for ever."""
        await self._database.listen(hear, lambda: lost(""))

    @property
    def waiting(self) -> int:
        """How many appends wait for their transaction."""
        return self._commits.waiting

    @property
    def commits(self) -> int:
        """How many transactions appends have shared so far."""
        return self._commits.commits

    # The log

    async def append(self, append: Append) -> None:
        """Write an entry, or raise `Conflict`. Appends within a few milliseconds share a commit."""
        if not await self._commits.add(append):
            raise Conflict

    async def _commit(self, batch: Sequence[Append]) -> list[bool]:
        if len(batch) > 1:
            # If one of them loses, each goes on its own, so that the others don't lose with it.
            with contextlib.suppress(sa.exc.DBAPIError):
                await self._database.write(lambda connection: _write(connection, batch))
                return [True] * len(batch)
        return [await self._commit_alone(append) for append in batch]

    async def _commit_alone(self, append: Append) -> bool:
        try:
            await self._database.write(lambda connection: _write(connection, [append]))
        except IntegrityError:
            return False
        return True

    async def rows(self, match: str, after: int = 0) -> list[Row]:
        """Return the entries of a match behind a number, in order."""
        query = (
            sa.select(log.c.number, log.c.at, log.c.body)
            .where(log.c.match == match, log.c.number > after)
            .order_by(log.c.number)
        )
        return await self._database.read(
            lambda connection: [Row(*row) for row in connection.execute(query)]
        )

    # Finding

    async def due(self, now: int, limit: int) -> list[str]:
        """Return matches that somebody should look at by now."""
        query = sa.select(matches.c.id).where(matches.c.wake <= now).order_by(matches.c.wake)
        return await self._ids(query.limit(limit))

    async def with_status(self, status: str, limit: int) -> list[bytes]:
        """Return the public matches of a status, newest first."""
        query = (
            sa.select(matches.c.info)
            .where(matches.c.status == status, matches.c.private.is_(False))
            .order_by(matches.c.created.desc())
            .limit(limit)
        )
        return await self._database.read(lambda c: [bytes(row[0]) for row in c.execute(query)])

    async def count(self, status: str) -> int:
        """Return how many matches have a status."""
        query = sa.select(sa.func.count()).where(matches.c.status == status)
        return await self._database.read(lambda c: int(c.execute(query).scalar_one()))

    async def of_bot(self, name: str) -> list[str]:
        """Return the running matches in which a bot has a seat."""
        query = sa.select(matches.c.id).where(
            matches.c.status == "running",
            (matches.c.first_bot == name) | (matches.c.second_bot == name),
        )
        return await self._ids(query)

    async def _ids(self, query: sa.Select[tuple[str]]) -> list[str]:
        return await self._database.read(lambda c: [str(row[0]) for row in c.execute(query)])

    # Records

    async def record(self, match: str) -> Kept | None:
        """Return a match that is over."""
        query = sa.select(records).where(records.c.match == match)
        row = await self._database.read(lambda c: c.execute(query).one_or_none())
        return None if row is None else _kept(row)

    async def finished(self, limit: int) -> list[bytes]:
        """Return public matches that are over, the last first."""
        query = (
            sa.select(records.c.info)
            .where(records.c.private.is_(False))
            .order_by(records.c.ended.desc())
            .limit(limit)
        )
        return await self._database.read(lambda c: [bytes(row[0]) for row in c.execute(query)])

    async def records_after(self, match: str, limit: int) -> list[Kept]:
        """Return finished matches in the order of their ids, behind one: for export."""
        query = sa.select(records).where(records.c.match > match).order_by(records.c.match)
        return await self._database.read(
            lambda c: [_kept(row) for row in c.execute(query.limit(limit))]
        )

    async def keep(self, kept: Kept) -> bool:
        """Keep a record that came from elsewhere; False if the match is known already."""
        try:
            await self._database.write(
                lambda c: c.execute(records.insert(), _kept_values(kept)) and None
            )
        except IntegrityError:
            return False
        return True

    # Bots

    async def add_bot(self, name: str, key: str, created: int) -> bool:
        """Register a bot; False if the name is taken."""
        values = {"name": name, "key": key, "created": created}
        try:
            await self._database.write(lambda c: c.execute(bots.insert(), values) and None)
        except IntegrityError:
            return False
        return True

    async def bot_of(self, key: str) -> str | None:
        """Return the bot whose token has this digest."""
        query = sa.select(bots.c.name).where(bots.c.key == key)
        return await self._database.read(lambda c: c.execute(query).scalar_one_or_none())

    async def has_bot(self, name: str) -> bool:
        """Whether a bot of that name is registered."""
        query = sa.select(bots.c.name).where(bots.c.name == name)
        return await self._database.read(lambda c: c.execute(query).first() is not None)

    # Time

    async def beat(self, longest_gap: int, away_entry: bytes) -> Beat:
        """Say that the server is up, and learn the time.

        If nobody has said so for longer than ``longest_gap`` milliseconds, the server was away: the
        time since is added to ``away``, once, and every running match has an entry that says so,
        made from ``away_entry`` with ``%d`` for the milliseconds.
        """
        return await self._database.write(lambda c: _beat(c, longest_gap, away_entry))


# -- Work on a connection --------------------------------------------------------------------------

_UPDATE = (
    matches.update()
    .where(matches.c.id == sa.bindparam("the_id"))
    .values({name: sa.bindparam(name) for name in ("status", "wake", "first_bot", "second_bot")})
    .values(info=sa.bindparam("info"))
)


def _write(connection: sa.Connection, batch: Sequence[Append]) -> None:
    appends = [*batch, *(append.opens for append in batch if append.opens is not None)]
    appends.sort(key=lambda append: append.match)  # one order for all processes: no deadlocks
    new = [_index(a) for a in appends if a.index is not None and a.row.number == 1]
    changed = [_index(a) for a in appends if a.index is not None and a.row.number > 1]
    kept = [_kept_values(a.kept) for a in appends if a.kept is not None]
    if new:
        connection.execute(matches.insert(), new)
    rows = [
        {"match": a.match, "number": a.row.number, "at": a.row.at, "body": a.row.body}
        for a in appends
    ]
    connection.execute(log.insert(), rows)
    if changed:
        connection.execute(_UPDATE, [values | {"the_id": values["id"]} for values in changed])
    if kept:
        connection.execute(records.insert(), kept)
    ids = list(dict.fromkeys(a.match for a in appends))
    notify(connection, [" ".join(ids[i : i + NOTICED]) for i in range(0, len(ids), NOTICED)])


def _index(append: Append) -> dict[str, object]:
    index = append.index
    assert index is not None
    return {
        "id": append.match,
        "status": index.status,
        "private": index.private,
        "created": index.created,
        "wake": index.wake,
        "first_bot": index.bots[0],
        "second_bot": index.bots[1],
        "info": index.info,
    }


def _kept_values(kept: Kept) -> dict[str, object]:
    return {
        "match": kept.match,
        "game": kept.game,
        "private": kept.private,
        "ended": kept.ended,
        "text": kept.text,
        "info": kept.info,
    }


def _kept(row: sa.Row[tuple[object, ...]]) -> Kept:
    return Kept(row.match, row.game, row.private, row.ended, row.text, bytes(row.info))


def _beat(connection: sa.Connection, longest_gap: int, away_entry: bytes) -> Beat:
    now = _database_time(connection)
    row = connection.execute(sa.select(uptime).with_for_update()).one_or_none()
    if row is None:
        connection.execute(uptime.insert(), {"id": 1, "alive": now, "away": 0})
        return Beat(now, 0)
    gap = max(0, now - row.alive)
    away = row.away + (gap if gap > longest_gap else 0)
    connection.execute(uptime.update().values(alive=max(now, row.alive), away=away))
    if gap > longest_gap:
        _tell_of_absence(connection, now - away, away_entry % gap)
    return Beat(now, away)


def _database_time(connection: sa.Connection) -> int:
    """Return the milliseconds since 1970 by the clock that all processes share."""
    if connection.dialect.name == "postgresql":
        query = sa.text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
        return int(connection.execute(query).scalar_one())
    return time.time_ns() // 1_000_000


def _tell_of_absence(connection: sa.Connection, now: int, body: bytes) -> None:
    last, moment = sa.func.max(log.c.number), sa.func.max(log.c.at)
    entry = (
        sa.select(
            log.c.match,
            last + 1,
            sa.case((moment > now, moment), else_=sa.literal(now, sa.BigInteger)),
            sa.literal(body, sa.LargeBinary),
        )
        .select_from(log.join(matches, matches.c.id == log.c.match))
        .where(matches.c.status == "running")
        .group_by(log.c.match)
    )
    told = log.insert().from_select(["match", "number", "at", "body"], entry)
    hold_off_others(connection, log.name)
    connection.execute(told)

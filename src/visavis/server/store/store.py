"""The store: append to the log of a match, read it back, find matches, keep time.

Appending is conditional: entry ``number`` goes in only if nobody else has written one of that
number. The second writer gets a `Conflict`, reads what the first wrote and tries again. This is
all the agreement that several processes need: no match has an owner.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from visavis.server.secrets import new_id
from visavis.server.store.clock import Clock
from visavis.server.store.commits import GroupCommit
from visavis.server.store.database import Database, hold_off_others, notify
from visavis.server.store.failures import DatabaseFailed, Duplicate, Unavailable
from visavis.server.store.tables import bots, log, matches, records, uptime
from visavis.server.store.trial import put_trial, take_out_trials

Listing = Literal["open", "running", "over"]
Where = sa.ColumnElement[bool]

LOOKED_THROUGH: Final = 1_000
"""A list that can't show all matches is chosen from this many of the newest."""
TRIAL_BYTES: Final = 65_536
"""How much must fit on the disk before writes are believed to work again."""
NOTICED: Final = 100
"""How many matches one notification names; PostgreSQL takes 8,000 bytes."""


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
    """Of a match that runs."""
    info: bytes
    source: str = ""
    """Who made it: the same for all that one client has made."""
    is_automatic: bool = False


class Place(Struct, frozen=True):
    """Where a match stands in a list."""

    at: int
    match: str


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
    is_listed: bool = False
    """Whether the lobby is another by it."""


class Beat(Struct, frozen=True):
    """For how many milliseconds the server was up and away in all, when it last said so."""

    uptime: int
    away: int

    @property
    def elapsed(self) -> int:
        """All time that has gone by, whether the server was up or not."""
        return self.uptime + self.away

    def after(self, gap: int, most: int) -> Beat:
        """Return the beat that comes so much later, of which ``most`` at most is uptime.

        >>> Beat(uptime=100, away=10).after(30, 20)
        Beat(uptime=120, away=20)
        """
        gap = max(0, gap)
        charged = min(gap, most)
        return Beat(self.uptime + charged, self.away + gap - charged)


class News(Struct, frozen=True, omit_defaults=True):
    """What a process tells the others: which matches it has written to, or that it is up."""

    matches: tuple[tuple[str, int], ...] = ()
    """Each with the number of the last entry."""
    is_listed: bool = False
    """Whether the lobby is another by it."""
    begun: tuple[tuple[str, str], ...] = ()
    """Bots, each with a match of its own that has begun."""
    beat: Beat | None = None
    present: tuple[tuple[str, int], ...] = ()
    """Seats at which somebody is, each with its match."""


class Store:
    """The store. Everything it has written is on disk when a call returns."""

    def __init__(self, database: Database, window: float, clock: Clock | None = None) -> None:
        self._database = database
        self._commits = GroupCommit(self._commit, window)
        self.clock = clock or Clock()
        self.is_failing = False
        """Whether an append could not be written, and since then nothing as long as many."""

    async def open(self) -> bool:
        """Get ready; say whether no other process was up."""
        return await self._database.open()

    async def close(self) -> None:
        """Write what is still to be written, and let go."""
        await self._commits.close()
        await self._database.close()

    async def listen(
        self, hear: Callable[[News], Awaitable[None]], begin: Callable[[], Awaitable[None]]
    ) -> None:
        """Hear what processes tell, until the line breaks. Before ``begin`` all may be missed."""
        await self._database.listen(lambda text: hear(_news.decode(text)), begin)

    async def tell_present(self, seats: Sequence[tuple[str, int]]) -> None:
        """Tell the other processes at which seats somebody is."""
        parts = [tuple(seats[i : i + NOTICED]) for i in range(0, len(seats), NOTICED)]
        await self._database.tell([_encode(News(present=part)) for part in parts])

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
        try:
            await self._commits.add(append)
        except Unavailable:
            self.is_failing = True
            raise

    async def _commit(self, batch: Sequence[Append]) -> list[Exception | None]:
        if len(batch) > 1:
            try:
                await self._database.write(lambda connection: _write(connection, batch))
            except (Duplicate, DatabaseFailed):
                pass  # of one of them: each goes on its own, so that the others don't lose with it
            else:
                return [None] * len(batch)
        return [await self._commit_alone(append) for append in batch]

    async def _commit_alone(self, append: Append) -> Exception | None:
        try:
            await self._database.write(lambda connection: _write(connection, [append]))
        except Duplicate:
            return Conflict()
        except (DatabaseFailed, Unavailable) as error:
            return error
        return None

    async def rows(self, match: str, after: int = 0, limit: int | None = None) -> list[Row]:
        """Return the entries of a match behind a number, in order: the first ones, or all."""
        query = (
            sa.select(log.c.number, log.c.at, log.c.body)
            .where(log.c.match == match, log.c.number > after)
            .order_by(log.c.number)
            .limit(limit)
        )
        return await self._database.read(
            lambda connection: [Row(*row) for row in connection.execute(query)]
        )

    async def latest(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of the last entry of some matches."""
        last = sa.func.max(log.c.number)
        query = sa.select(log.c.match, last).where(log.c.match.in_(ids)).group_by(log.c.match)
        return await self._database.read(lambda c: {row[0]: row[1] for row in c.execute(query)})

    # Finding

    async def due(self, now: int, limit: int) -> list[str]:
        """Return matches that somebody should look at by now."""
        query = sa.select(matches.c.id).where(matches.c.wake <= now).order_by(matches.c.wake)
        return await self._ids(query.limit(limit))

    async def listed(self, of: Listing, limit: int) -> list[bytes]:
        """Return public matches, newest first: those that a list shows which can't show all.

        Of the newest, each source has its newest one, then each its second, and so on.
        """
        return await self._database.read(lambda c: _listed(c, of, limit))

    async def page(
        self, of: Listing, before: Place | None, limit: int
    ) -> list[tuple[Place, bytes]]:
        """Return public matches, newest first, behind a place."""
        at, match, info, where = _list_of(of)
        query = sa.select(at, match, info).where(where).order_by(at.desc(), match.desc())
        if before is not None:
            place = sa.tuple_(sa.literal(before.at, sa.BigInteger), sa.literal(before.match))
            query = query.where(sa.tuple_(at, match) < place)
        return await self._database.read(
            lambda c: [
                (Place(row[0], row[1]), bytes(row[2])) for row in c.execute(query.limit(limit))
            ]
        )

    async def count_of(
        self, source: str, status: str, *, is_automatic: bool = False, has_bot: bool = False
    ) -> int:
        """Return how many matches of a source have a status; or those with bots that run."""
        query = sa.select(sa.func.count()).where(
            matches.c.source == source,
            matches.c.status == status,
            _HAS_BOT if has_bot else matches.c.automatic.is_(is_automatic),
        )
        return await self._database.read(lambda c: int(c.execute(query).scalar_one()))

    async def count(self, status: str) -> int:
        """Return how many matches have a status."""
        query = sa.select(sa.func.count()).where(matches.c.status == status)
        return await self._database.read(lambda c: int(c.execute(query).scalar_one()))

    async def of_bot(self, name: str, after: str, limit: int) -> list[str]:
        """Return the running matches in which a bot has a seat, in the order of ids, behind one."""
        query = sa.select(matches.c.id).where(
            matches.c.status == "running",
            (matches.c.first_bot == name) | (matches.c.second_bot == name),
            matches.c.id > after,
        )
        return await self._ids(query.order_by(matches.c.id).limit(limit))

    async def infos(self, ids: Sequence[str]) -> list[bytes]:
        """Return what is known of some matches."""
        query = sa.select(matches.c.info).where(matches.c.id.in_(ids))
        return await self._database.read(lambda c: [bytes(row[0]) for row in c.execute(query)])

    async def _ids(self, query: sa.Select[tuple[str]]) -> list[str]:
        return await self._database.read(lambda c: [str(row[0]) for row in c.execute(query)])

    # Records

    async def record(self, match: str) -> Kept | None:
        """Return a match that is over."""
        query = sa.select(records).where(records.c.match == match)
        row = await self._database.read(lambda c: c.execute(query).one_or_none())
        return None if row is None else _kept(row)

    async def records_after(self, match: str, limit: int) -> list[Kept]:
        """Return finished matches in the order of their ids, behind one: for export."""
        query = sa.select(records).where(records.c.match > match).order_by(records.c.match)
        return await self._database.read(
            lambda c: [_kept(row) for row in c.execute(query.limit(limit))]
        )

    async def keep(self, kept: Kept) -> bool:
        """Keep a record that came from elsewhere; False if its id is that of any match here."""
        try:
            return await self._database.write(lambda c: _keep(c, kept))
        except Duplicate:
            return False

    # Bots

    async def add_bot(self, name: str, key: str, created: int) -> bool:
        """Register a bot; False if the name is taken."""
        values = {"name": name, "key": key, "created": created}
        try:
            await self._database.write(lambda c: c.execute(bots.insert(), values) and None)
        except Duplicate:
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

    async def beat(self, reckon: Callable[[Beat, int], Beat], away_entry: bytes) -> Beat:
        """Say that the server is up, and learn for how long it was.

        ``reckon`` makes the new beat from the last one and the milliseconds since by the clock on
        the wall. If the server was away, every running match has an entry that says so, made from
        ``away_entry`` with ``%d`` for the milliseconds.
        """
        wall = self.clock.wall
        beat = await self._database.write(lambda c: _beat(c, wall(c), reckon, away_entry))
        if self.is_failing:
            await self._try_to_write()
        return beat

    async def _try_to_write(self) -> None:
        """See whether there is room again: a beat takes none, and a short entry may find some."""
        trial, body = f"trial {new_id()}", os.urandom(TRIAL_BYTES)
        with contextlib.suppress(Unavailable):
            await self._database.write(lambda c: put_trial(c, trial, body))
            await self._database.write(take_out_trials)
            self.is_failing = False


# -- Work on a connection --------------------------------------------------------------------------

_news = msgspec.json.Decoder(News)
_FIRST_BEAT = sa.text(
    "INSERT INTO uptime (id, alive, away, uptime) VALUES (1, :wall, 0, :wall) "
    "ON CONFLICT DO NOTHING"
).bindparams(sa.bindparam("wall", type_=sa.BigInteger))

_HAS_BOT = matches.c.first_bot.is_not(None) | matches.c.second_bot.is_not(None)
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
    last = tuple({a.match: a.row.number for a in appends}.items())
    is_listed = any(a.is_listed for a in appends)
    parts = [last[i : i + NOTICED] for i in range(0, len(last), NOTICED)]
    begun = tuple((bot, a.match) for a in appends if a.is_listed for bot in _bots(a.index))
    bots = [News(begun=begun[i : i + NOTICED]) for i in range(0, len(begun), NOTICED)]
    notify(connection, [_encode(news) for news in (*(News(p, is_listed) for p in parts), *bots)])


def _bots(index: Index | None) -> list[str]:
    return [bot for bot in index.bots if bot is not None] if index else []


def _encode(news: News) -> str:
    return msgspec.json.encode(news).decode()


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
        "source": index.source,
        "automatic": index.is_automatic,
    }


def _list_of(of: Listing) -> tuple[sa.Column[int], sa.Column[str], sa.Column[bytes], Where]:
    """Return what a list is made of: its moments, ids, infos, and which are public."""
    if of == "over":
        return records.c.ended, records.c.match, records.c.info, records.c.private.is_(False)
    where = (matches.c.status == of) & matches.c.private.is_(False)
    return matches.c.created, matches.c.id, matches.c.info, where


def _listed(connection: sa.Connection, of: Listing, limit: int) -> list[bytes]:
    at, match, info, where = _list_of(of)
    newest = sa.select(at.label("at"), match.label("match")).where(where)
    newest = newest.order_by(at.desc(), match.desc()).limit(LOOKED_THROUGH)
    one = newest.subquery()
    source = sa.func.coalesce(matches.c.source, "")
    turn = sa.func.row_number().over(partition_by=source, order_by=(one.c.at.desc(), one.c.match))
    ranked = (
        sa.select(one.c.at, one.c.match, turn.label("turn"))
        .select_from(one.outerjoin(matches, matches.c.id == one.c.match))
        .subquery()
    )
    order = (ranked.c.turn, ranked.c.at.desc(), ranked.c.match)
    chosen = sa.select(ranked.c.match).order_by(*order).limit(limit)
    shown = sa.select(info).where(match.in_(chosen)).order_by(at.desc(), match.desc())
    return [bytes(row[0]) for row in connection.execute(shown)]


def _keep(connection: sa.Connection, kept: Kept) -> bool:
    # The match may run: when it is over its own record goes there.
    if connection.execute(sa.select(matches.c.id).where(matches.c.id == kept.match)).first():
        return False
    connection.execute(records.insert(), _kept_values(kept))
    return True


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


def _beat(
    connection: sa.Connection, wall: int, reckon: Callable[[Beat, int], Beat], away_entry: bytes
) -> Beat:
    connection.execute(_FIRST_BEAT, {"wall": wall})
    row = connection.execute(sa.select(uptime).with_for_update()).one()
    before = Beat(row.uptime, row.away)
    beat = reckon(before, max(0, wall - row.alive))
    values = {"alive": wall, "away": beat.away, "uptime": beat.uptime}
    connection.execute(uptime.update().values(values))
    if beat.away > before.away:
        _tell_of_absence(connection, beat.uptime, away_entry % (beat.away - before.away))
    notify(connection, [_encode(News(beat=beat))])
    return beat


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

"""Finished matches out of and into a database, as records."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from visavis.rules.protocol import Seat
from visavis.server.codec import seat_name
from visavis.server.hosted_match import HostedMatch
from visavis.server.messages import Ending, MatchId, MatchInfo
from visavis.server.store import BadDatabase, Kept, Sqlite, Store, database
from visavis.server.vocabulary import Player
from visavis.session import Record, check, names, replay
from visavis.session.errors import SessionError
from visavis.session.names import plain_name
from visavis.session.record import MOST_CHARACTERS

BATCH = 200


@asynccontextmanager
async def _opened(url: str, *, there: bool = False) -> AsyncIterator[Store]:
    """Open a database; it must be ``there`` already, or may be new."""
    kept = database(url)
    if there and isinstance(kept, Sqlite) and not kept.path.exists():
        raise BadDatabase(f"{kept.path}: no such database")
    store = Store(kept, 0.0)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


async def export_records(url: str, folder: Path) -> int:
    """Write every finished match to a file named for its id; return how many."""
    count, last = 0, ""
    async with _opened(url, there=True) as store:
        folder.mkdir(parents=True, exist_ok=True)
        while batch := await store.records_after(last, BATCH):
            for kept in batch:
                (folder / f"{kept.match}.record").write_text(kept.text, encoding="utf-8")
            count, last = count + len(batch), batch[-1].match
    return count


async def import_records(url: str, files: Iterable[Path]) -> tuple[int, int]:
    """Verify records and keep them; return how many were new, and how many were known.

    Raises a `SessionError` that names the file if there is anything wrong with one, or if its id is
    that of another match; nothing of it is kept then.
    """
    fresh = known = 0
    async with _opened(url) as store:
        for path in files:
            kept = _verified(path)
            if await store.keep(kept):
                fresh += 1
                continue
            there = await store.record(kept.match)
            if there is None or there.text != kept.text:
                raise SessionError(
                    f"{path}: another match of this database has the id {kept.match}; "
                    "give the file another name"
                )
            known += 1
    return fresh, known


def _verified(path: Path) -> Kept:
    try:
        with path.open(encoding="utf-8-sig") as file:
            record = Record.parse(file.read(MOST_CHARACTERS + 1))
        check(record)
    except UnicodeDecodeError:
        raise SessionError(f"{path}: not UTF-8 text") from None
    except SessionError as error:
        raise SessionError(f"{path}: {error}") from None
    if record.reason is None:
        raise SessionError(f"{path}: the match is not over")
    match = _id(path, record)
    now = time.time_ns() // 1_000_000
    return Kept(match, record.game, False, now, record.text, _info(match, record, now))


def _id(path: Path, record: Record) -> str:
    """Return the id of a record: an exported file keeps its own, any other is named for its text.

    The same record has the same id wherever it is imported.
    """
    if path.suffix == ".record":
        with suppress(msgspec.ValidationError):
            return msgspec.convert(path.stem, MatchId)
    return sha256(record.text.encode()).hexdigest()[:12]


def _name(text: str) -> str:
    """Return a name as it is shown; the record itself keeps it as it is."""
    return plain_name(text)[: names.MOST_CHARACTERS].rstrip()


def _info(match: str, record: Record, now: int) -> bytes:
    played = replay(record)
    outcome = played.game.outcome(played.final)
    winner = {"1-0": 0, "0-1": 1}.get(record.result)
    info = MatchInfo(
        match=match,
        game=record.game,
        options=dict(record.options),
        clock=record.clock,
        private=False,
        created=now,
        status="over",
        players=(
            Player(kind="person", name=_name(record.names[0])),
            Player(kind="person", name=_name(record.names[1])),
        ),
        turn=played.game.turn(played.final),
        ending=Ending(
            result=record.result,
            winner=None if winner is None else seat_name(Seat(winner)),
            reason=record.reason or "",
            scores=outcome.scores if outcome else record.scores,
        ),
        rematch=None,
        previous=None,
    )
    return msgspec.json.encode(info)


def kept_of(hosted: HostedMatch) -> Kept | None:
    """Return what is kept of a match that has ended, unless it was broken off."""
    match = hosted.match
    if match is None or match.ending is None or match.ending.outcome is None:
        return None
    return Kept(
        match=hosted.id,
        game=hosted.opened.game,
        private=not hosted.opened.is_listed,
        ended=time.time_ns() // 1_000_000,
        text=match.record(None).text,
        info=msgspec.json.encode(hosted.info()),
    )

"""What is kept is for nobody else: not in files that others read, nor in logs of failures."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import asyncpg
import pytest

from tests.server.serving import Json, Served, database_in, logged, quick, serving
from visavis.server import creation
from visavis.server.errors import Refusal
from visavis.server.fresh import Fresh
from visavis.server.secrets import digest
from visavis.server.store import DatabaseFailed, Row, Unavailable
from visavis.server.store.commits import GroupCommit

pytestmark = pytest.mark.anyio

SEED, SECRET = "5eed" * 16, "a secret that would open a seat"


# -- Files -----------------------------------------------------------------------------------------


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(database: Path) -> dict[str, int]:
    return {
        path.name.removeprefix(database.name): stat.S_IMODE(path.stat().st_mode)
        for path in database.parent.iterdir()
    }


async def test_nobody_else_reads_the_files(tmp_path: Path) -> None:
    database = database_in(tmp_path)
    folder = stat.S_IMODE(tmp_path.stat().st_mode)
    with umask(0):
        async with serving(quick(database)) as served:
            await served.create("osakana")
            assert modes(database) == dict.fromkeys(("", "-wal", "-shm", ".lock"), 0o600)
        assert modes(database) == dict.fromkeys(("", ".lock"), 0o600)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == folder


async def test_files_that_others_could_read_are_closed_to_them(tmp_path: Path) -> None:
    """A database of before, left behind by a crash, with all that stood beside it."""
    database = database_in(tmp_path)
    with umask(0o022):
        Path(f"{database}.lock").touch()
        with closing(sqlite3.connect(database)) as writer, closing(sqlite3.connect(database)) as by:
            writer.execute("PRAGMA journal_mode=WAL")
            writer.execute("CREATE TABLE of_before (id INTEGER)")
            writer.commit()
            by.execute("SELECT * FROM of_before").fetchall()
            assert modes(database) == dict.fromkeys(("", "-wal", "-shm", ".lock"), 0o644)
            async with serving(quick(database)):
                assert modes(database) == dict.fromkeys(("", "-wal", "-shm", ".lock"), 0o600)


# -- Failures --------------------------------------------------------------------------------------

FAILURES = {
    "a trigger that quotes the row": """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'no: %', convert_from(NEW.body, 'utf8')
                USING DETAIL = convert_from(NEW.body, 'utf8'), HINT = NEW.match;
        END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION refuse()""",
    "a check that fails": "ALTER TABLE log ADD CONSTRAINT none CHECK (number < 0) NOT VALID",
    "a column that can't be null": """
        CREATE FUNCTION empty() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            NEW.at = NULL; RETURN NEW;
        END $$;
        CREATE TRIGGER empty BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION empty()""",
    "a type that does not fit": "ALTER TABLE log ALTER body TYPE bigint USING 0",
    "a column too short": "ALTER TABLE log ALTER body TYPE varchar(4) USING ''",
    "a table that is gone": "ALTER TABLE log RENAME TO gone",
}
READ_ONLY = """
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
    current_database()); END $$;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


async def execute(database: str, *statements: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def set_up(served: Served) -> tuple[Json, str]:
    """Open a match with secret set-ups; return it, and a set-up."""
    made = await served.create("elements")
    headers = {"Authorization": f"Bearer {made['secrets']['first']}"}
    path = f"/api/matches/{made['match']}/snapshot"
    shown = (await served.http.get(path, headers=headers)).json()
    return made, next(iter(shown["position"]["asked"]["suggestions"].values()))


@pytest.mark.parametrize("failure", [*FAILURES, "a database that is read only"])
async def test_failed_writes_tell_the_log_nothing(
    postgres: str, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    """Neither a move nor a seed nor a digest, whatever the database quotes."""
    monkeypatch.setattr(creation, "new_seed", lambda: SEED)
    monkeypatch.setattr(creation, "new_secret", lambda: SECRET)
    with logged() as log:
        async with serving(quick(postgres)) as served, served.client() as client:
            made, text = await set_up(served)
            await client.watch(made["match"], SECRET)
            await execute(postgres, FAILURES.get(failure, READ_ONLY))
            refused = await client.do(made["match"], "first", type="move", text=text)
            assert refused["code"] == "busy"
            answer = await served.http.post(
                "/api/matches", json={"game": "elements", "seats": [{"kind": "me"}] * 2}
            )
            assert answer.status_code >= 500
            rows = await asyncio.gather(
                served.process.store.rows(made["match"]), return_exceptions=True
            )
            monkeypatch.undo()
    lines = log.getvalue()
    assert served.process.settings.database not in answer.text
    for hidden in (text, SEED, SECRET, digest(SECRET), client.id, '"type":"did"', "7b2274797065"):
        assert hidden not in lines
    for row in rows:
        assert not isinstance(row, Exception) or isinstance(row, DatabaseFailed | Refusal)


async def test_one_that_fails_does_not_take_others_along(postgres: str) -> None:
    """Appends share a transaction, not a fate."""
    async with serving(quick(postgres, commit_window=0.2)) as served:
        ids = [(await served.create("osakana"))["match"] for _ in range(3)]
        store = served.process.store
        await execute(postgres, f"ALTER TABLE log ADD CHECK (match <> '{ids[1]}' OR number < 2)")
        matches = served.process.matches
        cached_matches = [await matches.get(match) for match in ids]
        first_entry = served.process.orders.first_entry
        appends = [first_entry(cached.hosted) for cached in cached_matches]
        rows = [Row(2, 0, append.row.body) for append in appends]
        told = await asyncio.gather(
            *(
                store.append(type(a)(match=a.match, row=row))
                for a, row in zip(appends, rows, strict=True)
            ),
            return_exceptions=True,
        )
        assert [type(each) for each in told] == [type(None), DatabaseFailed, type(None)]
        assert [len(await store.rows(match)) for match in ids] == [2, 1, 2]


async def test_a_commit_says_of_each_what_went_wrong() -> None:
    wrong = Unavailable("no space left")

    async def commit(batch: Sequence[str]) -> list[Exception | None]:
        return [None, wrong, None]

    commits = GroupCommit(commit, 0.0)
    told = await asyncio.gather(*(commits.add(item) for item in "abc"), return_exceptions=True)
    assert told == [None, wrong, None]
    assert "no space left" not in str(wrong)


async def test_who_comes_after_the_end_is_refused(tmp_path: Path) -> None:
    async with serving(quick(database_in(tmp_path))) as served:
        made = await served.create("osakana")
    with pytest.raises(Unavailable):
        await served.process.store.rows(made["match"])


async def test_a_shared_answer_that_nobody_waits_for_may_fail() -> None:
    """Who asked has gone; that it went wrong then is nobody's concern, and not logged."""
    began, fails = asyncio.Event(), asyncio.Event()
    complaints: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told))

    async def ask() -> str:
        began.set()
        await fails.wait()
        raise Unavailable("the database is closed")

    shared = Fresh(ask, 1.0)
    waiting = asyncio.create_task(shared.get())
    await began.wait()
    waiting.cancel()
    await asyncio.wait([waiting])
    answer = shared._answer
    assert answer is not None
    fails.set()
    await asyncio.wait([answer])
    del waiting, answer
    shared.forget()
    gc.collect()
    assert complaints == []

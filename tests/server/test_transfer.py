"""Records out of and into a database."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from tests.server.serving import Served, database_in, notice, quick, serving
from visavis.server.store.tables import records
from visavis.server.transfer import export_records, import_records
from visavis.session.errors import SessionError

pytestmark = pytest.mark.anyio


async def finished(served: Served) -> tuple[str, str]:
    """Play a match that is over at once; return its id and its record."""
    made = await served.create("osakana")
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        ended = await client.do(made["match"], "first", type="resign")
        assert notice(ended, "ended")
    text = (await served.http.get(f"/api/matches/{made['match']}/record")).text
    return made["match"], text


@pytest.mark.parametrize("seats", [("me", "me"), ("me", "open")])
async def test_a_match_that_goes_on_is_left_alone(tmp_path: Path, seats: tuple[str, ...]) -> None:
    """A record whose file has the name of a match that runs, or waits, is refused."""
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served:
        _, text = await finished(served)
        made = await served.create("osakana", *seats)
    file = tmp_path / f"{made['match']}.record"
    file.write_text(text)
    with pytest.raises(SessionError, match=f"another match.*{made['match']}"):
        await import_records(settings.database, [file])
    async with serving(settings) as served, served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        command = "resign" if seats == ("me", "me") else "abort"
        ended = await client.do(made["match"], "first", type=command)
        assert ended["type"] == "update"


async def test_another_record_of_the_same_id_is_refused(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served:
        one, _ = await finished(served)
        _, text = await finished(served)
    same = tmp_path / "same"
    assert await export_records(settings.database, same) == 2
    assert await import_records(settings.database, sorted(same.iterdir())) == (0, 2)
    file = tmp_path / f"{one}.record"
    file.write_text(text)
    with pytest.raises(SessionError, match="give the file another name"):
        await import_records(settings.database, [file])


async def test_a_file_whose_name_is_no_id_is_named_for_its_text(tmp_path: Path) -> None:
    async with serving(quick(tmp_path / "one.db")) as served:
        _, text = await finished(served)
    for name in ("a\nb.record", "x" * 60 + ".record", "game.txt"):
        (tmp_path / name).write_text(text)
        settings = quick(tmp_path / f"{len(name)}.db")
        assert await import_records(settings.database, [tmp_path / name]) == (1, 0)
        async with serving(settings) as served:
            (over,) = (await served.http.get("/api/lobby")).json()["over"]
            assert len(over["match"]) == 12
            record = await served.http.get(f"/api/matches/{over['match']}/record")
            assert record.text == text


async def test_names_in_a_record_are_shown_plainly(tmp_path: Path) -> None:
    async with serving(quick(tmp_path / "one.db")) as served:
        _, text = await finished(served)
    odd = re.sub(r'\[First "[^"]*"\]', f'[First "A\u202e\u200bda {"x" * 60}"]', text)
    assert odd != text
    (tmp_path / "odd.txt").write_text(odd)
    settings = quick(database_in(tmp_path))
    assert await import_records(settings.database, [tmp_path / "odd.txt"]) == (1, 0)
    async with serving(settings) as served:
        (over,) = (await served.http.get("/api/lobby")).json()["over"]
        assert over["players"][0]["name"] == "Ada " + "x" * 36
        record = await served.http.get(f"/api/matches/{over['match']}/record")
        assert record.text == odd


async def test_a_running_match_wins_over_a_record_of_its_id(database: str) -> None:
    """Earlier versions imported such records; the match could never end, and was not shown."""
    settings = quick(database)
    async with serving(settings) as served:
        over, text = await finished(served)
        made = await served.create("osakana")
        kept = await served.process.store.record(over)
        assert kept is not None
        same_id = msgspec.structs.asdict(kept) | {"match": made["match"]}

        def as_before(connection: sa.Connection) -> None:
            connection.execute(records.insert(), same_id)
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '0003'"))

        await served.process.store._database.write(as_before)
    async with serving(settings) as served, served.client() as client:
        assert (await served.http.get(f"/api/matches/{over}/record")).text == text
        replay = await served.http.get(f"/api/matches/{made['match']}/replay")
        assert replay.json()["code"] == "not_over"
        await client.watch(made["match"], made["secrets"]["first"])
        ended = await client.do(made["match"], "first", type="resign")
        assert notice(ended, "ended")

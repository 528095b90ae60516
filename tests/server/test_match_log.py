"""The log's form: held to a snapshot of its schema, and earlier forms are read."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.serving import Json, database_in, quick, serving
from tests.server.test_hosted_match import begun, opened
from visavis.rules import game_type, games
from visavis.rules.protocol import Seat
from visavis.server import match_log
from visavis.server.errors import Refusal
from visavis.server.hosted_match import HostedMatch
from visavis.server.match_log import ENTRIES, FIRST_FORM, FORM, UPGRADES, Did, Opened, Sat
from visavis.server.updates import encode, snapshot
from visavis.server.vocabulary import Order
from visavis.session import Abort, Move, Record, Resign, check
from visavis.session.errors import OtherRules

DATA = Path(__file__).parent / "data"
OLD: dict[str, Json] = json.loads((DATA / "server_0_1.json").read_text("utf-8"))
"""Matches as the code of commit 43d0aaa showed them, which also wrote ``server_0_1.sql``."""


def without_prose(node: Any) -> Any:
    """Return a JSON Schema without titles and descriptions, which change nothing that is kept."""
    if isinstance(node, list):
        return [without_prose(part) for part in node]
    if isinstance(node, dict):
        kept = node.keys() - {"description", "title"}
        return {key: without_prose(part) for key, part in node.items() if key in kept}
    return node


def test_the_form_has_a_version() -> None:
    """What is written has changed: raise `FORM`, and write an upgrade and a new snapshot."""
    schema = without_prose(msgspec.json.schema(ENTRIES.union))
    assert schema == json.loads((DATA / f"log_form_{FORM}.json").read_text("utf-8"))
    assert set(UPGRADES) == set(range(FIRST_FORM, FORM))


@pytest.mark.parametrize(
    "entry",
    [
        opened(),
        opened("300+5"),
        Sat(Seat.SECOND, "Ren", "key"),
        Did(Move(Seat.SECOND, "IB3B2", 120), "c", 3),
        Did(Abort(Seat.FIRST), "c", 4),
        match_log.Ticked(),
        match_log.Expired(),
        match_log.Away(5),
    ],
    ids=lambda entry: type(entry).__name__,
)
def test_what_is_written_is_read(entry: match_log.AnyEntry) -> None:
    body = match_log.encode(entry)
    assert json.loads(body)["form"] == FORM
    assert match_log.decode(body) == entry


@pytest.mark.parametrize(
    ("body", "entry"),
    [
        (
            {"type": "did", "seat": 1, "command": {"type": "move", "text": "A"}, "credit": 7},
            Did(Move(Seat.SECOND, "A", 7), "c", 1),
        ),
        (
            {"type": "did", "seat": 0, "command": {"type": "resign"}, "credit": 7},
            Did(Resign(Seat.FIRST), "c", 1),
        ),
        ({"type": "sat", "seat": 1, "name": "Ren"}, Sat(Seat.SECOND, "Ren")),
    ],
)
def test_form_1_is_read(body: dict[str, Any], entry: match_log.AnyEntry) -> None:
    extra = {"client": "c", "number": 1} if body["type"] == "did" else {}
    assert match_log.decode(json.dumps(body | extra).encode()) == entry


def test_a_later_form_is_refused() -> None:
    with pytest.raises(Refusal, match=f"of form {FORM + 1}; this server reads"):
        match_log.decode(b'{"type":"away","millis":5,"form":%d}' % (FORM + 1))


def test_a_log_of_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    begun()
    monkeypatch.setattr(game_type("osakana"), "rules_version", 2)
    with pytest.raises(
        OtherRules, match="version 1 of the rules of osakana; this Visavis has version 2"
    ):
        begun()


def test_a_log_of_other_rules_is_upgraded(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = game_type("osakana")
    monkeypatch.setattr(kind, "rules_version", 2)
    kept = staticmethod(lambda options, start: (options | {"fouls": "refuse"}, start))
    monkeypatch.setattr(kind, "upgrade_rules_1", kept, raising=False)
    hosted = begun()
    assert hosted.match is not None
    assert (hosted.opened.rules_version, hosted.match.game.options["fouls"]) == (2, "refuse")


@pytest.mark.anyio
async def test_a_match_of_other_rules_is_refused_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(quick(database_in(tmp_path))) as served:
        process = served.process
        made = (await served.create("osakana", clock="300+5"))["match"]
        process.matches.by_id.clear()
        monkeypatch.setattr(game_type("osakana"), "rules_version", 2)
        reads = 0
        rows = process.store.rows

        async def counted(*given: Any, **named: Any) -> Any:
            nonlocal reads
            reads += 1
            return await rows(*given, **named)

        async def due(_now: int, _limit: int) -> list[str]:
            return [made]

        monkeypatch.setattr(process.store, "rows", counted)
        monkeypatch.setattr(process.store, "due", due)
        for _ in range(3):
            await process.wakeups.scan()
        assert reads == 1
        told = [record for record in caplog.records if "can't be read" in record.message]
        assert len(told) == 1
        answer = await served.http.get(f"/api/matches/{made}")
        assert (answer.status_code, "version 1 of the rules" in answer.text) == (500, True)


# -- A database of 0.1 -----------------------------------------------------------------------------


@pytest.fixture
def old_database(tmp_path: Path) -> Path:
    path = database_in(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATA / "server_0_1.sql").read_text("utf-8"))
    return path


def folded(rows: list[tuple[int, bytes]], match: str) -> HostedMatch:
    first = match_log.decode(rows[0][1])
    assert isinstance(first, Opened)
    hosted, _ = HostedMatch.open(match, first, rows[0][0])
    for at, body in rows[1:]:
        hosted, _ = hosted.after(match_log.decode(body), at)
    return hosted


def test_every_log_of_an_old_database_folds_to_what_it_was(old_database: Path) -> None:
    assert {shown["info"]["game"] for shown in OLD.values()} == set(games())
    with closing(sqlite3.connect(old_database)) as connection:
        for match, shown in OLD.items():
            query = "SELECT at, body FROM log WHERE match = ? ORDER BY number"
            hosted = folded(connection.execute(query, (match,)).fetchall(), match)
            assert (hosted.seq, hosted.status) == (shown["seq"], shown["status"])
            for name, position in shown["positions"].items():
                viewer = None if name == "spectator" else Seat(("first", "second").index(name))
                now = json.loads(encode(snapshot(hosted, viewer, 0, spectators=0)))
                assert shown["info"].items() <= now["info"].items()
                if position is None:
                    assert now["position"] is None
                    continue
                moves = [move["text"] for move in now["position"]["moves"]]
                assert position.pop("moves") == moves
                # A view of everything began with "all" then.
                position["view"] = re.sub("^all ", "open ", position["view"])
                assert position.items() <= now["position"].items()
            if shown["record"] is not None:
                assert hosted.match is not None
                assert hosted.match.record(None).text == shown["record"]


def test_every_record_of_an_old_database_verifies(old_database: Path) -> None:
    with closing(sqlite3.connect(old_database)) as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM records")]
    assert len(texts) >= 5
    for text in texts:
        record = Record.parse(text)
        assert (record.rules_version, record.text) == (1, text)
        check(record)


@pytest.mark.anyio
async def test_an_old_database_is_served_and_played_on(old_database: Path) -> None:
    """A log that began in the old form goes on in the new one, and is read again."""
    running = [id for id, shown in OLD.items() if shown["status"] == "running"]
    ended = [id for id, shown in OLD.items() if shown["status"] == "over" and shown["record"]]
    async with serving(quick(old_database)) as served:
        for match in running:
            cached = await served.process.matches.get(match)
            assert cached.hosted.match is not None
            seat = cached.hosted.match.deciding[0]
            await served.process.orders.order(cached, seat, Order(Resign(seat), "c", 10_000))
            *_, last = await served.process.store.rows(match)
            assert b'"form":2' in last.body
        for match in ended:
            answer = await served.http.get(f"/api/matches/{match}/record")
            assert answer.text == OLD[match]["record"]
    async with serving(quick(old_database)) as served:
        for match in running:
            answer = await served.http.get(f"/api/matches/{match}/snapshot")
            assert answer.json()["info"]["ending"]["reason"] == "resigned"

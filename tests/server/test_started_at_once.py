"""Logs and records from before clocks waited for both players to be ready fold as they did.

``started_at_once.jsonl`` was written by the code of commit 43d0aaa, a match a line: the rows of its
log, what that code told of each, and its records.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from visavis.rules.protocol import Seat
from visavis.server import match_log
from visavis.server.hosted_match import HostedMatch
from visavis.server.settings import Settings
from visavis.server.updates import Change, encode, snapshot
from visavis.server.uptime import start_by
from visavis.session import ClockStart, Record, check, resume
from visavis.session.errors import NoSharedClock

KEPT = [
    json.loads(line)
    for line in (Path(__file__).parent / "started_at_once.jsonl").read_text("utf-8").splitlines()
]
OUTSIDE = "outside_the_ranges"
"""Matches with a game clock that no option of the game allows (D12)."""

each = pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept["name"])


def fold(kept: dict[str, Any]) -> list[Change]:
    first, *rest = kept["rows"]
    opened = match_log.decode(first["body"].encode())
    assert isinstance(opened, match_log.Opened)
    hosted, change = HostedMatch.open(kept["name"], opened, first["at"])
    folded = [change]
    for row in rest:
        hosted, change = hosted.after(match_log.decode(row["body"].encode()), row["at"])
        folded.append(change)
    return folded


@each
def test_every_entry_tells_what_it_told(kept: dict[str, Any]) -> None:
    for change, before in zip(fold(kept), kept["told"], strict=True):
        assert json.loads(change.text(None, legal=False))["notices"] == before["notices"]
        match = change.hosted.match
        assert match is not None
        assert match.unready == ()
        assert match.deadline() == before["deadline"]
        assert start_by(change.hosted, Settings()) is None


@each
def test_it_stands_as_it_stood(kept: dict[str, Any]) -> None:
    hosted, before = fold(kept)[-1].hosted, kept["snapshot"]
    now = json.loads(encode(snapshot(hosted, Seat.FIRST, before["now"], spectators=0)))
    for part in ("info", "position"):
        assert before[part].items() <= now[part].items()
    assert hosted.match is not None
    assert hosted.match.record(None).text == kept["record"]
    assert hosted.match.whole_record().text == kept["whole_record"]


@each
def test_its_record_verifies(kept: dict[str, Any]) -> None:
    record = Record.parse(kept["record"])
    assert record.clock_start is None
    assert record.text == kept["record"]
    assert check(record).has_seed == (record.reason is not None)
    if kept["resumed"] is not None:
        resumed = resume(Record.parse(kept["whole_record"]), now=1_000)
        assert resumed.whole_record().text == kept["resumed"]["record"]
        assert resumed.deadline() == kept["resumed"]["deadline"]


@each
def test_its_rematch_waits_until_both_are_ready(kept: dict[str, Any]) -> None:
    hosted = fold(kept)[-1].hosted
    opened = hosted.rematch_of("00" * 32, created=0)
    assert opened.clock_start is ClockStart.READY
    if kept["name"].startswith(OUTSIDE):
        with pytest.raises(NoSharedClock):
            HostedMatch.open("rematch", opened, 0)
    else:
        match = HostedMatch.open("rematch", opened, 0)[0].match
        assert match is not None
        assert match.unready

"""Attached engines: one process a seat, for as long as its match lasts."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.engine.programs import Pulse, program
from tests.server.serving import Client, Json, Served, database_in, notice, quick, serving
from visavis.engine.player import Question
from visavis.engine.players import parse_player
from visavis.rules import game
from visavis.rules.protocol import Seat
from visavis.server import engines, worker
from visavis.server.computer import Computers
from visavis.server.metrics import Metrics
from visavis.session import Match

pytestmark = pytest.mark.anyio

ENGINE = """
import sys
alive, diary, moves, asked = open({pulse!r}, "w"), open({diary!r}, "a", buffering=1), [], 0
print("started", file=diary)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("visavis", "game"): print("ok", flush=True)
    if word in ("new", "quit"): print(word, file=diary)
    if word == "view": view = rest
    if word == "moves": moves = rest.split("; ")
    if word == "go":
        asked += 1
        print("asked", file=diary)
        {go}
        print("bestmove", moves[-1], flush=True)
    if word == "quit": break
"""


class Attached:
    """An engine that keeps a diary, and holds a pipe open as long as it lives."""

    def __init__(self, folder: Path) -> None:
        self.diary, self.pulse = folder / "diary", Pulse(folder / "pulse")
        self.diary.touch()

    def command(self, go: str = "pass") -> str:
        source = ENGINE.format(pulse=str(self.pulse.path), diary=str(self.diary), go=go)
        return program(source)

    def written(self) -> list[str]:
        return self.diary.read_text().split()

    async def is_gone(self) -> bool:
        return await asyncio.to_thread(self.pulse.feels, select.POLLHUP)


@pytest.fixture
def attached(tmp_path: Path) -> Iterator[Attached]:
    engine = Attached(tmp_path)
    yield engine
    os.close(engine.pulse.end)


class Played:
    """A person who plays an attached engine."""

    def __init__(self, client: Client, made: Json, legal: list[str]) -> None:
        self.client, self.match, self.legal = client, made["match"], legal

    async def move(self) -> None:
        """Move, and wait until it is the person's turn again."""
        await self.client.do(self.match, "first", type="move", text=self.legal[0])
        told = await self.client.kind("update")
        assert notice(told, "moved")["seat"] == "second"
        self.legal = told["asked"]["legal"] if told["asked"] else []  # it may be over


async def playing(served: Served, client: Client) -> Played:
    made = await served.create("osakana", "me", "computer:own", clock="none")
    shown = await client.watch(made["match"], made["secrets"]["first"])
    return Played(client, made, shown["position"]["asked"]["legal"])


@pytest.fixture
async def served(attached: Attached, tmp_path: Path) -> AsyncIterator[Served]:
    settings = quick(database_in(tmp_path), engines=(("own", attached.command()),))
    async with serving(settings) as running:
        yield running


async def test_an_engine_lives_as_long_as_its_match(served: Served, attached: Attached) -> None:
    async with served.client() as client:
        played = await playing(served, client)
        for _ in range(3):
            await played.move()
        assert attached.written() == ["started", *["asked"] * 3]
        await client.do(played.match, "first", type="resign")
        assert await attached.is_gone()
        assert attached.written()[-1] == "quit"


async def test_each_match_has_its_own(served: Served, attached: Attached) -> None:
    async with served.client() as client, served.client() as another:
        for played in (await playing(served, client), await playing(served, another)):
            await played.move()
    assert attached.written().count("started") == 2


async def test_an_idle_engine_ends_and_starts_again(
    served: Served, attached: Attached, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served.client() as client:
        played = await playing(served, client)
        monkeypatch.setattr(engines, "IDLE_SECONDS", 0.0)
        await played.move()
        assert await attached.is_gone()
        monkeypatch.undo()
        await played.move()
    assert attached.written() == ["started", "asked", "quit", "started", "asked"]


async def test_of_too_many_the_longest_idle_ends(
    served: Served, attached: Attached, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "MOST", 1)
    async with served.client() as client, served.client() as another:
        first = await playing(served, client)
        await first.move()
        second = await playing(served, another)
        await second.move()
        await first.move()
    assert attached.written().count("started") == 3


async def test_engines_end_with_the_server(attached: Attached, tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), engines=(("own", attached.command()),))
    async with serving(settings) as running, running.client() as client:
        await (await playing(running, client)).move()
    assert await attached.is_gone()


async def test_a_crash_is_forgiven_once(
    attached: Attached, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go = "if asked == 2: sys.exit('out of ideas')"
    settings = quick(database_in(tmp_path), engines=(("own", attached.command(go)),))
    async with serving(settings) as running, running.client() as client:
        played = await playing(running, client)
        for _ in range(4):  # asked once, crashed and asked again, crashed for good, not asked
            await played.move()
    assert attached.written() == ["started", "asked", "asked", "started", "asked", "asked"]
    failures = [r for r in caplog.records if r.message == "an attached engine failed"]
    assert [(vars(r)["why"], vars(r)["player"]) for r in failures] == [("EngineCrashed", "own")] * 2
    assert [vars(r)["stderr"] for r in failures] == [["out of ideas"]] * 2


async def test_the_log_does_not_repeat_what_an_engine_was_asked(
    attached: Attached, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go = "print(view, moves, sep='\\n', file=sys.stderr); sys.exit('at a loss')"
    settings = quick(database_in(tmp_path), engines=(("own", attached.command(go)),))
    async with serving(settings) as running, running.client() as client:
        await (await playing(running, client)).move()
    (first, *_) = [r for r in caplog.records if r.message == "an attached engine failed"]
    assert vars(first)["stderr"] == [worker.UNQUOTED, worker.UNQUOTED, "at a loss"]


async def test_an_engine_that_is_attached_no_longer(attached: Attached, tmp_path: Path) -> None:
    database = database_in(tmp_path)
    async with serving(quick(database, engines=(("own", attached.command()),))) as running:
        made = await running.create("osakana", "me", "computer:own", clock="none")
    async with serving(quick(database)) as running, running.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        await Played(client, made, legal).move()


@pytest.mark.parametrize("player", ["cmd:true", "random", "full:5000", "9", ""])
async def test_only_players_of_the_server_are_made(player: str) -> None:
    """Not even if a log names another, a program least of all."""
    match, _ = Match.begin(game("osakana"), seed=bytes(32))
    with pytest.raises(worker.ComputerFailed, match="is attached"):
        await Computers(1, 50, (), Metrics(), 1).choose(
            "id", match, Seat.FIRST, player, number=1, now=0
        )


def test_a_bad_option_is_not_stood_in_for() -> None:
    """It is told as what it is, and not taken for a game without an engine."""
    question = Question("kmt/1i1/1I1/TMK b -", Seat.FIRST, None, 1, 50)
    task = worker.MoveTask("osakana", (("fouls", "sometimes"),), parse_player("3"), question)
    with pytest.raises(worker.ComputerFailed) as failed:
        worker.choose(task)
    assert failed.value.kind == "BadOption"

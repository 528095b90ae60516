"""What a computer keeps secret follows from nothing that anybody else may know.

The law: with everything that a viewer received and the program at hand, a computer's secret choice
is not determined. So matches are made that look the same to the viewer, digests included, and the
computer chooses differently in them; and nothing but the secret seed and the number of the decision
goes into the chance it starts from.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import pytest

from tests.server.serving import Served
from visavis.engine.player import Question
from visavis.engine.players import parse_player
from visavis.rules import game, games
from visavis.rules.protocol import Seat
from visavis.server import worker
from visavis.server.computer import Computers
from visavis.server.metrics import Metrics
from visavis.server.pool import FairPool
from visavis.session import Match, Move
from visavis.session import match as match_module

pytestmark = pytest.mark.anyio

T = TypeVar("T")
Asked = TypeVar("Asked")


def begins_blind(slug: str) -> bool:
    """Whether both begin with a secret choice."""
    chosen = game(slug)
    return chosen.hidden and len(chosen.awaited(chosen.start())) == 2


BLIND = [slug for slug in games() if begins_blind(slug)]
MASKED = re.compile(r'"(?:match|seal)":"[^"]*"|"(?:at|now|created)":[0-9]+')


@dataclass(frozen=True)
class Blind:
    """A first, secret choice of a computer, as its opponent knows it and as it was."""

    heard: tuple[str, ...]
    commitment: str
    choice: str


async def play_blind(served: Served, slug: str, level: str) -> Blind:
    """Let a computer choose, look at the match as its opponent, and end it to see the choice."""
    made = await served.create(slug, "me", f"computer:{level}", clock="none")
    match, secret = made["match"], made["secrets"]["first"]
    async with served.client() as spectator, served.client() as eye:
        if (await spectator.watch(match))["seq"] == 1:
            await spectator.kind("update")
        snapshot = await eye.watch(match, secret)
        await eye.watch(match, secret, seen=0)
        heard = tuple(MASKED.sub("*", text) for text in eye.texts)
        await eye.do(match, "first", type="resign")
    record = (await served.http.get(f"/api/matches/{match}/record")).text
    (choice,) = re.findall(r"^\S+ second: ([^{]+)\{#", record, re.MULTILINE)
    return Blind(heard, snapshot["position"]["commitment"], choice)


@pytest.mark.parametrize("slug", BLIND)
async def test_all_that_was_received_does_not_tell_a_secret_choice(
    served: Served, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_module, "promise", lambda _: "0" * 64)
    played = [await play_blind(served, slug, "1") for _ in range(4)]
    assert len({blind.heard for blind in played}) == 1
    assert len({blind.choice for blind in played}) == 4


@pytest.mark.parametrize("level", ["1", "8"])
@pytest.mark.parametrize("slug", BLIND)
async def test_the_commitment_does_not_tell_a_secret_choice(
    served: Served, slug: str, level: str
) -> None:
    blind = await play_blind(served, slug, level)
    chosen = game(slug)
    view = chosen.format_view(chosen.view(chosen.start(), Seat.SECOND))
    question = Question(view, Seat.SECOND, None, seed=0, millis=60_000)
    task = worker.MoveTask(slug, (), parse_player(level), question)
    for entries in range(2):
        public = zlib.crc32(f"{blind.commitment}{entries}".encode())
        assert worker.choose(replace(task, question=replace(question, seed=public))) != blind.choice
    assert worker.choose(task) != blind.choice


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """All questions that are put to computers, which answer at once."""
    questions: list[Question] = []

    async def ask(_: object, work: Callable[[Asked], T], make: Callable[[], Asked]) -> T:
        task = make()
        assert isinstance(task, worker.MoveTask)
        questions.append(task.question)
        return work(task)

    monkeypatch.setattr(FairPool, "ask", ask)
    return questions


@pytest.mark.parametrize("slug", [slug for slug in games() if game(slug).hidden])
async def test_chance_in_a_computers_thinking_comes_from_the_secret_alone(
    asked: list[Question], slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_module, "roll_face", lambda _seed, _number, roll: roll.faces[0][0])
    computers = Computers(1, 1_000, (), Metrics(), 1)
    chosen = game(slug, dict(games()[slug].untimed))

    async def choose(seed: bytes, number: int, name: str = "Mio", date: str = "") -> Question:
        match, _ = Match.begin(chosen, seed=seed, names=(name, "8"), date=date)
        await computers.choose("id", match, match.awaited[0], "1", number=number, now=0)
        return asked[-1]

    usual = await choose(bytes(32), 1)
    # Nothing public matters: neither who plays, nor when, nor the commitment.
    assert await choose(bytes(32), 1, name="Ren", date="2026-11-15") == usual
    monkeypatch.setattr(match_module, "promise", lambda _: "0" * 64)
    assert await choose(bytes(32), 1) == usual
    # Without the secret everything is the same but the chance, and that never is.
    others = [await choose(bytes([n]) * 32, 1) for n in range(1, 20)]
    others += [await choose(bytes(32), number) for number in range(2, 20)]
    assert {replace(other, seed=0) for other in others} == {replace(usual, seed=0)}
    assert len({other.seed for other in [usual, *others]}) == len(others) + 1


@pytest.mark.parametrize("level", ["1", "4", "8"])
@pytest.mark.parametrize("slug", BLIND)
async def test_secret_choices_vary_with_the_secret(
    asked: list[Question], slug: str, level: str
) -> None:
    computers = Computers(1, 60_000, (), Metrics(), 1)
    chosen = game(slug, dict(games()[slug].untimed))
    made = set[str]()
    for number in range(4):
        match, _ = Match.begin(chosen, seed=bytes([number]) * 32)
        text = await computers.choose("id", match, Seat.SECOND, level, number=1, now=0)
        match.execute(Move(Seat.SECOND, text), 0)
        made.add(text)
    assert len(made) == 4


async def test_a_decision_that_comes_again_is_thought_about_anew(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers: list[int] = []
    choose = served.process.computers.choose

    async def note(id: str, match: Match, seat: Seat, player: str, *, number: int, now: int) -> str:
        numbers.append(number)
        return await choose(id, match, seat, player, number=number, now=now)

    monkeypatch.setattr(served.process.computers, "choose", note)
    made = await served.create("osakana", "me", "computer:1")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        move = shown["position"]["asked"]["legal"][0]
        for _ in range(3):
            await client.do(made["match"], "first", type="move", text=move)
            await client.until(lambda m: m["type"] == "update" and m["asked"] is not None)
            await client.do(made["match"], "first", type="ask_takeback")
            await client.until(lambda m: m["type"] == "update" and m["asked"] is not None)
    assert len(numbers) == len(set(numbers)) == 3


async def test_a_failed_computer_is_logged_without_what_it_was_asked(
    served: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> str:
        raise worker.ComputerFailed("FFMMWW is not a view", "NotAView")

    monkeypatch.setattr(served.process.computers, "choose", fail)
    made = await served.create("osakana", "computer:1", "me")
    cached = await served.process.matches.get(made["match"])
    await served.process.computer_seats.think(cached)
    assert "NotAView" in [getattr(record, "why", None) for record in caplog.records]
    assert not any("FFMMWW" in str(vars(record)) for record in caplog.records)

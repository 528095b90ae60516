"""Nobody learns from the wire what the rules say they may not know.

Pairs of matches are made up that a viewer can't tell apart by the rules: another seed, another
hand of the opponent, the same from the viewer's side. Both are played on a real server at the same
moments, with mistakes in between, and what the viewer's connections receive is compared byte by
byte, sizes included; only ids and digests, which have fixed sizes, are masked. Time is the test's,
clocks and all, so that how long anything takes makes no difference.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.server.serving import Json, Served, database_in, quick, serving
from visavis.rules import game, games
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Roll, Seat, Viewer
from visavis.server import creation
from visavis.session import Match, Move
from visavis.session import match as match_module
from visavis.session.entries import Chance
from visavis.session.seal import roll_face

pytestmark = pytest.mark.anyio

HIDDEN = [slug for slug, kind in games().items() if kind.hidden]
MASKED = re.compile(r'\b[0-9a-f]{64}\b|"[A-Za-z0-9_-]{12}"')
START_MS = 5_000
STEP_MS = 7_000
"""So much later each move is made: numbers gain digits on the way, in both matches at once."""
LONGEST = 60
BAD_MOVES = ("nonsense", "a1-a2", "A1-A2", "")


class Dice:
    """Rolls that are the same in two matches, but for those that one of them is told to change."""

    def __init__(self) -> None:
        self._same_as: dict[bytes, bytes] = {}
        self._not: dict[tuple[bytes, int], str] = {}

    def pair(self, left: bytes, right: bytes) -> None:
        self._same_as[right] = left

    def change(self, seed: bytes, number: int, face: str) -> None:
        self._not[seed, number] = face

    def roll(self, seed: bytes, number: int, roll: Roll) -> str:
        avoided = self._not.get((seed, number))
        others = [face for face, _ in roll.faces if face != avoided]
        if avoided is not None and others:
            return others[number % len(others)]
        return roll_face(self._same_as.get(seed, seed), number, roll)


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Dice:
    made = Dice()
    monkeypatch.setattr(match_module, "roll_face", made.roll)
    return made


class Moments:
    """The time, for the server and its wall clock: it goes on when it is told to."""

    def __init__(self) -> None:
        self.ms = START_MS

    def now(self) -> int:
        return self.ms

    def time_ns(self) -> int:
        return (1_700_000_000_000 + self.ms) * 1_000_000

    def begin(self) -> None:
        self.ms = START_MS

    def go_on(self) -> None:
        self.ms += STEP_MS


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    # What a slow line is credited depends on how slow it was.
    async with serving(quick(database_in(tmp_path), most_credit_ms=0)) as running:
        yield running


@pytest.fixture
def moments(served: Served, monkeypatch: pytest.MonkeyPatch) -> Moments:
    made = Moments()
    monkeypatch.setattr(served.process.uptime, "now", made.now)
    monkeypatch.setattr(creation, "time", made)
    return made


def noted(text: str) -> str:
    """Return what somebody received: its size, and all of it but what differs by nature."""
    return f"{len(text.encode())} {MASKED.sub('*', text)}"


@dataclass(frozen=True)
class Script:
    """A match: its seed, and the moves in order."""

    seed: str
    moves: tuple[tuple[Seat, str], ...]


def twins(slug: str, viewer: Viewer, number: int, dice: Dice) -> tuple[Script, Script] | None:
    """Return two different matches that the viewer can't tell apart, if luck has it."""
    rng = random.Random(number)
    chosen = game(slug, dict(games()[slug].untimed))
    seeds = [rng.randbytes(32) for _ in range(2)]
    dice.pair(*seeds)
    left, _ = Match.begin(chosen, seed=seeds[0])
    right, _ = Match.begin(chosen, seed=seeds[1])
    moves: tuple[list[tuple[Seat, str]], list[tuple[Seat, str]]] = ([], [])
    for _ in range(LONGEST):
        if left.is_over or left.awaited != right.awaited:
            break
        seat = rng.choice(left.awaited)
        for texts in choices(left, right, seat, viewer, rng):
            here = step(left, seat, texts[0])
            if here is None:
                continue
            for roll, chance in enumerate(rolls_of(here), 1):
                if chance.sights.to(viewer) != chance.face:
                    dice.change(seeds[1], roll, chance.face)
            there = step(right, seat, texts[1])
            if there is not None and alike(here, there, viewer):
                left, right = here, there
                moves[0].append((seat, texts[0]))
                moves[1].append((seat, texts[1]))
                break
        else:
            break
    if left.state == right.state:
        return None
    return Script(seeds[0].hex(), tuple(moves[0])), Script(seeds[1].hex(), tuple(moves[1]))


def rolls_of(match: Match) -> list[Chance]:
    return [entry for entry in match.entries if isinstance(entry, Chance)]


def choices(
    left: Match, right: Match, seat: Seat, viewer: Viewer, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Return what a seat might do in both: the same, or what only the other can't tell apart."""
    legal = [m.game.legal(m.state, seat) for m in (left, right)]
    for _ in range(6):
        texts = [left.game.format_move(rng.choice(moves)) for moves in legal]
        if seat is not viewer:
            yield texts[0], texts[1]
        yield texts[0], texts[0]


def step(match: Match, seat: Seat, text: str) -> Match | None:
    try:
        return match.execute(Move(seat, text), 0)[0]
    except VisavisError:
        return None


def alike(left: Match, right: Match, viewer: Viewer) -> bool:
    """Whether the viewer has seen the same moves and rolls and sees the same view."""
    if left.is_over or right.is_over:
        return False  # then everything is open
    sights = [[(e.turn, e.sights.to(viewer)) for e in m.entries] for m in (left, right)]
    remarks = [[getattr(e, "remark", "") for e in m.entries] for m in (left, right)]
    return (
        sights[0] == sights[1]
        and remarks[0] == remarks[1]
        and left.view(viewer) == right.view(viewer)
        and left.game.turn(left.state) == right.game.turn(right.state)
    )


async def traffic(
    served: Served, moments: Moments, slug: str, script: Script, viewer: Viewer
) -> list[str]:
    """Play a script; return everything that the viewer receives."""
    moments.begin()
    made = await create(served, slug, script)
    match, secrets = made["match"], made["secrets"]
    secret = None if viewer is None else secrets[str(viewer)]
    headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
    heard: list[str] = []
    async with served.client() as eye, served.client() as hands:
        eye.id, hands.id = "eyes", "hand"
        await eye.watch(match, secret)
        for secret_of_seat in secrets.values():
            await hands.watch(match, secret_of_seat)
        for number, (seat, text) in enumerate(script.moves):
            if number % 4 == 1:
                heard += await mistakes(served, match, viewer, headers)
                for bad in BAD_MOVES if viewer is not None else ():
                    await eye.do(match, str(viewer), type="move", text=bad)
            hands.seen.clear()
            moments.go_on()
            update = await hands.do(match, str(seat), type="move", text=text)
            assert update["type"] == "update", update
            while eye.seen[match, None if viewer is None else str(viewer)] < update["seq"]:
                await eye.next()
        for path in ("", "/record", "/snapshot"):
            answer = await served.http.get(f"/api/matches/{match}{path}", headers=headers)
            heard.append(f"{answer.status_code} {answer.text}")
        heard.append(await first_line(served, match, headers))
        heard += eye.texts
        again: Json = await eye.watch(match, secret, seen=0)
        assert again["type"] == "watching"
        heard += eye.texts
        await hands.do(match, "first", type="resign")
    return [noted(text) for text in heard]


async def create(served: Served, slug: str, script: Script, *seats: str) -> Json:
    """Create the match of a script, with a clock."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(creation, "new_seed", lambda: script.seed)
        return await served.create(slug, *seats, options=dict(games()[slug].untimed), clock="600+5")


async def mistakes(
    served: Served, match: str, viewer: Viewer, headers: dict[str, str]
) -> list[str]:
    """Ask for what can't be; return the answers."""
    answers = []
    for number, command in enumerate(({"type": "accept_draw"}, {"type": "ask_takeback"})):
        order = {"client": "mistakes", "number": number, "command": command}
        if command["type"] == "ask_takeback" and viewer is not None:
            continue  # it may be granted, and is part of other tests
        answer = await served.http.post(f"/api/matches/{match}/orders", json=order, headers=headers)
        answers.append(f"{answer.status_code} {answer.text}")
    return answers


async def first_line(served: Served, match: str, headers: dict[str, str]) -> str:
    """Return what a bot's stream begins with."""
    url = f"/api/matches/{match}/stream"
    async with served.http.stream("GET", url, headers=headers) as answer:
        async for line in answer.aiter_lines():
            return line
    raise httpx.StreamError("nothing was streamed")


@pytest.mark.parametrize("viewer", [Seat.FIRST, Seat.SECOND, None], ids=str)
@pytest.mark.parametrize("slug", HIDDEN)
async def test_the_wire_tells_no_secrets(
    served: Served, moments: Moments, slug: str, viewer: Viewer, dice: Dice
) -> None:
    compared = 0
    for number in range(100):
        pair = twins(slug, viewer, number, dice)
        if pair is None:
            continue
        left, right = [await traffic(served, moments, slug, script, viewer) for script in pair]
        assert left == right
        compared += 1
        if compared == 3:
            return
    assert compared, "no two matches were found that look the same"


@pytest.mark.parametrize("slug", HIDDEN)
async def test_a_leak_is_seen(
    served: Served, moments: Moments, slug: str, dice: Dice, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = next(filter(None, (twins(slug, None, number, dice) for number in range(100))))

    def name(match: Match) -> str:
        """A commitment of which only the size tells something of the state."""
        return "0" * (64 + zlib.crc32(repr(match.state).encode()) % 1_000)

    monkeypatch.setattr(Match, "commitment", property(name))
    left, right = [await traffic(served, moments, slug, script, None) for script in pair]
    assert left != right


class BotsEye:
    """A bot that plays over HTTP with its token, and everything it receives."""

    def __init__(self, served: Served, match: str, token: str) -> None:
        self.served, self.path = served, f"/api/matches/{match}"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.heard: list[str] = []
        self.number = 0
        self.follows = asyncio.Event()

    async def ask(self, command: Json) -> Json:
        self.number += 1
        order = {"client": "bot", "number": self.number, "command": command}
        path = f"{self.path}/orders"
        answer = await self.served.http.post(path, json=order, headers=self.headers)
        self.heard.append(f"{answer.status_code} {answer.text}")
        return dict(answer.json())

    async def follow(self, last: asyncio.Future[int]) -> None:
        """Read the stream up to a number that is known later."""
        stream = self.served.http.stream("GET", f"{self.path}/stream", headers=self.headers)
        lines: list[str] = []
        async with stream as answer:
            async for line in answer.aiter_lines():
                if not line or line.startswith(ABOUT_OTHERS):
                    continue
                lines.append(line)
                self.follows.set()
                if last.done() and json.loads(line)["seq"] >= last.result():
                    break
        self.heard += lines


ABOUT_OTHERS = ('{"type":"spectators"', '{"type":"presence"')
"""Who else is there is told now and then, not at a moment of the match."""


async def bot_traffic(
    served: Served, moments: Moments, slug: str, script: Script, seat: Seat
) -> list[str]:
    """Play a script with a bot in a seat; return everything that the bot receives."""
    moments.begin()
    name = f"bot-{random.SystemRandom().randrange(10**9):09}"
    token = (await served.http.post("/api/bots", json={"name": name})).json()["token"]
    seats = [f"bot:{name}", "me"] if seat is Seat.FIRST else ["me", f"bot:{name}"]
    made = await create(served, slug, script, *seats)
    bot = BotsEye(served, made["match"], token)
    last = asyncio.get_running_loop().create_future()
    following = asyncio.create_task(bot.follow(last))
    await bot.follows.wait()
    async with served.client() as hands:
        await hands.watch(made["match"], made["secrets"][str(seat.other)])
        for number, (mover, text) in enumerate(script.moves):
            if number % 4 == 1:
                for bad in BAD_MOVES:
                    await bot.ask({"type": "move", "text": bad})
            command: Json = {"type": "move", "text": text}
            moments.go_on()
            if mover is seat:
                done = await bot.ask(command)
            else:
                hands.seen.clear()
                done = await hands.do(made["match"], str(mover), **command)
            assert done["type"] == "update", done
        for path in ("/snapshot", "/record"):
            answer = await served.http.get(bot.path + path, headers=bot.headers)
            bot.heard.append(answer.text)
        done = await hands.do(made["match"], str(seat.other), type="say", phrase="hello")
        last.set_result(done["seq"])
        await following
    return [noted(text).replace(name, "*") for text in bot.heard]


@pytest.mark.parametrize("seat", Seat, ids=str)
@pytest.mark.parametrize("slug", HIDDEN)
async def test_bots_are_told_no_secrets(
    served: Served, moments: Moments, slug: str, seat: Seat, dice: Dice
) -> None:
    for number in range(100):
        pair = twins(slug, seat, number, dice)
        if pair is not None:
            left, right = [
                await bot_traffic(served, moments, slug, script, seat) for script in pair
            ]
            assert left == right
            return
    raise AssertionError("no two matches were found that look the same")

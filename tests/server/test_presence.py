"""Who is at the board, who has left, and what can be claimed against them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.serving import PATIENCE, Client, Json, Served, database_in, notice, quick, serving
from tests.server.test_hosted_match import opened
from visavis.rules.protocol import Seat
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch, Outbox
from visavis.server.hosted_match import HostedMatch
from visavis.server.presence import GRACE_MS, TOLD_EVERY_MS, Presence
from visavis.server.settings import Settings
from visavis.server.store import Clock
from visavis.server.store.clock import steady_time
from visavis.server.updates import Change

THREE_MINUTES = 180_000
FIRST, SECOND = Seat.FIRST, Seat.SECOND


# -- The law, without a server ---------------------------------------------------------------------


def by_link() -> Change:
    """A match between two who are not at one screen: the rematch of another."""
    return HostedMatch.open("m", replace(opened(), previous="before"), 0)[1]


@dataclass
class Room:
    """One process's presence, with time at hand."""

    now: int = 0

    def __post_init__(self) -> None:
        self.presence = Presence(lambda: self.now, THREE_MINUTES)
        self.live = CachedMatch("m", lambda _: None, self.presence.note, 10)
        change = by_link()
        self.live.timeline.note(change)
        self.presence.begin()
        self.presence.follow(change.hosted)
        self.outboxes = {seat: Outbox(100) for seat in Seat}


deeds = st.lists(
    st.tuples(
        st.sampled_from(("come", "go", "hear", "sign", "begin", "look")),
        st.sampled_from(Seat),
        st.integers(0, 60_000),
    ),
    max_size=40,
)


@given(deeds)
@settings(max_examples=300, deadline=None)
def test_nobody_is_away_who_gave_a_sign(plan: list[tuple[str, Seat, int]]) -> None:
    """By a clerk who writes down the last sign of each: never claimed while there, nor too soon."""
    room = Room()
    here: set[Seat] = set()
    last = dict.fromkeys(Seat, 0)
    for deed, seat, later in plan:
        for each in here:
            last[each] = room.now + later
        room.now += later
        if deed == "come":
            room.live.watch(room.outboxes[seat], seat, legal=True)
            here.add(seat)
        elif deed == "go":
            room.live.unwatch(room.outboxes[seat], seat)
            here.discard(seat)
        elif deed == "hear":
            room.presence.hear([("m", seat)])
            last[seat] = room.now
        elif deed == "sign":
            room.presence.sign(room.live.hosted, seat)
            last[seat] = room.now
        elif deed == "begin":
            room.presence.begin()
            last = dict.fromkeys(Seat, room.now)
        else:
            room.presence.changes()
            room.presence.signs()
        for each in Seat:
            away = room.presence.away(room.live.hosted, each)
            assert away is None or (each not in here and last[each] <= away)
            if each not in here and room.now - last[each] >= GRACE_MS + TOLD_EVERY_MS:
                assert away is not None
            try:
                room.presence.check_claim(room.live.hosted, each)
            except Refusal:
                continue
            assert each.other not in here
            assert room.now - last[each.other] >= THREE_MINUTES
            assert room.presence.away(room.live.hosted, each) is None


def test_it_is_told_once_when_somebody_leaves_and_when_they_come_back() -> None:
    room = Room()
    for seat in Seat:
        room.live.watch(room.outboxes[seat], seat, legal=True)
    assert room.presence.changes() == set()
    room.now += 60_000
    room.live.unwatch(room.outboxes[SECOND], SECOND)
    room.now += GRACE_MS - 1
    assert room.presence.changes() == set()
    room.now += 1
    assert room.presence.changes() == {"m"}
    assert room.presence.changes() == set()
    assert room.presence.away(room.live.hosted, SECOND) == 60_000
    room.live.watch(room.outboxes[SECOND], SECOND, legal=True)
    assert room.presence.changes() == {"m"}
    assert room.presence.away(room.live.hosted, SECOND) is None


def test_a_page_that_is_loaded_again_was_not_away() -> None:
    room = Room()
    room.live.watch(room.outboxes[FIRST], FIRST, legal=True)
    room.live.unwatch(room.outboxes[FIRST], FIRST)
    room.now += GRACE_MS - 1
    room.live.watch(room.outboxes[FIRST], FIRST, legal=True)
    room.now += THREE_MINUTES
    assert room.presence.away(room.live.hosted, FIRST) is None


# -- On a real server ------------------------------------------------------------------------------


class Time:
    """Lets the server's time pass: by less than what it would take for an absence, many times."""

    def __init__(self) -> None:
        self.ahead = 0
        self.servers: list[Served] = []
        self.clock = Clock(lambda: steady_time() + self.ahead)

    @asynccontextmanager
    async def serving(self, settings: Settings) -> AsyncIterator[Served]:
        async with serving(settings, self.clock) as served:
            self.servers.append(served)
            yield served
            self.servers.remove(served)

    async def passes(self, seconds: int) -> None:
        for step in [4] * (seconds // 4) + [seconds % 4]:
            self.ahead += step * 1_000
            for served in self.servers:
                await served.process.uptime.beat()
                await served.process.tell_presence()


async def seated(served: Served, clock: str = "none") -> Json:
    """Make a match by link, in which both have a seat."""
    made = await served.create("osakana", "me", "invited", clock=clock)
    body = {"invitation": made["invitations"]["second"]}
    joined = (await served.http.post(f"/api/matches/{made['match']}/join", json=body)).json()
    return made | {"secrets": made["secrets"] | {"second": joined["secret"]}}


async def moved(served: Served, made: Json) -> None:
    """Let both make a move over HTTP."""
    for number, seat in enumerate(("first", "second"), 1):
        headers = {"Authorization": f"Bearer {made['secrets'][seat]}"}
        path = f"/api/matches/{made['match']}"
        shown = (await served.http.get(f"{path}/snapshot", headers=headers)).json()
        command = {"type": "move", "text": shown["position"]["asked"]["legal"][0]}
        order = {"client": "http", "number": number, "command": command}
        answer = await served.http.post(f"{path}/orders", json=order, headers=headers)
        assert answer.status_code == 200, answer.text


async def heard(client: Client, wanted: dict[str, bool]) -> Json:
    """Wait until it was told who is away, and who is not."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for message in client.presence[-1:]:
                if all((message[seat] is not None) == away for seat, away in wanted.items()):
                    return message
            ping = len(client.heard)
            await client.send(type="ping")
            while len(client.heard) == ping:
                await client.next()


@pytest.mark.anyio
@pytest.mark.parametrize("draw", [False, True])
async def test_who_has_left_is_claimed_against(tmp_path: Path, draw: bool) -> None:
    """The whole story: present, away, too soon, back again, away for good, claimed, recorded."""
    time = Time()
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(time.serving(quick(database_in(tmp_path))))
        made = await seated(served)
        match, secrets = made["match"], made["secrets"]
        first = await stack.enter_async_context(served.client())
        spectator = await stack.enter_async_context(served.client())
        await first.watch(match, secrets["first"])
        await spectator.watch(match)
        async with served.client() as second:
            await second.watch(match, secrets["second"])
            await moved(served, made)
            await heard(first, {"first": False, "second": False})
            await time.passes(200)
            refused = await first.do(match, "first", type="claim", draw=draw)
            assert refused["code"] == "claim_refused"
            assert "is there" in refused["message"]
        await until_gone(served, match, SECOND)
        await time.passes(16)
        change = await heard(first, {"first": False, "second": True})
        assert change["claim"] == THREE_MINUTES
        assert (await heard(spectator, {"second": True}))["second"] == change["second"]
        await time.passes(150)
        refused = await first.do(match, "first", type="claim", draw=draw)
        assert "seconds to come back" in refused["message"]
        async with served.client() as second:
            await second.watch(match, secrets["second"])
            await served.process.tell_presence()
            await heard(first, {"second": False})
        await until_gone(served, match, SECOND)
        await time.passes(170)
        refused = await first.do(match, "first", type="claim", draw=draw)
        assert refused["code"] == "claim_refused"
        await time.passes(12)
        ended = notice(await first.do(match, "first", type="claim", draw=draw), "ended")
        assert ended["reason"] == "abandoned"
        assert ended["winner"] == (None if draw else "first")
        record = (await served.http.get(f"/api/matches/{match}/record")).text
        assert '[Reason "abandoned"]' in record


async def until_gone(served: Served, match: str, seat: Seat) -> None:
    cached = await served.process.matches.get(match)
    async with asyncio.timeout(PATIENCE):
        while cached.has_seat(seat):
            await asyncio.sleep(0.005)


@pytest.mark.anyio
async def test_who_claims_has_to_be_there(tmp_path: Path) -> None:
    time = Time()
    async with time.serving(quick(database_in(tmp_path))) as served:
        made = await seated(served)
        await moved(served, made)
        await time.passes(200)
        headers = {"Authorization": f"Bearer {made['secrets']['first']}"}
        order = {"client": "late", "number": 1, "command": {"type": "claim"}}
        path = f"/api/matches/{made['match']}/orders"
        answer = await served.http.post(path, json=order, headers=headers)
        assert answer.status_code == 409
        assert answer.json()["code"] == "claim_refused"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("seats", "clock", "begun"),
    [
        (("me", "me"), "none", True),
        (("me", "computer:1"), "none", False),
        (("me", "invited"), "3d/move", True),
        (("me", "invited"), "none", False),
    ],
    ids=["one screen", "a computer", "days to think", "hardly begun"],
)
async def test_where_nobody_has_to_stay(
    tmp_path: Path, seats: tuple[str, str], clock: str, begun: bool
) -> None:
    time = Time()
    async with time.serving(quick(database_in(tmp_path))) as served, served.client() as client:
        if "invited" in seats:
            made = await seated(served, clock)
        else:
            made = await served.create("osakana", *seats, clock=clock)
        if begun:
            await moved(served, made)
        await client.watch(made["match"], made["secrets"]["first"])
        await time.passes(200)
        refused = await client.do(made["match"], "first", type="claim")
        assert refused["code"] == "claim_refused"
        if "invited" not in seats:
            assert client.presence == []


@pytest.mark.anyio
async def test_a_rematch_by_link_can_be_claimed_and_one_on_a_screen_cannot(served: Served) -> None:
    for made, change in ((await seated(served), True), (await served.create("osakana"), False)):
        match = made["match"]
        async with served.client() as client:
            for seat in ("first", "second"):
                await client.watch(match, made["secrets"][seat])
            await client.do(match, "first", type="abort")
            await client.do(match, "second", type="rematch")
            again = notice(await client.do(match, "first", type="rematch"), "rematch_made")
            await client.watch(again["match"], made["secrets"]["first"])
            client.presence.clear()
            await client.send(type="ping")
            await client.kind("pong")
            cached = await served.process.matches.get(again["match"])
            assert cached.hosted.opened.is_on_one_screen is not change


@pytest.mark.anyio
async def test_nobody_is_away_while_the_server_is(tmp_path: Path) -> None:
    """It was away for an hour; who has not come back after that has three minutes from then on."""
    time, settings = Time(), quick(database_in(tmp_path))
    async with time.serving(settings) as served:
        made = await seated(served)
        await moved(served, made)
        await time.passes(100)
    time.ahead += 3_600_000
    async with time.serving(settings) as served, served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        await time.passes(170)
        refused = await client.do(made["match"], "first", type="claim")
        assert refused["code"] == "claim_refused"
        await time.passes(12)
        ended = await client.do(made["match"], "first", type="claim")
        assert notice(ended, "ended")["reason"] == "abandoned"


@pytest.mark.anyio
async def test_it_can_be_switched_off(tmp_path: Path) -> None:
    time = Time()
    never = quick(database_in(tmp_path), claim_after_ms=0)
    async with time.serving(never) as served, served.client() as client:
        made = await seated(served)
        await moved(served, made)
        await client.watch(made["match"], made["secrets"]["first"])
        await time.passes(200)
        assert (await heard(client, {"second": True}))["claim"] is None
        refused = await client.do(made["match"], "first", type="claim")
        assert refused["code"] == "claim_refused"


@pytest.mark.anyio
async def test_who_is_connected_to_another_process_is_there(postgres: str) -> None:
    time = Time()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(time.serving(quick(postgres)))
        other = await stack.enter_async_context(time.serving(quick(postgres)))
        made = await seated(one)
        match = made["match"]
        first = await stack.enter_async_context(one.client())
        await first.watch(match, made["secrets"]["first"])
        presence, hosted = (
            one.process.presence,
            (await one.process.matches.get(match)).hosted,
        )

        async def until(away: bool) -> None:
            async with asyncio.timeout(PATIENCE):
                while (presence.away(hosted, SECOND) is not None) is not away:
                    await asyncio.sleep(0.01)

        async with other.client() as second:
            await second.watch(match, made["secrets"]["second"])
            await moved(one, made)
            await time.passes(200)
            await until(away=False)
            refused = await first.do(match, "first", type="claim")
            assert refused["message"] == "the opponent is there"
        await until_gone(other, match, SECOND)
        await time.passes(100)
        await until(away=True)
        assert (await first.do(match, "first", type="claim"))["code"] == "claim_refused"
        await time.passes(100)
        ended = await first.do(match, "first", type="claim")
        assert notice(ended, "ended")["winner"] == "first"

"""Credit for slow lines: no more than was measured, and no more than a quota that runs out."""

from __future__ import annotations

import asyncio
import itertools
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.serving import PATIENCE, Client, Json, Served
from tests.server.test_limits import moves_that_end_nothing
from visavis.server import match_log, websocket
from visavis.server.lag import GAIN_MS, QUOTA_MS, Credit, Line
from visavis.session import Move

MOST = 250

# -- The rule --------------------------------------------------------------------------------------

Event = tuple[str, int, float]
"""A probe, an echo of some number or a move, and how many seconds later it is."""
EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["probe", "echo", "move"]),
        st.integers(1, 20),
        st.floats(0, 5, allow_nan=False),
    ),
    max_size=60,
)


@settings(deadline=None)
@given(EVENTS)
def test_credit_is_bounded_by_what_was_measured_and_by_the_quota(events: list[Event]) -> None:
    line, credit, now = Line(), Credit(), 0.0
    sent: dict[int, float] = {}
    measured: dict[int, float] = {}
    granted: list[int] = []
    for kind, number, later in events:
        now += later
        if kind == "probe":
            line = line.probed(now)
            sent[line.number] = now
        elif kind == "echo":
            line = line.echoed(number, now)
            if number in sent:
                measured.setdefault(number, (now - sent[number]) * 500)
        else:
            granted.append(credit.grant(line.lag_ms, MOST))
            credit = credit.after(granted[-1])
            line = line.probed(now)  # as the server does after each move
            sent[line.number] = now
        assert 0 <= credit.left_ms <= QUOTA_MS
    for stretch in range(1, len(granted) + 1):
        for start in range(len(granted) - stretch + 1):
            total = sum(granted[start : start + stretch])
            assert total <= QUOTA_MS + (stretch - 1) * GAIN_MS
    assert max(granted, default=0) <= MOST
    assert sum(granted) <= sum(measured.values()) + len(measured) / 2  # each is rounded


@settings(deadline=None)
@given(st.floats(0, 60), st.integers(1, 60))
def test_one_late_echo_pays_once(late: float, moves: int) -> None:
    line, credit, granted = Line().probed(0.0).echoed(1, late), Credit(), list[int]()
    for number in range(moves):
        granted.append(credit.grant(line.lag_ms, MOST))
        credit, line = credit.after(granted[-1]), line.probed(late + number)
    assert sum(granted) <= min(MOST, late * 500 + 1)
    assert not any(granted[1:])


def test_an_ordinary_line_is_made_up_for() -> None:
    """A round trip of a tenth of a second, for ever; twice that, for nineteen moves."""
    for lag, moves in ((GAIN_MS, 500), (2 * GAIN_MS, 19)):
        credit = Credit()
        for _ in range(moves):
            assert credit.grant(lag, MOST) == lag
            credit = credit.after(lag)


# -- The server ------------------------------------------------------------------------------------


class Clock:
    """Time that a test can put forward, for those who ask this module."""

    ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(websocket, "time", clock)
    return clock


async def probe(client: Client) -> int:
    """Return the number of the next probe, unanswered; what comes before it is passed over."""
    async with asyncio.timeout(PATIENCE):
        while (message := json.loads(await client.socket.recv()))["type"] != "probe":
            pass
    return int(message["number"])


async def credits(served: Served, made: Json) -> list[int]:
    rows = await served.process.store.rows(made["match"])
    done = [match_log.decode(row.body) for row in rows]
    orders = [entry.command for entry in done if isinstance(entry, match_log.Did)]
    return [command.credit_ms for command in orders if isinstance(command, Move)]


@pytest.mark.anyio
@pytest.mark.parametrize(("round_trip", "credit"), [(0.1, 50), (60.0, 250)])
async def test_a_slow_line_has_a_bounded_credit(
    served: Served, clock: Clock, round_trip: float, credit: int
) -> None:
    """Half the round trip that was measured, and never more than a quarter of a second."""
    made = await served.create("osakana", clock="300+0")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        number = await probe(client)
        clock.ahead = round_trip
        await client.send(type="echo", number=number)
        legal = shown["position"]["asked"]["legal"]
        await client.do(made["match"], "first", type="move", text=legal[0])
    (given_,) = await credits(served, made)
    assert credit <= given_ <= min(250, credit + 200)
    assert served.process.settings.most_credit_ms == 250


@pytest.mark.anyio
async def test_an_echo_is_good_for_one_move(served: Served, clock: Clock) -> None:
    """Late once and then silent; late again to an old probe; and on another socket."""
    made = await served.create("osakana", clock="300+0")
    match, numbers, texts = made["match"], itertools.count(1), iter(moves_that_end_nothing(4))
    async with served.client() as one, served.client() as two:
        await one.watch(match, made["secrets"]["first"])
        first = await probe(one)
        await one.send(type="watch", match=match, secret=made["secrets"]["second"])
        clock.ahead = 60.0
        await one.send(type="echo", number=first)

        async def move(client: Client, seat: str, text: str) -> None:
            command = {"type": "move", "text": text}
            order = {"client": "x", "number": next(numbers), "command": command}
            await client.send(type="do", match=match, seat=seat, order=order)
            await probe(client)  # the move is made, and the probe after it not answered

        await move(one, "first", next(texts))
        for seat in ("second", "first"):
            clock.ahead += 60.0
            await one.send(type="echo", number=first)
            await move(one, seat, next(texts))
        # A new socket has a probe of its own; unanswered it earns nothing either.
        await two.send(type="watch", match=match, secret=made["secrets"]["second"])
        await probe(two)
        clock.ahead += 60.0
        await move(two, "second", next(texts))
    assert await credits(served, made) == [250, 0, 0, 0]


@pytest.mark.anyio
async def test_the_quota_is_the_seats(served: Served, clock: Clock) -> None:
    """However many sockets its holder opens, and each answers as late as it likes."""
    made = await served.create("osakana", clock="300+0")
    match, secrets = made["match"], made["secrets"]
    async with served.client() as other:
        await other.watch(match, secrets["second"])
        texts = iter(moves_that_end_nothing(16))
        for mine, theirs in zip(texts, texts, strict=True):
            async with served.client() as client:
                await client.watch(match, secrets["first"])
                number = await probe(client)
                clock.ahead += 60.0
                await client.send(type="echo", number=number)
                await client.do(match, "first", type="move", text=mine)
            await other.until(lambda m: m["type"] == "update" and bool(m["asked"]))
            await other.do(match, "second", type="move", text=theirs)
    granted = (await credits(served, made))[::2]
    assert granted[0] == 250
    assert sum(granted) <= QUOTA_MS + 7 * GAIN_MS
    assert granted[-1] == GAIN_MS

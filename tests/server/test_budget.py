"""A client's budget: what it costs, what is refused, and that ordinary players never meet it."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.serving import Client, Json, Served, database_in, notice, quick, serving
from tests.server.test_limits import metrics, moves_that_end_nothing
from visavis.server import longwork
from visavis.server.budget import NOBODY, Budget
from visavis.server.errors import Refusal
from visavis.server.longwork import A_LITTLE, LongWork
from visavis.server.settings import Settings

ME = "127.0.0.1"


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


# The rule


@given(
    rate=st.floats(0.05, 2),
    burst=st.floats(0.1, 20),
    plan=st.lists(st.tuples(st.floats(0, 30), st.floats(0, 5)), max_size=40),
)
def test_nobody_has_more_done_than_comes_back(
    rate: float, burst: float, plan: list[tuple[float, float]]
) -> None:
    """Who asks whenever it is allowed: what is done fits the rate, but for the last piece."""
    clock = Clock()
    budget = Budget(rate, burst, clock)
    done = 0.0
    for pause, seconds in plan:
        clock.now += pause
        if wait := budget.wait("a"):
            with pytest.raises(Refusal) as refused:
                budget.check("a")
            assert refused.value.wait == wait
            assert refused.value.code == "too_many"
            clock.now += wait * 1.000001
        assert budget.wait("a") == 0.0
        assert done <= burst + rate * clock.now + 1e-6
        budget.charge("a", seconds)
        done += seconds
    assert budget.wait("b") == budget.wait(NOBODY) == 0.0


def test_no_limit() -> None:
    budget = Budget(0, 0, Clock())
    budget.charge("a", 1_000.0)
    assert budget.wait("a") == 0.0
    limited = Budget(1, 1, Clock())
    limited.charge(NOBODY, 1_000.0)
    assert limited.wait(NOBODY) == 0.0


@pytest.mark.anyio
async def test_work_is_charged_and_waiting_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock of the thread is a second later than the one before."""
    ticks = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: float(next(ticks)))
    budget = Budget(1, 0, Clock())

    async def work() -> str:
        await asyncio.sleep(0)
        await asyncio.sleep(0.001)
        return "done"

    assert await budget.metered("a", work()) == "done"
    assert budget.wait("a") == 3  # steps, with two waits in between


@pytest.mark.anyio
async def test_work_that_fails_or_is_cancelled_fails_as_ever() -> None:
    budget = Budget(1, 1)

    async def fail() -> None:
        await asyncio.sleep(0)
        raise KeyError("x")

    with pytest.raises(KeyError):
        await budget.metered("a", fail())

    async def clean_up() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.set()

    async def wait() -> None:
        await budget.metered("a", clean_up())

    cleaned = asyncio.Event()
    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned.is_set()


# Long work


class Pieces:
    """Pieces of work that take as long as they say, by a clock that only sleeping moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pace: float) -> None:
        self.clock = Clock()
        self.order: list[tuple[str, float]] = []
        self.budget = Budget(100, 100, self.clock)
        self.work = LongWork(self.budget, pace, self.clock, self._sleep)
        monkeypatch.setattr(longwork, "_timed", self._timed)

    def _timed(self, work: object) -> tuple[object, float]:
        assert threading.current_thread() is not threading.main_thread()
        client, seconds = work()  # type: ignore[operator]
        self.order.append((client, self.clock.now))
        return None, seconds

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self.clock.now += seconds

    async def run(self, client: str, seconds: float) -> None:
        await self.work.run(client, lambda: (client, seconds))


@pytest.mark.anyio
async def test_a_client_s_long_work_leaves_time_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = Pieces(monkeypatch, 0.25)
    for _ in range(10):
        await pieces.run("a", A_LITTLE)
    times = [at for _, at in pieces.order]
    assert times[:2] == [0, 0]  # a little goes without a pause
    assert times[-1] == pytest.approx((9 * A_LITTLE - A_LITTLE) / 0.25)
    await pieces.work.close()


@pytest.mark.anyio
async def test_long_work_is_done_for_each_client_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pieces one has to be done, others are done in between."""
    pieces = Pieces(monkeypatch, 0)
    asked = [pieces.run(client, 0.01) for client in "aaaaaaaa" + "bb" + "c"]
    await asyncio.gather(*asked)
    order = "".join(client for client, _ in pieces.order)
    assert sorted(order) == sorted("aaaaaaaabbc")
    assert {*order[:4]} == {*"abc"}
    assert order[6:] == "a" * 5
    assert not pieces.work.busy
    await pieces.work.close()


# The server


@pytest.mark.anyio
async def test_who_has_asked_for_too_much_is_refused(tmp_path: Path) -> None:
    """On all ways, before anything is done, and nobody else."""
    settings = quick(database_in(tmp_path), work_per_second=0.1, work_burst=1.0)
    async with serving(settings) as served, served.client() as client:
        made = await served.create("osakana")
        await client.watch(made["match"], made["secrets"]["first"])
        served.process.budget.charge(ME, 5.0)
        answer = await served.http.get(f"/api/matches/{made['match']}")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert 30 <= int(answer.headers["Retry-After"]) <= 41
        refused = await client.do(made["match"], "first", type="resign")
        assert (refused["code"], refused["match"]) == ("too_many", made["match"])
        assert 30 <= refused["wait"] <= 41
        assert (await served.http.get("/healthz")).status_code == 200
        rows = await served.process.store.rows(made["match"])
        assert len(rows) == 1


@pytest.mark.anyio
async def test_budgets_are_by_address(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), work_per_second=0.1, work_burst=1.0, proxies=1)
    async with serving(settings) as served:
        path = "/api/games"
        served.process.budget.charge("2001:db8::/64", 5.0)
        for address, status in (
            ("2001:db8::1", 429),
            ("2001:db8::ffff:1", 429),
            ("2001:db8:0:1::1", 200),
            ("192.0.2.1", 200),
        ):
            answer = await served.http.get(path, headers={"X-Forwarded-For": address})
            assert answer.status_code == status, address


@pytest.mark.anyio
async def test_everything_is_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    charged: list[str] = []
    charge = Budget.charge

    def note(budget: Budget, client: str, seconds: float) -> None:
        charged.append(client)
        charge(budget, client, seconds)

    monkeypatch.setattr(Budget, "charge", note)
    async with serving(quick(database_in(tmp_path))) as served, served.client() as client:
        made = await served.create("osakana")
        assert ME in charged
        charged.clear()
        await client.watch(made["match"], made["secrets"]["first"])
        assert ME in charged
        charged.clear()
        await client.do(made["match"], "first", type="say", phrase="hello")
        assert ME in charged


@pytest.mark.anyio
async def test_messages_are_limited_over_all_sockets_of_an_address(tmp_path: Path) -> None:
    settings = quick(
        database_in(tmp_path), client_messages_per_second=0.001, client_message_burst=6, proxies=1
    )
    async with serving(settings) as served:
        sockets = [served.client(address) for address in ("192.0.2.1",) * 3 + ("192.0.2.2",)]
        async with sockets[0] as one, sockets[1] as two, sockets[2] as three, sockets[3] as other:
            heard = []
            for client in (one, two, three):
                for _ in range(3):
                    await client.send(type="ping")
                    answer = await client.next()
                    heard.append(answer["type"])
            assert heard == ["pong"] * 6 + ["refused"] * 3
            assert (answer["code"], answer["wait"] > 900) == ("too_many", True)
            await other.send(type="ping")
            assert (await other.next())["type"] == "pong"


# Forty ordinary players


def tells(message: Json, kind: str) -> bool:
    """Whether a message is an update with such a notice."""
    return any(notice["type"] == kind for notice in message.get("notices", ()))


class Player:
    """Somebody with a page: loads it, plays, loses the line, comes back, looks back."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.match = self.seat = self.secret = ""

    async def get(self, path: str, **more: object) -> Json:
        answer = await self.served.http.get(path, **more)  # type: ignore[arg-type]
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def load_page(self) -> None:
        for path in ("/", "/api/games", "/api/lobby"):
            answer = await self.served.http.get(path)
            assert answer.status_code == 200, answer.text

    async def play(self, client: Client, moves: Iterator[tuple[str, str]]) -> None:
        for seat, text in moves:
            if seat == self.seat:
                done = await client.do(self.match, seat, type="move", text=text)
                assert done["type"] == "update", done
            else:
                await client.until(lambda m: tells(m, "moved"))

    async def evening(self, moves: list[tuple[str, str]]) -> None:
        """Play a match, with the line lost in the middle, and look at it afterwards."""
        half = len(moves) // 2
        async with self.served.client() as client:
            await client.send(type="watch_lobby")
            await client.watch(self.match, self.secret)
            await client.send(type="ping")
            await self.play(client, iter(moves[:half]))
            seen = client.seen[self.match, self.seat]
        async with self.served.client() as client:
            client.seen[self.match, self.seat] = seen
            for since in (0, seen):
                shown = await client.watch(self.match, self.secret, seen=since)
                assert shown["type"] == "watching", shown
            made = {m["seq"] for m in client.heard if tells(m, "moved")}
            await self.play(client, iter(moves[len(made) :]))
            if self.seat == "first":
                ended = await client.do(self.match, "first", type="resign")
                assert notice(ended, "ended")["reason"] == "resigned"
            else:
                await client.until(lambda m: tells(m, "ended"))
        await self.get(f"/api/matches/{self.match}/replay")
        await self.get(f"/api/matches/{self.match}")


async def seat_two(one: Player, two: Player) -> None:
    await asyncio.gather(one.load_page(), two.load_page())
    made = await one.served.create("osakana", "me", "invited", clock="300+5")
    body = {"invitation": made["invitations"]["second"]}
    joined = await two.served.http.post(f"/api/matches/{made['match']}/join", json=body)
    assert joined.status_code == 200, joined.text
    one.match = two.match = made["match"]
    one.seat, one.secret = "first", made["secrets"]["first"]
    two.seat, two.secret = "second", joined.json()["secret"]


@pytest.mark.anyio
async def test_forty_players_behind_one_address_meet_no_limit(tmp_path: Path) -> None:
    """With the settings as they come, and all at the same time, faster than people are."""
    texts = moves_that_end_nothing(24)
    moves = list(zip(itertools.cycle(("first", "second")), texts, strict=False))
    async with serving(Settings(database=str(database_in(tmp_path)))) as served:
        players = [Player(served) for _ in range(40)]
        pairs = list(zip(players[::2], players[1::2], strict=True))
        await asyncio.gather(*(seat_two(*pair) for pair in pairs))
        await asyncio.gather(*(player.evening(moves) for player in players))
        told = await metrics(served)
    assert 'code="too_many"' not in told
    assert 'code="busy"' not in told
    assert "visavis_sockets_dropped_total 0.0" in told

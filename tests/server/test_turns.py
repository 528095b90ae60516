"""Questions to the engine: each client in turn, and nobody thinks about what nobody waits for."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.serving import Served, database_in, quick, serving
from visavis.rules import game
from visavis.rules.protocol import Seat
from visavis.server.errors import Refusal
from visavis.server.turns import Turns

PATIENCE = 120.0
"""Less than what is abandoned here would take."""

# -- The rule --------------------------------------------------------------------------------------


class Queue:
    """Turns, one at a time, that are taken and given back one after the other."""

    def __init__(self, most: int = 0, most_each: int = 0) -> None:
        self.turns = Turns(1, most, most_each)
        self.order: list[str] = []
        self.refused: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, client: str) -> asyncio.Task[None]:
        async def wait() -> None:
            try:
                await self.turns.take(client)
            except Refusal as error:
                self.refused.append(f"{client} {error.code}")
            else:
                self.order.append(client)

        task = asyncio.create_task(wait())
        self.tasks.append(task)
        await asyncio.sleep(0)  # it joins the queue
        await asyncio.sleep(0)  # and who had to make room hears of it
        return task

    async def serve_all(self) -> None:
        served = 0
        while len(self.order) > served:
            served = len(self.order)
            self.turns.give_back()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await asyncio.gather(*self.tasks, return_exceptions=True)


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=30))
def test_clients_are_served_in_rotation(asks: list[str]) -> None:
    """Nobody has two turns while another who waits has none."""

    async def play() -> list[str]:
        queue = Queue()
        for client in asks:
            await queue.ask(client)
        await queue.serve_all()
        return queue.order

    order = asyncio.run(play())
    assert sorted(order) == sorted(asks)
    assert order[0] == asks[0]
    waiting = order[1:]  # all of these wait when the first has its turn
    for position, client in enumerate(waiting):
        again = [later for later in range(position + 1, len(waiting)) if waiting[later] == client]
        between = set(waiting[position + 1 : again[0]]) if again else set()
        left = set(waiting[again[0] :]) - {client} if again else set()
        assert left <= between


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.booleans()), max_size=20))
def test_who_leaves_is_not_waited_for(asks: list[tuple[str, bool]]) -> None:
    async def play() -> list[str]:
        queue = Queue()
        await queue.ask("first")
        for client, leaves in asks:
            task = await queue.ask(client)
            if leaves:
                task.cancel()
        await queue.serve_all()
        await queue.ask("last")
        return queue.order

    order = asyncio.run(play())
    stayed = sorted(client for client, leaves in asks if not leaves)
    assert (order[0], sorted(order[1:-1]), order[-1]) == ("first", stayed, "last")


@pytest.mark.anyio
async def test_a_turn_that_is_given_to_one_who_leaves_is_not_lost() -> None:
    queue = Queue()
    await queue.ask("a")
    leaving = await queue.ask("b")
    queue.turns.give_back()
    leaving.cancel()
    await queue.ask("c")
    await asyncio.sleep(0)
    assert queue.order == ["a", "c"]


@pytest.mark.anyio
async def test_how_many_may_wait() -> None:
    queue = Queue(most=6, most_each=4)
    for client in "aaaaaa" + "bb" + "c":
        await queue.ask(client)
    assert queue.refused == ["a too_many", "a busy"]
    for client in "cc":
        await queue.ask(client)
    assert queue.refused == ["a too_many", "a busy", "a busy", "c busy"]
    await queue.serve_all()
    assert queue.order == ["a", *"abcabc"]


# -- The server ------------------------------------------------------------------------------------


def question(millis: int) -> bytes:
    """The body of an analysis that takes all the time it is given."""
    rules = game("elements")
    view = rules.format_view(rules.view(rules.start(), Seat.FIRST))
    return json.dumps(
        {"game": "elements", "seat": "first", "millis": millis, "view": view}
    ).encode()


@contextlib.asynccontextmanager
async def asking(served: Served, millis: int) -> AsyncIterator[None]:
    """Ask, and hang up at the end."""
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    body = question(millis)
    writer.write(b"POST /api/analysis HTTP/1.1\r\nHost: localhost\r\n")
    writer.write(b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
    writer.write(body)
    yield
    writer.close()


@pytest.mark.anyio
async def test_questions_that_are_hung_up_on_are_not_thought_about(tmp_path: Path) -> None:
    """Twenty of ten seconds each, of which one is begun; then one of a millisecond."""
    async with serving(quick(database_in(tmp_path))) as served:
        analysts = served.process.computers.analysts
        async with asyncio.timeout(PATIENCE):
            async with contextlib.AsyncExitStack() as stack:
                for _ in range(20):
                    await stack.enter_async_context(asking(served, 10_000))
                while analysts.waiting < 20:
                    await asyncio.sleep(0.001)
            while analysts.waiting > 1:
                await asyncio.sleep(0.001)
            headers = {"Content-Type": "application/json"}
            answer = await served.http.post(
                "/api/analysis", content=question(1), headers=headers, timeout=PATIENCE
            )
        assert answer.status_code == 200
        assert analysts.waiting == 0


@pytest.mark.anyio
async def test_clients_are_answered_in_turn(tmp_path: Path) -> None:
    async with serving(quick(database_in(tmp_path), proxies=1)) as served:
        answered: list[str] = []

        async def ask(client: str) -> httpx.Response:
            headers = {"Content-Type": "application/json", "X-Forwarded-For": client}
            answer = await served.http.post(
                "/api/analysis", content=question(50), headers=headers, timeout=PATIENCE
            )
            answered.append(client)
            return answer

        greedy = [asyncio.create_task(ask("192.0.2.1")) for _ in range(8)]
        while served.process.computers.analysts.waiting < 8:
            await asyncio.sleep(0.001)
        assert (await ask("192.0.2.2")).status_code == 200
        assert len(answered) <= 3  # the one at work, and at most one more
        await asyncio.gather(*greedy)

"""Taking back: a computer lets one at once, and whoever can't is told why beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.serving import Client, Json, Served, database_in, notice, quick, serving
from visavis.rules.protocol import Seat
from visavis.server.match_log import Did
from visavis.server.uptime import LEASE_MS, wake
from visavis.session import AskTakeback

pytestmark = pytest.mark.anyio


def has(message: Json, kind: str) -> bool:
    return message["type"] == "update" and any(n["type"] == kind for n in message["notices"])


async def move(client: Client, match: str, asked: Json) -> Json:
    """Make a move, and return what is asked of the player once the computer has answered."""
    text = asked["legal"][0]
    told = await client.do(match, "first", type="move", text=text)
    while told["type"] != "update" or not told["asked"]:
        told = await client.next()
    return told


async def test_a_computer_lets_one_take_back_at_once(served: Served) -> None:
    made = await served.create("osakana", "me", "computer:1")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        assert shown["position"]["no_takeback"] == "nothing"
        answered = await move(client, made["match"], shown["position"]["asked"])
        assert answered["no_takeback"] is None
        await client.do(made["match"], "first", type="ask_takeback")
        took = await client.until(lambda message: has(message, "took_back"))
        assert notice(took, "took_back")["decisions"] == 2
        assert notice(took, "stands")["view"] == shown["position"]["view"]
        assert (took["asked"], took["no_takeback"]) == (shown["position"]["asked"], "nothing")
        await move(client, made["match"], took["asked"])  # and the match goes on


async def test_what_can_not_be_unsaid_is_said_beforehand(served: Served) -> None:
    made = await served.create("stones", "me", "computer:1")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        assert shown["position"]["no_takeback"] == "roll"
        refused = await client.do(made["match"], "first", type="ask_takeback")
        assert refused["code"] == "takeback_refused"
        spectator = await client.watch(made["match"])
        assert spectator["position"]["no_takeback"] is None


async def test_a_request_outlives_the_server(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served, served.client() as client:
        made = await served.create("osakana", "me", "computer:1")
        shown = await client.watch(made["match"], made["secrets"]["first"])
        answered = await move(client, made["match"], shown["position"]["asked"])
        hosted = (await served.process.matches.get(made["match"])).hosted
        command = Did(AskTakeback(Seat.FIRST), client="page", number=9)
        asked, _ = hosted.after(command, answered["at"])
        assert wake(asked, settings) == asked.at + LEASE_MS

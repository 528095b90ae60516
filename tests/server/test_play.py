"""Playing over the wire, from the first move to the record."""

from __future__ import annotations

import pytest

from tests.server.serving import Served, notice
from visavis.session import Record, check

pytestmark = pytest.mark.anyio


async def test_a_match_between_two_people(served: Served) -> None:
    made = await served.create("osakana", "me", "invited", name="Mio", clock="300+5")
    match = made["match"]
    answer = await served.http.post(
        f"/api/matches/{match}/join",
        json={"invitation": made["invitations"]["second"], "name": "Ren"},
    )
    secrets = made["secrets"] | {"second": answer.json()["secret"]}
    async with served.client() as mio, served.client() as ren, served.client() as anybody:
        clients = {"first": mio, "second": ren}
        shown = await mio.watch(match, secrets["first"])
        await ren.watch(match, secrets["second"])
        await anybody.watch(match)
        assert [player["name"] for player in shown["info"]["players"]] == ["Mio", "Ren"]
        awaited, legal = shown["position"]["awaited"], shown["position"]["asked"]["legal"]
        while awaited:
            mover = clients[awaited[0]]
            update = await mover.do(match, awaited[0], type="move", text=legal[0])
            seen = await clients["second" if awaited[0] == "first" else "first"].kind("update")
            assert seen["seq"] == update["seq"]
            assert seen["done"] is None
            awaited = notice(update, "stands")["awaited"]
            asked = update["asked"] or seen["asked"]
            legal = asked["legal"] if asked else []
        assert notice(update, "ended")["result"] in ("1-0", "0-1", "1/2-1/2")
        while anybody.seen[match, None] < update["seq"]:
            await anybody.next()
    record = Record.parse((await served.http.get(f"/api/matches/{match}/record")).text)
    assert record.names == ("Mio", "Ren")
    assert check(record).has_seed
    lobby = (await served.http.get("/api/lobby")).json()
    assert [m["match"] for m in lobby["over"]] == [match]


async def test_the_computer_plays(served: Served) -> None:
    made = await served.create("osakana", "me", "computer:1")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        for _ in range(2):
            await client.do(made["match"], "first", type="move", text=legal[0])
            answered = await client.until(
                lambda m: m["type"] == "update" and (m["asked"] or _is_over(m))
            )
            if _is_over(answered):
                return
            assert notice(answered, "moved")["seat"] == "second"
            legal = answered["asked"]["legal"]


def _is_over(update: dict[str, object]) -> bool:
    notices = update["notices"]
    assert isinstance(notices, list)
    return any(n["type"] == "ended" for n in notices)

"""The lobby: nobody's many hide another's one, and all of it can be found."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.serving import Json, Served, database_in, notice, quick, serving
from visavis.server import lobby
from visavis.server.computer import Computers
from visavis.server.fresh import Fresh
from visavis.server.store import Store

pytestmark = pytest.mark.anyio


async def offer(served: Served, client: str, *seats: str, **more: object) -> Json:
    """Create a match as one of several clients; the answer, whatever it is."""
    kinds = [seat.partition(":") for seat in seats or ("me", "open")]
    body = {"game": "osakana", "seats": [{"kind": kind, "player": who} for kind, _, who in kinds]}
    headers = {"X-Forwarded-For": client}
    answer = await served.http.post("/api/matches", json=body | more, headers=headers)
    return dict(answer.json()) | {"status": answer.status_code}


async def end(served: Served, made: Json, command: str) -> None:
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        done = await client.do(made["match"], "first", type=command)
        assert done["type"] == "update"


async def shown(served: Served, kind: str) -> list[str]:
    return [info["match"] for info in (await served.http.get("/api/lobby")).json()[kind]]


@pytest.mark.parametrize("kind", ["open", "running", "over"])
async def test_nobody_is_hidden(database: str, kind: str) -> None:
    """One makes more than the lobby shows, after and before others make one each."""
    async with serving(quick(database, proxies=1, open_per_client=100)) as served:

        async def bring(client: str) -> Json:
            if kind == "open":
                return await offer(served, client)
            return await served.meet(await offer(served, client, "me", "invited"))

        early = await bring("192.0.2.2")
        many = [await bring("192.0.2.1") for _ in range(lobby.PAGE_SIZE + 5)]
        other = await bring("2001:db8::1")
        again = await bring("2001:db8::2")
        if kind == "over":
            for made in (early, *many, other, again):
                await end(served, made, "resign")
        listed = await shown(served, kind)
        assert len(listed) == lobby.PAGE_SIZE
        assert {early["match"], other["match"], again["match"]} <= set(listed)
        newest = [made["match"] for made in (again, other, *reversed(many), early)]
        assert listed == [match for match in newest if match in listed]
        # The newest of the many are there, and the oldest are not.
        kept = [made["match"] for made in many if made["match"] in listed]
        assert kept == [made["match"] for made in many[-len(kept) :]]


async def test_a_restart_does_not_make_one_client_many(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), proxies=1, open_per_client=100)
    async with serving(settings) as served:
        early = await offer(served, "192.0.2.2")
        for _ in range(lobby.PAGE_SIZE + 5):
            await offer(served, "192.0.2.1")
    async with serving(settings) as served:
        assert early["match"] in await shown(served, "open")


@pytest.mark.parametrize("seats", [("me", "me"), ("me", "computer:1"), ("computer:1", "me")])
async def test_what_one_browser_plays_is_not_listed(either: Served, seats: tuple[str, ...]) -> None:
    """Neither while it runs, or stands there left alone, nor later; nor is its rematch."""
    made = await either.create("osakana", *seats)
    (secret, *_) = made["secrets"].values()
    (seat, *_) = made["secrets"]
    assert await shown(either, "running") == []
    # Whoever has the link may watch it all the same.
    assert (await either.http.get(f"/api/matches/{made['match']}/snapshot")).status_code == 200
    async with either.client() as client:
        await client.watch(made["match"], secret)
        await client.do(made["match"], seat, type="resign")
        for other, key in made["secrets"].items():
            await client.watch(made["match"], key)
            again = await client.do(made["match"], other, type="rematch")
    assert notice(again, "rematch_made")
    assert (await shown(either, "running"), await shown(either, "over")) == ([], [])


@pytest.mark.parametrize("kind", ["open", "running", "over"])
async def test_all_of_it_can_be_found(
    either: Served, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "PAGE_SIZE", 4)

    async def bring(**more: object) -> Json:
        if kind == "open":
            return await either.create("osakana", "me", "open", **more)
        return await either.meet(await either.create("osakana", "me", "invited", **more))

    made = [await bring() for _ in range(10)]
    await bring(private=True)
    if kind == "over":
        for match in made:
            await end(either, match, "resign")
    found, sizes, before = list[str](), list[int](), None
    while True:
        params = {"before": before} if before else None
        page = (await either.http.get(f"/api/lobby/{kind}", params=params)).json()
        found += [info["match"] for info in page["matches"]]
        sizes.append(len(page["matches"]))
        if not (before := page["next"]):
            break
    assert sizes == [4, 4, 2]
    assert sorted(found) == sorted(match["match"] for match in made)


async def test_places_that_are_none(either: Served) -> None:
    for before in ("x", "1", "-", "1-", "1-\0", "1-a\n", "9" * 16 + "-a", "1-" + "x" * 41, ""):
        answer = await either.http.get("/api/lobby/open", params={"before": before})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
    answer = await either.http.get("/api/lobby/open", params={"before": "9" * 15 + "-' OR 1=1"})
    assert answer.json() == {"matches": [], "next": None}
    answer = await either.http.get("/api/lobby/all")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_challenges_have_a_quota(database: str) -> None:
    """By client, for as long as nobody takes them; what waits for a friend counts as well."""
    async with serving(quick(database, proxies=1, open_per_client=3)) as served:
        together = [offer(served, "192.0.2.1") for _ in range(6)]
        made = await asyncio.gather(*together)
        assert sorted(each["status"] for each in made) == [201] * 3 + [429] * 3
        assert (await offer(served, "192.0.2.1", "me", "invited"))["code"] == "too_many"
        assert (await offer(served, "192.0.2.1", "me", "me"))["status"] == 201
        assert (await offer(served, "192.0.2.2"))["status"] == 201
        await end(served, next(each for each in made if each["status"] == 201), "abort")
        assert (await offer(served, "192.0.2.1"))["status"] == 201
        assert (await offer(served, "192.0.2.1"))["status"] == 429


async def test_matches_between_computers_have_a_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_think, real = asyncio.Event(), Computers.choose

    async def choose(computers: Computers, *asked: object, **more: object) -> str:
        await may_think.wait()
        return await real(computers, *asked, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Computers, "choose", choose)
    settings = quick(database_in(tmp_path), proxies=1, automatic_per_client=1)
    async with serving(settings) as served, served.client() as client:
        alone = ("computer:1", "computer:1")
        first = await offer(served, "192.0.2.1", *alone)
        await client.watch(first["match"])
        assert (await offer(served, "192.0.2.1", *alone))["code"] == "too_many"
        assert (await offer(served, "192.0.2.1", "me", "computer:1"))["status"] == 201
        assert (await offer(served, "192.0.2.2", *alone))["status"] == 201
        may_think.set()
        await client.until(
            lambda m: m["type"] == "update" and any(n["type"] == "ended" for n in m["notices"])
        )
        assert (await offer(served, "192.0.2.1", *alone))["status"] == 201


async def test_a_rematch_comes_from_where_the_match_does(served: Served) -> None:
    made = await served.create("osakana", "me", "computer:1")
    await end(served, made, "resign")
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        again = notice(await client.do(made["match"], "first", type="rematch"), "rematch_made")
    hosted = [
        (await served.process.matches.get(id)).hosted for id in (made["match"], again["match"])
    ]
    assert hosted[0].opened.source == hosted[1].opened.source != ""
    answers = [
        (await served.http.get(f"/api/matches/{made['match']}")).text,
        (await served.http.get("/api/lobby")).text,
    ]
    assert not [text for text in answers if hosted[0].opened.source in text]


async def test_long_options_are_cut(served: Served) -> None:
    """A map may have thousands of characters; fifty of them would be too much for a lobby."""
    made = await served.create(
        "fortress", "me", "open", options={"scenario": "random:rough:20x20:1"}
    )
    whole = (await served.http.get(f"/api/matches/{made['match']}")).json()
    (listed,) = (await served.http.get("/api/lobby")).json()["open"]
    assert max(map(len, whole["options"].values())) > lobby.LONGEST
    assert max(map(len, listed["options"].values())) == lobby.LONGEST
    assert listed | {"options": {}} == whole | {"options": {}}


async def test_a_flood_of_questions_is_one_for_the_database(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, real = 0, Store.listed

    async def listed(store: Store, *which: object) -> list[bytes]:
        nonlocal asked
        asked += 1
        return await real(store, *which)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "listed", listed)
    monkeypatch.setattr(served.process.lobby._shared, "_clock", lambda: 0.0)
    async with served.client() as client:
        for _ in range(50):
            await client.send(type="watch_lobby")
        for _ in range(50):
            assert (await client.kind("lobby"))["open"] == []
        assert asked <= 3
        made = await served.create("osakana", "me", "open")
        assert await shown(served, "open") == [made["match"]]


async def test_an_answer_is_shared_for_a_moment() -> None:
    asked, answered, now = 0, asyncio.Event(), 100.0

    async def ask() -> int:
        nonlocal asked
        asked += 1
        await answered.wait()
        return asked

    fresh = Fresh(ask, 1.0, lambda: now)
    together = [asyncio.create_task(fresh.get()) for _ in range(50)]
    await asyncio.sleep(0)
    together[0].cancel()
    await asyncio.sleep(0)
    answered.set()
    assert set(await asyncio.gather(*together[1:])) == {1}
    now += 0.9
    assert await fresh.get() == 1
    now += 0.2
    assert await fresh.get() == 2
    fresh.forget()
    assert await fresh.get() == 3

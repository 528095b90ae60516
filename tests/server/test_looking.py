"""What a page looks at beside playing: previews, replays, how many watch."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.server.serving import Client, Json, Served, database_in, quick, serving
from visavis.rules import game, games
from visavis.rules.protocol import Seat
from visavis.server.transfer import import_records
from visavis.session import Record, replay

pytestmark = pytest.mark.anyio

VIEWERS = ("first", "second", "spectator", "open")


async def play(served: Served, made: Json, plies: int) -> None:
    """Play a few moves with both hands, set-ups as they are suggested, and resign."""
    rng = random.Random(1)
    path = f"/api/matches/{made['match']}"
    for number in range(1, plies + 1):
        for secret in made["secrets"].values():
            headers = {"Authorization": f"Bearer {secret}"}
            shown = (await served.http.get(f"{path}/snapshot", headers=headers)).json()
            if asked := shown["position"]["asked"]:
                break
        ready = [*asked["suggestions"].values()] or asked["legal"]
        command: Json = {"type": "move", "text": rng.choice(ready)}
        if number == plies:
            command = {"type": "resign"}
        order = {"client": "hands", "number": number, "command": command}
        done = await served.http.post(f"{path}/orders", json=order, headers=headers)
        assert done.status_code == 200, done.text


@pytest.mark.parametrize("slug", games())
async def test_a_finished_match_is_seen_with_all_eyes(served: Served, slug: str) -> None:
    options = dict(games()[slug].untimed)
    made = await served.create(slug, options=options)
    path = f"/api/matches/{made['match']}"
    for viewer in VIEWERS:
        early = await served.http.get(f"{path}/replay", params={"as": viewer})
        assert (early.status_code, early.json()["code"]) == (409, "not_over")
    await play(served, made, 5)
    record = Record.parse((await served.http.get(f"{path}/record")).text)
    played, rules = replay(record), game(slug, options)
    for viewer in VIEWERS:
        shown = (await served.http.get(f"{path}/replay", params={"as": viewer})).json()
        assert shown["viewer"] == viewer
        assert shown["info"]["status"] == "over"
        states = [played.start, *(step.after for step in played.steps)]
        seat = {"first": Seat.FIRST, "second": Seat.SECOND}.get(viewer)
        known = [
            rules.reveal(state) if viewer == "open" else rules.view(state, seat) for state in states
        ]
        views = [shown["start"], *(step["view"] for step in shown["steps"])]
        assert views == list(map(rules.format_view, known))
    moves = [step["move"]["text"] for step in shown["steps"]]
    assert moves == [step.item.text for step in played.steps]


async def test_eyes_differ_where_a_game_has_secrets(served: Served) -> None:
    made = await served.create("elements")
    await play(served, made, 3)
    path = f"/api/matches/{made['match']}/replay"
    shown = {v: (await served.http.get(path, params={"as": v})).json() for v in VIEWERS}
    last = [shown[viewer]["steps"][-1]["view"] for viewer in VIEWERS]
    assert len(set(last)) == len(VIEWERS)
    assert "?" not in shown["open"]["steps"][0]["move"]["text"]
    assert "?" in shown["spectator"]["steps"][0]["move"]["text"]
    bad = await served.http.get(path, params={"as": "nobody"})
    assert bad.json()["code"] == "bad_message"


async def test_an_imported_match_is_replayed(tmp_path: Path) -> None:
    async with serving(quick(tmp_path / "one.db")) as served:
        made = await served.create("osakana")
        await play(served, made, 4)
        path = f"/api/matches/{made['match']}"
        here = (await served.http.get(f"{path}/replay")).json()
        text = (await served.http.get(f"{path}/record")).text
    file = tmp_path / f"{made['match']}.record"
    file.write_text(text)
    await import_records(str(database_in(tmp_path)), [file])
    async with serving(quick(database_in(tmp_path))) as served:
        there = (await served.http.get(f"{path}/replay")).json()
        assert there["steps"] == here["steps"]
        assert len(there["steps"]) == 3


async def test_a_challenge_that_was_withdrawn_has_no_replay(served: Served) -> None:
    made = await served.create("osakana", "me", "open")
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        await client.do(made["match"], "first", type="abort")
    answer = await served.http.get(f"/api/matches/{made['match']}/replay")
    assert answer.json()["code"] == "not_begun"


@pytest.mark.parametrize("slug", games())
async def test_a_preview_is_how_a_match_begins(served: Served, slug: str) -> None:
    shown = (await served.http.post(f"/api/games/{slug}/preview", json={})).json()
    made = await served.create(slug, options=shown["options"])
    async with served.client() as client:
        begun = await client.watch(made["match"])
    assert begun["info"]["options"] == shown["options"]
    assert begun["position"]["clock"]["spec"] == (shown["clock"] or "none")
    rules = game(slug, shown["options"])
    assert shown["view"] == rules.format_view(rules.view(rules.start(), None))


async def test_a_map_from_a_seed_is_the_one_that_was_shown(served: Served) -> None:
    path, scenario = "/api/games/fortress/preview", "random:rough:8x8:{}"
    views = []
    for seed in (1, 1, 2):
        body = {"options": {"scenario": scenario.format(seed)}}
        answer = await served.http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        views.append(answer.json())
    assert views[0] == views[1] != views[2]
    made = await served.create("fortress", options=views[0]["options"])
    async with served.client() as client:
        assert (await client.watch(made["match"]))["position"]["view"] == views[0]["view"]
    bad = await served.http.post(path, json={"options": {"scenario": "nowhere"}})
    assert bad.json()["code"] == "bad_option"
    missing = await served.http.post("/api/games/chess/preview", json={})
    assert missing.status_code == 404


async def test_how_many_watch(served: Served) -> None:
    made = await served.create("osakana")
    async with served.client() as player, served.client() as one, served.client() as two:
        await player.watch(made["match"], made["secrets"]["first"])
        await one.watch(made["match"])
        await two.watch(made["match"], legal=False)
        await counted(player, 2)
        shown = await player.watch(made["match"], made["secrets"]["first"])
        assert shown["spectators"] == 2
        await two.send(type="unwatch", match=made["match"])
        await counted(player, 1)
        await one.socket.close()
        await counted(player, 0)


async def counted(client: Client, wanted: int) -> None:
    """Return when so many are told to watch."""
    while client.spectators[-1:] != [wanted]:
        await client.send(type="ping")
        await client.kind("pong")

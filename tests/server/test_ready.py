"""Clocks of the rules, which wait until both players are ready; and none but the rules'."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from tests.server.serving import Client, Json, Served, database_in, notice, quick, serving
from visavis.bot import Bot, choose_at_random, register
from visavis.server import match_log
from visavis.server.uptime import due
from visavis.session import ClockStart, Record, check

pytestmark = pytest.mark.anyio

FIVE_MINUTES = {"game_minutes": 5, "move_share": 15}
TURN_MS, GAME_MS = 45_000, 300_000
STANDING = {
    "spec": "300/game+45/move",
    "hands": [{"left": TURN_MS, "since": None}] * 2,
    "game": {"left": GAME_MS, "since": None},
}


async def watch_both(client: Client, made: Json) -> Json:
    """Watch as each seat that the match's maker has; return what the last was shown."""
    shown: Json = {}
    for secret in made["secrets"].values():
        shown = await client.watch(made["match"], secret)
    return shown


def has(kind: str, update: Json) -> bool:
    return any(n["type"] == kind for n in update.get("notices", ()))


async def test_no_time_passes_before_both_are_ready(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await served.create("dande", options=FIVE_MINUTES)
    match, uptime = made["match"], served.process.uptime
    real = uptime.now
    async with served.client() as client:
        position = (await watch_both(client, made))["position"]
        assert position["unready"] == ["first", "second"]
        assert (position["clock"], position["awaited"]) == (STANDING, [])
        assert position["asked"] is None
        monkeypatch.setattr(uptime, "now", lambda: real() + 2 * GAME_MS)
        ready = await client.do(match, "first", type="ready")
        assert notice(ready, "got_ready")["seat"] == "first"
        assert notice(ready, "stands")["clock"] == STANDING
        move = await client.do(match, "first", type="move", text="a2-a3")
        assert move["code"] == "not_ready"
        assert "second is not ready" in move["message"]
        again = await client.do(match, "first", type="ready")
        assert again["code"] == "already_ready"
        started = await client.do(match, "second", type="ready")
        clock = notice(started, "stands")["clock"]
        assert clock["game"] == {"left": GAME_MS, "since": started["at"]}
        assert clock["hands"][0] == {"left": TURN_MS, "since": started["at"]}
        assert notice(started, "stands")["awaited"] == ["first"]
        moved = await client.do(match, "first", type="move", text="a2-a3")
        clock = notice(moved, "stands")["clock"]
        assert clock["hands"][1] == {"left": TURN_MS, "since": moved["at"]}
        assert clock["game"] == {"left": GAME_MS, "since": started["at"]}


async def test_a_player_who_gets_ready_is_asked_when_the_other_is(served: Served) -> None:
    made = await served.create("dande")
    async with served.client() as blue, served.client() as red:
        await blue.watch(made["match"], made["secrets"]["first"])
        await red.watch(made["match"], made["secrets"]["second"])
        assert (await blue.do(made["match"], "first", type="ready"))["asked"] is None
        await red.do(made["match"], "second", type="ready")
        told = await blue.kind("update")
        assert notice(told, "got_ready")["seat"] == "second"
        assert "a2-a3" in told["asked"]["legal"]


@pytest.mark.parametrize("seat", ["first", "second"])
async def test_the_computer_is_always_ready(served: Served, seat: str) -> None:
    seats = ("me", "computer:1") if seat == "first" else ("computer:1", "me")
    made = await served.create("dande", *seats, options=FIVE_MINUTES)
    async with served.client() as client:
        shown = await watch_both(client, made)
        assert shown["position"]["unready"] == [seat]
        assert shown["position"]["clock"] == STANDING
        started = await client.do(made["match"], seat, type="ready")
        assert notice(started, "stands")["clock"]["game"]["since"] == started["at"]
        if seat == "first":
            text = started["asked"]["legal"][0]
            await client.do(made["match"], seat, type="move", text=text)
        answered = await client.kind("update")
        assert notice(answered, "moved")["seat"] != seat


async def test_two_computers_start_at_once(served: Served) -> None:
    made = await served.create("dande", "computer:1", "computer:1", options=FIVE_MINUTES)
    async with served.client() as client:
        await client.watch(made["match"], seen=0)
        began = next(m for m in client.heard if m["type"] == "update")
        assert "unready" not in notice(began, "began")
        assert notice(began, "stands")["clock"]["game"]["since"] == began["at"]


async def test_a_first_move_says_it_too(served: Served) -> None:
    made = await served.create("dande")
    async with served.client() as client:
        await watch_both(client, made)
        ready = await client.do(made["match"], "second", type="ready")
        assert ready["asked"] is None
        asked = next(m for m in client.heard if has("got_ready", m) and m["seat"] == "first")
        text = asked["asked"]["legal"][0]
        moved = await client.do(made["match"], "first", type="move", text=text)
        assert [n["type"] for n in moved["notices"] if n["type"] != "rolled"] == [
            "got_ready",
            "moved",
            "stands",
        ]


async def test_being_ready_outlasts_the_server(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served, served.client() as client:
        made = await served.create("dande", options=FIVE_MINUTES)
        await watch_both(client, made)
        await client.do(made["match"], "second", type="ready")
    async with serving(settings) as served, served.client() as client:
        shown = await watch_both(client, made)
        assert shown["position"]["unready"] == ["first"]
        started = await client.do(made["match"], "first", type="ready")
        assert notice(started, "stands")["clock"]["game"]["left"] == GAME_MS


async def test_who_never_gets_ready_is_not_waited_for(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), start_within_ms=300)
    async with serving(settings) as served, served.client() as client:
        made = await served.create("dande", "computer:1", "me")
        await client.watch(made["match"], made["secrets"]["second"], seen=0)
        ended = await client.until(lambda m: has("ended", m))
        assert notice(ended, "ended")["reason"] == "aborted"
        late = await client.do(made["match"], "second", type="ready")
        assert late["code"] == "match_over"


async def test_who_is_ready_may_think(tmp_path: Path) -> None:
    """The time to get ready is not one to have moved by: the clock has taken over."""
    settings = quick(database_in(tmp_path), start_within_ms=60_000)
    async with serving(settings) as served, served.client() as client:
        made = await served.create("dande", options={"game_minutes": 25})
        await watch_both(client, made)
        for seat in ("first", "second"):
            await client.do(made["match"], seat, type="ready")
        hosted = (await served.process.matches.get(made["match"])).hosted
        assert due(hosted, settings, hosted.at + 70_000) is None


async def test_a_match_may_end_before_its_clock_starts(served: Served) -> None:
    for command, reason in (("resign", "resigned"), ("abort", "aborted")):
        made = await served.create("dande")
        async with served.client() as client:
            await watch_both(client, made)
            ended = await client.do(made["match"], "first", type=command)
            assert notice(ended, "ended")["reason"] == reason


async def test_elsewhere_nobody_has_to_be_ready(served: Served) -> None:
    for game, options in (("osakana", {}), ("dande", {"clock": "off"})):
        made = await served.create(game, options=options, clock="300+5")
        async with served.client() as client:
            shown = await watch_both(client, made)
            assert "unready" not in shown["position"]
            refused = await client.do(made["match"], "first", type="ready")
            assert refused["code"] == "already_ready"


async def test_the_log_says_which_start_applies(served: Served) -> None:
    """Not to say it is to wait until both are ready; only of old logs it says otherwise."""
    made = await served.create("dande")
    first, *_ = await served.process.store.rows(made["match"])
    opened = match_log.decode(first.body)
    assert isinstance(opened, match_log.Opened)
    assert opened.clock_start is ClockStart.READY


async def test_a_rematch_waits_too(served: Served) -> None:
    made = await served.create("dande")
    async with served.client() as client:
        await watch_both(client, made)
        await client.do(made["match"], "first", type="resign")
        await client.do(made["match"], "first", type="rematch")
        again = await client.do(made["match"], "second", type="rematch")
        shown = await client.watch(notice(again, "rematch_made")["match"])
        assert shown["position"]["unready"] == ["first", "second"]


@pytest.mark.parametrize(
    ("game", "options", "clock", "why"),
    [
        ("dande", {"clock": "off"}, "60/game+1/move", "from 5 to 25"),
        ("dande", {"clock": "off"}, "60/game+1/move", "from 15 to 100"),
        ("dande", {"clock": "off"}, "600/game+90/move", "from 5 to 25"),
        ("dande", {}, "60/game+1/move", "prescribes 600/game+90/move"),
        ("dande", {}, "1+0", "prescribes 600/game+90/move"),
        ("osakana", {}, "600/game+90/move", "this game has none"),
    ],
)
async def test_clocks_that_the_rules_do_not_bring(
    served: Served, game: str, options: Json, clock: str, why: str
) -> None:
    for seats in (["me", "me"], ["me", "open"]):
        body = {
            "game": game,
            "options": options,
            "clock": clock,
            "seats": [{"kind": kind} for kind in seats],
        }
        refused = await served.http.post("/api/matches", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, "bad_clock")
        assert why in refused.json()["message"]


# Bots


async def test_the_bot_in_one_file_says_that_it_is_ready(served: Served) -> None:
    url = f"http://127.0.0.1:{served.port}"
    for name in ("ann", "bob"):
        token = await asyncio.to_thread(register, url, name)
        bot = Bot(url, token)
        threading.Thread(target=bot.run, args=(choose_at_random,), daemon=True).start()
    made = await served.create("dande", "bot:ann", "bot:bob")
    async with served.client() as client:
        await client.watch(made["match"], seen=0)
        if not any(has("ended", m) for m in client.heard):
            await client.until(lambda m: has("ended", m))
        ready = [
            n["seat"]
            for m in client.heard
            for n in m.get("notices", ())
            if n["type"] == "got_ready"
        ]
        assert sorted(ready) == ["first", "second"]
    text = (await served.http.get(f"/api/matches/{made['match']}/record")).text
    assert check(Record.parse(text)).moves

"""What clients can't do to the server or to each other, and what the server tells its keeper."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.serving import PATIENCE, Served, database_in, quick, serving
from visavis.rules import game
from visavis.server import http_limits, logs, match_log, websocket
from visavis.server.fanout import CachedMatch, Outbox
from visavis.server.history import Texts
from visavis.server.http import requests
from visavis.server.process import Process
from visavis.server.safety import Rates
from visavis.server.store import Append, Row

pytestmark = pytest.mark.anyio


async def test_requests_are_limited_by_client(tmp_path: Path) -> None:
    settings = replace(
        quick(database_in(tmp_path)), requests_per_second=1, request_burst=5, proxies=1
    )
    async with serving(settings) as served:
        one, two = {"X-Forwarded-For": "10.0.0.1"}, {"X-Forwarded-For": "10.0.0.2"}
        answers = [await served.http.get("/api/games", headers=one) for _ in range(8)]
        assert [a.status_code for a in answers].count(429) >= 2
        refused = answers[-1]
        assert (refused.json()["code"], refused.headers["Retry-After"]) == ("too_many", "1")
        assert (await served.http.get("/api/games", headers=two)).status_code == 200
        assert (await served.http.get("/healthz", headers=one)).status_code == 200


async def test_the_page_is_limited_too(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served.process, "files", Rates(1.0, 3, lambda: 0.0))
    for path in ("/", "/healthz", "/readyz"):
        assert (await served.http.get(path)).status_code == 200
    for path in ("/", "/healthz", "/readyz", "/metrics"):
        assert (await served.http.get(path)).json()["code"] == "too_many"
    assert (await served.http.get("/api/games")).status_code == 200


async def test_who_has_asked_for_too_much_is_told_how_the_server_is_and_no_more(
    tmp_path: Path,
) -> None:
    async with serving(quick(database_in(tmp_path), work_per_second=0.01, work_burst=1)) as served:
        served.process.budget.charge("127.0.0.1", 1_000.0)
        for path in ("/", "/metrics", "/api/lobby"):
            refused = await served.http.get(path)
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
        for path in ("/healthz", "/readyz"):
            assert (await served.http.get(path)).status_code == 200


async def test_messages_are_limited_by_socket(tmp_path: Path) -> None:
    settings = replace(quick(database_in(tmp_path)), messages_per_second=1, message_burst=5)
    async with serving(settings) as served, served.client() as greedy, served.client() as modest:
        for _ in range(10):
            await greedy.send(type="ping")
        kinds = [(await greedy.next()).get("code") for _ in range(10)]
        assert kinds == [None] * 5 + ["too_many"] * 5
        for _ in range(100):
            await greedy.send(type="ping")
        with pytest.raises(ConnectionClosed):
            await greedy.until(lambda _: False)
        await modest.send(type="ping")
        await modest.kind("pong")


async def test_new_matches_are_limited(tmp_path: Path) -> None:
    settings = replace(quick(database_in(tmp_path)), new_matches_per_minute=2)
    async with serving(settings) as served:
        body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "me"}]}
        answers = [await served.http.post("/api/matches", json=body) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert 20 <= int(answers[-1].headers["Retry-After"]) <= 30


async def test_too_many_connections(tmp_path: Path) -> None:
    settings = replace(quick(database_in(tmp_path)), sockets_per_client=2, watched_per_socket=1)
    async with serving(settings) as served, served.client() as client, served.client():
        with pytest.raises(InvalidStatus):
            async with served.client():
                pass
        first, second = await served.create("osakana"), await served.create("osakana")
        await client.watch(first["match"])
        assert (await client.watch(second["match"]))["code"] == "too_many"
        await client.send(type="unwatch", match=first["match"], seat=None)
        assert (await client.watch(second["match"]))["type"] == "snapshot"


async def test_a_match_has_so_many_spectators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However they follow, and however many ask at once; players always have a place."""
    settings = quick(database_in(tmp_path), watchers_per_match=2)
    asked, snapshot = asyncio.Semaphore(0), Process.snapshot
    go = asyncio.Event()

    async def held(process: Process, *args: object, **kwargs: object) -> tuple[str, int]:
        asked.release()
        await go.wait()
        return await snapshot(process, *args, **kwargs)  # type: ignore[arg-type]

    async with serving(settings) as served, contextlib.AsyncExitStack() as open_ones:
        made = await served.create("osakana")
        path = f"/api/matches/{made['match']}/stream"
        monkeypatch.setattr(Process, "snapshot", held)

        async def stream() -> int:
            streaming = served.http.stream("GET", path)
            return (await open_ones.enter_async_context(streaming)).status_code

        async def watch() -> int:
            client = await open_ones.enter_async_context(served.client())
            await client.send(type="watch", match=made["match"])
            kinds = ("snapshot", "refused")
            heard = await client.until(lambda m: m["type"] in kinds)
            if heard["type"] == "snapshot":  # it may come before the refusal
                await client.send(type="ping", sent=1)
                heard = await client.until(lambda m: m["type"] in ("refused", "pong"))
            return 200 if heard["type"] == "pong" else 429

        asking = [asyncio.create_task(each()) for each in (stream, stream, watch, watch, watch)]
        for _ in asking:
            await asked.acquire()
        go.set()
        assert sorted(await asyncio.gather(*asking)) == [200, 200, 429, 429, 429]
        assert await stream() == 429
        cached = await served.process.matches.get(made["match"])
        assert cached.watchers == 2
        player = await open_ones.enter_async_context(served.client())
        shown = await player.watch(made["match"], made["secrets"]["first"])
        assert shown["type"] == "snapshot"


@pytest.fixture
def minded(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set when it begins to matter whether sockets are idle."""
    begun, mind = asyncio.Event(), websocket._Connection._mind

    async def mind_later(connection: websocket._Connection) -> None:
        await begun.wait()
        await mind(connection)

    monkeypatch.setattr(websocket._Connection, "_mind", mind_later)
    return begun


async def test_idle_sockets_are_closed(tmp_path: Path, minded: asyncio.Event) -> None:
    settings = quick(database_in(tmp_path), idle_seconds=0.2)
    async with serving(settings) as served, served.client() as idle, served.client() as watching:
        made = await served.create("osakana")
        await watching.watch(made["match"])
        minded.set()
        with pytest.raises(ConnectionClosed):
            await idle.next()
        await watching.send(type="ping")
        await watching.kind("pong")


async def test_who_still_catches_up_is_not_idle(
    tmp_path: Path, minded: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long match may take longer to fetch than a socket may be silent."""
    settings = quick(database_in(tmp_path), idle_seconds=0.2)
    async with serving(settings) as served, served.client() as late, served.client() as idle:
        made = await served.create("osakana")
        history, may_go_on = served.process.history, asyncio.Event()
        updates = history.updates

        async def slowly(*args: Any, **more: Any) -> Texts:
            minded.set()
            await may_go_on.wait()
            return await updates(*args, **more)

        monkeypatch.setattr(history, "updates", slowly)
        await late.send(type="watch", match=made["match"], seen=0)
        with pytest.raises(ConnectionClosed):
            await idle.next()
        may_go_on.set()
        await late.kind("watching")


async def test_a_slow_reader_is_dropped_without_harm(tmp_path: Path) -> None:
    """One asks for a great deal and reads nothing of it; the other does not notice."""
    settings = replace(quick(database_in(tmp_path)), queue_bytes=20_000)
    async with serving(settings) as served, served.client() as other:
        made = await served.create("osakana")
        await other.watch(made["match"], made["secrets"]["first"])
        ask = json.dumps({"type": "watch", "match": made["match"]})
        async with connect(served.url, max_queue=1) as slow:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(20_000):
                    await slow.send(ask)
            async with asyncio.timeout(PATIENCE):
                while "visavis_sockets_dropped_total 1.0" not in await metrics(served):
                    await other.send(type="ping")
                    await other.kind("pong")
            said = await other.do(made["match"], "first", type="say", phrase="hello")
            assert said["type"] == "update"


async def metrics(served: Served) -> str:
    return (await served.http.get("/metrics")).text


async def test_who_never_finishes_a_request_is_let_go_of(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_limits, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(requests, "BODY_SECONDS", 0.05)
    post = (
        b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 9\r\n\r\n{"
    )
    for sent, answer in (
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b""),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 2_000_000, b"HTTP/1.1 400"),
        (post, b"HTTP/1.1 400"),
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(sent)
        with contextlib.suppress(ConnectionError):  # it may close before all is sent
            assert (await asyncio.wait_for(reader.read(12), PATIENCE)) == answer
        writer.close()


async def test_an_outbox_has_a_bound() -> None:
    outbox = Outbox(100)
    for _ in range(20):
        outbox.push("x" * 10)
    assert outbox.is_dropped
    assert [text async for text in outbox.texts()] == []


async def test_matches_out_of_use_are_let_go_of(tmp_path: Path) -> None:
    """Memory has a bound: what nobody watches is rebuilt from its log when it is asked for."""
    settings = quick(database_in(tmp_path), matches_in_memory=3)
    async with serving(settings) as served, served.client() as client:
        made = [await served.create("osakana", clock="300+5") for _ in range(8)]
        watched = made[0]
        shown = await client.watch(watched["match"], watched["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        await client.do(watched["match"], "first", type="move", text=legal[0])
        path = f"/api/matches/{made[1]['match']}/snapshot"
        before = (await served.http.get(path)).json()
        served.process.matches.evict()
        held = {cached.id for cached in served.process.matches.all}
        assert len(held) == 3
        assert watched["match"] in held
        assert made[2]["match"] not in held
        again = await served.http.get(f"/api/matches/{made[2]['match']}/snapshot")
        assert again.json()["position"]["moves"] == []
        assert again.json()["seq"] == 1
        after = (await served.http.get(path)).json()
        assert after | {"now": 0} == before | {"now": 0}
        said = await client.do(watched["match"], "first", type="say", phrase="hello")
        assert said["type"] == "update"


async def test_nothing_is_looked_through_for_nothing(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While there is room no match is asked whether it can go, and none is read without need."""
    made = [await served.create("osakana") for _ in range(5)]
    matches, store = served.process.matches, served.process.store
    looked_at, read = list[str](), list[str]()
    watchers, rows = CachedMatch.watchers.fget, store.rows  # type: ignore[attr-defined]

    def note(cached: CachedMatch) -> int:
        looked_at.append(cached.id)
        return int(watchers(cached))

    async def note_reading(match: str, after: int = 0, limit: int | None = None) -> list[Row]:
        read.append(match)
        return await rows(match, after, limit)

    monkeypatch.setattr(CachedMatch, "watchers", property(note))
    monkeypatch.setattr(store, "rows", note_reading)
    matches.evict()
    assert looked_at == []
    served.process.catch_up.note_gap()
    await served.process.catch_up.read()
    assert read == []
    told = match_log.encode(match_log.Away(millis=1))
    cached = await matches.get(made[3]["match"])
    await store.append(Append(cached.id, Row(2, cached.hosted.at, told)))
    served.process.catch_up.note_gap()
    await served.process.catch_up.read()
    assert (read, cached.hosted.seq) == ([cached.id], 2)


async def test_headers(served: Served) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/healthz"):
        headers = (await served.http.get(path)).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


async def test_health_and_metrics(served: Served) -> None:
    assert (await served.http.get("/healthz")).json() == {"status": "ok"}
    assert (await served.http.get("/readyz")).json() == {"status": "ok"}
    assert (await served.http.head("/healthz")).status_code == 200
    made = await served.create("osakana")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        await client.do(made["match"], "first", type="move", text=legal[0])
        text = await metrics(served)
    assert "visavis_moves_total 1.0" in text
    assert "visavis_sockets 1.0" in text
    assert "visavis_order_seconds_count 1.0" in text


async def test_logs_hold_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    root, own = logging.getLogger(), logging.getLogger("visavis")
    handlers, levels = root.handlers[:], (root.level, own.level)
    logs.set_up("debug")
    try:
        async with serving(quick(database_in(tmp_path))) as served, served.client() as client:
            made = await served.create("osakana", "me", "invited")
            invitation = made["invitations"]["second"]
            path = f"/api/matches/{made['match']}"
            joined = await served.http.post(f"{path}/join", json={"invitation": invitation})
            secret = joined.json()["secret"]
            await client.watch(made["match"], secret)
            await served.http.get(f"{path}/record", headers={"Authorization": f"Bearer {secret}"})
    finally:
        root.handlers = handlers
        for logger, level in zip((root, own), levels, strict=True):
            logger.setLevel(level)
    lines = written.getvalue()
    assert f'"path": "{path}/join"' in lines
    for hidden in (invitation, secret, made["secrets"]["first"]):
        assert hidden not in lines


def moves_that_end_nothing(count: int) -> list[str]:
    rules, rng = game("osakana"), random.Random(1)
    while True:
        state, texts = rules.start(), list[str]()
        while len(texts) < count:
            (seat,) = rules.awaited(state)
            ways = [(move, rules.apply(state, seat, move)) for move in rules.legal(state, seat)]
            if not (quiet := [way for way in ways if rules.outcome(way[1]) is None]):
                break
            move, state = rng.choice(quiet)
            texts.append(rules.format_move(move))
        else:
            return texts


async def test_who_comes_back_late_gets_all_of_a_long_match(tmp_path: Path) -> None:
    """What waits is more than a queue holds, and so is the snapshot; it only has to be fetched."""
    settings = quick(database_in(tmp_path), queue_bytes=3_000)
    async with serving(settings) as served, served.client() as player, served.client() as late:
        made = await served.create("osakana")
        match, secrets = made["match"], made["secrets"]
        for seat in secrets:
            await player.watch(match, secrets[seat], legal=False)
        for number, text in enumerate(moves_that_end_nothing(30)):
            seat = ("first", "second")[number % 2]
            done = await player.do(match, seat, type="move", text=text)
            while min(player.seen.values()) < done["seq"]:
                await player.next()
        await late.watch(match, seen=0)
        told = [m for m in late.heard if m["type"] == "update"]
        assert [update["seq"] for update in told] == list(range(1, 32))
        assert sum(map(len, late.texts)) > 5 * settings.queue_bytes
        shown = await late.watch(match)
        assert len(late.texts[-1]) > settings.queue_bytes
        assert len(shown["position"]["moves"]) == 30


async def test_a_graceful_stop_loses_nothing(tmp_path: Path) -> None:
    """Orders that are under way when the server is told to stop are done, or never told."""
    settings = quick(database_in(tmp_path))
    async with serving(settings) as served, served.client() as client:
        made = await served.create("osakana")
        shown = await client.watch(made["match"], made["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        await client.order(made["match"], "first", type="move", text=legal[0])
        stream = asyncio.create_task(served.http.get(f"/api/matches/{made['match']}/stream"))
        served.server.should_exit = True
        told = False
        try:
            while not told:
                message = await asyncio.wait_for(client.next(), PATIENCE)
                told = message["type"] == "update"
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            assert closed.rcvd.code in (1001, 1012)
        stream.cancel()
    async with serving(settings) as served, served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"], seen=0)
        moved = [m for m in client.heard if any(n["type"] == "moved" for n in m.get("notices", ()))]
        assert len(moved) == 1 or not told

"""Outside bots: tokens, streams, and the client in one file."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from pathlib import Path

import httpx
import pytest

from tests.server.serving import PATIENCE, Json, Served, database_in, notice, quick, serving
from visavis.bot import Bot, End, OnError, Turn, choose_at_random, main, register
from visavis.server.options import BadSetting, span
from visavis.server.secrets import new_id, new_secret
from visavis.server.store import Store
from visavis.server.transfer import export_records, import_records
from visavis.session import Record, check
from visavis.session.errors import SessionError

pytestmark = pytest.mark.anyio


async def play_against_bot(served: Served, game: str, seats: tuple[str, str]) -> str:
    """Let the example play a match with both seats; return its record."""
    url = f"http://127.0.0.1:{served.port}"
    turns: list[Turn] = []

    def choose(turn: Turn) -> str:
        turns.append(turn)
        return choose_at_random(turn)

    for name in {seat.partition(":")[2] for seat in seats}:
        token = await asyncio.to_thread(register, url, name)
        threading.Thread(target=Bot(url, token).run, args=(choose,), daemon=True).start()
    made = await served.create(game, *seats, clock="none")
    async with served.client() as client:
        shown = await client.watch(made["match"])
        if shown["info"]["status"] != "over":
            await client.until(
                lambda m: m["type"] == "update" and any(n["type"] == "ended" for n in m["notices"])
            )
    assert {turn.match for turn in turns} == {made["match"]}
    return (await served.http.get(f"/api/matches/{made['match']}/record")).text


async def test_two_bots_play(served: Served) -> None:
    text = await play_against_bot(served, "osakana", ("bot:ann", "bot:bob"))
    assert check(Record.parse(text)).moves


async def test_a_bot_takes_an_open_seat(served: Served) -> None:
    answer = await served.http.post("/api/bots", json={"name": "ann"})
    bot = Bot(f"http://127.0.0.1:{served.port}", answer.json()["token"])
    made = await served.create("osakana", "open", "me")
    seated = await asyncio.to_thread(bot.join, made["match"])
    assert seated == {"match": made["match"], "seat": "first", "secret": None}
    assert await asyncio.to_thread(bot.join, made["match"]) == seated
    async with served.client() as client:
        shown = await client.watch(made["match"])
        assert shown["info"]["players"][0] == {"kind": "bot", "name": "ann", "player": "ann"}


async def test_a_bot_that_is_asked_for_a_great_deal_hears_of_all(tmp_path: Path) -> None:
    """More matches than its queue holds wait for it, and one more comes; its stream goes on."""
    async with serving(quick(database_in(tmp_path), queue_bytes=2_000)) as served:
        answer = await served.http.post("/api/bots", json={"name": "ann"})
        headers = {"Authorization": f"Bearer {answer.json()['token']}"}
        matches = {(await served.create("osakana", "bot:ann", "me"))["match"] for _ in range(40)}
        heard: list[Json] = []
        async with served.http.stream("GET", "/api/bot/events", headers=headers) as told:
            async for line in told.aiter_lines():
                heard += [json.loads(line)] if line else []
                if len(heard) == 40:
                    assert {event["match"] for event in heard} == matches
                    one_more = (await served.create("stones", "me", "bot:ann"))["match"]
                if len(heard) == 41:
                    break
    assert (heard[-1]["match"], heard[-1]["seat"]) == (one_more, "second")
    assert heard[0] | {"match": ""} == {
        "type": "match",
        "match": "",
        "seat": "first",
        "game": "osakana",
        "options": heard[0]["options"],
    }


async def test_matches_with_bots_are_bounded_by_address(tmp_path: Path) -> None:
    async with serving(quick(database_in(tmp_path), with_bots_per_client=2, proxies=1)) as served:
        await served.http.post("/api/bots", json={"name": "ann"})
        seats = [{"kind": "bot", "player": "ann"}, {"kind": "me"}]
        body = {"game": "osakana", "seats": seats}

        async def create(address: str) -> httpx.Response:
            headers = {"X-Forwarded-For": address}
            return await served.http.post("/api/matches", json=body, headers=headers)

        made = [await create("10.0.0.1") for _ in range(3)]
        assert [answer.status_code for answer in made] == [201, 201, 429]
        assert (await create("10.0.0.2")).status_code == 201
        async with served.client() as client:
            match, secrets = made[0].json()["match"], made[0].json()["secrets"]
            await client.watch(match, secrets["second"])
            await client.do(match, "second", type="resign")
        assert (await create("10.0.0.1")).status_code == 201


async def test_what_begins_elsewhere_concerns_its_bots_alone(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other stream asks the database, and nobody looks through matches told of already."""
    looked: list[str] = []
    of_bot = Store.of_bot

    async def noted(store: Store, name: str, after: str, limit: int) -> list[str]:
        looked.append(name)
        return await of_bot(store, name, after, limit)

    monkeypatch.setattr(Store, "of_bot", noted)
    async with serving(quick(postgres)) as one, serving(quick(postgres)) as two:
        tokens = {
            name: (await two.http.post("/api/bots", json={"name": name})).json()["token"]
            for name in ("ann", "bob")
        }
        headers = {name: {"Authorization": f"Bearer {tokens[name]}"} for name in tokens}
        first = (await one.create("osakana", "bot:ann", "me"))["match"]
        other = (await one.create("osakana", "bot:bob", "me"))["match"]
        events = "/api/bot/events"
        async with (
            two.http.stream("GET", events, headers=headers["ann"]) as ann,
            two.http.stream("GET", events, headers=headers["bob"]) as bob,
            asyncio.timeout(PATIENCE),
        ):
            heard = {"ann": ann.aiter_lines(), "bob": bob.aiter_lines()}

            async def told(name: str) -> str:
                async for line in heard[name]:
                    if line:
                        return str(json.loads(line)["match"])
                raise AssertionError("the stream has ended")

            assert (await told("ann"), await told("bob")) == (first, other)
            looked.clear()
            second = (await one.create("stones", "me", "bot:ann"))["match"]
            assert await told("ann") == second
    assert looked == []


async def test_names_and_tokens(served: Served) -> None:
    body = {"name": "ann"}
    assert (await served.http.post("/api/bots", json=body)).status_code == 201
    assert (await served.http.post("/api/bots", json=body)).json()["code"] == "name_taken"
    bad = await served.http.post("/api/bots", json={"name": "Ann!"})
    assert bad.json()["code"] == "bad_message"
    for headers in ({}, {"Authorization": "Bearer guess"}):
        refused = await served.http.get("/api/bot/events", headers=headers)
        assert refused.json()["code"] == "wrong_secret"
    seats = [{"kind": "me"}, {"kind": "bot", "player": "nobody"}]
    unknown = await served.http.post("/api/matches", json={"game": "osakana", "seats": seats})
    assert unknown.json()["code"] == "unknown_bot"


async def test_a_bots_token_opens_its_own_seat_only(served: Served) -> None:
    tokens = {
        name: (await served.http.post("/api/bots", json={"name": name})).json()["token"]
        for name in ("ann", "bob")
    }
    made = await served.create("elements", "bot:ann", "me")
    path = f"/api/matches/{made['match']}/snapshot"
    ann = await served.http.get(path, headers={"Authorization": f"Bearer {tokens['ann']}"})
    assert ann.json()["seat"] == "first"
    bob = await served.http.get(path, headers={"Authorization": f"Bearer {tokens['bob']}"})
    assert bob.json()["code"] == "wrong_secret"


async def test_records_out_and_in(tmp_path: Path) -> None:
    database = database_in(tmp_path)
    async with serving(quick(database)) as served, served.client() as client:
        made = await served.create("osakana")
        await client.watch(made["match"], made["secrets"]["first"])
        ended = await client.do(made["match"], "first", type="resign")
        assert notice(ended, "ended")
    out = tmp_path / "out"
    out.mkdir()
    assert await export_records(str(database), out) == 1
    (file,) = out.iterdir()
    assert file.name == f"{made['match']}.record"
    other = tmp_path / "other.db"
    assert await import_records(str(other), [file]) == (1, 0)
    assert await import_records(str(other), [file]) == (0, 1)
    async with serving(quick(other)) as served:
        info = (await served.http.get(f"/api/matches/{made['match']}")).json()
        assert (info["status"], info["ending"]["result"]) == ("over", "0-1")
        record = await served.http.get(f"/api/matches/{made['match']}/record")
        assert record.text == file.read_text()
    file.write_text(file.read_text().replace('"resigned"', '"tuna"'))
    with pytest.raises(SessionError, match=file.name):
        await import_records(str(other), [file])


async def test_a_bot_has_one_seat(served: Served) -> None:
    await served.http.post("/api/bots", json={"name": "ann"})
    seats = [{"kind": "bot", "player": "ann"}] * 2
    refused = await served.http.post("/api/matches", json={"game": "osakana", "seats": seats})
    assert refused.json()["code"] == "bad_seats"


async def test_a_wrong_token_ends_a_bot(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://127.0.0.1:{served.port}"
    await served.http.post("/api/bots", json={"name": "ann"})
    for arguments, why in (
        (["--url", url, "--token", "guess"], "not a bot's token"),
        (["--url", url, "--register", "ann"], "a bot of that name is registered"),
        (["--url", "http://127.0.0.1:1", "--register", "ann"], "refused"),
        (["--url", "nonsense", "--register", "ann"], "no address"),
    ):
        monkeypatch.setattr(sys, "argv", ["bot", *arguments])
        assert await asyncio.to_thread(main) == 2
        told = capsys.readouterr().err
        assert (why in told, told.count("\n")) == (True, 1)


async def test_a_bot_is_told_of_a_move_that_is_refused(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"http://127.0.0.1:{served.port}"
    tried: list[str] = []

    def choose(turn: Turn) -> str:
        tried.append("nonsense" if not tried else turn.legal[0])
        return tried[-1]

    token = await asyncio.to_thread(register, url, "ann")
    made = await served.create("osakana", "bot:ann", "me", options={"fouls": "refuse"})
    threading.Thread(target=Bot(url, token).run, args=(choose,), daemon=True).start()
    async with served.client() as client:
        await client.watch(made["match"])
        await client.until(lambda m: m["type"] == "update" and bool(notice(m, "moved")))
    assert len(tried) == 2
    assert "nonsense" in caplog.text


async def test_a_bot_survives_streams_that_break_off() -> None:
    """A server that is killed in the middle of a line, and comes back."""
    asked: list[bytes] = []
    half = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b'9\r\n{"type": \r\n',
        b'20\r\n{"type": "ma',
    )
    done = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        if len(asked) > 3:
            done.set()
        writer.write(half[0] + b"".join(half[1 : len(asked)]))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        bot = Bot(f"http://127.0.0.1:{port}", "token")
        threading.Thread(target=bot.run, args=(choose_at_random,), daemon=True).start()
        await asyncio.wait_for(done.wait(), 60)


def test_no_id_and_no_secret_looks_like_an_option() -> None:
    assert not [text for _ in range(1_000) for text in (new_id(), new_secret()) if text[0] == "-"]


def test_spans() -> None:
    assert [span(text) for text in ("2ms", "3s", "1h", "1d")] == [2, 3_000, 3_600_000, 86_400_000]
    with pytest.raises(BadSetting):
        span("soon")


async def end_of_match(served: Served, match: str) -> None:
    """Return when a match is over, as a spectator hears it."""
    async with served.client() as client:
        shown = await client.watch(match)
        if shown["info"]["status"] != "over":
            await client.until(
                lambda m: m["type"] == "update" and any(n["type"] == "ended" for n in m["notices"])
            )


@pytest.mark.parametrize(("on_error", "asked"), [("resign", 1), ("retry", 3)])
async def test_a_bot_whose_code_raises_gives_up_its_match_alone(
    served: Served,
    on_error: OnError,
    asked: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("visavis.bot.RETRY_SECONDS", 0.01)
    url = f"http://127.0.0.1:{served.port}"
    tries: list[str] = []
    ends: asyncio.Queue[End] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def choose(turn: Turn) -> str:
        tries.append(turn.match)
        raise LookupError("no idea")

    def hear(end: End) -> None:
        loop.call_soon_threadsafe(ends.put_nowait, end)

    token = await asyncio.to_thread(register, url, "ann")
    bot = Bot(url, token)
    run = {"on_end": hear, "on_error": on_error}
    threading.Thread(target=bot.run, args=(choose,), kwargs=run, daemon=True).start()
    for count in (1, 2):  # and it goes on with the next match
        made = await served.create("osakana", "bot:ann", "me")
        await end_of_match(served, made["match"])
        end = await ends.get()
        assert (end.match, end.winner, end.reason) == (made["match"], "second", "resigned")
        assert len(tries) == asked * count
    assert "no idea" in caplog.text


async def test_a_bot_that_only_logs_leaves_its_match_standing(served: Served) -> None:
    url = f"http://127.0.0.1:{served.port}"
    failed = threading.Event()

    def choose(turn: Turn) -> str:
        failed.set()
        raise LookupError("no idea")

    token = await asyncio.to_thread(register, url, "ann")
    made = await served.create("osakana", "bot:ann", "me")
    run = {"on_error": "log"}
    threading.Thread(target=Bot(url, token).run, args=(choose,), kwargs=run, daemon=True).start()
    await asyncio.to_thread(failed.wait)
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["second"])
        told = await client.do(made["match"], "second", type="say", phrase="hello")
        assert told["type"] == "update"


async def test_a_turn_tells_clock_and_history(served: Served) -> None:
    url = f"http://127.0.0.1:{served.port}"
    turns: list[Turn] = []
    ended = threading.Event()

    def choose(turn: Turn) -> str:
        turns.append(turn)
        return turn.legal[0]

    token = await asyncio.to_thread(register, url, "ann")
    made = await served.create("osakana", "me", "bot:ann", clock="300+5")
    run = {"on_end": lambda end: ended.set()}
    threading.Thread(target=Bot(url, token).run, args=(choose,), kwargs=run, daemon=True).start()
    played: list[str] = []
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        asked = shown["position"]["asked"]
        for _ in range(2):
            played.append(asked["legal"][-1])
            await client.do(made["match"], "first", type="move", text=played[-1])
            answer = await client.until(lambda m: m["type"] == "update" and m["asked"])
            played.append(notice(answer, "moved")["text"])
            asked = answer["asked"]
        await client.do(made["match"], "first", type="resign")
    await asyncio.to_thread(ended.wait)
    assert [move.text for move in turns[1].history] == played[:3]
    assert [move.seat for move in turns[1].history] == ["first", "second", "first"]
    assert turns[0].clock.spec == "300+5"
    assert (turns[0].clock.second, turns[0].clock.game) == (300_000, None)

"""Reading logs again: all of it, in order, off the loop, and nothing is held for who does not."""

from __future__ import annotations

import asyncio
import gc
import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.long_match import OPTIONS, SLUG, lengthen
from tests.server.serving import Client, Json, Served, database_in, quick, serving
from tests.server.test_hosted_match import opened
from visavis.rules import game
from visavis.rules.protocol import AnyGame, Options, Seat, Viewer
from visavis.rules.seats import VIEWERS
from visavis.server import catalogue, match_log, timeline
from visavis.server.fanout import Outbox, Share
from visavis.server.following import follow
from visavis.server.history import FEW
from visavis.server.hosted_match import After, HostedMatch
from visavis.server.match_log import AnyEntry, Did
from visavis.server.store import Row
from visavis.server.timeline import CHUNK, Timeline, fold
from visavis.server.updates import Change
from visavis.server.vocabulary import Say

LONG = 300


class Long:
    """A long match on a server, and its log."""

    def __init__(self, made: Json, rows: list[Row]) -> None:
        self.id, self.secrets, self.rows = made["match"], made["secrets"], rows

    def secret(self, viewer: Viewer) -> str | None:
        return None if viewer is None else str(self.secrets[str(viewer)])

    def texts(self, viewer: Viewer, *, legal: bool) -> list[str]:
        """What a viewer is to be told, folded in one go."""
        return [change.text(viewer, legal=legal) for change in fold(self.id, None, self.rows)]


async def long_match(served: Served, count: int = LONG) -> Long:
    """Make a long match that the server has yet to read."""
    made = await served.create(SLUG, options=OPTIONS)
    served.process.matches._cached.clear()
    return Long(made, await lengthen(served.process.store, made["match"], count - 1))


def updates(client: Client) -> list[str]:
    return [text for text in client.texts if text.startswith('{"type":"update"')]


# Nothing is missing


@pytest.mark.anyio
@pytest.mark.parametrize("kept", [0, 10**7], ids=["no cache", "cache"])
async def test_every_update_comes_once_and_in_order(tmp_path: Path, kept: int) -> None:
    async with serving(quick(database_in(tmp_path), history_bytes=kept)) as served:
        last = 2 * CHUNK + 20
        match = await long_match(served, last)
        for viewer, legal in itertools.product(VIEWERS, (True, False)):
            wanted = match.texts(viewer, legal=legal)
            for seen in (0, CHUNK - 1, CHUNK, last - 20, last - 1, last):
                async with served.client() as client:
                    secret = match.secret(viewer)
                    shown = await client.watch(match.id, secret, seen=seen, legal=legal)
                    assert (shown["type"], shown["seq"]) == ("watching", last)
                    assert updates(client) == wanted[seen:]


@pytest.mark.anyio
async def test_what_happens_meanwhile_comes_behind(tmp_path: Path) -> None:
    """Many catch up, again and again, while somebody talks: each is told all of it, in order."""
    settings = quick(database_in(tmp_path), queue_bytes=16_384)
    async with serving(settings) as served, served.client() as talker:
        match = await long_match(served, 150)
        await talker.watch(match.id, match.secret(Seat.FIRST))
        saying = asyncio.Event()

        async def read() -> list[int]:
            async with served.client() as client:
                await client.watch(match.id)
                await client.send(type="watch", match=match.id, seen=0)
                await client.kind("update")
                saying.set()
                await client.until(lambda m: bool(m.get("seq") == 170))
                change = [m["seq"] for m in client.heard if m["type"] == "update"]
                return change[change.index(1) :]

        readers = [asyncio.create_task(read()) for _ in range(5)]
        await saying.wait()
        for _ in range(20):
            await talker.do(match.id, "first", type="say", phrase="hello")
        for change in await asyncio.gather(*readers):
            assert change == list(range(1, 171))


@pytest.mark.anyio
async def test_a_snapshot_of_a_long_match_goes_on_without_a_gap(served: Served) -> None:
    match = await long_match(served)
    async with served.client() as client, served.client() as talker:
        await talker.watch(match.id, match.secret(Seat.FIRST))
        watching = [client.watch(match.id)]
        talking = [talker.do(match.id, "first", type="say", phrase="hello") for _ in range(1)]
        shown, said = await asyncio.gather(*watching, *talking)
        assert len(shown["position"]["moves"]) == LONG - 1
        seen = shown["seq"]
        while client.seen[match.id, None] < said["seq"]:
            await client.next()
        change = [m["seq"] for m in client.heard if m["type"] == "update"]
        assert change == list(range(seen + 1, said["seq"] + 1))


@pytest.mark.anyio
async def test_who_asks_for_what_is_to_come_waits_for_it(served: Served) -> None:
    match = await long_match(served, 100)
    async with served.client() as client:
        shown = await client.watch(match.id, match.secret(Seat.FIRST), seen=10**9)
        assert (shown["type"], shown["seq"], updates(client)) == ("watching", 100, [])
        said = await client.do(match.id, "first", type="say", phrase="hello")
        assert said["seq"] == 101


@pytest.mark.anyio
async def test_who_hangs_up_in_the_middle_leaves_nobody_behind(served: Served) -> None:
    """Who waits for the same match has it from the house, not one that was let go of."""
    match, matches = await long_match(served), served.process.matches
    first = asyncio.create_task(matches.get(match.id))
    second = asyncio.create_task(matches.get(match.id))
    while match.id not in matches._cached:  # the first reads, the second waits for it
        await asyncio.sleep(0)
    first.cancel()
    cached = await second
    assert first.cancelled()
    assert matches._cached[match.id] is cached
    assert cached.hosted.seq == LONG


# Never on the loop, and seldom


class Folding:
    """Counts what is folded, by thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on_loop = self.beside = 0
        self._loop = threading.get_ident()
        after = HostedMatch.after

        def note(hosted: HostedMatch, entry: AnyEntry, at: int) -> After:
            if threading.get_ident() == self._loop:
                self.on_loop += 1
            else:
                self.beside += 1
            return after(hosted, entry, at)

        monkeypatch.setattr(HostedMatch, "after", note)

    def count(self) -> int:
        """Return how much was folded since the last count."""
        count, self.on_loop, self.beside = self.on_loop + self.beside, 0, 0
        return count


@pytest.mark.anyio
async def test_what_is_long_is_folded_beside_the_loop(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await long_match(served)
    folding = Folding(monkeypatch)
    async with served.client() as client:
        await client.watch(match.id, seen=0)
        assert folding.beside >= LONG - 1
        assert folding.on_loop <= FEW


@pytest.mark.anyio
async def test_what_others_have_appended_is_folded_beside_the_loop(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await served.create(SLUG, options=OPTIONS)
    async with served.client() as client:
        await client.watch(made["match"])
        await lengthen(served.process.store, made["match"], LONG)
        folding = Folding(monkeypatch)
        cached = await served.process.matches.get(made["match"])
        await served.process.matches.refresh(cached)
        assert cached.hosted.seq == LONG + 1
        assert folding.on_loop <= FEW
        while client.seen[made["match"], None] <= LONG:
            await client.next()
        assert [m["seq"] for m in client.heard[1:]] == list(range(2, LONG + 2))


@pytest.mark.anyio
async def test_what_is_asked_again_is_not_folded_again(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await long_match(served)
    folding = Folding(monkeypatch)
    async with served.client() as one, served.client() as two:
        await one.watch(match.id, seen=0)
        assert folding.count() <= 2 * LONG  # to load it, and to tell it
        await two.watch(match.id, seen=0)
        assert folding.count() == 0
        await two.watch(match.id, match.secret(Seat.SECOND), seen=0)
        assert folding.count() <= LONG
        assert updates(one) == match.texts(None, legal=True)


@pytest.mark.anyio
async def test_many_who_ask_at_the_same_time_are_one(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await long_match(served)
    folding = Folding(monkeypatch)

    async def read() -> None:
        async with served.client() as client:
            await client.watch(match.id, seen=0)
            assert len(updates(client)) == LONG

    await asyncio.gather(*(read() for _ in range(20)))
    assert folding.count() <= 2 * LONG


@pytest.mark.anyio
async def test_the_log_is_folded_from_the_nearest_table(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await long_match(served)
    await served.process.matches.get(match.id)
    folding = Folding(monkeypatch)
    async with served.client() as client:
        await client.watch(match.id, seen=LONG - 30)
        assert len(updates(client)) == 30
    assert folding.count() <= CHUNK


@pytest.mark.anyio
async def test_snapshots_records_and_replays_of_long_matches_are_made_beside_the_loop(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, matches = await long_match(served), served.process.matches
    pieces = 0
    run = served.process.work.run

    async def count(client: str, work: Callable[[], Any]) -> Any:
        nonlocal pieces
        pieces += 1
        return await run(client, work)

    await matches.get(match.id)
    monkeypatch.setattr(served.process.work, "run", count)
    path = f"/api/matches/{match.id}"
    headers = {"Authorization": f"Bearer {match.secret(Seat.FIRST)}"}
    assert (await served.http.get(f"{path}/snapshot", headers=headers)).json()["seq"] == LONG
    assert pieces == 1
    assert len((await served.http.get(f"{path}/record")).text.splitlines()) > LONG
    assert pieces == 2
    order = {"client": "c", "number": 10**6, "command": {"type": "resign"}}
    await served.http.post(f"{path}/orders", json=order, headers=headers)
    assert pieces == 3  # its record is kept
    replays = [await served.http.get(f"{path}/replay?as=open") for _ in range(2)]
    assert pieces >= 3 + LONG // CHUNK
    made = pieces
    assert len(replays[0].json()["steps"]) == LONG - 1
    assert replays[0].content == replays[1].content
    await served.http.get(f"{path}/replay?as=open")
    assert pieces == made


@pytest.mark.anyio
async def test_options_that_a_client_has_written_are_read_beside_the_loop(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A map of the largest size takes as long to draw as a hundred moves."""
    threads = list[int]()

    def note(slug: str, options: Options) -> AnyGame:
        threads.append(threading.get_ident())
        return game(slug, options)

    monkeypatch.setattr(catalogue, "game", note)
    body: Json = {"game": "fortress", "options": {"scenario": "random:rough:8x8:1"}}
    chosen = game(body["game"], body["options"])
    view = chosen.format_view(chosen.view(chosen.start(), Seat.FIRST))
    asked = {"seat": "first", "view": view, "millis": 1}
    seats = [{"kind": "me"}, {"kind": "me"}]
    answers = [
        await served.http.post("/api/games/fortress/preview", json={"options": body["options"]}),
        await served.http.post("/api/analysis", json=body | asked),
        await served.http.post("/api/matches", json=body | {"seats": seats}),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 201]
    assert len(threads) == 3
    assert threading.get_ident() not in threads


# Nothing is held


def held(kind: type) -> int:
    gc.collect()
    return sum(type(thing) is kind for thing in gc.get_objects())


@pytest.mark.anyio
async def test_nothing_is_held_for_who_does_not_read(tmp_path: Path) -> None:
    """A match, its last updates and a few states: as much as without any reader."""
    settings = quick(database_in(tmp_path), history_bytes=0)
    async with serving(settings) as served:
        match, matches = await long_match(served), served.process.matches
        await matches.get(match.id)
        before = held(Change), held(HostedMatch)
        readers = [Outbox(16_384) for _ in range(5)]
        reading = [
            asyncio.create_task(
                follow(served.process, reader, match.id, None, 0, legal=True, client="x")
            )
            for reader in readers
        ]
        while any(reader.has_room for reader in readers) or served.process.work.busy:
            await asyncio.sleep(0.001)
        # The thread holds its last piece of work until it takes up another one.
        await served.process.work.run("x", lambda: None)
        assert held(Change) <= before[0]
        assert held(HostedMatch) <= before[1]
        for reader in readers:
            assert sum(map(len, reader._texts)) <= 16_384
            reader.drop()
        await asyncio.gather(*reading)


def test_states_share_what_they_can() -> None:
    """Each next state of a match holds one more entry, not a copy of all."""
    change = fold("m", None, rows_of_phrases(200))
    states = [each.hosted for each in change]
    for one, two in itertools.pairwise(states):
        assert two.orders[0] is not None
        assert two.orders[0].before is one.orders[0]


def rows_of_phrases(count: int) -> list[Row]:
    said: list[AnyEntry] = [opened()]
    say = Say(Seat.FIRST, "hello")
    said += [Did(say, client="c", number=n) for n in range(count - 1)]
    return [Row(n, 0, match_log.encode(entry)) for n, entry in enumerate(said, 1)]


@pytest.fixture(scope="module")
def change() -> list[Change]:
    return fold("m", None, rows_of_phrases(1_200))


@settings(max_examples=50, deadline=None)
@given(count=st.integers(1, 1_200), number=st.integers(0, 1_200))
def test_marks(change: list[Change], count: int, number: int) -> None:
    """There are never many, they are evenly spaced, and the nearest is not far."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(timeline, "CHUNK", 8)
        patched.setattr(timeline, "MOST_MARKS", 10)
        here = Timeline()
        for each in change[:count]:
            here.note(each)
        assert len(here._marks) <= 10
        assert here.hosted is change[count - 1].hosted
        mark = here.mark(min(number, count))
        at = mark.seq if mark else 0
        assert at <= number
        assert min(number, count) - at < here._every
        assert here._every == 8 or here._every <= count / 5


@given(seen=st.integers(0, 40), count=st.integers(1, 40))
def test_the_last_updates_are_at_hand(change: list[Change], seen: int, count: int) -> None:
    here = Timeline()
    for each in change[:count]:
        here.note(each)
    missed = here.since(seen)
    if missed is None:
        assert count - seen > timeline.RECENT
    else:
        assert missed == change[seen:count]


@pytest.mark.anyio
async def test_long_messages_of_one_client_have_a_bound_together() -> None:
    share = Share(250)
    one, two, three = (Outbox(50, share) for _ in range(3))
    one.push("x" * 100)
    two.push("x" * 100)
    three.push("x" * 100)
    assert [box.is_dropped for box in (one, two, three)] == [False, False, True]
    assert await one.take() == ["x" * 100]
    sending = asyncio.ensure_future(one.take())  # so the first is sent
    await asyncio.sleep(0)
    four = Outbox(50, share)
    four.push("x" * 100)
    assert not four.is_dropped
    four.drop()
    two.drop()
    assert share.size == 0
    sending.cancel()

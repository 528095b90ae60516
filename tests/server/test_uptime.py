"""Uptime: it goes on as real time does while anybody is up, whatever clocks on walls say."""

from __future__ import annotations

import sqlite3
import types
from collections.abc import Callable, Coroutine, Generator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import create_async_engine

from tests.server.serving import Json, Served, database_in, notice, quick, serving
from tests.server.test_time import begin
from visavis.server import match_log
from visavis.server.store import Beat, Clock, Row, Store
from visavis.server.uptime import LONGEST_GAP_MS, Uptime

T = TypeVar("T")
HOUR = 3_600_000
BEFORE = Path(__file__).parent / "data" / "tables_0001.sql"
"""A SQLite file of before uptime was kept, with a match that runs, as SQL."""


@dataclass
class World:
    """Real time, which only goes on, and what a clock on the wall makes of it."""

    real: int = 0
    step: int = 1_800_000_000_000

    def clock(self, skew: int = 0) -> Clock:
        """Return the clocks of a process; where its steady one began is its own affair."""
        return Clock(lambda: self.real + skew, lambda _: self.real + self.step)


# -- The law ---------------------------------------------------------------------------------------


@dataclass
class Row1:
    """What the store does, without a database."""

    world: World
    clock: Clock
    last: Beat = field(default_factory=lambda: Beat(1_000_000, 0))
    alive: int = 0
    told: list[int] = field(default_factory=list)
    is_slow: bool = False

    async def beat(self, reckon: Callable[[Beat, int], Beat], _: bytes) -> Beat:
        if self.is_slow:
            await pause()  # on the way there
        wall = self.world.real + self.world.step
        beat = reckon(self.last, max(0, wall - self.alive))
        if beat.away > self.last.away:
            self.told.append(beat.away - self.last.away)
        self.last, self.alive = beat, wall
        if self.is_slow:
            await pause()  # on the way back
        return beat


@types.coroutine
def pause() -> Generator[None, None, None]:
    """Let a test do something else in between."""
    yield


def at_once(work: Coroutine[object, object, T]) -> T:
    """Run what never waits for anything."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast(T, done.value)
    raise AssertionError("it waits")


class Processes:
    """Up to three processes on one row, checked after each event."""

    def __init__(self) -> None:
        self.world = World()
        self.row = Row1(self.world, self.world.clock())
        self.up: dict[int, Uptime] = {}
        self.latest: dict[int, int] = {}
        self.beats: dict[int, Coroutine[object, object, bool]] = {}
        self.first = self.row.last

    def start(self, process: int, skew: int, *, knows: bool = True) -> None:
        """Start a process, which may think that it is alone because others have lost the lock."""
        if process in self.up:
            return
        self.row.clock = self.world.clock(skew)
        uptime = Uptime(cast(Store, self.row))
        at_once(uptime.begin(alone=not (self.up and knows)))
        self.up[process], self.latest[process] = uptime, uptime.now()

    def kill(self, process: int) -> None:
        self.up.pop(process, None)
        if process in self.beats:
            self.beats.pop(process).close()

    def beat(self, process: int) -> None:
        if process in self.up:
            at_once(self.up[process].beat())

    def beat_slowly(self, process: int) -> None:
        """Send a beat, have it written, or hear that it was: whatever is next."""
        if process in self.up and process not in self.beats:
            self.beats[process] = self.up[process].beat()
        if process in self.beats:
            self.row.is_slow = True
            try:
                self.beats[process].send(None)
            except StopIteration:
                del self.beats[process]
            self.row.is_slow = False

    def close(self) -> None:
        for beat in self.beats.values():
            beat.close()

    def hear(self, process: int) -> None:
        if process in self.up:
            self.up[process].hear(self.row.last)

    def go_on(self, millis: int) -> None:
        self.world.real += millis

    def set_wall(self, millis: int) -> None:
        self.world.step += millis

    def check(self, before: Beat) -> None:
        beat = self.row.last
        assert beat.uptime >= before.uptime
        assert beat.away >= before.away
        assert sum(self.row.told) == beat.away - self.first.away
        passed = self.world.real
        assert beat.uptime <= self.first.uptime + passed
        for process, uptime in self.up.items():
            now = uptime.now()
            assert self.latest[process] <= now <= self.first.uptime + passed
            assert now <= beat.uptime + LONGEST_GAP_MS
            self.latest[process] = now


process = st.integers(0, 2)
event = st.one_of(
    st.tuples(st.just("beat"), process),
    st.tuples(st.just("beat_slowly"), process),
    st.tuples(st.just("hear"), process),
    st.tuples(st.just("start"), process, st.integers(-(10**9), 10**9)),
    st.tuples(st.just("kill"), process),
    st.tuples(st.just("go_on"), st.integers(0, 3_000)),
    st.tuples(st.just("go_on"), st.integers(0, 2 * HOUR)),
    st.tuples(st.just("set_wall"), st.integers(-2 * HOUR, 2 * HOUR)),
)


@given(st.lists(event, max_size=60), st.booleans())
def test_uptime_never_goes_back_and_never_faster_than_time(
    events: list[tuple[str, int]], knows: bool
) -> None:
    processes = Processes()
    for name, *arguments in events:
        before = processes.row.last
        if name == "start":
            processes.start(*arguments, knows=knows)
        else:
            getattr(processes, name)(*arguments)
        processes.check(before)
    processes.close()


@given(st.lists(st.tuples(st.integers(0, 900), event), max_size=60))
def test_while_one_is_up_uptime_is_time(events: list[tuple[int, tuple[str, int]]]) -> None:
    """Somebody says so at least every five seconds: nothing is given, nothing is taken."""
    processes = Processes()
    processes.start(0, 0)
    began = processes.row.last.uptime
    for millis, (name, *arguments) in events:
        processes.go_on(millis)
        processes.beat(0)
        assert processes.row.last.uptime == began + processes.world.real
        assert processes.up[0].now() == began + processes.world.real
        if name == "go_on":
            arguments = [min(arguments[0], LONGEST_GAP_MS)]
        if (name, *arguments) != ("kill", 0):
            getattr(processes, name)(*arguments)
        if name == "go_on":
            processes.beat(0)
    # Others never know less than they have last heard.
    for number in processes.up:
        processes.hear(number)
    assert {uptime.now() for uptime in processes.up.values()} == {processes.row.last.uptime}
    processes.close()


@given(st.lists(st.tuples(st.integers(0, 2 * HOUR), st.integers(-HOUR, HOUR)), max_size=10))
def test_while_nobody_is_up_no_time_goes_by(absences: list[tuple[int, int]]) -> None:
    processes = Processes()
    processes.start(0, 0)
    began = processes.row.last.uptime
    for millis, step in absences:
        processes.beat(0)
        processes.kill(0)
        before = processes.row.last.away
        processes.go_on(millis)
        processes.set_wall(step)
        processes.start(0, millis)
        assert processes.row.last.away - before == max(0, millis + step)
        assert processes.up[0].now() == began


# -- A server --------------------------------------------------------------------------------------


async def left(served: Served, match: str) -> int:
    """Return what the first player's clock shows."""
    shown = (await served.http.get(f"/api/matches/{match}/snapshot")).json()
    hand = shown["position"]["clock"]["hands"][0]
    return int(hand["left"] - (shown["now"] - hand["since"]))


def absences(rows: list[Row]) -> list[int]:
    bodies = [match_log.decode(row.body) for row in rows]
    return [body.millis for body in bodies if isinstance(body, match_log.Away)]


async def pass_time(world: World, seconds: int, *servers: Served) -> None:
    """Let time go by, with a heartbeat of each process every second."""
    for _ in range(seconds):
        world.real += 1_000
        for served in servers:
            await served.process.beat()


@pytest.mark.anyio
@pytest.mark.parametrize("step", [-HOUR, HOUR])
async def test_a_clock_on_the_wall_that_is_set(tmp_path: Path, step: int) -> None:
    """Nobody gains an hour by it, and nobody loses one."""
    world, settings = World(), quick(database_in(tmp_path))
    async with serving(settings, world.clock()) as served:
        match = (await begin(served, "300+0"))["match"]
        await pass_time(world, 10, served)
        assert await left(served, match) == 290_000
        world.step += step
        await pass_time(world, 10, served)
        assert await left(served, match) == 280_000
        world.step -= step
        await pass_time(world, 10, served)
        assert await left(served, match) == 270_000
        assert absences(await served.process.store.rows(match)) == []


@pytest.mark.anyio
@pytest.mark.parametrize("step", [-HOUR, HOUR])
async def test_two_processes_whose_clocks_differ(postgres: str, step: int) -> None:
    """Their steady clocks began at different times; the wall's is set while they run."""
    world = World()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(serving(quick(postgres), world.clock(7)))
        match = (await begin(one, "300+0"))["match"]
        await pass_time(world, 3, one)
        world.real += 600
        other = await stack.enter_async_context(serving(quick(postgres), world.clock(-(10**8))))
        servers = one, other
        await pass_time(world, 3, *servers)
        for served in servers:
            assert await left(served, match) == 293_400
        world.step += step
        await pass_time(world, 3, *servers)
        third = await stack.enter_async_context(serving(quick(postgres), world.clock(10**8)))
        await pass_time(world, 3, *servers, third)
        for served in (*servers, third):
            assert await left(served, match) == 287_400
        assert absences(await one.process.store.rows(match)) == []


@pytest.mark.anyio
@pytest.mark.parametrize("step", [-HOUR, 0, HOUR])
async def test_a_clock_that_is_set_while_nobody_is_up(tmp_path: Path, step: int) -> None:
    """The time since, by the wall, is away; if that is less than nothing, it was nothing."""
    world, settings = World(), quick(database_in(tmp_path))
    async with serving(settings, world.clock()) as served:
        match = (await begin(served, "300+0"))["match"]
        await pass_time(world, 10, served)
    world.real += 60_000
    world.step += step
    async with serving(settings, world.clock(5)) as served:
        assert await left(served, match) == 290_000
        told = absences(await served.process.store.rows(match))
        assert told == ([60_000 + step] if step >= 0 else [])
        await pass_time(world, 10, served)
        assert await left(served, match) == 280_000


@pytest.mark.anyio
async def test_who_hangs_charges_five_seconds(postgres: str) -> None:
    """Both processes stand still for an hour; everybody hears of it, once."""
    world = World()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(serving(quick(postgres), world.clock()))
        other = await stack.enter_async_context(serving(quick(postgres), world.clock(1)))
        match = (await begin(one, "300+0"))["match"]
        clients = [await stack.enter_async_context(served.client()) for served in (one, other)]
        for client in clients:
            await client.watch(match)
        await pass_time(world, 1, one, other)
        world.real += HOUR
        assert not one.process.is_ready
        assert await left(one, match) == 294_000
        await one.process.beat()
        assert one.process.is_ready
        told: list[Json] = [await client.kind("update") for client in clients]
        assert [notice(update, "paused")["away"] for update in told] == [HOUR - 5_000] * 2
        await pass_time(world, 1, one, other)
        for served in (one, other):
            assert await left(served, match) == 293_000
        assert absences(await one.process.store.rows(match)) == [HOUR - 5_000]


@pytest.mark.anyio
async def test_a_sleep_of_one_process_is_no_absence(postgres: str) -> None:
    """The other goes on; the one that slept learns what time it is."""
    world = World()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(serving(quick(postgres), world.clock()))
        match = (await begin(one, "300+0"))["match"]
        other = await stack.enter_async_context(serving(quick(postgres), world.clock(1)))
        await pass_time(world, 20, one)
        await other.process.uptime.beat()
        assert await left(other, match) == await left(one, match) == 280_000
        assert absences(await one.process.store.rows(match)) == []


@pytest.mark.anyio
async def test_moments_in_the_log_never_go_back(tmp_path: Path) -> None:
    """Not even after a crash, when what was said since the last heartbeat is forgotten."""
    world, settings = World(), quick(database_in(tmp_path))
    async with serving(settings, world.clock()) as served:
        made = await served.create("osakana")
        await served.process.background.stop()
        world.real += 3_000
        async with served.client() as client:
            await client.watch(made["match"], made["secrets"]["first"])
            said = await client.do(made["match"], "first", type="say", phrase="hello")

        async def crash() -> bool:
            raise OSError("no last heartbeat")

        served.process.uptime.beat = crash  # type: ignore[method-assign]
    world.step -= HOUR
    async with serving(settings, world.clock()) as served, served.client() as client:
        await client.watch(made["match"], made["secrets"]["first"])
        again = await client.do(made["match"], "first", type="say", phrase="hello")
        assert again["at"] >= said["at"]
        rows = await served.process.store.rows(made["match"])
    assert [row.at for row in rows] == sorted(row.at for row in rows)


# -- Databases of before ---------------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_database_of_before_goes_on(tmp_path: Path) -> None:
    """Uptime was a clock on the wall less the time away; it goes on from there."""
    database = database_in(tmp_path)
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(BEFORE.read_text())
        alive, away = connection.execute("SELECT alive, away FROM uptime").fetchone()
        match, at = connection.execute("SELECT match, max(at) FROM log").fetchone()
    world = World(step=alive + 60_000)
    async with serving(quick(database), world.clock()) as served:
        assert served.process.uptime.now() == alive - away
        assert await left(served, match) == 300_000 - (alive - away - at)
        assert absences(await served.process.store.rows(match)) == [60_000]
        await pass_time(world, 10, served)
        assert await left(served, match) == 290_000 - (alive - away - at)


@pytest.mark.anyio
async def test_tables_of_before_on_postgres(postgres: str) -> None:
    from alembic import command
    from alembic.config import Config

    def make_old(connection: sa.Connection) -> None:
        config = Config()
        config.set_main_option("script_location", "visavis.server:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(sa.text("INSERT INTO uptime VALUES (1, 1794970801594, 3600000)"))

    engine = create_async_engine(sa.make_url(postgres).set(drivername="postgresql+asyncpg"))
    async with engine.begin() as connection:
        await connection.run_sync(make_old)
    await engine.dispose()
    world = World(step=1_794_970_801_594 + 5)
    async with serving(quick(postgres), world.clock()) as served:
        assert served.process.uptime.now() == 1_794_970_801_594 - HOUR
        await pass_time(world, 1, served)
        assert served.process.uptime.now() == 1_794_970_801_594 - HOUR + 1_000

"""The house: all matches of this process, and the way of every command through them.

A command is tried on the table in memory, appended to the log under the next number, and, once that
is committed, adopted and told. If another process was quicker the log has grown: the house reads
on and tries again. A process that dies leaves nothing behind but its log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from typing import Final

import msgspec

from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.server import entries, messages
from visavis.server.clocks import Uptime, start_by, wake
from visavis.server.computer import Computers
from visavis.server.entries import AnyEntry, Did, Expired, Sat, Ticked
from visavis.server.errors import Refusal, refusal
from visavis.server.hub import Live
from visavis.server.metrics import Metrics
from visavis.server.seats import new_id, new_seed
from visavis.server.settings import Settings
from visavis.server.store import Append, Conflict, Index, Kept, Row, Store
from visavis.server.table import Table
from visavis.server.telling import Told, encode
from visavis.server.worker import SIMPLE, ComputerFailed

logger = logging.getLogger(__name__)

RETRIES: Final = 100
"""So often a command is tried again when another process was quicker. Who has lost has to read
before trying again, so that a flood of commands elsewhere may win many times in a row."""
SCAN_SECONDS: Final = 1.0
SCANNED: Final = 500
AUDIENCE_SECONDS: Final = 1.0
"""The number of spectators is told no more often than this."""
FOLD_ON_LOOP: Final = 100
"""A longer log is folded in a thread, so that nobody waits for it."""
COMPUTER: Final = "computer"

Make = Callable[[Table, int], AnyEntry | None]
"""Says what to append to a table as it stands at a moment, if anything."""


class House:
    """All matches of this process."""

    def __init__(
        self, store: Store, settings: Settings, computers: Computers, metrics: Metrics
    ) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics
        self.uptime = Uptime(store)
        self.on_change: Callable[[Table], None] = lambda _: None
        """Called when a match has opened, begun or ended, here or in another process."""
        self._computers = computers
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._audiences: set[Live] = set()
        """Matches of which the number of spectators may have changed since it was told."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._alone = True

    # Coming and going

    async def start(self) -> None:
        """Open the store, learn the time, and go on with every match that runs."""
        self._alone = await self.store.open()
        await self.uptime.begin(alone=self._alone)
        for work in (
            self._keep_beating,
            self._keep_scanning,
            self._keep_listening,
            self._keep_counting,
        ):
            self.spawn(work())

    async def stop(self) -> None:
        """Finish what was begun; nothing that was acknowledged is lost."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live in self._lives.values():
            if live.timer is not None:
                live.timer.cancel()
        with contextlib.suppress(Exception):  # the database may be what has gone
            await self.uptime.beat()
        await self.store.close()

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Run some work in the background; what goes wrong in it is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("work in the background failed", exc_info=error)

    async def _keep_beating(self) -> None:
        while True:
            await asyncio.sleep(self.settings.heartbeat_seconds)
            try:
                if await self.uptime.beat():
                    await self._refresh_all()
            except Exception:  # a database that is away for a while comes back
                logger.exception("no heartbeat")

    async def _keep_scanning(self) -> None:
        """Look after matches whose moment has come, whoever began them."""
        soon = 10_000 if self._alone else 0
        while True:
            try:
                for id in await self.store.due(self.uptime.now() + soon, SCANNED):
                    await self._look_after(id)
                soon = 0
                self._evict()
            except Exception:  # as above
                logger.exception("no scan")
            await asyncio.sleep(SCAN_SECONDS)

    async def _keep_listening(self) -> None:
        await self.store.listen(self._heard, lambda _: self._refresh_all())

    async def _heard(self, payload: str) -> None:
        for id in payload.split():
            live = self._lives.get(id)
            if live is not None and live.is_loaded:
                await self.refresh(live)
            self.metrics.heard.inc()

    async def _keep_counting(self) -> None:
        """Tell how many spectators there are, now and then: they may come in crowds."""
        while True:
            await asyncio.sleep(AUDIENCE_SECONDS)
            for live in self._audiences:
                count = messages.Spectators(match=live.id, count=live.spectators)
                live.tell(encode(count))
            self._audiences.clear()

    async def _refresh_all(self) -> None:
        for live in list(self._lives.values()):
            if live.is_loaded:
                await self.refresh(live)

    # Matches in memory

    @property
    def tables(self) -> Iterable[Live]:
        """The matches in memory."""
        return self._lives.values()

    async def live(self, id: str) -> Live:
        """Return a match, from memory or from its log; or refuse with ``unknown_match``."""
        live = self._lives.get(id)
        if live is None:
            live = self._lives[id] = Live(id, self._audiences.add)
        else:
            self._lives.move_to_end(id)
        if not live.is_loaded:
            async with live.lock:
                if not live.is_loaded:
                    await self._load(live)
        return live

    async def _load(self, live: Live) -> None:
        try:
            rows = await self.store.rows(live.id)
            if not rows:
                raise Refusal("unknown_match", "there is no such match")
            told = await fold_rows(live.id, rows)
        except BaseException:
            self._lives.pop(live.id, None)
            raise
        for each in told:
            live.adopt(each)
        self._arrange(live, wake(live.table, self.settings), think=self._alone)

    async def refresh(self, live: Live) -> None:
        """Read what others have appended."""
        async with live.lock:
            await self._refresh(live)

    async def _refresh(self, live: Live) -> None:
        """Read what others have appended; the lock is held."""
        rows = await self.store.rows(live.id, after=live.table.seq)
        for told in _fold(live.table, rows):
            before = live.table.status
            live.adopt(told)
            if told.table.status != before:
                self.on_change(told.table)
        self._arrange(live, wake(live.table, self.settings), think=False)

    async def history(self, live: Live, seen: int) -> list[Told]:
        """Return all that was told behind a number, from the log if need be."""
        told = live.missed(seen)
        if told is not None:
            return told
        rows = await self.store.rows(live.id)
        return [each for each in await fold_rows(live.id, rows) if each.table.seq > seen]

    def _evict(self) -> None:
        """Let go of matches that nobody has looked at for longest, if there are too many."""
        spare = len(self._lives) - self.settings.tables
        for id, live in list(self._lives.items()):
            if spare <= 0:
                return
            if not live.watchers and not live.lock.locked() and live.is_loaded:
                if live.timer is not None:
                    live.timer.cancel()
                del self._lives[id]
                spare -= 1

    # Commands

    async def open(self, opened: entries.Opened) -> Table:
        """Open a match, or raise what is wrong with it."""
        id, now = new_id(), self.uptime.now()
        table, told = Table.open(id, opened, now)
        await self.store.append(self._first(table, opened))
        self._take_up(told)
        return table

    def _take_up(self, told: Told) -> None:
        """Hold a match in memory that was opened here."""
        live = self._lives[told.table.id] = Live(told.table.id, self._audiences.add)
        live.adopt(told)
        self._arrange(live, wake(live.table, self.settings), think=True)
        self.on_change(told.table)
        self.metrics.opened.inc()

    def _first(self, table: Table, opened: entries.Opened) -> Append:
        row = Row(1, table.at, entries.encode(opened))
        return Append(table.id, row, index=self._index(table, wake(table, self.settings)))

    async def sit(self, live: Live, make: Callable[[Table], Sat | None]) -> None:
        """Take a seat; ``make`` says which, or that it is taken by the same already, or refuses."""
        await self._append(live, lambda table, _: make(table))

    async def order(
        self, live: Live, seat: Seat, order: messages.Order, credit: int = 0
    ) -> tuple[Told | None, int]:
        """Carry out an order once. Return what was told, or None and as which entry it was done.

        Raises a `Refusal`, with code ``stale`` if things have moved on since ``order.seen``.
        """
        began = time.perf_counter()

        def make(table: Table, now: int) -> AnyEntry | None:
            if (done := table.done(seat, order.client, order.number)) is not None:
                raise _DoneBefore(done)
            if table.is_stale(seat, order.command, order.seen):
                raise Refusal("stale", "things have moved on")
            rematch = isinstance(order.command, messages.Rematch)
            made = new_id() if rematch and table.agrees_to_rematch(seat) else ""
            return Did(
                seat=seat,
                command=order.command,
                client=order.client,
                number=order.number,
                credit=min(credit, self.settings.most_credit_ms),
                made=made,
            )

        try:
            told, seq = await self._append(live, make)
        except _DoneBefore as done:
            return None, done.seq
        except VisavisError as error:
            raise _judge(live.table, seat, order, error) from None
        self.metrics.ordered(order.command, time.perf_counter() - began)
        return told, seq

    async def _append(self, live: Live, make: Make) -> tuple[Told | None, int]:
        """Append what ``make`` says, and tell; try again if somebody else was quicker."""
        async with live.lock:
            for _ in range(RETRIES):
                table = live.table
                now = max(self.uptime.now(), table.at)
                entry = make(table, now)
                if entry is None:
                    return None, table.seq
                after, told = table.after(entry, now)
                moment = wake(after, self.settings)
                append, opens = self._to_append(live, after, entry, moment)
                try:
                    await self.store.append(append)
                except Conflict:
                    self.metrics.conflicts.inc()
                    await self._refresh(live)
                    continue
                live.adopt(told)
                self._arrange(live, moment, think=True)
                if after.status != table.status:
                    self.on_change(after)
                if opens is not None:
                    self._take_up(opens)
                return told, after.seq
        raise Refusal("busy", "too many at once; try again")

    def _to_append(
        self, live: Live, after: Table, entry: AnyEntry, moment: int | None
    ) -> tuple[Append, Told | None]:
        """Return what to write, and the rematch that it opens."""
        index = kept = opens = rematch = None
        before = live.table
        changed = before.status != after.status or before.players != after.players
        if changed or moment != live.wake or after.rematch != before.rematch:
            index = self._index(after, moment)
        if changed and after.match is not None and after.match.is_over:
            kept = self._kept(after)
        if isinstance(entry, Did) and entry.made:
            opened = after.rematch_of(new_seed(), time.time_ns() // 1_000_000)
            table, rematch = Table.open(entry.made, opened, after.at)
            opens = self._first(table, opened)
        row = Row(after.seq, after.at, entries.encode(entry))
        return Append(after.id, row, index, kept, opens), rematch

    def _index(self, table: Table, moment: int | None) -> Index:
        bots = [p.player if p and p.kind == "bot" else None for p in table.players]
        return Index(
            status=table.status,
            private=table.opened.private,
            created=table.opened.created,
            wake=moment,
            bots=(bots[0], bots[1]),
            info=msgspec.json.encode(table.info()),
        )

    def _kept(self, table: Table) -> Kept | None:
        match = table.match
        if match is None or match.ending is None or match.ending.outcome is None:
            return None
        return Kept(
            match=table.id,
            game=table.opened.game,
            private=table.opened.private,
            ended=time.time_ns() // 1_000_000,
            text=match.record(None).text,
            info=msgspec.json.encode(table.info()),
        )

    # Time and computers

    def _arrange(
        self, live: Live, moment: int | None, *, think: bool, soonest: float = 0.0
    ) -> None:
        """Set the timer of a match, and a computer to work if it is its turn."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        live.wake = moment
        if moment is not None:
            delay = (moment - self.uptime.now()) / 1_000
            if delay < 3_600:
                loop = asyncio.get_running_loop()
                live.timer = loop.call_later(max(soonest, delay), self._ring, live)
        if think and live.table.awaited_computer() and live.thinks_at != live.table.seq:
            live.thinks_at = live.table.seq
            self.spawn(self._think(live))

    def _ring(self, live: Live) -> None:
        live.timer = None
        self.spawn(self._look_after(live.id))

    async def _look_after(self, id: str) -> None:
        """Let time do what it does to a match; whoever comes second finds it done."""
        with contextlib.suppress(Refusal):
            live = await self.live(id)
            await self._append(live, self._due)
            if live.timer is None:  # nothing was to be done yet
                moment = wake(live.table, self.settings)
                self._arrange(live, moment, think=True, soonest=SCAN_SECONDS)

    def _due(self, table: Table, now: int) -> AnyEntry | None:
        match = table.match
        if match is None:
            expired = not table.is_closed and now >= table.at + self.settings.open_for_ms
            return Expired() if expired else None
        if match.is_over:
            return None
        deadline = match.deadline()
        if deadline is not None and now >= deadline + self.settings.most_credit_ms:
            return Ticked()
        start = start_by(table, self.settings)
        return Expired() if start is not None and now >= start else None

    async def _think(self, live: Live) -> None:
        table = live.table
        awaited, match = table.awaited_computer(), table.match
        if awaited is None or match is None:
            return
        seat, player = awaited
        thinks_at = live.thinks_at
        for who in (player, SIMPLE):  # where the player fails, one from the rules alone does not
            try:
                text = await self._computers.choose(match, seat, who, self.uptime.now())
                order = messages.Order(
                    client=COMPUTER,
                    number=table.seq,
                    command=messages.Move(text=text),
                    seen=table.seq,
                )
                await self.order(live, seat, order)
            except ComputerFailed as error:
                logger.warning("a computer failed", extra={"player": who, "why": str(error)})
            except Refusal as error:
                if error.code not in ("illegal_move", "not_a_move", "busy"):
                    return
                logger.warning("a computer's move was refused", extra={"player": who})
            else:
                return
        if live.thinks_at == thinks_at:
            live.thinks_at = 0  # so that it is tried again when the match is looked after


class _DoneBefore(Exception):
    """The order was carried out already."""

    def __init__(self, seq: int) -> None:
        self.seq = seq


def _judge(table: Table, seat: Seat, order: messages.Order, error: VisavisError) -> Refusal:
    """Return the refusal of an order; of one that comes late, that it is stale."""
    refused = refusal(error)
    late = order.seen is not None and order.seen < table.seq
    if late and refused.code in ("illegal_move", "not_your_turn", "match_over"):
        return Refusal("stale", "things have moved on")
    return refused


# -- From rows to tables ---------------------------------------------------------------------------


async def fold_rows(id: str, rows: list[Row]) -> list[Told]:
    """Rebuild a match from its whole log."""
    if len(rows) > FOLD_ON_LOOP:
        return await asyncio.to_thread(_fold_all, id, rows)
    return _fold_all(id, rows)


def _fold_all(id: str, rows: list[Row]) -> list[Told]:
    opened = entries.decode(rows[0].body)
    if not isinstance(opened, entries.Opened):
        raise TypeError(f"the log of {id} does not begin with its opening")
    table, told = Table.open(id, opened, rows[0].at)
    return [told, *_fold(table, rows[1:])]


def _fold(table: Table, rows: Iterable[Row]) -> list[Told]:
    folded = []
    for row in rows:
        table, told = table.after(entries.decode(row.body), row.at)
        folded.append(told)
    return folded

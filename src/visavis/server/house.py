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
from collections.abc import Callable, Collection
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.server import entries, messages
from visavis.server.budget import NOBODY, Budget
from visavis.server.catchup import CatchUp
from visavis.server.clocks import Uptime, due, wake
from visavis.server.computer import Computers
from visavis.server.entries import AnyEntry, Did, Sat
from visavis.server.errors import Refusal, refusal
from visavis.server.history import History
from visavis.server.hub import Live
from visavis.server.longwork import LongWork
from visavis.server.metrics import Metrics
from visavis.server.past import CHUNK
from visavis.server.positions import Positions
from visavis.server.presence import Presence
from visavis.server.seats import new_id, new_seed
from visavis.server.settings import Settings
from visavis.server.store import Append, Conflict, Index, Kept, News, Row, Store, Unavailable
from visavis.server.supervisor import Supervisor, Well
from visavis.server.table import Table
from visavis.server.telling import Told, encode
from visavis.server.turns import Turns
from visavis.server.worker import SIMPLE, ComputerFailed

logger = logging.getLogger(__name__)

RETRIES: Final = 100
"""So often a command is tried again when another process was quicker. Who has lost has to read
before trying again, so that a flood of commands elsewhere may win many times in a row."""
SCAN_SECONDS: Final = 1.0
SCANNED: Final = 500
SOON_MS: Final = 10_000
"""Who starts alone looks first at all matches whose moment comes within this."""
AUDIENCE_SECONDS: Final = 1.0
"""The number of spectators is told no more often than this."""
PRESENCE_SECONDS: Final = 1.0
"""How often it is told who has left or come back."""
CENSUS_SECONDS: Final = 10.0
"""How often running matches are counted."""
COMPUTER: Final = "computer"
BATCH: Final = 500
"""So many matches are asked about, or looked at, at a time."""

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
        self.budget = Budget(settings.work_per_second, settings.work_burst)
        self.work = LongWork(self.budget, settings.work_per_second / 2)
        self.history = History(store, self.work, settings.history_bytes)
        self.sending = Turns(1)
        """Whose turn it is to be sent some of what they have missed."""
        self.positions = Positions()
        self.presence = Presence(lambda: self.uptime.now(), settings.claim_after_ms)
        self.on_change: Callable[[Table], None] = lambda _: None
        """Called when a match has opened, begun or ended, here or in another process."""
        self._computers = computers
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._audiences: set[Live] = set()
        """Matches of which the number of spectators may have changed since it was told."""
        self.background = Supervisor(metrics)
        self.on_news: Callable[[], None] = lambda: None
        """Called when another process may have opened, begun or ended a match."""
        self._behind = CatchUp(self._lives, store.latest, self._refresh, self.background)
        self._alone = True
        self._soon = 0

    # Coming and going

    async def start(self) -> None:
        """Open the store, learn the time, and go on with every match that runs."""
        self._alone = await self.store.open()
        await self.uptime.begin(alone=self._alone)
        self.presence.begin()
        self._soon = SOON_MS if self._alone else 0
        keep, every = self.background.keep, self.background.every
        listening = keep("listen", self._listen)
        keep("refresh", self._behind.keep_reading)
        every(self.settings.heartbeat_seconds, "beat", self._beat)
        every(SCAN_SECONDS, "scan", self._scan)
        every(AUDIENCE_SECONDS, "audiences", self._tell_audiences)
        every(PRESENCE_SECONDS, "presence", self._tell_presence)
        every(CENSUS_SECONDS, "census", self._count_running)
        await listening.tried.wait()

    async def stop(self) -> None:
        """Finish what was begun; nothing that was acknowledged is lost."""
        await self.background.stop()
        for live in self._lives.values():
            if live.timer is not None:
                live.timer.cancel()
        with contextlib.suppress(Exception):  # the database may be what has gone
            await self.uptime.beat()
        await self.work.close()
        await self.store.close()

    @property
    def is_well(self) -> bool:
        """Whether everything is heard, and can be written; kept by what runs in the background."""
        return not (self.background.down or self.store.is_failing) and self.uptime.is_current

    async def _beat(self) -> None:
        if await self.uptime.beat():
            self._behind.note_gap()

    async def _scan(self) -> None:
        """Look after matches whose moment has come, whoever began them."""
        for id in await self.store.due(self.uptime.now() + self._soon, SCANNED):
            await self.background.attempt(id, self._look_after(id))
        self._soon = 0
        self._evict()

    async def _listen(self, well: Well) -> None:
        async def begin() -> None:
            self._behind.note_gap()
            self.presence.begin()
            await self._behind.read()
            well()

        await self.store.listen(self._heard, begin)

    async def _heard(self, news: News) -> None:
        if news.beat is not None and self.uptime.hear(news.beat):
            self._behind.note_gap()
        if news.is_listed:
            self.on_news()
        self.presence.hear((id, Seat(seat)) for id, seat in news.present)
        for id, number in news.matches:
            self._behind.note(id, number)
            self.metrics.heard.inc()

    async def _tell_audiences(self) -> None:
        """Tell how many spectators there are, now and then: they may come in crowds."""
        for live in self._audiences:
            live.tell(encode(messages.Spectators(match=live.id, count=live.spectators)))
        self._audiences.clear()

    async def _tell_presence(self) -> None:
        """Tell who has left or come back, and other processes who is here."""
        for id in self.presence.changes():
            live = self._lives.get(id)
            message = self.presence.message(live.table) if live and live.is_loaded else None
            if live is not None and message is not None:
                live.tell(encode(message))
        await self.store.tell_present(self.presence.signs())

    async def _count_running(self) -> None:
        self.metrics.running.set(await self.store.count("running"))

    # Matches in memory

    @property
    def tables(self) -> Collection[Live]:
        """The matches in memory."""
        return self._lives.values()

    async def live(self, id: str, client: str = NOBODY) -> Live:
        """Return a match, from memory or from its log; or refuse with ``unknown_match``.

        What it takes to read the log is charged to the client.
        """
        while True:
            live = self._lives.get(id)
            if live is None:
                live = self._lives[id] = self._new_live(id)
            self._lives.move_to_end(id)
            if live.is_loaded:
                return live
            async with live.lock:
                # Who was quicker may have loaded it, or have failed to and let go of it.
                if self._lives.get(id) is live and not live.is_loaded:
                    await self._load(live, client)

    def _new_live(self, id: str) -> Live:
        return Live(id, self._audiences.add, self.presence.note)

    async def _load(self, live: Live, client: str) -> None:
        try:
            live.past = await self.history.load(live.id, client)
        except BaseException:
            self._lives.pop(live.id, None)
            raise
        self._arrange(live, wake(live.table, self.settings), think=self._alone)

    async def refresh(self, live: Live) -> None:
        """Read what others have appended."""
        async with live.lock:
            await self._refresh(live)

    async def _refresh(self, live: Live) -> None:
        """Read what others have appended; the lock is held."""
        is_behind = True
        while is_behind:
            rows = await self.store.rows(live.id, after=live.table.seq, limit=CHUNK)
            for told in await self.history.fold(live.id, live.table, rows, NOBODY):
                before = live.table.status
                live.adopt(told)
                if told.table.status != before:
                    self._note_change(told.table)
            is_behind = len(rows) == CHUNK
        self._arrange(live, wake(live.table, self.settings), think=False)

    def _evict(self) -> None:
        """Let go of matches that nobody has looked at for longest, if there are too many."""
        spare = len(self._lives) - self.settings.tables
        if spare <= 0:
            return
        for id, live in list(islice(self._lives.items(), spare + BATCH)):
            if live.watchers or live.lock.locked() or not live.is_loaded:
                self._lives.move_to_end(id)  # it is in use: the others are looked at first
            elif spare > 0:
                if live.timer is not None:
                    live.timer.cancel()
                del self._lives[id]
                self.positions.forget(id)
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
        live = self._lives[told.table.id] = self._new_live(told.table.id)
        live.adopt(told)
        self._arrange(live, wake(live.table, self.settings), think=True)
        self._note_change(told.table)
        self.metrics.opened.inc()

    def _note_change(self, table: Table) -> None:
        """Note that a match has opened, begun or ended."""
        self.presence.change(table)
        self.on_change(table)

    def _first(self, table: Table, opened: entries.Opened) -> Append:
        row = Row(1, table.at, entries.encode(opened))
        index = self._index(table, wake(table, self.settings))
        return Append(table.id, row, index, is_listed=True)

    async def sit(self, live: Live, make: Callable[[Table], Sat | None]) -> None:
        """Take a seat; ``make`` says which, or that it is taken by the same already, or refuses."""
        await self._append(live, lambda table, _: make(table))

    async def order(
        self, live: Live, seat: Seat, order: messages.Order, lag: int = 0
    ) -> tuple[Told | None, int]:
        """Carry out an order once. Return what was told, or None and as which entry it was done.

        ``lag`` is what the line to the player takes, in milliseconds.

        Raises a `Refusal`, with code ``stale`` if things have moved on since ``order.seen``.
        """
        began = time.perf_counter()

        def make(table: Table, now: int) -> AnyEntry | None:
            if (done := table.done(seat, order.client, order.number)) is not None:
                raise _DoneBefore(done)
            if table.is_stale(seat, order.command, order.seen):
                raise Refusal("stale", "things have moved on")
            if isinstance(order.command, messages.Claim) and table.status == "running":
                self._check_claim(table, seat)
            rematch = isinstance(order.command, messages.Rematch)
            made = new_id() if rematch and table.agrees_to_rematch(seat) else ""
            return Did(
                seat=seat,
                command=order.command,
                client=order.client,
                number=order.number,
                credit=table.credits[seat].grant(lag, self.settings.most_credit_ms),
                made=made,
            )

        try:
            told, seq = await self._append(live, make)
        except _DoneBefore as done:
            return None, done.seq
        except VisavisError as error:
            raise _judge(live.table, seat, order, error) from None
        self.presence.sign(live.table, seat)
        self.metrics.ordered(order.command, time.perf_counter() - began)
        return told, seq

    def _check_claim(self, table: Table, seat: Seat) -> None:
        """Refuse a claim that the opponent has not left room for."""
        if not self.is_well:  # whoever follows through another process is not heard of
            raise Refusal("busy", "it is not known just now who is there; try again")
        self.presence.check_claim(table, seat)

    async def _append(self, live: Live, make: Make) -> tuple[Told | None, int]:
        """Append what ``make`` says, and tell; try again if somebody else was quicker."""
        async with live.lock:
            for _ in range(RETRIES):
                table = live.table
                now = max(self.uptime.now(), table.at)
                entry = make(table, now)
                if entry is None:
                    return None, table.seq
                table.check_room(entry)
                after, told = table.after(entry, now)
                moment = wake(after, self.settings)
                append, opens = await self._to_append(live, after, entry, moment)
                try:
                    await self.store.append(append)
                except Conflict:
                    self.metrics.conflicts.inc()
                    await self._refresh(live)
                    continue
                live.adopt(told)
                self._arrange(live, moment, think=True)
                if after.status != table.status:
                    self._note_change(after)
                if opens is not None:
                    self._take_up(opens)
                return told, after.seq
        raise Refusal("busy", "too many at once; try again")

    async def _to_append(
        self, live: Live, after: Table, entry: AnyEntry, moment: int | None
    ) -> tuple[Append, Told | None]:
        """Return what to write, and the rematch that it opens."""
        index = kept = opens = rematch = None
        before = live.table
        changed = before.status != after.status or before.players != after.players
        if changed or moment != live.wake or after.rematch != before.rematch:
            index = self._index(after, moment)
        if changed and after.match is not None and after.match.is_over:
            kept = await self.work.aside(after.seq, NOBODY, partial(_kept, after))
        if isinstance(entry, Did) and entry.made:
            opened = after.rematch_of(new_seed(), time.time_ns() // 1_000_000)
            table, rematch = Table.open(entry.made, opened, after.at)
            opens = self._first(table, opened)
        row = Row(after.seq, after.at, entries.encode(entry))
        return Append(after.id, row, index, kept, opens, is_listed=changed), rematch

    def _index(self, table: Table, moment: int | None) -> Index:
        bots = [p.player if p and p.kind == "bot" else None for p in table.players]
        return Index(
            status=table.status,
            private=table.opened.private,
            created=table.opened.created,
            wake=moment,
            bots=(bots[0], bots[1]),
            info=msgspec.json.encode(table.info()),
            source=table.opened.source,
            is_automatic=table.opened.is_automatic,
        )

    # Time and computers

    def _arrange(
        self, live: Live, moment: int | None, *, think: bool, soonest: float = 0.0
    ) -> None:
        """Set the timer of a match, and a computer to work if something is asked of it."""
        self.positions.note(live.table)
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
        live.wake = moment
        if moment is not None:
            delay = (moment - self.uptime.now()) / 1_000
            if delay < 3_600:
                loop = asyncio.get_running_loop()
                live.timer = loop.call_later(max(soonest, delay), self._ring, live)
        if think and (answer := live.table.computers_answer()) is not None:
            self.background.spawn(self._answer(live, *answer))
        elif think and live.table.awaited_computer() and live.thinks_at != live.table.seq:
            live.thinks_at = live.table.seq
            self.background.spawn(self._think(live))

    def _ring(self, live: Live) -> None:
        live.timer = None
        self.background.spawn(self._look_after(live.id))

    async def _look_after(self, id: str) -> None:
        """Let time do what it does to a match; whoever comes second finds it done."""
        try:
            live = await self.live(id)
            await self._append(live, lambda table, now: due(table, self.settings, now))
        except Unavailable:
            raise
        except Refusal:
            return
        if live.timer is None:  # nothing was to be done yet
            moment = wake(live.table, self.settings)
            self._arrange(live, moment, think=True, soonest=SCAN_SECONDS)

    async def _answer(self, live: Live, computer: Seat, command: messages.Command) -> None:
        """Do what a computer does beside moving."""
        seq = live.table.seq
        order = messages.Order(client=COMPUTER, number=seq, command=command, seen=seq)
        with contextlib.suppress(Refusal):  # things have moved on
            await self.order(live, computer, order)

    async def _think(self, live: Live) -> None:
        table = live.table
        awaited, match = table.awaited_computer(), table.match
        if awaited is None or match is None:
            return
        seat, player = awaited
        thinks_at = live.thinks_at
        for who in (player, SIMPLE):  # where the player fails, one from the rules alone does not
            try:
                text = await self._computers.choose(
                    match, seat, who, number=table.asked[seat], now=self.uptime.now()
                )
                order = messages.Order(
                    client=COMPUTER,
                    number=table.seq,
                    command=messages.Move(text=text),
                    seen=table.seq,
                )
                await self.order(live, seat, order)
            except ComputerFailed as error:
                logger.warning("a computer failed", extra={"player": who, "why": error.kind})
            except Unavailable:
                break
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


def _kept(table: Table) -> Kept | None:
    """Return what is kept of a match that has ended, unless it was broken off."""
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

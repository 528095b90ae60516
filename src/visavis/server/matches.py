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
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.server import match_log, messages
from visavis.server.budget import NOBODY, Budget
from visavis.server.catchup import CatchUp
from visavis.server.checkpoints import CHUNK
from visavis.server.computer import SIMPLE, Computers
from visavis.server.errors import Refusal, refusal
from visavis.server.fanout import CachedMatch
from visavis.server.history import History
from visavis.server.hosted_match import HostedMatch
from visavis.server.longwork import LongWork
from visavis.server.match_log import AnyEntry, Did, Sat
from visavis.server.metrics import Metrics
from visavis.server.positions import Positions
from visavis.server.presence import Presence
from visavis.server.secrets import new_id, new_seed
from visavis.server.settings import Settings
from visavis.server.store import Append, Conflict, Index, News, Row, Store, Unavailable
from visavis.server.supervisor import Supervisor, Well
from visavis.server.transfer import kept_of
from visavis.server.turns import Turns
from visavis.server.updates import Change, encode
from visavis.server.uptime import Uptime, due, wake
from visavis.server.vocabulary import Command, Order, Rematch
from visavis.server.worker import ComputerFailed
from visavis.session.commands import Claim, Move

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

Make = Callable[[HostedMatch, int], AnyEntry | None]
"""Says what to append to a table as it stands at a moment, if anything."""


class Matches:
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
        self.on_change: Callable[[HostedMatch], None] = lambda _: None
        """Called when a match has opened, begun or ended, here or in another process."""
        self._computers = computers
        self._cached: OrderedDict[str, CachedMatch] = OrderedDict()
        self._audiences: set[CachedMatch] = set()
        """Matches of which the number of spectators may have changed since it was told."""
        self.background = Supervisor(metrics)
        self.on_begun: Callable[[str, str], None] = lambda bot, id: None
        """Called when a match of a bot has begun in another process."""
        self.on_gap: Callable[[], None] = lambda: None
        """Called when something may have gone unheard."""
        self.on_news: Callable[[], None] = lambda: None
        """Called when another process may have opened, begun or ended a match."""
        self._behind = CatchUp(self._cached, store.latest, self._refresh, self.background)
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
        for cached in self._cached.values():
            if cached.timer is not None:
                cached.timer.cancel()
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
            self.on_gap()
            self.presence.begin()
            await self._behind.read()
            well()

        await self.store.listen(self._heard, begin)

    async def _heard(self, news: News) -> None:
        if news.beat is not None and self.uptime.hear(news.beat):
            self._behind.note_gap()
        if news.is_listed:
            self.on_news()
        for bot, id in news.begun:
            self.on_begun(bot, id)
        self.presence.hear((id, Seat(seat)) for id, seat in news.present)
        for id, number in news.matches:
            self._behind.note(id, number)
            self.metrics.heard.inc()

    async def _tell_audiences(self) -> None:
        """Tell how many spectators there are, now and then: they may come in crowds."""
        for cached in self._audiences:
            cached.tell(encode(messages.Spectators(match=cached.id, count=cached.spectators)))
        self._audiences.clear()

    async def _tell_presence(self) -> None:
        """Tell who has left or come back, and other processes who is here."""
        for id in self.presence.changes():
            cached = self._cached.get(id)
            message = self.presence.message(cached.hosted) if cached and cached.is_loaded else None
            if cached is not None and message is not None:
                cached.tell(encode(message))
        await self.store.tell_present(self.presence.signs())

    async def _count_running(self) -> None:
        self.metrics.running.set(await self.store.count("running"))

    # Matches in memory

    @property
    def tables(self) -> Collection[CachedMatch]:
        """The matches in memory."""
        return self._cached.values()

    async def get(self, id: str, client: str = NOBODY) -> CachedMatch:
        """Return a match, from memory or from its log; or refuse with ``unknown_match``.

        What it takes to read the log is charged to the client.
        """
        while True:
            cached = self._cached.get(id)
            if cached is None:
                cached = self._cached[id] = self._new(id)
            self._cached.move_to_end(id)
            if cached.is_loaded:
                return cached
            async with cached.lock:
                # Who was quicker may have loaded it, or have failed to and let go of it.
                if self._cached.get(id) is cached and not cached.is_loaded:
                    await self._load(cached, client)

    def _new(self, id: str) -> CachedMatch:
        most = self.settings.watchers_per_match
        return CachedMatch(id, self._audiences.add, self.presence.note, most)

    async def _load(self, cached: CachedMatch, client: str) -> None:
        try:
            cached.past = await self.history.load(cached.id, client)
        except BaseException:
            self._cached.pop(cached.id, None)
            raise
        self._arrange(cached, wake(cached.hosted, self.settings), think=self._alone)

    async def refresh(self, cached: CachedMatch) -> None:
        """Read what others have appended."""
        async with cached.lock:
            await self._refresh(cached)

    async def _refresh(self, cached: CachedMatch) -> None:
        """Read what others have appended; the lock is held."""
        is_behind = True
        while is_behind:
            rows = await self.store.rows(cached.id, after=cached.hosted.seq, limit=CHUNK)
            for change in await self.history.fold(cached.id, cached.hosted, rows, NOBODY):
                before = cached.hosted.status
                cached.adopt(change)
                if change.hosted.status != before:
                    self._note_change(change.hosted)
            is_behind = len(rows) == CHUNK
        self._arrange(cached, wake(cached.hosted, self.settings), think=False)

    def _evict(self) -> None:
        """Let go of matches that nobody has looked at for longest, if there are too many."""
        spare = len(self._cached) - self.settings.tables
        if spare <= 0:
            return
        for id, cached in list(islice(self._cached.items(), spare + BATCH)):
            if cached.watchers or cached.lock.locked() or not cached.is_loaded:
                self._cached.move_to_end(id)  # it is in use: the others are looked at first
            elif spare > 0:
                if cached.timer is not None:
                    cached.timer.cancel()
                del self._cached[id]
                self.positions.forget(id)
                spare -= 1

    # Commands

    async def open(self, opened: match_log.Opened) -> HostedMatch:
        """Open a match, or raise what is wrong with it."""
        id, now = new_id(), self.uptime.now()
        hosted, change = HostedMatch.open(id, opened, now)
        await self.store.append(self._first(hosted, opened))
        self._take_up(change)
        return hosted

    def _take_up(self, change: Change) -> None:
        """Hold a match in memory that was opened here."""
        cached = self._cached[change.hosted.id] = self._new(change.hosted.id)
        cached.adopt(change)
        self._arrange(cached, wake(cached.hosted, self.settings), think=True)
        self._note_change(change.hosted)
        self.metrics.opened.inc()

    def _note_change(self, hosted: HostedMatch) -> None:
        """Note that a match has opened, begun or ended."""
        if hosted.status == "over":
            self._computers.engines.release(hosted.id)
        self.presence.change(hosted)
        self.on_change(hosted)

    def _first(self, hosted: HostedMatch, opened: match_log.Opened) -> Append:
        row = Row(1, hosted.at, match_log.encode(opened))
        index = self._index(hosted, wake(hosted, self.settings))
        return Append(hosted.id, row, index, is_listed=True)

    async def sit(self, cached: CachedMatch, make: Callable[[HostedMatch], Sat | None]) -> None:
        """Take a seat; ``make`` says which, or that it is taken by the same already, or refuses."""
        await self._append(cached, lambda hosted, _: make(hosted))

    async def order(
        self, cached: CachedMatch, seat: Seat, order: Order, lag: int = 0
    ) -> tuple[Change | None, int]:
        """Carry out an order once. Return what was told, or None and as which entry it was done.

        ``lag`` is what the line to the player takes, in milliseconds.

        Raises a `Refusal`, with code ``stale`` if things have moved on since ``order.seen``.
        """
        began = time.perf_counter()

        def make(hosted: HostedMatch, now: int) -> AnyEntry | None:
            if (done := hosted.done(seat, order.client, order.number)) is not None:
                raise _DoneBefore(done)
            if hosted.is_stale(seat, order.command, order.seen):
                raise Refusal("stale", "things have moved on")
            if isinstance(order.command, Claim) and hosted.status == "running":
                self._check_claim(hosted, seat)
            command, made = order.command, ""
            if isinstance(command, Move):
                credit = hosted.credits[seat].grant(lag, self.settings.most_credit_ms)
                command = replace(command, credit_ms=credit)
            if isinstance(command, Rematch) and hosted.agrees_to_rematch(seat):
                made = new_id()
            return Did(command, order.client, order.number, made)

        try:
            change, seq = await self._append(cached, make)
        except _DoneBefore as done:
            return None, done.seq
        except VisavisError as error:
            raise _judge(cached.hosted, seat, order, error) from None
        self.presence.sign(cached.hosted, seat)
        self.metrics.ordered(order.command, time.perf_counter() - began)
        return change, seq

    def _check_claim(self, hosted: HostedMatch, seat: Seat) -> None:
        """Refuse a claim that the opponent has not left room for."""
        if not self.is_well:  # whoever follows through another process is not heard of
            raise Refusal("busy", "it is not known just now who is there; try again")
        self.presence.check_claim(hosted, seat)

    async def _append(self, cached: CachedMatch, make: Make) -> tuple[Change | None, int]:
        """Append what ``make`` says, and tell; try again if somebody else was quicker."""
        async with cached.lock:
            for _ in range(RETRIES):
                hosted = cached.hosted
                now = max(self.uptime.now(), hosted.at)
                entry = make(hosted, now)
                if entry is None:
                    return None, hosted.seq
                hosted.check_room(entry)
                after, change = hosted.after(entry, now)
                moment = wake(after, self.settings)
                append, opens = await self._to_append(cached, after, entry, moment)
                try:
                    await self.store.append(append)
                except Conflict:
                    self.metrics.conflicts.inc()
                    await self._refresh(cached)
                    continue
                cached.adopt(change)
                self._arrange(cached, moment, think=True)
                if after.status != hosted.status:
                    self._note_change(after)
                if opens is not None:
                    self._take_up(opens)
                return change, after.seq
        raise Refusal("busy", "too many at once; try again")

    async def _to_append(
        self, cached: CachedMatch, after: HostedMatch, entry: AnyEntry, moment: int | None
    ) -> tuple[Append, Change | None]:
        """Return what to write, and the rematch that it opens."""
        index = kept = opens = rematch = None
        before = cached.hosted
        changed = before.status != after.status or before.players != after.players
        if changed or moment != cached.wake or after.rematch != before.rematch:
            index = self._index(after, moment)
        if changed and after.match is not None and after.match.is_over:
            kept = await self.work.aside(after.seq, NOBODY, partial(kept_of, after))
        if isinstance(entry, Did) and entry.made:
            opened = after.rematch_of(new_seed(), time.time_ns() // 1_000_000)
            hosted, rematch = HostedMatch.open(entry.made, opened, after.at)
            opens = self._first(hosted, opened)
        row = Row(after.seq, after.at, match_log.encode(entry))
        return Append(after.id, row, index, kept, opens, is_listed=changed), rematch

    def _index(self, hosted: HostedMatch, moment: int | None) -> Index:
        runs = hosted.status == "running"
        bots = [p.player if p and p.kind == "bot" and runs else None for p in hosted.players]
        return Index(
            status=hosted.status,
            private=hosted.opened.private,
            created=hosted.opened.created,
            wake=moment,
            bots=(bots[0], bots[1]),
            info=msgspec.json.encode(hosted.info()),
            source=hosted.opened.source,
            is_automatic=hosted.opened.is_automatic,
        )

    # Time and computers

    def _arrange(
        self, cached: CachedMatch, moment: int | None, *, think: bool, soonest: float = 0.0
    ) -> None:
        """Set the timer of a match, and a computer to work if something is asked of it."""
        self.positions.note(cached.hosted)
        if cached.timer is not None:
            cached.timer.cancel()
            cached.timer = None
        cached.wake = moment
        if moment is not None:
            delay = (moment - self.uptime.now()) / 1_000
            if delay < 3_600:
                loop = asyncio.get_running_loop()
                cached.timer = loop.call_later(max(soonest, delay), self._ring, cached)
        if think and (answer := cached.hosted.computers_answer()) is not None:
            self.background.spawn(self._answer(cached, *answer))
        elif think and cached.hosted.awaited_computer() and cached.thinks_at != cached.hosted.seq:
            cached.thinks_at = cached.hosted.seq
            self.background.spawn(self._think(cached))

    def _ring(self, cached: CachedMatch) -> None:
        cached.timer = None
        self.background.spawn(self._look_after(cached.id))

    async def _look_after(self, id: str) -> None:
        """Let time do what it does to a match; whoever comes second finds it done."""
        try:
            cached = await self.get(id)
            await self._append(cached, lambda hosted, now: due(hosted, self.settings, now))
        except Unavailable:
            raise
        except Refusal:
            return
        if cached.timer is None:  # nothing was to be done yet
            moment = wake(cached.hosted, self.settings)
            self._arrange(cached, moment, think=True, soonest=SCAN_SECONDS)

    async def _answer(self, cached: CachedMatch, computer: Seat, command: Command) -> None:
        """Do what a computer does beside moving."""
        seq = cached.hosted.seq
        order = Order(command, COMPUTER, number=seq, seen=seq)
        with contextlib.suppress(Refusal):  # things have moved on
            await self.order(cached, computer, order)

    async def _think(self, cached: CachedMatch) -> None:
        hosted = cached.hosted
        awaited, match = hosted.awaited_computer(), hosted.match
        if awaited is None or match is None:
            return
        seat, player = awaited
        thinks_at = cached.thinks_at
        for who in (player, SIMPLE):  # where the player fails, one from the rules alone does not
            try:
                text = await self._computers.choose(
                    hosted.id,
                    match,
                    seat,
                    who,
                    number=hosted.asked[seat],
                    now=self.uptime.now(),
                )
                order = Order(Move(seat, text), COMPUTER, number=hosted.seq, seen=hosted.seq)
                await self.order(cached, seat, order)
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
        if cached.thinks_at == thinks_at:
            cached.thinks_at = 0  # so that it is tried again when the match is looked after


class _DoneBefore(Exception):
    """The order was carried out already."""

    def __init__(self, seq: int) -> None:
        self.seq = seq


def _judge(hosted: HostedMatch, seat: Seat, order: Order, error: VisavisError) -> Refusal:
    """Return the refusal of an order; of one that comes late, that it is stale."""
    refused = refusal(error)
    late = order.seen is not None and order.seen < hosted.seq
    if late and refused.code in ("illegal_move", "not_your_turn", "match_over"):
        return Refusal("stale", "things have moved on")
    return refused

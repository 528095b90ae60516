"""The append loop: the way of every command and every other entry into the log of its match.

An entry is tried on the match in memory, appended to the log under the next number, and, once that
is committed, adopted and told. If another process was quicker the log has grown: what is new is
read, and the entry tried again. A process that dies leaves nothing behind but the log.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import msgspec

from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.server import match_log
from visavis.server.budget import NOBODY
from visavis.server.errors import Refusal, refusal
from visavis.server.fanout import CachedMatch
from visavis.server.hosted_match import HostedMatch
from visavis.server.longwork import LongWork
from visavis.server.match_log import AnyEntry, Did, Sat
from visavis.server.matches import Matches
from visavis.server.metrics import Metrics
from visavis.server.presence import Presence
from visavis.server.secrets import new_id, new_seed
from visavis.server.settings import Settings
from visavis.server.store import Append, Conflict, Index, Row, Store
from visavis.server.transfer import kept_of
from visavis.server.updates import Change
from visavis.server.uptime import Uptime, wake
from visavis.server.vocabulary import Order, Rematch
from visavis.session.commands import Claim, Move

RETRIES: Final = 100
"""How often an entry is tried again when another process was quicker. Who has lost has to read
before trying again, so that a flood of commands elsewhere may win many times in a row."""

Make = Callable[[HostedMatch, int], AnyEntry | None]
"""Says what to append to a match as it stands at a moment, if anything."""


class Orders:
    """Opens matches and appends to their logs."""

    def __init__(
        self,
        matches: Matches,
        store: Store,
        settings: Settings,
        uptime: Uptime,
        work: LongWork,
        presence: Presence,
        metrics: Metrics,
        is_well: Callable[[], bool],
    ) -> None:
        self._matches = matches
        self._store = store
        self._settings = settings
        self._uptime = uptime
        self._work = work
        self._presence = presence
        self._metrics = metrics
        self._is_well = is_well

    async def open(self, opened: match_log.Opened) -> HostedMatch:
        """Open a match, or raise what is wrong with it."""
        hosted, change = HostedMatch.open(new_id(), opened, self._uptime.now())
        await self._store.append(self.first_entry(hosted))
        self._hold(change)
        return hosted

    def _hold(self, change: Change) -> None:
        self._matches.hold(change)
        self._metrics.opened.inc()

    def first_entry(self, hosted: HostedMatch) -> Append:
        """Return what to write for a match that is opened."""
        row = Row(1, hosted.at, match_log.encode(hosted.opened))
        index = _index(hosted, wake(hosted, self._settings))
        return Append(hosted.id, row, index, is_listed=True)

    async def sit(self, cached: CachedMatch, make: Callable[[HostedMatch], Sat | None]) -> None:
        """Take a seat; ``make`` says which, or that it is taken by the same already, or refuses."""
        await self.append(cached, lambda hosted, _: make(hosted))

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
                credit = hosted.credits[seat].grant(lag, self._settings.most_credit_ms)
                command = replace(command, credit_ms=credit)
            if isinstance(command, Rematch) and hosted.agrees_to_rematch(seat):
                made = new_id()
            return Did(command, order.client, order.number, made)

        try:
            change, seq = await self.append(cached, make)
        except _DoneBefore as done:
            return None, done.seq
        except VisavisError as error:
            raise _judge(cached.hosted, seat, order, error) from None
        self._presence.sign(cached.hosted, seat)
        self._metrics.ordered(order.command, time.perf_counter() - began)
        return change, seq

    def _check_claim(self, hosted: HostedMatch, seat: Seat) -> None:
        """Refuse a claim that the opponent has not left room for."""
        if not self._is_well():  # followers at other processes are not heard of
            raise Refusal("busy", "it is not known just now who is there; try again")
        self._presence.check_claim(hosted, seat)

    async def append(self, cached: CachedMatch, make: Make) -> tuple[Change | None, int]:
        """Append what ``make`` says, and tell; try again if somebody else was quicker."""
        async with cached.lock:
            for _ in range(RETRIES):
                hosted = cached.hosted
                now = max(self._uptime.now(), hosted.at)
                entry = make(hosted, now)
                if entry is None:
                    return None, hosted.seq
                hosted.check_room(entry)
                after, change = hosted.after(entry, now)
                append, opens = await self._to_append(cached, after, entry)
                try:
                    await self._store.append(append)
                except Conflict:
                    self._metrics.conflicts.inc()
                    await self._matches.refresh_locked(cached)
                    continue
                self._matches.adopt(cached, change)
                if opens is not None:
                    self._hold(opens)
                return change, after.seq
        raise Refusal("busy", "too many at once; try again")

    async def _to_append(
        self, cached: CachedMatch, after: HostedMatch, entry: AnyEntry
    ) -> tuple[Append, Change | None]:
        """Return what to write, and the rematch that it opens."""
        index = kept = opens = rematch = None
        before, moment = cached.hosted, wake(after, self._settings)
        changed = before.status != after.status or before.players != after.players
        if changed or moment != cached.wake or after.rematch != before.rematch:
            index = _index(after, moment)
        if changed and after.match is not None and after.match.is_over:
            kept = await self._work.aside(after.seq, NOBODY, partial(kept_of, after))
        if isinstance(entry, Did) and entry.made:
            opened = after.rematch_of(new_seed(), time.time_ns() // 1_000_000)
            hosted, rematch = HostedMatch.open(entry.made, opened, after.at)
            opens = self.first_entry(hosted)
        row = Row(after.seq, after.at, match_log.encode(entry))
        return Append(after.id, row, index, kept, opens, is_listed=changed), rematch


def _index(hosted: HostedMatch, moment: int | None) -> Index:
    runs = hosted.status == "running"
    bots = [p.player if p and p.kind == "bot" and runs else None for p in hosted.players]
    return Index(
        status=hosted.status,
        private=not hosted.opened.is_listed,
        created=hosted.opened.created,
        wake=moment,
        bots=(bots[0], bots[1]),
        info=msgspec.json.encode(hosted.info()),
        source=hosted.opened.source,
        is_automatic=hosted.opened.is_automatic,
    )


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

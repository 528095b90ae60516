"""Everything a process holds, in one place: what the HTTP and WebSocket sides work with."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Literal

from visavis.rules.protocol import Seat, Viewer
from visavis.server.bots import Bots
from visavis.server.computer import Computers
from visavis.server.errors import Refusal
from visavis.server.house import House
from visavis.server.hub import Live, Outbox
from visavis.server.messages import Snapshot
from visavis.server.metrics import Metrics
from visavis.server.reception import Reception
from visavis.server.safety import Rates
from visavis.server.seats import digest
from visavis.server.settings import Settings
from visavis.server.store import Store, database
from visavis.server.table import Table
from visavis.server.telling import snapshot


class Office:
    """One process of the server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.computers = Computers(
            settings.workers,
            settings.think_ms,
            settings.engines,
            self.metrics,
            settings.analyses,
        )
        store = Store(database(settings.database), settings.commit_window)
        self.store = store
        self.house = House(store, settings, self.computers, self.metrics)
        self.reception = Reception(self.house)
        self.bots = Bots(self.house)
        self.house.on_change = self._changed
        self.requests = Rates(settings.requests_per_second, settings.request_burst)
        self.creations = Rates(
            settings.new_matches_per_minute / 60, max(1, round(settings.new_matches_per_minute))
        )
        self.readers: dict[Outbox, str] = {}
        """Who is connected, and from where."""
        self.status: Literal["starting", "ok", "stopping"] = "starting"

    async def open(self) -> None:
        """Get ready to serve."""
        await self.house.start()
        self.house.spawn(self.reception.keep_telling())
        self.house.spawn(self.bots.keep_looking())
        self.status = "ok"

    async def close(self) -> None:
        """Serve no longer; nothing that was acknowledged is lost."""
        self.dismiss_all()
        await self.house.stop()
        self.computers.close()

    def _changed(self, table: Table) -> None:
        self.reception.changed(table)
        self.bots.changed(table)

    # Readers: sockets and streams

    def admit(self, client: str) -> Outbox:
        """Return an outbox for somebody who connects, or refuse."""
        if len(self.readers) >= self.settings.sockets:
            raise Refusal("busy", "too many are connected")
        if sum(known == client for known in self.readers.values()) >= (
            self.settings.sockets_per_client
        ):
            raise Refusal("too_many", "too many connections from one address")
        outbox = Outbox(self.settings.queue_bytes)
        self.readers[outbox] = client
        self.metrics.sockets.set(len(self.readers))
        return outbox

    def dismiss_all(self) -> None:
        """Let everybody go; they come back to another process, or to this one later."""
        self.status = "stopping"
        for outbox in list(self.readers):
            outbox.drop()

    def dismiss(self, outbox: Outbox) -> None:
        """Forget somebody who has left."""
        self.readers.pop(outbox, None)
        self.reception.unwatch(outbox)
        self.bots.unwatch(outbox)
        self.metrics.sockets.set(len(self.readers))

    # Who is who

    async def viewer(self, live: Live, secret: str | None) -> Seat | None:
        """Return as whom somebody may look: a seat by its secret or a bot's token, or anybody."""
        table = live.table
        if secret is None:
            if table.opened.private and table.status != "over":
                raise Refusal("private", "the match is private until it is over")
            return None
        seat = table.seat_of(secret)
        if seat is None and any(p is not None and p.kind == "bot" for p in table.players):
            name = await self.store.bot_of(digest(secret))
            seat = table.player_seat("bot", name) if name is not None else None
        if seat is None:
            raise Refusal("wrong_secret", "the secret opens no seat of this match")
        return seat

    def snapshot(self, live: Live, viewer: Viewer, *, legal: bool = True) -> Snapshot:
        """Return all that a viewer may know of a match now."""
        now, spectators = self.house.uptime.now(), live.spectators
        return snapshot(live.table, viewer, now, spectators=spectators, legal=legal)

    async def is_ready(self) -> bool:
        """Whether the database answers."""
        with contextlib.suppress(Exception):  # whatever it is, the answer is no
            async with asyncio.timeout(2):
                self.metrics.running.set(await self.store.count("running"))
                return self.status == "ok"
        return False

    def measure(self) -> bytes:
        """Return all metrics."""
        metrics = self.metrics
        metrics.tables.set(len(list(self.house.tables)))
        metrics.waiting.set(self.store.waiting)
        metrics.thinking.set(self.computers.waiting)
        metrics.commits.set(self.store.commits)
        return metrics.text()

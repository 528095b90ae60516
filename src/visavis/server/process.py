"""One process of the server: its parts, wired together, and what it does in the background."""

from __future__ import annotations

import contextlib
from typing import Final, Literal

from visavis.rules.protocol import Seat, Viewer
from visavis.server import messages
from visavis.server.archive import Archive
from visavis.server.bots import Bots
from visavis.server.budget import Budget
from visavis.server.catchup import CatchUp
from visavis.server.computer import Computers
from visavis.server.computer_seats import ComputerSeats
from visavis.server.connections import Connections
from visavis.server.creation import Creation
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch, Outbox, Share
from visavis.server.history import History
from visavis.server.hosted_match import HostedMatch
from visavis.server.lobby import Lobbies
from visavis.server.longwork import LongWork
from visavis.server.matches import Matches
from visavis.server.metrics import Metrics
from visavis.server.orders import Orders
from visavis.server.positions import Positions
from visavis.server.presence import Presence
from visavis.server.replays import Replays
from visavis.server.safety import Rates
from visavis.server.secrets import digest
from visavis.server.settings import Settings
from visavis.server.sources import Sources
from visavis.server.store import Clock, News, Store, database
from visavis.server.supervisor import Supervisor, Well
from visavis.server.turns import Turns
from visavis.server.updates import encode, snapshot
from visavis.server.uptime import Uptime
from visavis.server.wakeups import SCAN_SECONDS, Wakeups

AUDIENCE_SECONDS: Final = 1.0
"""The number of spectators is announced no more often than this."""
PRESENCE_SECONDS: Final = 1.0
"""How often changes of presence are announced."""
CENSUS_SECONDS: Final = 10.0
"""How often running matches are counted."""
FILES: Final = 10
"""The page, which has many files, may be requested this many times as often as the API."""
LONG_ONES: Final = 64
"""Messages longer than a queue: this many queue lengths may wait for one client."""


class Process:
    """One process of the server."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.connections = Connections(settings, self.metrics)
        self.computers = Computers(
            settings.workers,
            settings.think_ms,
            settings.engines,
            self.metrics,
            settings.analyses,
            settings.analyses_per_client,
        )
        store = Store(database(settings.database), settings.commit_window, clock)
        self.store = store
        self.background = Supervisor(self.metrics)
        self.uptime = Uptime(store)
        self.budget = Budget(settings.work_per_second, settings.work_burst)
        self.work = LongWork(self.budget, settings.work_per_second / 2)
        self.history = History(store, self.work, settings.history_bytes)
        self.sending = Turns(1)
        """Whose turn it is to be sent some of what they have missed."""
        self.positions = Positions()
        self.presence = Presence(lambda: self.uptime.now(), settings.claim_after_ms)
        self.matches = Matches(store, self.history, self.presence, self.positions, settings)
        self.orders = Orders(
            self.matches,
            store,
            settings,
            self.uptime,
            self.work,
            self.presence,
            self.metrics,
            lambda: self.is_well,
        )
        self.computer_seats = ComputerSeats(
            self.orders, self.computers, self.uptime, self.background
        )
        self.wakeups = Wakeups(
            self.matches,
            self.orders,
            self.computer_seats,
            store,
            settings,
            self.uptime,
            self.background,
        )
        self.catch_up = CatchUp(
            self.matches.by_id, store.latest, self.matches.refresh_locked, self.background
        )
        self.creation = Creation(self.orders, store, settings, self.work, self.positions)
        replays = Replays(self.work, settings.history_bytes)
        self.archive = Archive(self.matches, store, self.work, replays)
        self.lobby = Lobbies(store)
        self.sources = Sources()
        self.bots = Bots(store)
        self.matches.on_change = self._changed
        self.matches.on_step = self.wakeups.arrange
        self.requests = Rates(settings.requests_per_second, settings.request_burst)
        self.files = Rates(settings.requests_per_second * FILES, settings.request_burst * FILES)
        """Requests for the page, and for how the server is."""
        self.messages = Rates(settings.client_messages_per_second, settings.client_message_burst)
        self.creations = Rates(
            settings.new_matches_per_minute / 60, max(1, round(settings.new_matches_per_minute))
        )
        self._readers: dict[Outbox, str] = {}
        """Who is connected, and from where."""
        self._shares: dict[str, Share] = {}
        self.status: Literal["starting", "ok", "stopping"] = "starting"

    # Coming and going

    async def open(self) -> None:
        """Open the store, learn the time, and go on with every match that runs."""
        self.matches.is_alone = await self.store.open()
        await self.uptime.begin(alone=self.matches.is_alone)
        self.presence.begin()
        self.wakeups.begin()
        keep, every = self.background.keep, self.background.every
        listening = keep("listen", self._listen)
        keep("refresh", self.catch_up.keep_reading)
        every(self.settings.heartbeat_seconds, "beat", self.beat)
        every(SCAN_SECONDS, "scan", self.wakeups.scan)
        every(AUDIENCE_SECONDS, "audiences", self._tell_audiences)
        every(PRESENCE_SECONDS, "presence", self.tell_presence)
        every(CENSUS_SECONDS, "census", self._count_running)
        await listening.tried.wait()
        keep("lobby", self.lobby.keep_telling)
        self.status = "ok"

    async def close(self) -> None:
        """Finish what was begun; nothing that was acknowledged is lost."""
        self.dismiss_all()
        await self.background.stop()
        for cached in self.matches.all:
            cached.cancel_timer()
        with contextlib.suppress(Exception):  # the database may be what has gone
            await self.uptime.beat()
        await self.work.close()
        await self.store.close()
        self.computers.close()

    @property
    def is_well(self) -> bool:
        """Whether everything is heard, and can be written; kept by what runs in the background."""
        return not (self.background.down or self.store.is_failing) and self.uptime.is_current

    # In the background

    async def beat(self) -> None:
        """Say that the server is up."""
        if await self.uptime.beat():
            self.catch_up.note_gap()

    async def _listen(self, well: Well) -> None:
        async def begin() -> None:
            self.catch_up.note_gap()
            self.bots.look()
            self.presence.begin()
            await self.catch_up.read()
            well()

        await self.store.listen(self._heard, begin)

    async def _heard(self, news: News) -> None:
        if news.beat is not None and self.uptime.hear(news.beat):
            self.catch_up.note_gap()
        if news.is_listed:
            self.lobby.note_change()
        for bot, id in news.begun:
            self.bots.begun(bot, id)
        self.presence.hear((id, Seat(seat)) for id, seat in news.present)
        for id, number in news.matches:
            self.catch_up.note(id, number)
            self.metrics.heard.inc()

    def _changed(self, hosted: HostedMatch) -> None:
        if hosted.status == "over":
            self.computers.engines.release(hosted.id)
        self.lobby.note_change()
        self.bots.changed(hosted)

    async def _tell_audiences(self) -> None:
        """Tell how many spectators there are, now and then: they may come in crowds."""
        for cached in self.matches.audiences:
            cached.tell(encode(messages.Spectators(match=cached.id, count=cached.spectators)))
        self.matches.audiences.clear()

    async def tell_presence(self) -> None:
        """Tell who has left or come back, and other processes who is here."""
        for id in self.presence.changes():
            cached = self.matches.by_id.get(id)
            message = self.presence.message(cached.hosted) if cached and cached.is_loaded else None
            if cached is not None and message is not None:
                cached.tell(encode(message))
        await self.store.tell_present(self.presence.signs())

    async def _count_running(self) -> None:
        self.metrics.running.set(await self.store.count("running"))

    # Readers: sockets and streams

    def admit(self, client: str) -> Outbox:
        """Return an outbox for somebody who connects, or refuse."""
        if len(self._readers) >= self.settings.sockets:
            raise Refusal("busy", "too many are connected")
        share = self._shares.get(client)
        if share is None:
            share = self._shares[client] = Share(self.settings.queue_bytes * LONG_ONES)
        if share.readers >= self.settings.sockets_per_client:
            raise Refusal("too_many", "too many connections from one address")
        outbox = Outbox(self.settings.queue_bytes, share)
        self._readers[outbox] = client
        share.readers += 1
        self.metrics.sockets.set(len(self._readers))
        return outbox

    def dismiss_all(self) -> None:
        """Let everybody go; they come back to another process, or to this one later."""
        self.status = "stopping"
        for outbox in list(self._readers):
            outbox.drop()

    def dismiss(self, outbox: Outbox) -> None:
        """Forget somebody who has left."""
        client = self._readers.pop(outbox)
        outbox.drop()
        self._shares[client].readers -= 1
        if not self._shares[client].readers:
            del self._shares[client]
        self.lobby.unwatch(outbox)
        self.metrics.sockets.set(len(self._readers))

    # Who is who

    async def viewer(self, cached: CachedMatch, secret: str | None) -> Seat | None:
        """Return as whom somebody may look: a seat by its secret or a bot's token, or anybody."""
        hosted = cached.hosted
        if secret is None:
            if hosted.opened.private and hosted.status != "over":
                raise Refusal("private", "the match is private until it is over")
            return None
        seat = hosted.seat_of(secret)
        if seat is None and any(p is not None and p.kind == "bot" for p in hosted.players):
            name = await self.store.bot_of(digest(secret))
            seat = hosted.player_seat("bot", name) if name is not None else None
        if seat is None:
            raise Refusal("wrong_secret", "the secret opens no seat of this match")
        return seat

    async def snapshot(
        self, cached: CachedMatch, viewer: Viewer, client: str, *, legal: bool = True
    ) -> tuple[str, int]:
        """Return all that a viewer may know of a match now, encoded, and the number it goes to."""
        hosted, now, spectators = cached.hosted, self.uptime.now(), cached.spectators

        def make() -> str:
            return encode(snapshot(hosted, viewer, now, spectators=spectators, legal=legal))

        return await self.work.aside(hosted.seq, client, make), hosted.seq

    @property
    def is_ready(self) -> bool:
        """Whether the process can serve: costs nothing to ask."""
        return self.status == "ok" and self.is_well

    def measure(self) -> bytes:
        """Return all metrics."""
        metrics = self.metrics
        metrics.matches_in_memory.set(len(self.matches.all))
        metrics.waiting.set(self.store.waiting)
        metrics.thinking.set(self.computers.waiting)
        metrics.commits.set(self.store.commits)
        return metrics.text()

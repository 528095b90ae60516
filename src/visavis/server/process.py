"""Everything a process holds, in one place: what the HTTP and WebSocket sides work with."""

from __future__ import annotations

from typing import Final, Literal

from visavis.rules.protocol import Seat, Viewer
from visavis.server.bots import Bots
from visavis.server.computer import Computers
from visavis.server.connections import Connections
from visavis.server.creation import Creation
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch, Outbox, Share
from visavis.server.hosted_match import HostedMatch
from visavis.server.lobby import Lobbies
from visavis.server.matches import Matches
from visavis.server.metrics import Metrics
from visavis.server.safety import Rates
from visavis.server.secrets import digest
from visavis.server.settings import Settings
from visavis.server.sources import Sources
from visavis.server.store import Clock, Store, database
from visavis.server.updates import encode, snapshot

FILES: Final = 10
"""So many times more requests than to the API may go to the page, which has many files."""
LONG_ONES: Final = 64
"""So many queues' lengths may wait for one client in messages that are longer than a queue."""


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
        self.matches = Matches(store, settings, self.computers, self.metrics)
        self.creation = Creation(self.matches)
        self.lobby = Lobbies(store)
        self.sources = Sources()
        self.bots = Bots(self.matches)
        self.matches.on_change = self._changed
        self.matches.on_news = self.lobby.note_change
        self.matches.on_begun = self.bots.begun
        self.matches.on_gap = self.bots.look
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

    async def open(self) -> None:
        """Get ready to serve."""
        await self.matches.start()
        self.matches.background.keep("lobby", self.lobby.keep_telling)
        self.status = "ok"

    async def close(self) -> None:
        """Serve no longer; nothing that was acknowledged is lost."""
        self.dismiss_all()
        await self.matches.stop()
        self.computers.close()

    def _changed(self, hosted: HostedMatch) -> None:
        self.lobby.note_change()
        self.bots.changed(hosted)

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
        hosted, now, spectators = cached.hosted, self.matches.uptime.now(), cached.spectators

        def make() -> str:
            return encode(snapshot(hosted, viewer, now, spectators=spectators, legal=legal))

        return await self.matches.work.aside(hosted.seq, client, make), hosted.seq

    @property
    def is_ready(self) -> bool:
        """Whether the process can serve: costs nothing to ask."""
        return self.status == "ok" and self.matches.is_well

    def measure(self) -> bytes:
        """Return all metrics."""
        metrics = self.metrics
        metrics.tables.set(len(self.matches.tables))
        metrics.waiting.set(self.store.waiting)
        metrics.thinking.set(self.computers.waiting)
        metrics.commits.set(self.store.commits)
        return metrics.text()

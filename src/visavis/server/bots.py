"""Outside bots: registered names with tokens, and a stream that tells of their matches."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

import msgspec

from visavis.rules.protocol import Seat
from visavis.server.codec import seat_name
from visavis.server.errors import Refusal
from visavis.server.fanout import Outbox
from visavis.server.hosted_match import HostedMatch
from visavis.server.messages import BotMatch, BotToken, MatchInfo
from visavis.server.secrets import digest, new_secret
from visavis.server.store import Store, Unavailable
from visavis.server.updates import encode

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 30.0
"""How often all matches of a bot are looked through, even if nothing was heard of any."""
RETRY_SECONDS: Final = 2.0
"""When a look that failed is tried again."""
PAUSE_SECONDS: Final = 0.2
"""A stream does not look more often than this, however much begins."""
BATCH: Final = 50
PAGE: Final = 500
"""How many ids are asked for at a time."""


class _Stream:
    """What one stream of a bot has to be told."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.fresh: set[str] = set()
        """Matches that it was heard of."""
        self.told: set[str] = set()
        self.looks = True
        """Whether there may be others."""


class Bots:
    """The bots that are connected here."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._streams: dict[str, set[_Stream]] = {}
        """By a bot's name."""

    async def register(self, name: str) -> BotToken:
        """Give a bot its token; the name is its own from then on."""
        token = new_secret()
        created = time.time_ns() // 1_000_000
        if not await self._store.add_bot(name, digest(token), created):
            raise Refusal("name_taken", "a bot of that name is registered")
        return BotToken(name=name, token=token)

    async def identify(self, token: str | None) -> str:
        """Return the bot's name, or refuse."""
        name = await self._store.bot_of(digest(token)) if token else None
        if name is None:
            raise Refusal("wrong_secret", "this is not a bot's token")
        return name

    def changed(self, hosted: HostedMatch) -> None:
        """Note a match that has begun."""
        for player in hosted.players if hosted.status == "running" else ():
            if player is not None and player.kind == "bot":
                self.begun(player.player, hosted.id)

    def begun(self, name: str, match: str) -> None:
        """Wake the streams of a bot for a match that has begun."""
        for stream in self._streams.get(name, ()):
            stream.fresh.add(match)
            stream.news.set()

    def look(self) -> None:
        """Have all look for themselves: something may have gone unheard."""
        for streams in self._streams.values():
            for stream in streams:
                stream.looks = True
                stream.news.set()

    async def follow(self, outbox: Outbox, name: str) -> None:
        """Tell a bot of its matches, those that run and those that will, for ever.

        The database is the queue: however many there are, each is fetched when there is room.
        """
        stream = _Stream()
        streams = self._streams.setdefault(name, set())
        streams.add(stream)
        try:
            while True:
                stream.news.clear()
                try:
                    await self._tell_news(outbox, name, stream)
                except Unavailable:  # it comes back; the heartbeat logs that it is away, once
                    stream.looks = True
                except Exception:  # one look may fail, not the stream
                    logger.exception("no look for a bot's matches")
                    stream.looks = True
                await asyncio.sleep(PAUSE_SECONDS)
                try:
                    async with asyncio.timeout(RETRY_SECONDS if stream.looks else LOOK_SECONDS):
                        await stream.news.wait()
                except TimeoutError:
                    stream.looks = True
        finally:
            streams.discard(stream)
            if not streams and self._streams.get(name) is streams:
                del self._streams[name]

    async def _tell_news(self, outbox: Outbox, name: str, stream: _Stream) -> None:
        """Tell of what was heard; or look for all, and forget those that are over."""
        fresh, stream.fresh = stream.fresh, set()
        if not stream.looks:
            await self._tell(outbox, name, stream, sorted(fresh))
            return
        stream.looks, running, last = False, fresh, ""
        while page := await self._store.of_bot(name, last, PAGE):
            await self._tell(outbox, name, stream, page)
            running.update(page)
            last = page[-1]
        stream.told &= running

    async def _tell(self, outbox: Outbox, name: str, stream: _Stream, ids: list[str]) -> None:
        """Tell of matches that were not told of."""
        fresh = [id for id in ids if id not in stream.told]
        for start in range(0, len(fresh), BATCH):
            for body in await self._store.infos(fresh[start : start + BATCH]):
                await outbox.room()
                info = msgspec.json.decode(body, type=MatchInfo)
                outbox.push(encode(_news_of(info, name)))
                stream.told.add(info.match)


def _news_of(info: MatchInfo, name: str) -> BotMatch:
    is_bot = [p is not None and (p.kind, p.player) == ("bot", name) for p in info.players]
    seat = Seat(is_bot.index(True))
    return BotMatch(match=info.match, seat=seat_name(seat), game=info.game, options=info.options)

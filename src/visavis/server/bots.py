"""Outside bots: registered names with tokens, and a stream that tells of their matches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Final

import msgspec

from visavis.rules.protocol import Seat
from visavis.server.errors import Refusal
from visavis.server.fanout import Outbox
from visavis.server.hosted_match import HostedMatch
from visavis.server.matches import Matches
from visavis.server.messages import BotMatch, BotToken, MatchInfo
from visavis.server.secrets import digest, new_secret
from visavis.server.store import Unavailable
from visavis.server.updates import encode, seat_name

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 2.0
"""How often matches are looked for, even if nothing was heard of any."""
PAUSE_SECONDS: Final = 0.2
"""A stream does not look more often than this, however much begins."""
BATCH: Final = 50


class Bots:
    """The bots that are connected here."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._news: dict[str, set[asyncio.Event]] = {}
        """By a bot's name, what wakes each of its streams."""

    async def register(self, name: str) -> BotToken:
        """Give a bot its token; the name is its own from then on."""
        token = new_secret()
        created = time.time_ns() // 1_000_000
        if not await self._matches.store.add_bot(name, digest(token), created):
            raise Refusal("name_taken", "a bot of that name is registered")
        return BotToken(name=name, token=token)

    async def identify(self, token: str | None) -> str:
        """Return the bot's name, or refuse."""
        name = await self._matches.store.bot_of(digest(token)) if token else None
        if name is None:
            raise Refusal("wrong_secret", "this is not a bot's token")
        return name

    def changed(self, hosted: HostedMatch) -> None:
        """Wake the streams of the bots at a table that has begun."""
        for player in hosted.players if hosted.status == "running" else ():
            if player is not None and player.kind == "bot":
                for news in self._news.get(player.player, ()):
                    news.set()

    def wake(self) -> None:
        """Have all look: something has begun in another process."""
        for streams in self._news.values():
            for news in streams:
                news.set()

    async def follow(self, outbox: Outbox, name: str) -> None:
        """Tell a bot of its matches, those that run and those that will, for ever.

        The database is the queue: however many there are, each is fetched when there is room.
        """
        news, told = asyncio.Event(), set[str]()
        streams = self._news.setdefault(name, set())
        streams.add(news)
        try:
            while True:
                news.clear()
                try:
                    await self._tell(outbox, name, told)
                except Unavailable:  # it comes back; the heartbeat logs that it is away, once
                    pass
                except Exception:  # one look may fail, not the stream
                    logger.exception("no look for a bot's matches")
                await asyncio.sleep(PAUSE_SECONDS)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await news.wait()
        finally:
            streams.discard(news)
            if not streams and self._news.get(name) is streams:
                del self._news[name]

    async def _tell(self, outbox: Outbox, name: str, told: set[str]) -> None:
        """Tell of matches that were not told of; those that are over are forgotten."""
        running = await self._matches.store.of_bot(name)
        told.intersection_update(running)
        fresh = [id for id in running if id not in told]
        for start in range(0, len(fresh), BATCH):
            for body in await self._matches.store.infos(fresh[start : start + BATCH]):
                await outbox.room()
                info = msgspec.json.decode(body, type=MatchInfo)
                outbox.push(encode(_news_of(info, name)))
                told.add(info.match)


def _news_of(info: MatchInfo, name: str) -> BotMatch:
    is_bot = [p is not None and (p.kind, p.player) == ("bot", name) for p in info.players]
    seat = Seat(is_bot.index(True))
    return BotMatch(match=info.match, seat=seat_name(seat), game=info.game, options=info.options)

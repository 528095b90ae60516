"""What everybody may read of matches: what they are, their records and their replays."""

from __future__ import annotations

import msgspec

from visavis.rules.protocol import Viewer
from visavis.server import messages
from visavis.server.errors import Refusal, refusal
from visavis.server.longwork import LongWork
from visavis.server.matches import Matches
from visavis.server.messages import MatchInfo
from visavis.server.replays import Replays
from visavis.server.store import Store
from visavis.session import Match
from visavis.session.errors import SessionError


class Archive:
    """Reads matches, those in memory and those of which only the record is kept."""

    def __init__(self, matches: Matches, store: Store, work: LongWork, replays: Replays) -> None:
        self._matches = matches
        self._store = store
        self._work = work
        self._replays = replays

    async def info(self, id: str, client: str) -> MatchInfo:
        """Return what everybody may know of a match, also of one that was imported."""
        try:
            return (await self._matches.get(id, client)).hosted.info()
        except Refusal:
            kept = await self._store.record(id)
            if kept is None:
                raise
            return msgspec.json.decode(kept.info, type=MatchInfo)

    async def record(self, id: str, secret: str | None, client: str) -> str:
        """Return the record of a match: open once it is over, else as the viewer may see it."""
        kept = await self._store.record(id)
        if kept is not None:
            return kept.text
        cached = await self._matches.get(id, client)
        viewer = cached.hosted.seat_of(secret) if secret else None
        if secret and viewer is None:
            raise Refusal("wrong_secret", "the secret opens no seat of this match")
        if cached.hosted.match is None:
            raise Refusal("not_begun", "a seat is still free")
        is_over = cached.hosted.match.is_over
        if cached.hosted.opened.private and viewer is None and not is_over:
            raise Refusal("private", "the match is private until it is over")
        return await self._written(cached.hosted.match, viewer, client)

    async def _written(self, match: Match, viewer: Viewer, client: str) -> str:
        write = self._work.aside
        return await write(len(match.entries), client, lambda: match.record(viewer).text)

    async def replay(self, id: str, viewer: messages.ReplayViewer, client: str) -> bytes:
        """Return a finished match as somebody knew it, encoded; refused until it is over."""
        kept = await self._store.record(id)
        if kept is not None:
            info = msgspec.json.decode(kept.info, type=MatchInfo)
            return await self._replay(info, kept.text, viewer, client)
        hosted = (await self._matches.get(id, client)).hosted
        if hosted.status != "over":
            raise Refusal("not_over", "a match is replayed when it is over")
        if hosted.match is None:
            raise Refusal("not_begun", "nobody has played here")
        text = await self._written(hosted.match, None, client)
        return await self._replay(hosted.info(), text, viewer, client)

    async def _replay(
        self, info: MatchInfo, text: str, viewer: messages.ReplayViewer, client: str
    ) -> bytes:
        try:
            return await self._replays.replay(info, text, viewer, client)
        except SessionError as error:  # a record of other rules
            raise refusal(error) from None

"""Past updates of matches, rebuilt from their logs: in chunks, long ones off the event loop."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from typing import Final

from visavis.rules.protocol import Viewer
from visavis.server.cache import Cache
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch
from visavis.server.hosted_match import HostedMatch
from visavis.server.longwork import LongWork
from visavis.server.store import Row, Store
from visavis.server.timeline import CHUNK, Timeline, fold
from visavis.server.updates import Change

FEW: Final = 8
"""Up to this many entries are folded on the event loop itself."""
SLICE: Final = 16
"""How many entries are folded at a time in the worker thread."""

Key = tuple[str, Viewer, bool, int]
"""A match, a viewer, whether legal moves go along, and the number of a chunk."""
Texts = tuple[str, ...]


class History:
    """Reads logs. A chunk that is asked for again comes from a cache."""

    def __init__(self, store: Store, work: LongWork, cache_bytes: int) -> None:
        self._store = store
        self._work = work
        self._texts: Cache[Key, Texts] = Cache(cache_bytes)

    async def load(self, id: str, client: str) -> Timeline:
        """Return the timeline of a match, or refuse with ``unknown_match``."""
        timeline, count = Timeline(), CHUNK
        while count == CHUNK:
            seen = timeline.hosted.seq if timeline.hosted else 0
            rows = await self._store.rows(id, after=seen, limit=CHUNK)
            for change in await self.fold(id, timeline.hosted, rows, client):
                timeline.note(change)
            count = len(rows)
        if timeline.hosted is None:
            raise Refusal("unknown_match", "there is no such match")
        return timeline

    async def fold(
        self, id: str, hosted: HostedMatch | None, rows: list[Row], client: str
    ) -> list[Change]:
        """Return what each row of a log brought about; without a match they are the first ones."""
        if len(rows) <= FEW:
            return fold(id, hosted, rows)
        folded: list[Change] = []
        for at in range(0, len(rows), SLICE):
            some = partial(fold, id, hosted, rows[at : at + SLICE])
            folded += await self._work.run(client, some)
            hosted = folded[-1].hosted
        return folded

    async def updates(
        self, cached: CachedMatch, viewer: Viewer, seen: int, *, legal: bool, client: str
    ) -> Texts:
        """Return the next updates behind a number, as many as one chunk has; none if it is last."""
        change = cached.timeline.since(seen)
        if change is not None:
            return _texts(change, viewer, legal=legal)
        number = seen // CHUNK
        key = (cached.id, viewer, legal and viewer is not None, number)
        first, last = number * CHUNK, min((number + 1) * CHUNK, cached.hosted.seq)
        texts = self._texts.get(key)
        if texts is None or len(texts) < last - first:
            work = partial(self._tell, key, cached.timeline.mark(first), last, client)
            texts = await self._texts.once((key, last, client), work)
            self._texts.put(key, texts, sum(map(sys.getsizeof, texts)))
        return texts[seen - first :]

    async def _tell(self, key: Key, mark: HostedMatch | None, last: int, client: str) -> Texts:
        """Fold a log from a state that is kept to the end of a chunk, and encode the chunk."""
        id, viewer, legal, number = key
        before = mark.seq if mark else 0
        rows = await self._store.rows(id, after=before, limit=last - before)
        change = (await self.fold(id, mark, rows, client))[number * CHUNK - before :]
        return await self._work.run(client, partial(_texts, change, viewer, legal=legal))


def _texts(change: Iterable[Change], viewer: Viewer, *, legal: bool) -> Texts:
    return tuple(each.text(viewer, legal=legal) for each in change)

"""Following a match: what a reader has missed is sent first, then everything as it happens."""

from __future__ import annotations

import asyncio
from typing import Final

from visavis.rules.protocol import Viewer
from visavis.server.fanout import CachedMatch, Outbox
from visavis.server.history import Texts
from visavis.server.process import Process

AT_ONCE: Final = 16
"""How many updates a client that catches up is sent before others have a turn."""


async def follow(
    process: Process,
    outbox: Outbox,
    match: str,
    viewer: Viewer,
    seen: int,
    *,
    legal: bool,
    client: str,
) -> CachedMatch:
    """Send a reader every update behind a number, in order, and let it follow the match from there.

    Nothing is held for a reader that does not read but its queue; what comes next is read from the
    log again, or from the cache, when there is room.
    """
    cached = await process.matches.get(match, client)
    if seen > cached.hosted.seq:  # another process told the client more than this one has heard
        await process.matches.refresh(cached)
    # Reading the log takes a while; go on until nothing has come in between.
    while seen < cached.hosted.seq and not outbox.is_dropped:
        await outbox.room()
        texts = await process.history.updates(cached, viewer, seen, legal=legal, client=client)
        seen += await _send(process, outbox, texts, client)
        del texts
        cached = await process.matches.get(match, client)  # it may have been let go of meanwhile
    cached.watch(outbox, viewer, legal=legal)
    return cached


async def _send(process: Process, outbox: Outbox, texts: Texts, client: str) -> int:
    """Send updates while there is room, a few at a time; return how many were sent."""
    sent = 0
    while sent < len(texts) and outbox.has_room:
        await process.sending.take(client)
        try:
            for text in texts[sent : sent + AT_ONCE]:
                if outbox.has_room:
                    outbox.push(text)
                    sent += 1
            await asyncio.sleep(0)  # let other tasks run
        finally:
            process.sending.give_back()
    return sent

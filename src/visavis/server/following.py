"""Following a match: what a reader has missed is sent first, then everything as it happens."""

from __future__ import annotations

import asyncio
from typing import Final

from visavis.rules.protocol import Viewer
from visavis.server.history import Texts
from visavis.server.house import House
from visavis.server.hub import Live, Outbox

AT_ONCE: Final = 16
"""So many updates are sent to one who catches up before others have their turn."""


async def follow(
    house: House, outbox: Outbox, match: str, viewer: Viewer, seen: int, *, legal: bool, client: str
) -> Live:
    """Send a reader every update behind a number, in order, and let it follow the match from there.

    Nothing is held for a reader that does not read but its queue; what comes next is read from the
    log again, or from the cache, when there is room.
    """
    live = await house.live(match, client)
    if seen > live.table.seq:  # another process told the client more than this one has heard
        await house.refresh(live)
    # Reading the log takes a while; go on until nothing has come in between.
    while seen < live.table.seq and not outbox.is_dropped:
        await outbox.room()
        texts = await house.history.updates(live, viewer, seen, legal=legal, client=client)
        seen += await _send(house, outbox, texts, client)
        del texts
        live = await house.live(match, client)  # it may have been let go of meanwhile
    live.watch(outbox, viewer, legal=legal)
    return live


async def _send(house: House, outbox: Outbox, texts: Texts, client: str) -> int:
    """Send updates while there is room, a few at a time; return how many were sent."""
    sent = 0
    while sent < len(texts) and outbox.has_room:
        await house.sending.take(client)
        try:
            for text in texts[sent : sent + AT_ONCE]:
                if outbox.has_room:
                    outbox.push(text)
                    sent += 1
            await asyncio.sleep(0)  # whoever else has something to do, does it now
        finally:
            house.sending.give_back()
    return sent

"""Answers that never end: a JSON object a line, and empty lines as signs of life."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Final

from fastapi.responses import StreamingResponse

from visavis.server.hub import Outbox

NDJSON: Final = "application/x-ndjson"
ALIVE_SECONDS: Final = 10.0
"""How often an empty line tells a stream's reader that the line is alive."""


def stream_of(outbox: Outbox, on_close: Callable[[], None]) -> StreamingResponse:
    """Return an answer that is all that goes to an outbox; ``on_close`` is called at its end."""

    async def lines() -> AsyncIterator[str]:
        try:
            async for text in _with_signs_of_life(outbox):
                yield text + "\n"
        finally:
            on_close()

    return StreamingResponse(lines(), media_type=NDJSON)


async def _with_signs_of_life(outbox: Outbox) -> AsyncIterator[str]:
    """Return what goes to a stream, and empty texts when nothing happens."""
    texts = outbox.texts()
    following = asyncio.ensure_future(anext(texts))
    try:
        while True:
            done, _ = await asyncio.wait([following], timeout=ALIVE_SECONDS)
            if not done:
                yield ""
                continue
            try:
                yield following.result()
            except StopAsyncIteration:
                return
            following = asyncio.ensure_future(anext(texts))
    finally:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError, StopAsyncIteration):
            await following

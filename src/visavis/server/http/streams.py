"""Answers that never end: a JSON object a line, and empty lines as signs of life."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Final

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from visavis.server.fanout import Outbox

NDJSON: Final = "application/x-ndjson"
ALIVE_SECONDS: Final = 10.0
"""How often an empty line tells a stream's reader that the line is alive."""


class Stream(StreamingResponse):
    """All that goes to an outbox; ``on_close`` is called at its end, or if it never begins.

    ``feed`` is run meanwhile, to fill the outbox.
    """

    def __init__(
        self,
        outbox: Outbox,
        on_close: Callable[[], None],
        feed: Callable[[], Coroutine[object, object, None]] | None = None,
    ) -> None:
        super().__init__(_lines(outbox), media_type=NDJSON)
        self._on_close = on_close
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer until the reader has gone, or is given up."""
        feeding = asyncio.create_task(self._feed()) if self._feed else None
        try:
            await super().__call__(scope, receive, send)
        finally:
            if feeding is not None:
                feeding.cancel()
            self._on_close()


async def _lines(outbox: Outbox) -> AsyncIterator[str]:
    async for text in _with_signs_of_life(outbox):
        yield text + "\n"
        yield ""  # is sent when the reader has taken the line: the next one waits in the queue


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

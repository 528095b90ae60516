"""HTTP with bounds that uvicorn does not set: on the time and the size of the head of a request."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS: Final = 10.0
"""A connection over which no whole head of a request comes for so long is closed."""
HEAD_BYTES: Final = 65_536
"""The head of a request that comes in pieces is not longer than this."""


class BoundedHttp(HttpToolsProtocol):
    """Uvicorn's protocol, for clients that send slowly, endlessly or nothing at all."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patience: asyncio.TimerHandle | None = None
        """Runs while a head is awaited."""
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._be_content()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent, unless there is no end to it."""
        super().data_received(data)
        if self._patience is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        """Wait for the head of the first request, or of the next."""
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        """Wait no longer."""
        self._be_content()
        super().on_headers_complete()

    def _await_head(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(HEAD_SECONDS, self.transport.close)
            self._head_bytes = 0

    def _be_content(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

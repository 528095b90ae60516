"""Running the application: uvicorn with uvloop and its sans-I/O WebSockets."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
import webbrowser

import uvicorn
from fastapi import FastAPI

from visavis.server import logs
from visavis.server.app import create_app
from visavis.server.settings import Settings
from visavis.server.wire import BoundedHttp

COLLECT_AFTER = 50_000
SETTLE_SECONDS = 1.0
COLLECT_SECONDS = 3_600.0
GRACE_SECONDS = 10
PING_SECONDS = 20.0


def configure(app: FastAPI, settings: Settings, host: str, port: int) -> uvicorn.Config:
    """Return how uvicorn runs the application."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",
        http=BoundedHttp,
        ws="websockets-sansio",
        ws_max_size=settings.message_bytes,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def run(
    settings: Settings, *, host: str, port: int, log_level: str = "info", opens: bool = False
) -> None:
    """Serve until told to stop. Port 0 takes a free one; the log says which."""
    logs.set_up(log_level)
    Server(configure(create_app(settings), settings, host, port), opens=opens).run()


def has_screen() -> bool:
    """Whether a browser that is opened here could be seen."""
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


class Server(uvicorn.Server):
    """Uvicorn, which first lets go of streams that would never end by themselves.

    With ``opens`` it says where the page is as soon as it is there, and shows it in a browser.
    """

    def __init__(self, config: uvicorn.Config, *, opens: bool = False) -> None:
        super().__init__(config)
        self._opens = opens
        self._tidying: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        gc.set_threshold(COLLECT_AFTER)
        self._tidying = asyncio.create_task(_tidy())
        if self._opens and self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            address = f"http://{self.config.host}:{port}/"
            print(f"Visavis is at {address} (Ctrl-C stops it)", flush=True)
            if has_screen():
                webbrowser.open(address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop gracefully."""
        if self._tidying is not None:
            self._tidying.cancel()
        app = self.config.app
        if isinstance(app, FastAPI):
            app.state.office.dismiss_all()
        await super().shutdown(sockets)


async def _tidy() -> None:
    """Keep the search for cycles away from play.

    Matches are values without cycles, and many: to look through them stops everything for tens of
    milliseconds and finds nothing. Now and then a closed connection leaves a cycle behind. So what
    there is counts as settled after a second, which costs nothing, and is looked through once an
    hour.
    """
    while True:
        gc.unfreeze()
        gc.collect()
        for _ in range(int(COLLECT_SECONDS / SETTLE_SECONDS)):
            gc.freeze()
            await asyncio.sleep(SETTLE_SECONDS)

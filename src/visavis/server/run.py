"""Running the application: uvicorn with uvloop and its sans-I/O WebSockets."""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

from visavis.server import logs
from visavis.server.app import create_app
from visavis.server.settings import Settings

GRACE_SECONDS = 10
PING_SECONDS = 20.0


def configure(app: FastAPI, settings: Settings, host: str, port: int) -> uvicorn.Config:
    """Return how uvicorn runs the application."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",
        http="httptools",
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


def run(settings: Settings, *, host: str, port: int, log_level: str = "info") -> None:
    """Serve until told to stop. Port 0 takes a free one; the log says which."""
    logs.set_up(log_level)
    Server(configure(create_app(settings), settings, host, port)).run()


class Server(uvicorn.Server):
    """Uvicorn, which first lets go of streams that would never end by themselves."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop gracefully."""
        app = self.config.app
        if isinstance(app, FastAPI):
            app.state.office.dismiss_all()
        await super().shutdown(sockets)

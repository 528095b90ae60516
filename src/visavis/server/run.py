"""Running the application: uvicorn with uvloop and its sans-I/O WebSockets."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import socket
import sys
import webbrowser

import uvicorn
from fastapi import FastAPI

from visavis.rules.errors import VisavisError
from visavis.server import logs
from visavis.server.addresses import here, in_network, url
from visavis.server.app import create_app
from visavis.server.connections import raise_descriptor_limit
from visavis.server.http_limits import BoundedHttp, BoundedWebSocket
from visavis.server.settings import Settings

COLLECT_AFTER = 50_000
SWITCH_SECONDS = 0.0002
"""The switch interval: how long the event loop waits for a thread that computes."""
SETTLE_SECONDS = 1.0
COLLECT_SECONDS = 3_600.0
GRACE_SECONDS = 10
PING_SECONDS = 20.0


class CannotServe(VisavisError):
    """The server can't start, and why."""


def configure(app: FastAPI, settings: Settings, host: str, port: int) -> uvicorn.Config:
    """Return how uvicorn runs the application."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",
        http=BoundedHttp,
        ws=BoundedWebSocket,
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
    """Serve until told to stop. Port 0 takes a free one; the log says which.

    Raises `CannotServe` if the port is taken or the database can't be used.
    """
    logs.set_up(log_level)
    raise_descriptor_limit()
    sockets = listen(host, port)
    Server(configure(create_app(settings), settings, host, port), opens=opens).run(sockets)


def listen(host: str, port: int) -> list[socket.socket]:
    """Return a socket for each address of the host, all on one port; or raise `CannotServe`."""
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in dict.fromkeys(found):
            where = (str(address[0]), port or (sockets[0].getsockname()[1] if sockets else 0))
            sockets.append(socket.create_server(where, family=family))
    except OSError as error:
        for opened in sockets:
            opened.close()
        if error.errno == errno.EADDRINUSE:
            taken = f"port {port} of {host} is in use by another process"
            raise CannotServe(f"{taken}; name another (--port, make play PORT=)") from None
        why = error.strerror or str(error)
        raise CannotServe(f"can't listen on {host}, port {port}: {why}") from None
    return sockets


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
        """Start to listen, or raise `CannotServe`."""
        logger = logging.getLogger("uvicorn.error")
        held = _Held()
        logger.addFilter(held)
        try:
            await super().startup(sockets)
        except SystemExit:
            failure = getattr(getattr(self.config.app, "state", None), "failure", None)
            if failure is not None:
                raise CannotServe(failure) from None
            logger.removeFilter(held)
            for record in held.records:
                logger.handle(record)
            raise
        finally:
            logger.removeFilter(held)
        gc.set_threshold(COLLECT_AFTER)
        sys.setswitchinterval(SWITCH_SECONDS)
        self._tidying = asyncio.create_task(_tidy())
        if not self.started:
            return
        names = [bound.getsockname() for server in self.servers for bound in server.sockets]
        bound = tuple((str(name[0]), int(name[1])) for name in names)
        if isinstance(self.config.app, FastAPI):
            self.config.app.state.bound = bound
        _, port = bound[0]
        logger.info("listening", extra={"address": f"{url(self.config.host, port)}/"})
        if self._opens:
            address = f"{here(self.config.host, port)}/"
            print(f"Visavis is at {address} (Ctrl-C stops it)", flush=True)
            for other in in_network(bound):
                print(f"In the local network it is at {other}/", flush=True)
            if has_screen():
                webbrowser.open(address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop gracefully."""
        if self._tidying is not None:
            self._tidying.cancel()
        app = self.config.app
        if isinstance(app, FastAPI):
            app.state.process.dismiss_all()
        await super().shutdown(sockets)


class _Held(logging.Filter):
    """Holds back what uvicorn says of a failed start, which is told in one line elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything through but errors."""
        if record.levelno < logging.ERROR:
            return True
        self.records.append(record)
        return False


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

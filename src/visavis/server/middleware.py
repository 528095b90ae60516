"""What every request goes through: who may ask, how often, and what is said when it fails."""

from __future__ import annotations

import logging
import sys
import time
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from visavis.rules.errors import VisavisError
from visavis.server import messages
from visavis.server.errors import Refusal
from visavis.server.http.requests import respond
from visavis.server.process import Process
from visavis.server.safety import HEADERS, client_of
from visavis.server.settings import Settings
from visavis.server.sites import check_host, check_site

logger = logging.getLogger("visavis.access")
refusals = logging.getLogger("visavis.refusals")

API: Final = "/api/"
LIVE: Final = "/api/live"
"""Where WebSockets are."""
CHEAP: Final = ("/healthz", "/readyz")
"""What is told of the server as it is known, for next to nothing: also who has asked for too much
may know it."""
PROBED: Final = (*CHEAP, "/metrics")
"""What machines ask for again and again; it is not logged."""


def refused(error: Refusal) -> Response:
    """Return the answer that says why something was refused."""
    response = respond(messages.Problem(code=error.code, message=str(error)), error.status)
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


async def deny(error: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request, or the opening of a WebSocket, with a refusal."""
    process: Process = scope["app"].state.process
    process.metrics.refused.labels(error.code).inc()
    await refused(error)(scope, receive, send)


class Guard:
    """Lets in who may ask, at a limited rate, and logs each request without anything secret."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except Refusal as error:
            client = client_of(scope, self._settings.proxies)
            refusals.warning("refused", extra={"code": error.code, "client": client})
            await deny(error, scope, receive, send)
            return
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        check_host(scope, self._settings.hosts)
        process: Process = scope["app"].state.process
        client = client_of(scope, self._settings.proxies)
        rates = process.files
        if scope["path"].startswith(API):
            check_site(scope, self._settings.origins)
            rates = process.requests
        if scope["path"] not in CHEAP:
            process.budget.check(client)
        if scope["type"] == "websocket" and scope["path"] != LIVE:
            raise Refusal("not_found", f"the only WebSocket is {LIVE}")
        if wait := rates.check(client):
            raise Refusal("too_many", "too many requests; slow down", wait=wait)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        request = {"method": scope["method"], "path": scope["path"]}
        process: Process = scope["app"].state.process
        client = client_of(scope, self._settings.proxies)
        try:
            work = self._app(scope, receive, send_and_note)
            await process.budget.metered(client, work)
        except ClientDisconnect:  # nobody is there to be answered
            pass
        except Exception:
            logger.exception("a request failed", extra=request)
            if status:  # it can only be broken off
                raise
            await deny(Refusal("failed", "this did not work"), scope, receive, send_and_note)
        if scope["path"] in PROBED:
            return
        ms = round((time.perf_counter() - began) * 1_000, 1)
        logger.info("request", extra={**request, "status": status, "ms": ms})


class SafeHeaders:
    """Sends the usual headers with every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        starts = ("http.response.start", "websocket.http.response.start")

        async def send_safely(message: Message) -> None:
            if message["type"] in starts:
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(API):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_safely)


class PlainFailure:
    """Says in a line why the application can't start; Starlette would send a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let everything through but the reason of a failure that is the settings' fault."""

        async def send_plainly(message: Message) -> None:
            error = sys.exception() if message["type"] == "lifespan.startup.failed" else None
            if isinstance(error, VisavisError):
                scope["app"].state.failure = str(error)
                message = {**message, "message": str(error)}
            await send(message)

        await self._app(scope, receive, send_plainly if scope["type"] == "lifespan" else send)

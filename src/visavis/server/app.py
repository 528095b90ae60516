"""The application: routes, middleware, and the process behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount, WebSocketRoute
from starlette.types import Receive, Scope, Send

from visavis.server import http, messages, openapi, websocket
from visavis.server.errors import Refusal
from visavis.server.http.requests import process_of, respond
from visavis.server.middleware import API, LIVE, Guard, PlainFailure, SafeHeaders, refused
from visavis.server.page import page_app
from visavis.server.process import Process
from visavis.server.settings import Settings
from visavis.server.store import Clock

LOOKED_AT: Final = ["GET", "HEAD"]
PAGE: Final = Path(str(resources.files("visavis"))) / "page"
"""Where the page is, if it is packaged."""
_DOCUMENTED: Final[dict[int, messages.Code]] = {404: "not_found", 405: "not_allowed"}


def create_app(settings: Settings, clock: Clock | None = None) -> FastAPI:
    """Return the application with these settings."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        process = Process(settings, clock)
        app.state.process = process
        await process.open()
        try:
            yield
        finally:
            await process.close()

    app = FastAPI(
        title="Visavis",
        summary="Two players, one board.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(http.router)
    app.router.routes.append(WebSocketRoute(LIVE, LivePlay()))
    _add_operations(app)
    _add_page(app)
    app.add_exception_handler(Refusal, _refuse)
    app.add_exception_handler(HTTPException, _refuse_plainly)
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(SafeHeaders)
    app.add_middleware(PlainFailure)
    app.openapi = lambda: _describe(app)  # type: ignore[method-assign]
    return app


class LivePlay:
    """Live play, without what routes wrap around every message of a socket."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket."""
        await websocket.serve(scope, receive, send)


class BesideApi(Mount):
    """The page, at every address but the API's: what is wrong there is for the API to say."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Say whether an address is the page's."""
        return (Match.NONE, {}) if scope["path"].startswith(API) else super().matches(scope)


def _add_operations(app: FastAPI) -> None:
    @app.api_route("/healthz", methods=LOOKED_AT, include_in_schema=False)
    async def healthz(request: Request) -> Response:
        """Whether the process is alive."""
        return respond(messages.Health(status=process_of(request).status))

    @app.api_route("/readyz", methods=LOOKED_AT, include_in_schema=False)
    async def readyz(request: Request) -> Response:
        """Whether the process can serve: it hears of everything, and what it writes is kept."""
        process = process_of(request)
        if process.is_ready:
            return respond(messages.Health(status="ok"))
        status = process.status if process.status != "ok" else "no_database"
        return respond(messages.Health(status=status), 503)

    @app.api_route("/metrics", methods=LOOKED_AT, include_in_schema=False)
    async def metrics(request: Request) -> Response:
        """Metrics for Prometheus."""
        return Response(process_of(request).measure(), media_type=CONTENT_TYPE_LATEST)


def _add_page(app: FastAPI) -> None:
    """Serve the page if it is packaged, else say where to look."""
    if (PAGE / "index.html").is_file():
        app.router.routes.append(BesideApi("/", page_app(PAGE)))
        return

    @app.api_route("/", methods=LOOKED_AT, include_in_schema=False)
    async def root() -> Response:
        """Say what this is."""
        return PlainTextResponse(
            "Visavis is up, without its page. The API: /api/openapi.json, WebSocket: /api/live\n"
        )


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    process_of(request).metrics.refused.labels(error.code).inc()
    return refused(error)


async def _refuse_plainly(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _DOCUMENTED.get(error.status_code, "bad_message")
    problem = messages.Problem(code=code, message=str(error.detail))
    response = respond(problem, error.status_code)
    response.headers.update(error.headers or {})
    return response


def _describe(app: FastAPI) -> dict[str, object]:
    if not app.openapi_schema:
        described = get_openapi(
            title=app.title, version="1", summary=app.summary, routes=app.routes
        )
        described["components"] = {
            "schemas": openapi.components(),
            "securitySchemes": {"secret": {"type": "http", "scheme": "bearer"}},
        }
        app.openapi_schema = described
    return app.openapi_schema

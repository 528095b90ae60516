"""Reading requests and writing answers.

Bodies are the structs of `visavis.server.messages`. A seat's secret or a bot's token goes in the
header ``Authorization: Bearer …``, never in an address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Final, TypeVar

import msgspec
from fastapi import Request, Response
from starlette.requests import ClientDisconnect

from visavis.server.errors import Refusal
from visavis.server.messages import MatchId
from visavis.server.process import Process
from visavis.server.safety import client_of

T = TypeVar("T")

JSON: Final = "application/json"
BODY_SECONDS: Final = 10.0
"""The whole body of a request must arrive within this."""


def process_of(request: Request) -> Process:
    """Return what the process holds."""
    process = request.app.state.process
    assert isinstance(process, Process)
    return process


def respond(body: msgspec.Struct, status: int = 200) -> Response:
    """Return a body as JSON."""
    return Response(msgspec.json.encode(body), status, media_type=JSON)


async def read(request: Request, kind: type[T]) -> T:
    """Return the body of a request, or refuse.

    A page of another site may send forms and plain text without asking, but no JSON.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Refusal("bad_content_type", f"a body is JSON, with Content-Type: {JSON}")
    limit, body = process_of(request).settings.message_bytes, b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise Refusal("too_big", f"a body has at most {limit} bytes")
    except TimeoutError:
        raise Refusal("bad_message", "the body did not come in time") from None
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise Refusal("bad_message", str(error)[:200]) from None


def asked(request: Request, kind: type[T]) -> T:
    """Return what the query of a request asks for, or refuse."""
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except msgspec.MsgspecError as error:
        raise Refusal("bad_message", str(error)[:200]) from None


def client(request: Request) -> str:
    """Return who asks, as limits tell clients apart."""
    return client_of(request.scope, process_of(request).settings.proxies)


async def unless_hung_up(request: Request, work: Coroutine[object, object, T]) -> T:
    """Return what some work comes to; if the client hangs up before that, the work is cancelled."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_hung_up(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        working.cancel()
        leaving.cancel()


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def match_of(request: Request) -> str:
    """Return the id of the match that a request is about; refuse what can be none."""
    try:
        return msgspec.convert(request.path_params["match"], MatchId)
    except msgspec.MsgspecError:
        raise Refusal("bad_message", "an id has 1 to 40 characters, no control ones") from None


def bearer(request: Request) -> str | None:
    """Return the secret that goes along with a request."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip()[:100] if kind.lower() == "bearer" and secret.strip() else None

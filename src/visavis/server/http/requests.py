"""Reading requests and writing answers.

Bodies are the structs of `visavis.server.messages`. A seat's secret or a bot's token goes in the
header ``Authorization: Bearer …``, never in an address.
"""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

import msgspec
from fastapi import Request, Response

from visavis.server.errors import Refusal
from visavis.server.office import Office

T = TypeVar("T")

BODY_SECONDS: Final = 10.0
"""In so long the whole body of a request must have come."""


def office_of(request: Request) -> Office:
    """Return what the process holds."""
    office = request.app.state.office
    assert isinstance(office, Office)
    return office


def respond(body: msgspec.Struct, status: int = 200) -> Response:
    """Return a body as JSON."""
    return Response(msgspec.json.encode(body), status, media_type="application/json")


async def read(request: Request, kind: type[T]) -> T:
    """Return the body of a request, or refuse."""
    limit, body = office_of(request).settings.message_bytes, b""
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


def bearer(request: Request) -> str | None:
    """Return the secret that goes along with a request."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip()[:100] if kind.lower() == "bearer" and secret.strip() else None

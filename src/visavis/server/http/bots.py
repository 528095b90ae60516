"""Outside bots: their names, and the matches that wait for them."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from visavis.server import messages
from visavis.server.errors import Refusal
from visavis.server.http.requests import bearer, client, process_of, read, respond
from visavis.server.http.streams import NDJSON, Stream
from visavis.server.openapi import operation

router = APIRouter()


@router.post(
    "/bots",
    summary="Register a bot; its token is shown once",
    status_code=201,
    response_class=Response,
    openapi_extra=operation(body=messages.NewBot, answer=(messages.BotToken,), status=201),
)
async def register(request: Request) -> Response:
    """Register a bot."""
    process = process_of(request)
    body = await read(request, messages.NewBot)
    if wait := process.creations.check(client(request)):
        raise Refusal("too_many", "too many at once; wait a little", wait=wait)
    return respond(await process.bots.register(body.name), 201)


@router.get(
    "/bot/events",
    summary="The bot's matches as they begin, one JSON object a line",
    response_class=StreamingResponse,
    openapi_extra=operation(answer=(messages.BotMatch,), media=NDJSON, secret=True),
)
async def events(request: Request) -> Response:
    """Stream a bot's matches."""
    process = process_of(request)
    name = await process.bots.identify(bearer(request))
    outbox = process.admit(client(request))
    return Stream(
        outbox,
        on_close=lambda: process.dismiss(outbox),
        feed=lambda: process.bots.follow(outbox, name),
    )

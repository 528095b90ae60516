"""Matches: make them, take seats, look at them, follow them, play."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from visavis.server import messages
from visavis.server.codec import seat_name
from visavis.server.errors import Refusal
from visavis.server.http.requests import (
    JSON,
    asked,
    bearer,
    client,
    match_of,
    process_of,
    read,
    respond,
)
from visavis.server.http.streams import NDJSON, Stream
from visavis.server.messages.orders import order_of
from visavis.server.openapi import operation, path, query

MATCH: Final = (path("match", "The id of a match"),)

router = APIRouter()


@router.get(
    "/lobby",
    summary="Open challenges, public matches that run, and those that ended last",
    response_class=Response,
    openapi_extra=operation(answer=(messages.Lobby,)),
)
async def lobby(request: Request) -> Response:
    """Return the lobby."""
    return Response(await process_of(request).lobby.text(), media_type=JSON)


@router.get(
    "/lobby/{listing}",
    summary="All that is open, running or over, page by page",
    response_class=Response,
    openapi_extra=operation(
        answer=(messages.LobbyPage,),
        parameters=(path("listing", "open, running or over"), *query(messages.LobbyPageOf)),
    ),
)
async def lobby_page(request: Request) -> Response:
    """Return a page of a list of the lobby."""
    wanted, listing = asked(request, messages.LobbyPageOf), request.path_params["listing"]
    return respond(await process_of(request).lobby.page(listing, wanted))


@router.post(
    "/matches",
    summary="Create a match",
    status_code=201,
    response_class=Response,
    openapi_extra=operation(body=messages.NewMatch, answer=(messages.Made,), status=201),
)
async def create(request: Request) -> Response:
    """Create a match."""
    process = process_of(request)
    new = await read(request, messages.NewMatch)
    if wait := process.creations.check(client(request)):
        raise Refusal("too_many", "too many new matches; wait a little", wait=wait)
    source = process.sources.of(client(request))
    return respond(await process.creation.create(new, process.computers, source), 201)


@router.get(
    "/matches/{match}",
    summary="What everybody may know about a match",
    response_class=Response,
    openapi_extra=operation(answer=(messages.MatchInfo,), parameters=MATCH),
)
async def info(request: Request) -> Response:
    """Return what is public about a match."""
    return respond(await process_of(request).archive.info(match_of(request), client(request)))


@router.post(
    "/matches/{match}/join",
    summary="Take a free seat: an invited one with its invitation, an open one without",
    response_class=Response,
    openapi_extra=operation(
        body=messages.Join, answer=(messages.Seated,), parameters=MATCH, secret=True
    ),
)
async def join(request: Request) -> Response:
    """Take a seat, as a person or (with a token) as a bot."""
    process, token = process_of(request), bearer(request)
    body = await read(request, messages.Join)
    cached = await process.matches.get(match_of(request), client(request))
    bot = await process.bots.identify(token) if token else None
    return respond(await process.creation.join(cached, body, bot))


@router.get(
    "/matches/{match}/record",
    summary="The record: open once the match is over, before that as the viewer may see it",
    response_class=PlainTextResponse,
    openapi_extra=operation(media="text/plain", parameters=MATCH, secret=True),
)
async def record(request: Request) -> Response:
    """Return a record."""
    process = process_of(request)
    id, secret = match_of(request), bearer(request)
    text = await process.archive.record(id, secret, client(request))
    return PlainTextResponse(text)


@router.get(
    "/matches/{match}/replay",
    summary="A finished match step by step, as a seat or the spectators knew it, or all open",
    response_class=Response,
    openapi_extra=operation(
        answer=(messages.Replay,), parameters=(*MATCH, *query(messages.ReplayOf))
    ),
)
async def replay(request: Request) -> Response:
    """Return a replay; there is none before the match is over."""
    wanted = asked(request, messages.ReplayOf)
    id = match_of(request)
    body = await process_of(request).archive.replay(id, wanted.viewer, client(request))
    return Response(body, media_type=JSON)


@router.get(
    "/matches/{match}/snapshot",
    summary="How a match stands, for the seat whose secret goes along or for spectators",
    response_class=Response,
    openapi_extra=operation(answer=(messages.Snapshot,), parameters=MATCH, secret=True),
)
async def stand(request: Request) -> Response:
    """Return a snapshot."""
    process = process_of(request)
    cached = await process.matches.get(match_of(request), client(request))
    viewer = await process.viewer(cached, bearer(request))
    text, _ = await process.snapshot(cached, viewer, client(request))
    return Response(text, media_type=JSON)


@router.get(
    "/matches/{match}/stream",
    summary="A snapshot and then every update, one JSON object a line",
    response_class=StreamingResponse,
    openapi_extra=operation(
        answer=(messages.Snapshot, messages.Update, messages.Spectators, messages.Presence),
        media=NDJSON,
        parameters=MATCH,
        secret=True,
    ),
)
async def stream(request: Request) -> Response:
    """Stream a match; an empty line says that the line is alive."""
    process, who = process_of(request), client(request)
    cached = await process.matches.get(match_of(request), who)
    viewer, missed = await process.viewer(cached, bearer(request)), None
    cached.check_room(viewer)
    while missed is None:  # a long match takes a while to show, and goes on meanwhile
        text, seen = await process.snapshot(cached, viewer, who)
        cached = await process.matches.get(cached.id, who)
        missed = cached.timeline.since(seen)
    outbox = process.admit(who)
    try:
        cached.watch(outbox, viewer, legal=True)
    except Refusal:  # others were quicker
        process.dismiss(outbox)
        raise
    for line in (text, *(change.text(viewer, legal=True) for change in missed)):
        outbox.push(line)

    def close() -> None:
        cached.unwatch(outbox, viewer)
        process.dismiss(outbox)

    return Stream(outbox, close)


@router.post(
    "/matches/{match}/orders",
    summary="Carry out a command as the seat whose secret goes along",
    response_class=Response,
    openapi_extra=operation(
        body=messages.Order,
        answer=(messages.Update, messages.Done),
        conflict=(messages.Problem, messages.Snapshot),
        parameters=MATCH,
        secret=True,
    ),
)
async def order(request: Request) -> Response:
    """Carry out an order; answers with the update it brought about."""
    process, secret = process_of(request), bearer(request)
    body = await read(request, messages.Order)
    cached = await process.matches.get(match_of(request), client(request))
    seat = await process.viewer(cached, secret) if secret else None
    if seat is None:
        raise Refusal("not_a_player", "this takes the secret of a seat")
    try:
        change, seq = await process.orders.order(cached, seat, order_of(body, seat))
    except Refusal as error:
        if error.code != "stale":
            raise
        text, _ = await process.snapshot(cached, seat, client(request))
        return Response(text, error.status, media_type=JSON)
    if change is not None:
        return respond(change.update(seat, legal=True))
    return respond(
        messages.Done(
            match=cached.id,
            seat=seat_name(seat),
            client=body.client,
            number=body.number,
            seq=seq,
        )
    )

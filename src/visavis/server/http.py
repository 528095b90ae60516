"""The HTTP side: create, join, look up, stream and command matches, without a WebSocket.

Bodies are the structs of `visavis.server.messages`. A seat's secret or a bot's token goes in the
header ``Authorization: Bearer …``, never in an address.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final, TypeVar

import msgspec
from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from visavis.engine.native import Limits
from visavis.rules import game, rule_book
from visavis.rules.errors import VisavisError
from visavis.server import messages
from visavis.server.computer import ComputerFailed
from visavis.server.errors import Refusal, refusal
from visavis.server.hub import Outbox
from visavis.server.office import Office
from visavis.server.openapi import operation, path
from visavis.server.reception import catalogue
from visavis.server.safety import client_of
from visavis.server.telling import encode, seat_name, seat_named, snapshot

T = TypeVar("T")
NDJSON: Final = "application/x-ndjson"
ALIVE_SECONDS: Final = 10.0
"""How often an empty line tells a stream's reader that the line is alive."""
MATCH: Final = (path("match", "The id of a match"),)
SLUG: Final = (path("slug", "The name of a game"),)

router = APIRouter(prefix="/api")


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
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise Refusal("too_big", f"a body has at most {limit} bytes")
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise Refusal("bad_message", str(error)[:200]) from None


def bearer(request: Request) -> str | None:
    """Return the secret that goes along with a request."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip()[:100] if kind.lower() == "bearer" and secret.strip() else None


# -- Games -----------------------------------------------------------------------------------------


@router.get(
    "/games",
    summary="All games, their options, who plays them, and the quick phrases",
    response_class=Response,
    openapi_extra=operation(answer=(messages.Games,)),
)
async def games(request: Request) -> Response:
    """Return all games."""
    return respond(catalogue(office_of(request).computers.names))


@router.get(
    "/games/{slug}/rules",
    summary="The rule book of a game, as Markdown",
    response_class=PlainTextResponse,
    openapi_extra=operation(media="text/markdown", parameters=SLUG),
)
async def rules(request: Request) -> Response:
    """Return a rule book."""
    try:
        text = rule_book(request.path_params["slug"])
    except VisavisError as error:
        raise refusal(error) from None
    return Response(text, media_type="text/markdown; charset=utf-8")


# -- Matches ---------------------------------------------------------------------------------------


@router.get(
    "/lobby",
    summary="Open challenges, public matches that run, and those that ended last",
    response_class=Response,
    openapi_extra=operation(answer=(messages.Lobby,)),
)
async def lobby(request: Request) -> Response:
    """Return the lobby."""
    return respond(await office_of(request).reception.lobby())


@router.post(
    "/matches",
    summary="Create a match",
    status_code=201,
    response_class=Response,
    openapi_extra=operation(body=messages.NewMatch, answer=(messages.Made,), status=201),
)
async def create(request: Request) -> Response:
    """Create a match."""
    office = office_of(request)
    new = await read(request, messages.NewMatch)
    if office.creations.check(client_of(request.scope, office.settings.behind_proxy)):
        raise Refusal("too_many", "too many new matches; wait a little")
    return respond(await office.reception.create(new, office.computers.names), 201)


@router.get(
    "/matches/{match}",
    summary="What everybody may know about a match",
    response_class=Response,
    openapi_extra=operation(answer=(messages.MatchInfo,), parameters=MATCH),
)
async def info(request: Request) -> Response:
    """Return what is public about a match."""
    return respond(await office_of(request).reception.info(request.path_params["match"]))


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
    office, token = office_of(request), bearer(request)
    body = await read(request, messages.Join)
    live = await office.house.live(request.path_params["match"])
    bot = await office.bots.identify(token) if token else None
    return respond(await office.reception.join(live, body, bot))


@router.get(
    "/matches/{match}/record",
    summary="The record: open once the match is over, before that as the viewer may see it",
    response_class=PlainTextResponse,
    openapi_extra=operation(media="text/plain", parameters=MATCH, secret=True),
)
async def record(request: Request) -> Response:
    """Return a record."""
    office = office_of(request)
    text = await office.reception.record(request.path_params["match"], bearer(request))
    return PlainTextResponse(text)


@router.get(
    "/matches/{match}/snapshot",
    summary="How a match stands, for the seat whose secret goes along or for spectators",
    response_class=Response,
    openapi_extra=operation(answer=(messages.Snapshot,), parameters=MATCH, secret=True),
)
async def stand(request: Request) -> Response:
    """Return a snapshot."""
    office = office_of(request)
    live = await office.house.live(request.path_params["match"])
    viewer = await office.viewer(live, bearer(request))
    return respond(snapshot(live.table, viewer, office.house.uptime.now()))


@router.get(
    "/matches/{match}/stream",
    summary="A snapshot and then every update, one JSON object a line",
    response_class=StreamingResponse,
    openapi_extra=operation(
        answer=(messages.Snapshot, messages.Update), media=NDJSON, parameters=MATCH, secret=True
    ),
)
async def stream(request: Request) -> Response:
    """Stream a match; an empty line says that the line is alive."""
    office = office_of(request)
    live = await office.house.live(request.path_params["match"])
    viewer = await office.viewer(live, bearer(request))
    outbox = office.admit(client_of(request.scope, office.settings.behind_proxy))
    outbox.push(encode(snapshot(live.table, viewer, office.house.uptime.now())))
    live.watch(outbox, viewer, legal=True)

    async def lines() -> AsyncIterator[str]:
        try:
            async for text in with_signs_of_life(outbox):
                yield text + "\n"
        finally:
            live.unwatch(outbox, viewer)
            office.dismiss(outbox)

    return StreamingResponse(lines(), media_type=NDJSON)


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
    office, secret = office_of(request), bearer(request)
    body = await read(request, messages.Order)
    live = await office.house.live(request.path_params["match"])
    seat = await office.viewer(live, secret) if secret else None
    if seat is None:
        raise Refusal("not_a_player", "this takes the secret of a seat")
    try:
        told, seq = await office.house.order(live, seat, body)
    except Refusal as error:
        if error.code != "stale":
            raise
        return respond(snapshot(live.table, seat, office.house.uptime.now()), error.status)
    if told is not None:
        return respond(told.update(seat, legal=True))
    return respond(
        messages.Done(
            match=live.id,
            seat=seat_name(seat),
            client=body.client,
            number=body.number,
            seq=seq,
        )
    )


async def with_signs_of_life(outbox: Outbox) -> AsyncIterator[str]:
    """Return what goes to a stream, and empty texts when nothing happens."""
    texts = outbox.texts()
    following = asyncio.ensure_future(anext(texts))
    try:
        while True:
            done, _ = await asyncio.wait([following], timeout=ALIVE_SECONDS)
            if not done:
                yield ""
                continue
            try:
                yield following.result()
            except StopAsyncIteration:
                return
            following = asyncio.ensure_future(anext(texts))
    finally:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError, StopAsyncIteration):
            await following


# -- Bots ------------------------------------------------------------------------------------------


@router.post(
    "/bots",
    summary="Register a bot; its token is shown once",
    status_code=201,
    response_class=Response,
    openapi_extra=operation(body=messages.NewBot, answer=(messages.BotToken,), status=201),
)
async def register(request: Request) -> Response:
    """Register a bot."""
    office = office_of(request)
    body = await read(request, messages.NewBot)
    if office.creations.check(client_of(request.scope, office.settings.behind_proxy)):
        raise Refusal("too_many", "too many at once; wait a little")
    return respond(await office.bots.register(body.name), 201)


@router.get(
    "/bot/events",
    summary="The bot's matches as they begin, one JSON object a line",
    response_class=StreamingResponse,
    openapi_extra=operation(answer=(messages.BotMatch,), media=NDJSON, secret=True),
)
async def events(request: Request) -> Response:
    """Stream a bot's matches."""
    office = office_of(request)
    name = await office.bots.identify(bearer(request))
    outbox = office.admit(client_of(request.scope, office.settings.behind_proxy))
    await office.bots.watch(outbox, name)

    async def lines() -> AsyncIterator[str]:
        try:
            async for text in with_signs_of_life(outbox):
                yield text + "\n"
        finally:
            office.dismiss(outbox)

    return StreamingResponse(lines(), media_type=NDJSON)


# -- The engine ------------------------------------------------------------------------------------


@router.post(
    "/analysis",
    summary="Ask the engine; it answers when nobody who plays needs it",
    response_class=Response,
    openapi_extra=operation(body=messages.Analysis, answer=(messages.Analysed,)),
)
async def analysis(request: Request) -> Response:
    """Analyse a view."""
    office = office_of(request)
    asked = await read(request, messages.Analysis)
    try:
        chosen = game(asked.game, asked.options)
        chosen.parse_view(asked.view)
        limits = Limits(millis=asked.millis, lines=asked.lines)
        thought = await office.computers.analyse(chosen, asked.view, seat_named(asked.seat), limits)
    except VisavisError as error:
        raise refusal(error) from None
    except ComputerFailed as error:
        raise Refusal("bad_position", str(error)) from None
    lines = tuple(
        messages.AnalysisLine(moves=line.moves, score=line.score, mate=line.mate)
        for line in thought.lines
    )
    return respond(messages.Analysed(lines=lines, depth=thought.depth, nodes=thought.nodes))

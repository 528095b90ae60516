"""Games: what there are, their rules, what they look like."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from visavis.rules import rule_book
from visavis.rules.errors import VisavisError
from visavis.server import messages
from visavis.server.addresses import asks_from_here, in_network
from visavis.server.catalogue import catalogue, preview
from visavis.server.errors import refusal
from visavis.server.http.requests import client, process_of, read, respond
from visavis.server.openapi import operation, path

SLUG: Final = (path("slug", "The name of a game"),)

router = APIRouter()


@router.get(
    "/games",
    summary="All games, their options, who plays them, and the quick phrases",
    response_class=Response,
    openapi_extra=operation(answer=(messages.Games,)),
)
async def games(request: Request) -> Response:
    """Return all games."""
    return respond(catalogue(process_of(request).computers))


@router.get(
    "/addresses",
    summary="Where other machines of the network find the server; told on this machine only",
    response_class=Response,
    openapi_extra=operation(answer=(messages.Addresses,)),
)
async def addresses(request: Request) -> Response:
    """Return the addresses; none to others, who know the one that they came by."""
    is_told = asks_from_here(request) and process_of(request).settings.proxies == 0
    bound = getattr(request.app.state, "bound", ()) if is_told else ()
    return respond(messages.Addresses(addresses=in_network(bound)))


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


@router.post(
    "/games/{slug}/preview",
    summary="A game before its first move, with some options",
    response_class=Response,
    openapi_extra=operation(body=messages.PreviewOf, answer=(messages.Preview,), parameters=SLUG),
)
async def look_ahead(request: Request) -> Response:
    """Return what a match with these options would begin with."""
    wanted = await read(request, messages.PreviewOf)
    work, slug = process_of(request).work, request.path_params["slug"]
    return respond(await preview(work, client(request), slug, wanted))

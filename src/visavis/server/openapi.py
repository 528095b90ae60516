"""The OpenAPI description of the HTTP side, made from the same structs as the WebSocket's."""

from __future__ import annotations

from typing import Final

import msgspec

from visavis.server import messages

Described = dict[str, object]
REF: Final = "#/components/schemas/{name}"

BODIES: Final = (
    messages.Analysed,
    messages.Analysis,
    messages.BotMatch,
    messages.BotToken,
    messages.Done,
    messages.Addresses,
    messages.Games,
    messages.Health,
    messages.Join,
    messages.Lobby,
    messages.LobbyPage,
    messages.Made,
    messages.MatchInfo,
    messages.NewBot,
    messages.NewMatch,
    messages.Order,
    messages.Preview,
    messages.PreviewOf,
    messages.Problem,
    messages.Puzzle,
    messages.PuzzleAnswer,
    messages.PuzzleMove,
    messages.Replay,
    messages.Seated,
    messages.Snapshot,
    messages.Spectators,
    messages.Update,
)


def components() -> Described:
    """Return the schemas of all bodies, by name."""
    _, schemas = msgspec.json.schema_components(BODIES, ref_template=REF)
    return dict(schemas)


def operation(
    *,
    body: type | None = None,
    answer: tuple[type, ...] = (),
    conflict: tuple[type, ...] = (messages.Problem,),
    status: int = 200,
    media: str = "application/json",
    secret: bool = False,
    parameters: tuple[Described, ...] = (),
) -> Described:
    """Describe an operation: what goes in, what comes out."""
    described: Described = {
        "parameters": list(parameters),
        "responses": {
            str(status): {"description": "Done", "content": {media: {"schema": _any(answer)}}},
            "409": {
                "description": "Not as things stand; `stale` answers with how they do",
                "content": {"application/json": {"schema": _any(conflict)}},
            },
            "default": {
                "description": "Refused, and why",
                "content": {"application/json": {"schema": _ref(messages.Problem)}},
            },
        },
    }
    if body is not None:
        content = {"application/json": {"schema": _ref(body)}}
        described["requestBody"] = {"required": True, "content": content}
    if secret:
        described["security"] = [{}, {"secret": []}]
    return described


def path(name: str, about: str) -> Described:
    """Describe a part of the path."""
    schema = {"type": "string", "maxLength": 40, "minLength": 1}
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": about}


def query(kind: type[msgspec.Struct]) -> tuple[Described, ...]:
    """Describe what may stand in a query: the fields of a struct."""
    _, defs = msgspec.json.schema_components((kind,))
    properties = defs[kind.__name__]["properties"]
    return tuple(
        {"name": name, "in": "query", "required": False, "schema": schema}
        for name, schema in properties.items()
    )


def _any(kinds: tuple[type, ...]) -> Described:
    refs = [_ref(kind) for kind in kinds]
    return refs[0] if len(refs) == 1 else {"anyOf": refs} if refs else {"type": "string"}


def _ref(kind: type) -> Described:
    return {"$ref": REF.format(name=kind.__name__)}

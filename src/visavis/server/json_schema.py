"""``python -m visavis.server.json_schema`` prints all messages as JSON Schema, for other languages.

The roots are ``ClientMessage`` and ``ServerMessage`` of the WebSocket and the bodies of HTTP; all
are in ``$defs``.
"""

from __future__ import annotations

import json

import msgspec

from visavis.server import messages, openapi


def schema() -> dict[str, object]:
    """Return the JSON Schema of everything that goes over the wire."""
    roots = (messages.ClientMessage, messages.ServerMessage, *openapi.BODIES)
    described, defs = msgspec.json.schema_components(roots, ref_template="#/$defs/{name}")
    defs |= {"ClientMessage": described[0], "ServerMessage": described[1]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Visavis messages",
        "$defs": dict(sorted(defs.items())),
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2, ensure_ascii=False))

"""Bytes that make no sense: documented errors, the server stays up, others don't notice."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.crashing import Server, free_ports
from tests.server.serving import PATIENCE, Served
from visavis.server.app import create_app
from visavis.server.json_schema import schema as message_schema
from visavis.server.settings import Settings

RUBBISH = [
    "",
    "null",
    "[]",
    "{",
    '{"type":',
    '{"type": "nonsense"}',
    '{"type": "watch"}',
    '{"type": "watch", "match": 5}',
    '{"type": "watch", "match": "\\ud800"}',
    '{"type": "do", "match": "x", "seat": "third", "order": {}}',
    '{"type": "ping", "sent": 1e999}',
    '{"type": "echo", "number": -1}',
    '{"type": "echo", "number": 99999999999999999999999999}',
    '{"type": "watch", "match": "' + "x" * 9_000 + '"}',
    '{"type": "ping", "deep": ' + "[" * 7_000 + "]" * 7_000 + "}",
    "[" * 16_000,
    '{"type": "watch", "match": "a", "match": "b", "seen": 1.5}',
    "\x00\x01\x02",
    "いろは" * 1_000,
]


BROKEN = [b"GET /api/live HTTP/1.1\r\n\r\n", b"\x16\x03\x01" * 50, b"GET /" + b"a" * 70_000]


@pytest.mark.anyio
async def test_rubbish_on_the_websocket(served: Served) -> None:
    made = await served.create("osakana")
    rng = random.Random(1)
    async with served.client() as other, connect(served.url) as socket:
        shown = await other.watch(made["match"], made["secrets"]["first"])
        for text in RUBBISH:
            await socket.send(text)
            answer = json.loads(await socket.recv())
            if text.startswith('{"type": "ping"') and answer["type"] == "pong":
                continue
            assert answer["type"] == "refused"
            assert answer["code"] in ("bad_message", "unknown_match", "not_watching")
            assert len(answer["message"]) <= 300
        for _ in range(200):
            await socket.send(rng.randbytes(rng.randrange(200)))
            assert json.loads(await socket.recv())["code"] == "bad_message"
        legal = shown["position"]["asked"]["legal"]
        assert (await other.do(made["match"], "first", type="move", text=legal[0]))["done"]


@pytest.mark.anyio
@pytest.mark.parametrize("size", [16_385, 1_000_000])
async def test_a_huge_message_closes_its_socket_only(served: Served, size: int) -> None:
    made = await served.create("osakana")
    async with served.client() as other, connect(served.url) as socket:
        await other.watch(made["match"])
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012 (either may be the first)
            await socket.send("x" * size)
            await asyncio.wait_for(socket.recv(), PATIENCE)
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
        await other.send(type="ping", sent=1.0)
        assert (await other.kind("pong"))["sent"] == 1.0
    headers = {"Content-Type": "application/json"}
    answer = await served.http.post("/api/matches", content=b"x" * size, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_big")


@pytest.mark.anyio
async def test_a_broken_handshake(served: Served) -> None:
    for opening in (
        b"GET /api/live HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01" * 50,
        b"GET /" + b"a" * 70_000,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(opening)
        writer.write_eof()
        async with asyncio.timeout(PATIENCE):
            await reader.read()
        writer.close()
    assert (await served.http.get("/healthz")).status_code == 200


def test_the_schema_is_complete() -> None:
    defs = message_schema()["$defs"]
    assert isinstance(defs, dict)
    assert {"ClientMessage", "ServerMessage", "NewMatch", "Update", "Stands"} <= set(defs)


# -- Schemathesis ----------------------------------------------------------------------------------


described = schemathesis.openapi.from_dict(create_app(Settings()).openapi())
OPERATIONS = {
    found.ok().label: found.ok()
    for found in described.get_all_operations()
    if isinstance(found, Ok)
}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server(str(tmp_path_factory.mktemp("api") / "visavis.db"), free_ports(1)[0])
    loop = asyncio.new_event_loop()
    loop.run_until_complete(server.start())
    yield f"http://{server.address}"
    assert server.process is not None
    assert server.process.returncode is None, "the server did not survive"
    server.process.terminate()
    loop.run_until_complete(server.process.wait())
    loop.close()


@pytest.mark.parametrize("label", OPERATIONS)
def test_openapi(api: str, label: str) -> None:
    @hypothesis.settings(max_examples=15, deadline=None, derandomize=True)
    @hypothesis.given(case=OPERATIONS[label].as_strategy())
    def every_answer_is_documented(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(
            base_url=api,
            checks=[
                not_a_server_error,
                status_code_conformance,
                content_type_conformance,
                response_schema_conformance,
            ],
        )

    every_answer_is_documented()

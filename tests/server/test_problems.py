"""Whatever goes wrong over HTTP is told as a `Problem`, with the usual headers."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from pathlib import Path

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from tests.server.serving import PATIENCE, Served, database_in, quick, serving
from visavis.server import app, logs, messages
from visavis.server.lobby import Lobbies
from visavis.server.middleware import SafeHeaders
from visavis.server.page import page_app

pytestmark = pytest.mark.anyio


def problem_of(answer: httpx.Response) -> messages.Problem:
    """Return the problem that an answer tells of; any other answer is a failure."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    return msgspec.json.decode(answer.content, type=messages.Problem)


def request(line: str, *fields: str) -> bytes:
    return "\r\n".join((line, *fields, "Connection: close", "", "")).encode("latin-1")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/api/live", 404, "not_found"),
        ("DELETE", "/api/lobby", 405, "not_allowed"),
        ("POST", "/", 405, "not_allowed"),
        ("GET", "/assets/nothing.js", 404, "not_found"),
        ("GET", "/api/matches/nothing", 404, "unknown_match"),
        ("GET", "/api/games/nothing/rules", 404, "unknown_game"),
        ("POST", "/api/matches", 415, "bad_content_type"),
        ("GET", "/api/games/osakana/puzzle?moves=x", 400, "bad_message"),
    ],
)
async def test_requests_that_ask_for_nothing_there_is(
    served: Served, method: str, path: str, status: int, code: str
) -> None:
    answer = await served.http.request(method, path)
    assert (answer.status_code, problem_of(answer).code) == (status, code)


@pytest.mark.parametrize("has_page", [False, True])
@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [
        ("HEAD", "/api/lobby", 405, "GET"),
        ("HEAD", "/api/matches/x/stream", 405, "GET"),
        ("HEAD", "/api/matches", 405, "POST"),
        ("POST", "/api/nothing", 404, None),
        ("HEAD", "/", 200, None),
        ("HEAD", "/healthz", 200, None),
    ],
)
async def test_the_page_does_not_answer_for_the_api(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_page: bool,
    method: str,
    path: str,
    status: int,
    allowed: str | None,
) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    if has_page:
        (folder / "index.html").write_text("<!doctype html>")
    monkeypatch.setattr(app, "PAGE", folder)
    async with serving(quick(database_in(tmp_path))) as served:
        answer = await served.http.request(method, path)
    assert (answer.status_code, answer.headers.get("allow")) == (status, allowed)
    if status != 200:
        assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"\x16\x03\x01" * 50, 400, "bad_message"),
        (request("GET / HTTP/9.9"), 400, "bad_message"),
        (request("GET /healthz HTTP/1.1"), 421, "bad_host"),
        (request("GET /healthz HTTP/1.1", "Host: localhost", "Host: localhost"), 421, "bad_host"),
        (request("GET /healthz HTTP/1.1", "Host: \xff"), 421, "bad_host"),
        (request("GET /api/%00 HTTP/1.1", "Host: localhost"), 404, "not_found"),
    ],
)
async def test_requests_that_are_none(served: Served, sent: bytes, status: int, code: str) -> None:
    answer = await served.raw(sent)
    assert (answer.status_code, problem_of(answer).code) == (status, code)


OPENING = {
    "Host": "localhost",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


@pytest.mark.parametrize(
    ("line", "fields", "status", "code"),
    [
        ("GET /api/other", {}, 404, "not_found"),
        ("GET /", {}, 404, "not_found"),
        ("GET /api/live/", {}, 404, "not_found"),
        ("POST /api/live", {}, 405, "not_allowed"),
        ("GET /api/live", {"Sec-WebSocket-Version": "7"}, 400, "bad_message"),
        ("GET /api/live", {"Sec-WebSocket-Key": "x"}, 400, "bad_message"),
        ("GET /api/live", {"Sec-WebSocket-Protocol": "a, b;;"}, 400, "bad_message"),
        ("GET /api/live", {"Content-Length": "5"}, 400, "bad_message"),
        ("GET /api/live", {"Cookie": "a" * 20_000}, 400, "bad_message"),
        ("GET /api/live", {f"X-{n}": "a" for n in range(200)}, 400, "bad_message"),
        ("GET /api/live", {"Origin": "https://elsewhere.example"}, 403, "bad_origin"),
    ],
)
async def test_openings_of_a_websocket_that_are_none(
    served: Served,
    line: str,
    fields: dict[str, str],
    status: int,
    code: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """They are answered, and the connection ends: nothing is waited for."""
    head = [f"{name}: {value}" for name, value in (OPENING | fields).items()]
    answer = await served.raw("\r\n".join((f"{line} HTTP/1.1", *head, "", "")).encode())
    assert (answer.status_code, problem_of(answer).code) == (status, code)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_message_that_is_no_text_is_nothing_to_log(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    async with connect(served.url) as socket:
        await socket.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(socket.recv(), PATIENCE)
    assert socket.close_code == CloseCode.INVALID_DATA
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("wanted", ["bytes=5-2", "bytes=99999999-", "lines=1-2", "bytes=0-1"])
async def test_files_come_whole(tmp_path: Path, wanted: str) -> None:
    (tmp_path / "index.html").write_text("the page")
    app = SafeHeaders(page_app(tmp_path))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://a") as http:
        for path in ("/", "/index.html", "/match/x"):
            answer = await http.get(path, headers={"Range": wanted})
            assert (answer.status_code, answer.text) == (200, "the page")


async def test_what_fails_for_no_fault_of_the_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake of ours, say: the answer says nothing of it, and the log says where it is."""

    async def text(_: Lobbies) -> str:
        raise LookupError("nobody has thought of this")

    monkeypatch.setattr(Lobbies, "text", text)
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logs.JsonFormatter())
    logging.getLogger("visavis").addHandler(handler)
    try:
        async with serving(quick(database_in(tmp_path))) as served:
            headers = {"Authorization": "Bearer the-secret"}
            answer = await served.http.get("/api/lobby", headers=headers)
    finally:
        logging.getLogger("visavis").removeHandler(handler)
    assert answer.status_code == 500
    assert problem_of(answer) == messages.Problem(code="failed", message="this did not work")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    (failed,) = (line for line in lines if line["message"] == "a request failed")
    assert failed["path"] == "/api/lobby"
    assert "nobody has thought of this" in failed["error"]
    assert "the-secret" not in written.getvalue()


async def test_who_hangs_up_in_the_middle_is_no_failure(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "visavis.access")
    head = "POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for _ in range(3):
        _, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(f"{head}Content-Length: 100\r\n\r\n{{".encode())
        await writer.drain()
        writer.close()
        await writer.wait_closed()
    async with asyncio.timeout(PATIENCE):
        while [r.__dict__.get("path") for r in caplog.records].count("/api/matches") < 3:
            await served.http.get("/healthz")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_warnings_that_clients_bring_about_do_not_fill_the_log() -> None:
    now = 0.0
    sparing, told = logs.Sparing(lambda: now), list[tuple[str, int]]()
    for moment in range(25):
        now = float(moment)
        for code in ("bad_host", "too_many"):
            fields = {"msg": "refused", "code": code, "levelno": logging.WARNING}
            record = logging.makeLogRecord(fields)
            if sparing.filter(record):
                told.append((code, record.__dict__["times"]))
    once = [("bad_host", 1), ("too_many", 1)]
    assert told == [*once, *[(code, 10) for code, _ in once] * 2]
    assert sparing.filter(logging.makeLogRecord({"msg": "refused", "levelno": logging.ERROR}))

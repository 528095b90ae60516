"""Frames of a WebSocket that are no message: they are bounded, and cost who sends them."""

from __future__ import annotations

import asyncio
import struct
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.frames import CloseCode, Opcode

from tests.server.serving import PATIENCE, Served, database_in, quick, serving
from visavis.server.http_limits import FRAME_BURST, PIECES

pytestmark = pytest.mark.anyio

MANY = 50_000
"""Far more than a socket may send, and more than is read at once."""


def frame(opcode: Opcode, data: bytes = b"", *, ends: bool = True) -> bytes:
    return bytes([ends << 7 | opcode, 0x80 | len(data)]) + bytes(4) + data


async def opened(served: Served) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a WebSocket by hand."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    fields = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    head = ("GET /api/live HTTP/1.1", f"Host: 127.0.0.1:{served.port}", *fields, key, "", "")
    writer.write("\r\n".join(head).encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def closed(reader: asyncio.StreamReader) -> int:
    """Return the code with which the server closes, whatever it says before."""
    async with asyncio.timeout(PATIENCE):
        while True:
            first, length = await reader.readexactly(2)
            data = await reader.readexactly(length)
            if first & 0x0F == Opcode.CLOSE:
                return int(struct.unpack("!H", data[:2])[0])


@pytest.mark.parametrize(
    "sent",
    [
        frame(Opcode.TEXT, ends=False) + frame(Opcode.CONT, ends=False) * MANY,
        frame(Opcode.TEXT, ends=False) + frame(Opcode.CONT, ends=False) * PIECES,
        frame(Opcode.PING, b"still there?") * MANY,
        frame(Opcode.PONG) * MANY,
        (frame(Opcode.TEXT, ends=False) + frame(Opcode.CONT)) * MANY,
    ],
    ids=["pieces", "one piece too many", "pings", "pongs", "messages in pieces"],
)
async def test_frames_without_end_close_the_socket(served: Served, sent: bytes) -> None:
    reader, writer = await opened(served)
    writer.write(sent)
    assert await closed(reader) == CloseCode.POLICY_VIOLATION
    writer.close()


async def test_frames_cost_who_sends_them(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), work_per_second=1e-9, work_burst=1_000.0)
    async with serving(settings) as served, connect(served.url) as socket:
        account = served.process.budget._accounts["127.0.0.1"]
        before = account.left
        for _ in range(FRAME_BURST // 2):
            await (await socket.ping())
        assert account.left < before


async def test_a_message_may_come_in_pieces(served: Served) -> None:
    text = '{"type": "ping", "sent": 7}'
    async with connect(served.url) as socket, asyncio.timeout(PATIENCE):
        for _ in range(3):
            await socket.send(list(text))
            assert '"sent":7' in str(await socket.recv())


async def test_what_comes_at_once_is_answered_in_order(served: Served) -> None:
    """More than is read in one go, and than the application takes at once."""
    count = 500
    texts = [b'{"type": "ping", "sent": %d}' % number for number in range(count)]
    reader, writer = await opened(served)
    writer.write(b"".join(frame(Opcode.TEXT, text) for text in texts))
    async with asyncio.timeout(PATIENCE):
        for number in range(count):
            _, length = await reader.readexactly(2)
            assert b'"sent":%d.0,' % number in await reader.readexactly(length)
    writer.close()

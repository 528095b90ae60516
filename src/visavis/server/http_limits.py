"""HTTP and WebSockets with bounds that uvicorn does not set.

On how many connections there are, on the time and the size of the head of a request, on the frames
of a WebSocket that are no message, and on how long a client may take nothing of what is sent to it.
"""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus
from typing import Any, Final

import msgspec
from uvicorn import Config
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import DATA_OPCODES, CloseCode, Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from visavis.server import messages
from visavis.server.process import Process
from visavis.server.safety import HEADERS, UNKNOWN, Bucket, client_of, network_of

HEAD_SECONDS: Final = 10.0
"""A connection is closed if no complete request head arrives within this."""
HEAD_BYTES: Final = 65_536
"""The head of a request that comes in pieces is not longer than this."""
PIECES: Final = 128
"""The most frames that one WebSocket message may be split into."""
FRAMES_PER_SECOND, FRAME_BURST = 10.0, 300
"""The most frames in a row that complete no message: fragments, pings and pongs."""
SLICE: Final = 2_048
"""How many bytes are parsed at a time; a frame may be as short as six."""
_CODES: Final[dict[int, messages.Code]] = {405: "not_allowed", 500: "failed"}


class _Line:
    """A connection as it is counted and watched, whichever protocol is spoken on it."""

    def __init__(self, config: Config, transport: asyncio.Transport, client: str | None) -> None:
        process: Process = config.app.state.process  # type: ignore[union-attr]
        self._connections = process.connections
        self._metrics = process.metrics
        self._stall_seconds = process.settings.stall_seconds
        self._transport = transport
        self._client = (client and network_of(client)) or UNKNOWN
        self._stall: asyncio.TimerHandle | None = None
        self._is_counted = False

    def may_enter(self) -> bool:
        return self._connections.may_enter(self._client)

    def enter(self) -> None:
        self._is_counted = True
        self._connections.enter(self._client)

    def leave(self) -> None:
        """Count and watch no longer."""
        self.flows()
        if self._is_counted:
            self._is_counted = False
            self._connections.leave(self._client)

    def stalls(self) -> None:
        """Give up on the client if it takes nothing for too long: also one that is being left."""
        if self._stall is None:
            loop = asyncio.get_running_loop()
            self._stall = loop.call_later(self._stall_seconds, self._give_up)

    def flows(self) -> None:
        """Wait no longer."""
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _give_up(self) -> None:
        self._metrics.dropped.inc()
        self._transport.abort()


def _problem(status: int, message: str) -> tuple[dict[str, str], bytes]:
    """Return the head and the body of an answer that refuses what never reaches the application."""
    code = _CODES.get(status, "bad_message")
    body = msgspec.json.encode(messages.Problem(code=code, message=message.strip()[:200]))
    fields = {
        **HEADERS,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    return fields, body


class _Handshake(ServerProtocol):
    """The protocol of WebSockets, which refuses an opening like everything that is refused."""

    def reject(self, status: int, text: str) -> Response:
        """Return the answer to an opening that is none."""
        response = super().reject(status, text)
        fields, response.body = _problem(status, text)
        for name, value in fields.items():
            response.headers.pop(name, None)
            response.headers[name] = value
        return response


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, for clients that send rubbish or take nothing sent to them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = _Handshake(max_size=self.config.ws_max_size, logger=self.logger)
        self._unread = b""
        """What has come and waits until the messages before it are taken."""
        self._pieces = 0
        """In how many frames the message has come so far."""
        self._spare = Bucket(FRAMES_PER_SECOND, FRAME_BURST, time.monotonic())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection that HTTP has let in."""
        super().connection_made(transport)
        self._line = _Line(self.config, self.transport, self.client and self.client[0])
        self._line.enter()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._line.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent."""
        self._unread += data
        self._read_on()

    def _read_on(self) -> None:
        """Read what has come, a little at a time, up to a message that the application has not
        taken; the client is charged for it."""
        began = time.thread_time()
        while self._unread and not self.read_paused and not self.transport.is_closing():
            some, self._unread = self._unread[:SLICE], self._unread[SLICE:]
            self._read(some)
        process: Process = self.config.app.state.process  # type: ignore[union-attr]
        if scope := getattr(self, "scope", None):
            client = client_of(scope, process.settings.proxies)
            process.budget.charge(client, time.thread_time() - began)

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message, and read on behind the last."""
        message = await super().receive()
        self._read_on()
        return message

    def handle_events(self) -> None:
        """Take what was read, unless too many frames are no message."""
        frames = [event for event in self.conn.events if isinstance(event, Frame)]
        if all(map(self._may_come, frames)):
            super().handle_events()
        else:
            self._cut_off()

    def _may_come(self, frame: Frame) -> bool:
        """Whether a frame is one too many. What ends a message is the application's to count."""
        if frame.opcode in DATA_OPCODES:
            self._pieces = self._pieces + 1 if frame.opcode is Opcode.CONT else 1
            if self._pieces > PIECES:
                return False
            if frame.fin and not self.close_sent:
                return True
        return self._spare.take(time.monotonic())

    def _cut_off(self) -> None:
        """Close a socket over which too much comes that is no message."""
        if self.transport.is_closing():
            return
        if self.conn.state is State.OPEN:
            self.conn.send_close(CloseCode.POLICY_VIOLATION, "too many frames")
            self.handle_parser_exception()
        else:
            self.transport.close()

    def _read(self, data: bytes) -> None:
        """Read some; what can't be read as an opening would be waited on for ever."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.handshake_initiated = True
            refused = self.conn.reject(HTTPStatus.BAD_REQUEST, "This opens no WebSocket.")
            self.transport.write(refused.serialize())
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Hand on a message; one that is no text closes the socket, and is nothing to log."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.conn.send_close(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        """Send something, and return when the client has taken it, but for a little."""
        await super().send(message)
        if message["type"] == "websocket.send":
            await self.writable.wait()
        elif message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # it was refused; uvicorn would log that as an error

    def pause_writing(self) -> None:
        """Begin to wait for the client."""
        self._line.stalls()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Wait no longer."""
        self._line.flows()
        super().resume_writing()


class BoundedHttp(HttpToolsProtocol):
    """Uvicorn's protocol, for clients that send slowly, endlessly or nothing, or don't read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patience: asyncio.TimerHandle | None = None
        """Runs while a head is awaited."""
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait, or close at once if there are too many."""
        super().connection_made(transport)
        self._line = _Line(self.config, transport, self.client and self.client[0])
        if self._line.may_enter():
            self._line.enter()
            self._await_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._stop_waiting()
        self._line.leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection on."""
        self._line.leave()
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        """Begin to wait for the client."""
        self._line.stalls()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Wait no longer."""
        self._line.flows()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Take what was sent, unless there is no end to it."""
        super().data_received(data)
        if self._patience is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        """Wait for the head of the first request, or of the next."""
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        """Wait no longer."""
        self._stop_waiting()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, like everything that is refused."""
        fields, body = _problem(400, msg)
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(STATUS_LINE[400] + head.encode("ascii") + b"\r\n" + body)
        self.transport.close()

    def _await_head(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(HEAD_SECONDS, self.transport.close)
            self._head_bytes = 0

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

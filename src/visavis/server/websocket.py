"""Live play on a WebSocket: one socket follows any number of matches, as players or spectators."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Final, assert_never

import msgspec
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from visavis.rules.protocol import Seat, Viewer
from visavis.server import messages
from visavis.server.codec import seat_name, seat_named, viewer_name
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch, Outbox
from visavis.server.following import follow
from visavis.server.lag import Line
from visavis.server.messages import ClientMessage, SeatName
from visavis.server.messages.orders import order_of
from visavis.server.middleware import deny
from visavis.server.process import Process
from visavis.server.safety import Bucket, client_of
from visavis.server.updates import encode
from visavis.session.commands import Move

logger = logging.getLogger(__name__)

PATIENCE: Final = 50
"""How many messages over the limit a socket may send before it is closed."""
PARTING_SECONDS: Final = 1.0
POLICY, TOO_SLOW = 1008, 1013

Watched = tuple[str, SeatName | None]
"""A match that is watched, and as whom."""

_decoder = msgspec.json.Decoder(ClientMessage)


async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a socket until it closes."""
    socket, process = WebSocket(scope, receive, send), scope["app"].state.process
    client = client_of(socket.scope, process.settings.proxies)
    try:
        outbox = process.admit(client)
    except Refusal as error:
        await deny(error, scope, receive, send)
        return
    try:
        await socket.accept()
        await _Connection(socket, receive, send, outbox, client).run()
    finally:
        process.dismiss(outbox)


class _Connection:
    """One socket."""

    def __init__(
        self, socket: WebSocket, receive: Receive, send: Send, outbox: Outbox, client: str
    ) -> None:
        self._socket = socket
        self._receive, self._send_event = receive, send
        process: Process = socket.app.state.process
        self._process = process
        self._outbox = outbox
        self._client = client
        self._matches = process.matches
        self._watched: dict[Watched, tuple[CachedMatch, Viewer, bool]] = {}
        """Whether legal moves go along is the third."""
        settings, now = process.settings, time.monotonic()
        self._bucket = Bucket(settings.messages_per_second, settings.message_burst, now)
        self._excess = 0
        self._is_busy = False
        self._is_over = False
        self._heard = now
        self._line = Line()

    async def run(self) -> None:
        """Listen and talk, until either ends."""
        talk = self._process.budget.metered(self._client, self._talk())
        parts = [self._listen(), talk, self._mind(), self._part()]
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except (WebSocketDisconnect, OSError):
            pass
        finally:
            self._is_over = True
            self._outbox.drop()
            for task in tasks:
                # What is being carried out is carried through: a move may be on its way to disk.
                if task is not tasks[0] or not self._is_busy:
                    task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for key in list(self._watched):
                self._unwatch(key)

    async def _listen(self) -> None:
        while not self._is_over:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            self._heard = time.monotonic()
            if wait := self._must_wait():
                self._excess += 1
                if self._excess > PATIENCE:
                    await self._close(POLICY, "too_many")
                    return
                self._refuse(Refusal("too_many", "too many messages; slow down", wait=wait))
                continue
            self._is_busy = True
            await self._process.budget.metered(self._client, self._hear(message.get("text")))
            self._is_busy = False

    def _must_wait(self) -> float:
        """Return for how long the socket, or the client on all its sockets, has said too much."""
        if not self._bucket.take(self._heard):
            return self._bucket.wait()
        return self._process.messages.check(self._client)

    async def _talk(self) -> None:
        with contextlib.suppress(RuntimeError):  # the socket closed in the middle of a word
            while texts := await self._outbox.take():
                for text in texts:
                    await self._send_event({"type": "websocket.send", "text": text})
            await asyncio.Event().wait()  # dropped: parting is for `_part`

    async def _part(self) -> None:
        """Close the socket when it is given up; it may not even take the word for it."""
        await self._outbox.dropped()
        if self._process.status == "ok":
            self._process.metrics.dropped.inc()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PARTING_SECONDS):
                    await self._close(TOO_SLOW, "too slow")

    async def _mind(self) -> None:
        """Close a socket that follows nothing."""
        idle = self._process.settings.idle_seconds
        while True:
            await asyncio.sleep(idle / 2)
            is_silent = time.monotonic() - self._heard > idle
            if is_silent and not (self._watched or self._is_busy):  # nor catches up
                await self._close(POLICY, "idle")
                return

    async def _close(self, code: int, reason: str) -> None:
        with contextlib.suppress(RuntimeError, ConnectionError):
            await self._socket.close(code, reason)

    def _send_probe(self) -> None:
        """Measure the line, for the next move of a player."""
        self._line = self._line.probed(time.monotonic())
        self._send(messages.Probe(number=self._line.number))

    def _send(self, message: messages.ServerMessage) -> None:
        self._outbox.push(encode(message))

    def _refuse(self, error: Refusal, about: messages.Do | None = None) -> None:
        self._process.metrics.refused.labels(error.code).inc()
        self._send(
            messages.Refused(
                code=error.code,
                message=str(error),
                wait=error.retry_after,
                match=None if about is None else about.match,
                seat=None if about is None else about.seat,
                client=None if about is None else about.order.client,
                number=None if about is None else about.order.number,
            )
        )

    # What is heard

    async def _hear(self, text: str | None) -> None:
        try:
            message = _decoder.decode(text or "")
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            self._refuse(Refusal("bad_message", str(error)[:200]))
            return
        about = message if isinstance(message, messages.Do) else None
        try:
            self._process.budget.check(self._client)
            await self._obey(message)
        except Refusal as error:
            self._refuse(error, about)
        except Exception:  # one message may fail, not the socket nor the server
            logger.exception("a message failed", extra={"type": type(message).__name__})
            self._refuse(Refusal("busy", "this did not work; try again"), about)

    async def _obey(self, message: ClientMessage) -> None:
        match message:
            case messages.Do():
                await self._do(message)
            case messages.Watch():
                await self._watch(message)
            case messages.Unwatch(match=match, seat=seat):
                if (match, seat) in self._watched:
                    self._unwatch((match, seat))
            case messages.Ping(sent=sent):
                self._send(messages.Pong(sent=sent, now=self._process.uptime.now()))
            case messages.Echo(number=number):
                self._line = self._line.echoed(number, time.monotonic())
            case messages.WatchLobby():
                await self._process.lobby.watch(self._outbox)
            case messages.UnwatchLobby():
                self._process.lobby.unwatch(self._outbox)
            case _:
                assert_never(message)

    async def _watch(self, watch: messages.Watch) -> None:
        settings = self._process.settings
        cached = await self._matches.get(watch.match, self._client)
        viewer = await self._process.viewer(cached, watch.secret)
        key = (watch.match, viewer_name(viewer))
        if key not in self._watched:
            if len(self._watched) >= settings.watched_per_socket:
                raise Refusal("too_many", "too many matches on one socket")
            cached.check_room(viewer)
        cached = await self._follow(cached, viewer, watch.seen, legal=watch.legal)
        if watch.seen is not None:
            seq, now = cached.hosted.seq, self._process.uptime.now()
            self._send(
                messages.Watching(match=cached.id, seat=viewer_name(viewer), seq=seq, now=now)
            )
        self._process.presence.follow(cached.hosted)
        if (presence := self._process.presence.message(cached.hosted)) is not None:
            self._send(presence)
        if viewer is not None and not self._line.number:
            self._send_probe()

    async def _follow(
        self, cached: CachedMatch, viewer: Viewer, seen: int | None, *, legal: bool
    ) -> CachedMatch:
        """Send how a match stands, or what was missed, and from then on what happens in it."""
        key, client = (cached.id, viewer_name(viewer)), self._client
        if key in self._watched:  # what is told meanwhile comes after what was missed
            self._unwatch(key)
        if seen is None:
            text, seen = await self._process.snapshot(cached, viewer, client, legal=legal)
            self._outbox.push(text)
        cached = await follow(
            self._process, self._outbox, cached.id, viewer, seen, legal=legal, client=client
        )
        self._watched[key] = (cached, viewer, legal)
        return cached

    def _unwatch(self, key: Watched) -> None:
        cached, viewer, _ = self._watched.pop(key)
        cached.unwatch(self._outbox, viewer)

    async def _do(self, do: messages.Do) -> None:
        watched = self._watched.get((do.match, do.seat))
        if watched is None:
            raise Refusal("not_watching", "watch the match with the seat's secret first")
        cached, _, legal = watched
        seat = seat_named(do.seat)
        order = order_of(do.order, seat)
        try:
            change, seq = await self._process.orders.order(cached, seat, order, self._line.lag_ms)
        except Refusal as error:
            self._refuse(error, do)
            if error.code == "stale":
                await self._follow(cached, seat, None, legal=legal)
            return
        if change is not None and isinstance(order.command, Move):
            self._send_probe()
        if change is None:
            self._send(
                messages.Done(
                    match=do.match,
                    seat=seat_name(Seat(seat)),
                    client=do.order.client,
                    number=do.order.number,
                    seq=seq,
                )
            )

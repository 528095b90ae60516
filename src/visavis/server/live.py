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
from visavis.server.errors import Refusal
from visavis.server.hub import Live, Outbox
from visavis.server.messages import ClientMessage, SeatName
from visavis.server.office import Office
from visavis.server.safety import Bucket, check_origin, client_of
from visavis.server.telling import encode, seat_name, seat_named, viewer_name

logger = logging.getLogger(__name__)

PROBE_SECONDS: Final = 10.0
"""How often the line to a player is measured."""
PATIENCE: Final = 50
"""So many messages over the limit a socket may send before it is closed."""
PARTING_SECONDS: Final = 1.0
POLICY, TOO_SLOW = 1008, 1013

_decoder = msgspec.json.Decoder(ClientMessage)


async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a socket until it closes."""
    socket, office = WebSocket(scope, receive, send), scope["app"].state.office
    try:
        check_origin(socket.headers, office.settings.origins)
        outbox = office.admit(client_of(socket.scope, office.settings.behind_proxy))
    except Refusal as error:
        office.metrics.refused.labels(error.code).inc()
        await socket.close(POLICY, error.code)
        return
    try:
        await socket.accept()
        await _Connection(socket, receive, send, outbox).run()
    finally:
        office.dismiss(outbox)


class _Connection:
    """One socket."""

    def __init__(self, socket: WebSocket, receive: Receive, send: Send, outbox: Outbox) -> None:
        self._socket = socket
        self._receive, self._send_event = receive, send
        office: Office = socket.app.state.office
        self._office = office
        self._outbox = outbox
        self._house = office.house
        self._watched: dict[tuple[str, SeatName | None], tuple[Live, Viewer]] = {}
        settings, now = office.settings, time.monotonic()
        self._bucket = Bucket(settings.messages_per_second, settings.message_burst, now)
        self._excess = 0
        self._is_busy = False
        self._is_over = False
        self._heard = now
        self._probe = 0
        self._probed = 0.0
        self._round_trip = 0.0

    async def run(self) -> None:
        """Listen and talk, until either ends."""
        parts = [self._listen(), self._talk(), self._mind(), self._part()]
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
            for live, viewer in self._watched.values():
                live.unwatch(self._outbox, viewer)

    async def _listen(self) -> None:
        while not self._is_over:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            self._heard = time.monotonic()
            if not self._bucket.take(self._heard):
                self._excess += 1
                if self._excess > PATIENCE:
                    await self._close(POLICY, "too_many")
                    return
                self._refuse(Refusal("too_many", "too many messages; slow down"))
                continue
            self._is_busy = True
            await self._hear(message.get("text"))
            self._is_busy = False

    async def _talk(self) -> None:
        with contextlib.suppress(RuntimeError):  # the socket closed in the middle of a word
            while texts := await self._outbox.take():
                for text in texts:
                    await self._send_event({"type": "websocket.send", "text": text})
            await asyncio.Event().wait()  # dropped: parting is for `_part`

    async def _part(self) -> None:
        """Close the socket when it is given up; it may not even take the word for it."""
        await self._outbox.dropped()
        if self._office.status == "ok":
            self._office.metrics.dropped.inc()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PARTING_SECONDS):
                    await self._close(TOO_SLOW, "too slow")

    async def _mind(self) -> None:
        """Measure the line to players, and close sockets that follow nothing."""
        idle = self._office.settings.idle_seconds
        while True:
            if any(viewer is not None for _, viewer in self._watched.values()):
                self._send_probe()
            await asyncio.sleep(min(PROBE_SECONDS, idle / 2))
            if not self._watched and time.monotonic() - self._heard > idle:
                await self._close(POLICY, "idle")
                return

    async def _close(self, code: int, reason: str) -> None:
        with contextlib.suppress(RuntimeError, ConnectionError):
            await self._socket.close(code, reason)

    def _send_probe(self) -> None:
        self._probe += 1
        self._probed = time.monotonic()
        self._send(messages.Probe(number=self._probe))

    def _send(self, message: messages.ServerMessage) -> None:
        self._outbox.push(encode(message))

    def _refuse(self, error: Refusal, about: messages.Do | None = None) -> None:
        self._office.metrics.refused.labels(error.code).inc()
        self._send(
            messages.Refused(
                code=error.code,
                message=str(error),
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
        try:
            await self._obey(message)
        except Refusal as error:
            self._refuse(error, message if isinstance(message, messages.Do) else None)
        except Exception:  # one message may fail, not the socket nor the server
            logger.exception("a message failed", extra={"type": type(message).__name__})
            self._refuse(Refusal("busy", "this did not work; try again"))

    async def _obey(self, message: ClientMessage) -> None:
        match message:
            case messages.Do():
                await self._do(message)
            case messages.Watch():
                await self._watch(message)
            case messages.Unwatch(match=match, seat=seat):
                watched = self._watched.pop((match, seat), None)
                if watched is not None:
                    watched[0].unwatch(self._outbox, watched[1])
            case messages.Ping(sent=sent):
                self._send(messages.Pong(sent=sent, now=self._house.uptime.now()))
            case messages.Echo(number=number):
                if number == self._probe:
                    self._round_trip = time.monotonic() - self._probed
            case messages.WatchLobby():
                await self._office.reception.watch(self._outbox)
            case messages.UnwatchLobby():
                self._office.reception.unwatch(self._outbox)
            case _:
                assert_never(message)

    async def _watch(self, watch: messages.Watch) -> None:
        settings = self._office.settings
        live = await self._house.live(watch.match)
        viewer = await self._office.viewer(live, watch.secret)
        key = (watch.match, viewer_name(viewer))
        if key not in self._watched:
            if len(self._watched) >= settings.watched_per_socket:
                raise Refusal("too_many", "too many matches on one socket")
            if viewer is None and live.watchers >= settings.watchers_per_match:
                raise Refusal("too_many", "too many watch this match")
        if watch.seen is None:
            self._send(self._office.snapshot(live, viewer, legal=watch.legal))
        else:
            live = await self._catch_up(live, viewer, watch)
        self._watched[key] = (live, viewer)
        live.watch(self._outbox, viewer, legal=watch.legal)
        if viewer is not None and not self._probe:
            self._send_probe()

    async def _catch_up(self, live: Live, viewer: Viewer, watch: messages.Watch) -> Live:
        """Send what a client has missed; return the match, up to date with that."""
        seen = watch.seen or 0
        if seen > live.table.seq:  # another process told the client more than this one has heard
            await self._house.refresh(live)
        while True:
            missed = await self._house.history(live, seen)
            for told in missed:
                await self._outbox.room()
                self._outbox.push(told.text(viewer, legal=watch.legal))
                seen = told.table.seq
            # Reading the log takes a while; go on until nothing has come in between.
            if seen >= live.table.seq:
                break
        table, now = live.table, self._house.uptime.now()
        self._send(
            messages.Watching(match=table.id, seat=viewer_name(viewer), seq=table.seq, now=now)
        )
        return live

    async def _do(self, do: messages.Do) -> None:
        watched = self._watched.get((do.match, do.seat))
        if watched is None:
            raise Refusal("not_watching", "watch the match with the seat's secret first")
        live, seat = watched[0], seat_named(do.seat)
        try:
            told, seq = await self._house.order(live, seat, do.order, self._credit())
        except Refusal as error:
            self._refuse(error, do)
            if error.code == "stale":
                self._send(self._office.snapshot(live, seat))
            return
        if told is None:
            self._send(
                messages.Done(
                    match=do.match,
                    seat=seat_name(Seat(seat)),
                    client=do.order.client,
                    number=do.order.number,
                    seq=seq,
                )
            )

    def _credit(self) -> int:
        """Return what a slow line is credited: half a round trip, and the house sees to a bound."""
        return round(self._round_trip * 500)

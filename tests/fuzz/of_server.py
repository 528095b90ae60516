"""Messages from clients, and entries of the log."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from tests.fuzz.target import Target, hold
from visavis.rules import games
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.server import entries, messages
from visavis.server.seats import digest
from visavis.server.table import Table
from visavis.session import VIEWERS

DECODING = (msgspec.MsgspecError, RecursionError, ValueError)
"""What decoding a body or a message is documented to raise: it is answered by ``bad_message``."""
INCOMING: tuple[Any, ...] = (
    messages.ClientMessage,
    messages.NewMatch,
    messages.Join,
    messages.Order,
    messages.Analysis,
    messages.PuzzleMove,
    messages.PreviewOf,
    messages.NewBot,
)
BODIES = (
    '{"type":"watch","match":"abc","secret":"x","seen":3,"legal":false}',
    '{"type":"do","match":"abc","seat":"first","order":{"client":"a","number":1,"seen":2,'
    '"command":{"type":"move","text":"e4"}}}',
    '{"type":"unwatch","match":"abc"}',
    '{"type":"ping","sent":12.5}',
    '{"type":"echo","number":4}',
    '{"type":"watch_lobby"}',
    '{"client":"a","number":7,"command":{"type":"say","phrase":"hello"}}',
    '{"client":"a","number":7,"command":{"type":"resign"}}',
    '{"name":"Mio","secret":"0123456789abcdef0123456789abcdef","invitation":null}',
    '{"game":"GAME","clock":"300+5","name":"Mio","private":false,"options":{},'
    '"seats":[{"kind":"me"},{"kind":"invited"}],"start":null}',
    '{"game":"GAME","view":"VIEW","seat":"first","options":{},"millis":5,"lines":2,"match":null}',
    '{"view":"VIEW","moves":2,"move":"e4"}',
    '{"name":"my-bot"}',
    '{"options":{}}',
)


def read_message(kind: Any, text: str) -> bool:
    try:
        message = msgspec.json.decode(text.encode("utf-8", "surrogatepass"), type=kind)
    except DECODING:
        return False
    hold(
        msgspec.json.decode(msgspec.json.encode(message), type=kind) == message, "not that message"
    )
    if isinstance(message, messages.Watch | messages.Join) and message.secret:
        digest(message.secret)
    return True


def open_match(text: str) -> bool:
    """Open a match from a body, as far as that needs no server."""
    try:
        new = msgspec.json.decode(text.encode("utf-8", "surrogatepass"), type=messages.NewMatch)
    except DECODING:
        return False
    chair = entries.Chair(kind="me", name=new.name)
    opened = entries.Opened(
        game=new.game,
        options={name: str(value) for name, value in new.options.items()},
        clock=new.clock,
        private=new.private,
        start=new.start,
        seed="00" * 32,
        created=0,
        chairs=(chair, chair),
    )
    hold(entries.decode(entries.encode(opened)) == opened, "an entry's text is not that entry")
    try:
        table, told = Table.open("a", opened, 0)
    except VisavisError:
        return False
    for viewer in VIEWERS:
        told.text(viewer, legal=True)
    msgspec.json.encode(table.info())
    return True


def fold_entry(tables: list[Table], text: str) -> bool:
    """Let an entry follow on a table."""
    body = text.encode("utf-8", "surrogatepass")
    try:
        entry = entries.decode(body)
    except DECODING:
        return False
    table = random.Random(body).choice(tables)
    try:
        after, told = table.after(entry, table.at)
    except VisavisError:
        return False
    for viewer in VIEWERS:
        told.text(viewer, legal=True)
    msgspec.json.encode(after.info())
    return True


def server_targets(moves: dict[str, list[str]]) -> Iterator[Target]:
    """Return what reads messages and entries."""
    for kind in INCOMING:
        name = getattr(kind, "__name__", "ClientMessage")
        known = [body for body in BODIES if read_message(kind, body)]
        yield Target(f"message.{name}", tuple(known), partial(read_message, kind))
    news = [body.replace("GAME", slug) for body in BODIES if '"seats"' in body for slug in games()]
    yield Target("message.open", tuple(news), open_match)
    tables, kept = [], []
    for slug, texts in moves.items():
        tables += list(_tables(slug))
        did = entries.Did(
            seat=Seat.FIRST, command=messages.Move(text=texts[0]), client="a", number=1
        )
        kept += [entries.encode(msgspec.structs.replace(did, seat=seat)).decode() for seat in Seat]
    for command in (
        messages.Resign(),
        messages.OfferDraw(),
        messages.AskTakeback(),
        messages.Abort(),
    ):
        did = entries.Did(seat=Seat.SECOND, command=command, client="b", number=2)
        kept.append(entries.encode(did).decode())
    kept += [
        entries.encode(e).decode()
        for e in (entries.Ticked(), entries.Expired(), entries.Away(millis=5))
    ]
    kept.append(entries.encode(entries.Sat(seat=Seat.SECOND, name="Ren")).decode())
    yield Target("entry", tuple(kept), partial(fold_entry, tables))


def _tables(slug: str) -> Iterator[Table]:
    rng = random.Random(slug)
    options = {name: str(value) for name, value in games()[slug].untimed.items()}
    opened = entries.Opened(
        game=slug,
        options=options,
        clock="300+5",
        private=False,
        start=None,
        seed="00" * 32,
        created=0,
        chairs=(entries.Chair(kind="me"), entries.Chair(kind="me")),
    )
    table, _ = Table.open("a", opened, 0)
    for number in range(12):
        yield table
        assert table.match is not None
        if table.match.is_over:
            return
        seat = rng.choice(table.match.awaited)
        move = rng.choice(table.match.game.legal(table.match.state, seat))
        command = messages.Move(text=table.match.game.format_move(move))
        did = entries.Did(seat=seat, command=command, client="c", number=number)
        table, _ = table.after(did, table.at + 10)

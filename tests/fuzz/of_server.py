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
from visavis.server import match_log, messages
from visavis.server.hosted_match import HostedMatch
from visavis.server.secrets import digest
from visavis.session import VIEWERS, Abort, AskTakeback, Move, OfferDraw, Resign

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
    chair = match_log.Chair(kind="me", name=new.name)
    opened = match_log.Opened(
        game=new.game,
        rules_version=1,
        options={name: str(value) for name, value in new.options.items()},
        clock=new.clock,
        private=new.private,
        start=new.start,
        seed="00" * 32,
        created=0,
        chairs=(chair, chair),
    )
    hold(match_log.decode(match_log.encode(opened)) == opened, "an entry's text is not that entry")
    try:
        hosted, told = HostedMatch.open("a", opened, 0)
    except VisavisError:
        return False
    for viewer in VIEWERS:
        told.text(viewer, legal=True)
    msgspec.json.encode(hosted.info())
    return True


def fold_entry(tables: list[HostedMatch], text: str) -> bool:
    """Let an entry follow on a table."""
    body = text.encode("utf-8", "surrogatepass")
    try:
        entry = match_log.decode(body)
    except DECODING:
        return False
    hosted = random.Random(body).choice(tables)
    try:
        after, told = hosted.after(entry, hosted.at)
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
        made = [match_log.Did(Move(seat, texts[0]), client="a", number=1) for seat in Seat]
        kept += [match_log.encode(did).decode() for did in made]
    for command in (Resign, OfferDraw, AskTakeback, Abort):
        did = match_log.Did(command(Seat.SECOND), client="b", number=2)
        kept.append(match_log.encode(did).decode())
    kept += [
        match_log.encode(e).decode()
        for e in (match_log.Ticked(), match_log.Expired(), match_log.Away(millis=5))
    ]
    kept.append(match_log.encode(match_log.Sat(seat=Seat.SECOND, name="Ren")).decode())
    yield Target("entry", tuple(kept), partial(fold_entry, tables))


def _tables(slug: str) -> Iterator[HostedMatch]:
    rng = random.Random(slug)
    options = {name: str(value) for name, value in games()[slug].untimed.items()}
    opened = match_log.Opened(
        game=slug,
        rules_version=games()[slug].rules_version,
        options=options,
        clock="300+5",
        private=False,
        start=None,
        seed="00" * 32,
        created=0,
        chairs=(match_log.Chair(kind="me"), match_log.Chair(kind="me")),
    )
    hosted, _ = HostedMatch.open("a", opened, 0)
    for number in range(12):
        yield hosted
        assert hosted.match is not None
        if hosted.match.is_over:
            return
        seat = rng.choice(hosted.match.awaited)
        move = rng.choice(hosted.match.game.legal(hosted.match.state, seat))
        command = Move(seat, hosted.match.game.format_move(move))
        did = match_log.Did(command, client="c", number=number)
        hosted, _ = hosted.after(did, hosted.at + 10)

"""One declaration: a command or notice that is declared in a session is on the wire and in the log.

A new command takes three edits: its dataclass (in `session/commands.py`, and in the union there),
what `Match.execute` does with it, and the page's button. Here it takes the dataclass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import msgspec
import pytest

from visavis.rules.protocol import Seat
from visavis.server import vocabulary
from visavis.server.codec import COMMANDS, NOTICES, Codec, WireCommand, command_of, notice_to_send
from visavis.session import commands, events
from visavis.session.commands import Claim, Move, SeatCommand


@dataclass(frozen=True, slots=True)
class SwapSides:
    """A command that there is not yet."""

    seat: Seat
    why: str = ""


def test_a_new_command_is_read_from_the_wire_and_the_log() -> None:
    wire = Codec(SeatCommand | SwapSides, leave_out=("seat", "credit_ms"))
    read = msgspec.json.decode(b'{"type":"swap_sides","why":"fun"}', type=wire.union)
    swap = SwapSides(Seat.SECOND, "fun")
    assert wire.from_struct(read, {"seat": Seat.SECOND}) == swap
    log = Codec(SeatCommand | SwapSides)
    body = msgspec.json.encode(log.to_struct(swap))
    assert body == b'{"type":"swap_sides","seat":"second","why":"fun"}'
    assert log.from_struct(msgspec.json.decode(body, type=log.union)) == swap


def test_everything_that_is_declared_is_on_the_wire() -> None:
    sent = {struct.__name__ for struct in get_args(COMMANDS.union)}
    assert sent == {kind.__name__ for kind in get_args(vocabulary.Command)}
    assert sent >= {kind.__name__ for kind in get_args(SeatCommand)}
    assert commands.Tick.__name__ not in sent
    told = {struct.__name__ for struct in get_args(NOTICES.union)}
    assert told >= {kind.__name__ for kind in get_args(events.Notice)}


def test_nobody_sends_another_seat_or_a_credit() -> None:
    text = b'{"type":"move","text":"IB3B2","seat":"second","credit_ms":9000}'
    read = msgspec.json.decode(text, type=WireCommand)
    assert command_of(read, Seat.FIRST) == Move(Seat.FIRST, "IB3B2")


@pytest.mark.parametrize(
    ("body", "command"),
    [
        (b'{"type":"claim"}', Claim(Seat.FIRST)),
        (b'{"type":"claim","draw":true}', Claim(Seat.FIRST, draw=True)),
        (b'{"type":"say","phrase":"hello"}', vocabulary.Say(Seat.FIRST, "hello")),
        (b'{"type":"abort"}', commands.Abort(Seat.FIRST)),
    ],
)
def test_commands(body: bytes, command: vocabulary.Command) -> None:
    assert command_of(msgspec.json.decode(body, type=WireCommand), Seat.FIRST) == command


@pytest.mark.parametrize(
    "body",
    [
        b'{"type":"tick"}',
        b'{"type":"say","phrase":"anything"}',
        b'{"type":"move"}',
        b'{"type":"move","text":"%s"}' % (b"A" * 8_001),
    ],
)
def test_what_is_no_command(body: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=WireCommand)


@pytest.mark.parametrize(
    ("notice", "sent"),
    [
        (events.Began("c0"), b'{"type":"began","commitment":"c0"}'),
        (
            events.Began("c0", (Seat.SECOND,)),
            b'{"type":"began","commitment":"c0","unready":["second"]}',
        ),
        (
            events.Ended("*", None, "aborted", None, "5eed", "p"),
            b'{"type":"ended","result":"*","winner":null,"reason":"aborted","scores":null,'
            b'"seed":"5eed","position":"p"}',
        ),
        (
            vocabulary.Joined(Seat.FIRST, vocabulary.Player("person", "Ada")),
            b'{"type":"joined","seat":"first","player":{"kind":"person","name":"Ada","player":""}}',
        ),
        (vocabulary.Closed(), b'{"type":"closed"}'),
    ],
)
def test_notices(notice: vocabulary.Notice, sent: bytes) -> None:
    assert msgspec.json.encode(notice_to_send(notice)) == sent

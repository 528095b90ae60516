"""The log of a match: what is kept of it, entry by entry. A match is rebuilt from nothing else.

Entries are kept as JSON. They hold seeds and digests of secrets, and never leave the server.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from visavis.rules.protocol import Seat
from visavis.server.messages import Command


class Entry(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """The base of entries."""


class Chair(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat as it was set up. ``key`` and ``invitation`` are digests."""

    kind: Literal["me", "invited", "open", "computer", "bot"]
    player: str = ""
    name: str = ""
    key: str = ""
    invitation: str = ""


class Opened(Entry, frozen=True, kw_only=True, tag="opened"):
    """The first entry: what was agreed. ``created`` is in milliseconds since 1970."""

    game: str
    options: dict[str, str]
    clock: str | None
    private: bool
    start: str | None
    seed: str
    created: int
    chairs: tuple[Chair, Chair]
    previous: str | None = None


class Sat(Entry, frozen=True, kw_only=True, tag="sat"):
    """A free seat was taken, by a person or (``player``) a bot."""

    seat: Seat
    name: str = ""
    key: str = ""
    player: str = ""


class Did(Entry, frozen=True, kw_only=True, tag="did"):
    """A player's command was carried out. ``made`` is the rematch that it brought about."""

    seat: Seat
    command: Command
    client: str
    number: int
    credit: int = 0
    made: str = ""


class Ticked(Entry, frozen=True, kw_only=True, tag="ticked"):
    """A clock ran out."""


class Expired(Entry, frozen=True, kw_only=True, tag="expired"):
    """The house broke off what nobody had begun."""


class Away(Entry, frozen=True, kw_only=True, tag="away"):
    """The server was away for so long."""

    millis: int


AnyEntry = Opened | Sat | Did | Ticked | Expired | Away

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEntry)


def encode(entry: AnyEntry) -> bytes:
    """Return an entry as it is kept."""
    return _encoder.encode(entry)


def decode(body: bytes) -> AnyEntry:
    """Read a kept entry.

    >>> decode(encode(Away(millis=5)))
    Away(millis=5)
    """
    entry: AnyEntry = _decoder.decode(body)
    return entry

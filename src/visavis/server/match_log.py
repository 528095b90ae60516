"""The log of a match: what is kept of it, entry by entry. A match is rebuilt from nothing else.

Entries are kept as JSON. They hold seeds and digests of secrets, and never leave the server.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from visavis.rules.protocol import Seat
from visavis.server.messages import Command
from visavis.session import ClockStart


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
    """The first entry: what was agreed. ``created`` is in milliseconds since 1970.

    ``clock_start`` says when a clock that both share starts; logs from before it was agreed on
    don't have it, and such a clock starts at once there.
    ``source`` is the same for all matches that one client has made, and says nothing else.
    """

    game: str
    options: dict[str, str]
    clock: str | None
    private: bool
    start: str | None
    seed: str
    created: int
    chairs: tuple[Chair, Chair]
    previous: str | None = None
    clock_start: ClockStart | None = None
    source: str = ""
    one_screen: bool = False
    """Whether it is the rematch of a match on one screen."""

    @property
    def is_on_one_screen(self) -> bool:
        """Whether one browser has both seats, and two people play on it."""
        both = all(chair.kind == "me" for chair in self.chairs)
        # In a rematch whoever had a seat has one again, on however many screens they play.
        return self.one_screen or (both and self.previous is None)

    @property
    def is_automatic(self) -> bool:
        """Whether computers play it alone."""
        return all(chair.kind == "computer" for chair in self.chairs)


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

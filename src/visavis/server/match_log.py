"""The log of a match: what is kept of it, entry by entry. A match is rebuilt from nothing else.

Entries are kept as JSON, in a form of their own: structs made from the dataclasses here and from
commands by `visavis.server.codec`, with the number of the ``form``. Whatever changes what is
written takes a new number (a test holds `FORM` to a snapshot of its schema), and a function in
`UPGRADES` that makes an entry of the form before into one of the next. So a log is read as long as
there is a way from its form to this one, and refused if there is none.

Entries hold seeds and digests of secrets, and never leave the server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from visavis.rules.protocol import Seat
from visavis.rules.seats import seat_of
from visavis.server.codec import Codec
from visavis.server.errors import Refusal
from visavis.server.vocabulary import Command
from visavis.session import ClockStart

FORM: Final = 2
"""The form in which entries are written."""
FIRST_FORM: Final = 1
"""The form of entries that don't name theirs."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat as it was set up. ``key`` and ``invitation`` are digests."""

    kind: Literal["me", "invited", "open", "computer", "bot"]
    player: str = ""
    name: str = ""
    key: str = ""
    invitation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The first entry: what was agreed. ``created`` is in milliseconds since 1970.

    ``rules_version`` is that of the game's rules (`Game.rules_version`). ``source`` is the same for
    all matches that one client has made, and says nothing else.
    """

    game: str
    rules_version: int
    options: dict[str, str]
    clock: str | None
    private: bool
    start: str | None
    seed: str
    created: int
    chairs: tuple[Chair, Chair]
    previous: str | None = None
    clock_start: ClockStart = ClockStart.READY
    """When the clock starts, if both share it."""
    source: str = ""
    one_screen: bool = False
    """Whether it is the rematch of a match on one screen."""

    @property
    def is_on_one_screen(self) -> bool:
        """Whether one browser has both seats, and two people play on it."""
        both = all(chair.kind == "me" for chair in self.chairs)
        # In a rematch the same players have seats, on however many screens they play.
        return self.one_screen or (both and self.previous is None)

    @property
    def is_listed(self) -> bool:
        """Whether the lobby shows it: not what somebody plays alone, or two on one screen.

        Such a match can be watched by its link, unless it is private.
        """
        kinds = {chair.kind for chair in self.chairs}
        return not (self.private or self.is_on_one_screen or kinds == {"me", "computer"})

    @property
    def is_automatic(self) -> bool:
        """Whether computers play it alone."""
        return all(chair.kind == "computer" for chair in self.chairs)


@dataclass(frozen=True, slots=True)
class Sat:
    """A free seat was taken, by a person or (``player``) a bot."""

    seat: Seat
    name: str = ""
    key: str = ""
    player: str = ""


@dataclass(frozen=True, slots=True)
class Did:
    """A player's command was carried out. ``made`` is the rematch that it brought about."""

    command: Command
    client: str
    number: int
    made: str = ""

    @property
    def seat(self) -> Seat:
        """The seat that gave the command."""
        return seat_of(self.command.seat)


@dataclass(frozen=True, slots=True)
class Ticked:
    """A clock ran out."""


@dataclass(frozen=True, slots=True)
class Expired:
    """The server broke off what nobody had begun."""


@dataclass(frozen=True, slots=True)
class Away:
    """The server was away for so long."""

    millis: int


AnyEntry = Opened | Sat | Did | Ticked | Expired | Away

ENTRIES: Final = Codec(AnyEntry, more=[("form", int, FIRST_FORM)])

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ENTRIES.union)


def encode(entry: AnyEntry) -> bytes:
    """Return an entry as it is kept.

    >>> encode(Away(5))
    b'{"type":"away","millis":5,"form":2}'
    """
    return _encoder.encode(ENTRIES.to_struct(entry, FORM))


def decode(body: bytes) -> AnyEntry:
    """Read a kept entry of this form or of an earlier one; refuse one of a later form.

    >>> decode(encode(Away(5)))
    Away(millis=5)
    >>> decode(b'{"type":"did","seat":1,"command":{"type":"resign"},"client":"c","number":3}')
    Did(command=Resign(seat=<Seat.SECOND: 1>), client='c', number=3, made='')
    """
    try:
        kept = _decoder.decode(body)
    except msgspec.ValidationError:
        kept = None
    if kept is None or kept.form != FORM:
        kept = msgspec.convert(_upgrade(msgspec.json.decode(body)), ENTRIES.union)
    entry: AnyEntry = ENTRIES.from_struct(kept)
    return entry


# -- Earlier forms ---------------------------------------------------------------------------------

Raw = dict[str, Any]


def upgrade_from_form_1(entry: Raw) -> Raw:
    """Make an entry of 0.1 into one of form 2.

    Form 1 had seats as numbers, and beside a command whose it was and what a slow line had cost. It
    did not name the version of the rules, which was 1, nor at first when a clock that both share
    starts, which was at once.
    """
    entry = dict(entry)
    seat = {} if "seat" not in entry else {"seat": str(Seat(entry.pop("seat")))}
    match entry["type"]:
        case "opened":
            return {"rules_version": 1, "clock_start": "at_once"} | entry
        case "sat":
            return entry | seat
        case "did":
            credit = entry.pop("credit", 0)
            is_move = entry["command"]["type"] == "move"
            command = entry["command"] | seat | ({"credit_ms": credit} if is_move else {})
            return entry | {"command": command}
        case _:
            return entry


UPGRADES: Final[dict[int, Callable[[Raw], Raw]]] = {1: upgrade_from_form_1}
"""From each earlier form to the next."""


def _upgrade(entry: Raw) -> Raw:
    form = int(entry.get("form", FIRST_FORM))
    if form > FORM:
        raise Refusal("failed", f"the log is of form {form}; this server reads forms up to {FORM}")
    while form < FORM:
        entry, form = UPGRADES[form](entry), form + 1
    return entry | {"form": FORM}

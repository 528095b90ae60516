"""What games there are, and what they look like before anybody plays."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from visavis.server.words import Phrase, Slug, Text


class OptionInfo(Struct, frozen=True, kw_only=True):
    """An option of a game: a number in a range (or among some), one of a few words, or a text."""

    name: str
    help: str
    domain: str
    kind: Literal["number", "choice", "text"]
    default: int | str
    low: int | None = None
    high: int | None = None
    among: tuple[int | str, ...] = ()


class GameInfo(Struct, frozen=True, kw_only=True):
    """A game: what the page needs to offer it."""

    slug: str
    title: str
    summary: str
    seat_names: tuple[str, str]
    hidden: bool
    clock: str | None
    """The clock that the rules prescribe with default options."""
    untimed: dict[str, str]
    options: tuple[OptionInfo, ...]
    computers: tuple[str, ...]
    """What ``SeatSpec.player`` may be for a computer: levels, ``perfect`` where the game is solved
    here, and attached engines."""
    puzzles: bool
    """Whether there are puzzles: the game is solved here."""
    solvable: bool
    """Whether `visavis solve` makes the table that puzzles and perfect play need."""


class Games(Struct, frozen=True, kw_only=True):
    """All games, and the quick phrases."""

    games: tuple[GameInfo, ...]
    phrases: tuple[Phrase, ...]


class Addresses(Struct, frozen=True, kw_only=True):
    """Where other machines of the network find the server, as ``http://host:port``."""

    addresses: tuple[str, ...]


class PreviewOf(Struct, frozen=True, kw_only=True):
    """What a game would look like with these options."""

    options: dict[Slug, Text | int] = {}


class Preview(Struct, frozen=True, kw_only=True):
    """A game before its first move, as spectators would see it.

    ``options`` are all of them in their canonical form: a match that is created with them begins
    as shown, also where they were drawn from a seed.
    """

    options: dict[str, str]
    view: str
    clock: str | None
    """The clock that the rules prescribe with these options."""

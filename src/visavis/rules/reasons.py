"""Why games and matches end: closed sets of words, the same in records, on the wire and here."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from visavis.rules.errors import UnknownReason
from visavis.rules.seats import Seat


class Reason(enum.StrEnum):
    """The base of all reasons. A member is its word, and has a phrase for people.

    A game derives its own set and names it in `Game.reasons`; `MatchReason` is the set that all
    matches share. The phrases are for a game that was won that way and for one that was drawn;
    None if it can't be.

    >>> class Why(Reason):
    ...     GROUND = "ground", "by ground held", "equal ground held"
    >>> Why.GROUND == "ground", Why.GROUND.phrase(None)
    (True, 'equal ground held')
    """

    won: str | None
    drawn: str | None

    def __new__(cls, word: str, won: str | None = None, drawn: str | None = None) -> Reason:
        """Make the member with this word."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.won, member.drawn = won, drawn
        return member

    def phrase(self, winner: Seat | None) -> str | None:
        """Return the phrase for an outcome with this winner."""
        return self.drawn if winner is None else self.won


class MatchReason(Reason):
    """How a match can end in any game while the game itself goes on."""

    RESIGNED = "resigned", "resignation"
    AGREED = "agreed", None, "by agreement"
    TIMEOUT = "timeout", "out of time", "both out of time"
    ABANDONED = "abandoned", "the loser left the game", "a player left the game"
    ABORTED = "aborted"
    """The match was broken off and does not count."""


class NoReason(Reason):
    """The set of a game that names no reasons."""


def reasons_of(own: type[Reason]) -> Iterator[Reason]:
    """Return every reason with which a match of a game may end: the game's own, then the rest."""
    yield from own
    yield from (reason for reason in MatchReason if reason not in own.__members__.values())


def reason_named(own: type[Reason], word: str) -> Reason:
    """Return the reason that a word stands for in a game, or raise `UnknownReason`.

    >>> reason_named(NoReason, "agreed")
    <MatchReason.AGREED: 'agreed'>
    """
    for reason in reasons_of(own):
        if reason == word:
            return reason
    raise UnknownReason(word, tuple(reasons_of(own)))

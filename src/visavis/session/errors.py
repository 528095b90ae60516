"""What a session refuses, each with its own type; nothing changes when one of these is raised.

::

    VisavisError
    └── SessionError
        ├── BadClock            a text that isn't a clock, or one that can't be kept
        │   ├── ClockPrescribed     the rules of the game prescribe a clock
        │   └── NoSharedClock       they prescribe none that both share
        ├── BadSeed             a seed of the wrong size
        ├── CommandError
        │   ├── MatchOver           the match has ended
        │   ├── NoOffer             nothing was offered or asked that could be answered
        │   ├── AlreadyOffered      the same offer is still open
        │   ├── AlreadyReady        the clock does not wait for that seat
        │   ├── NotReady            the clock waits for the other seat
        │   ├── TakebackRefused     something in between can't be undone
        │   ├── ClaimRefused        nobody has left what would have to be stayed at
        │   └── TooLate             both players have moved: a match is no longer aborted
        ├── OtherRules          played under another version of the game's rules
        ├── RecordError         a text that isn't a record; names line and column
        └── Discrepancy         a record that does not hold; names the line
            ├── WrongHeader         game, options, clock, start or reason
            ├── WrongMove           a move that could not be made there
            ├── WrongRoll           a roll that chance did not show
            ├── WrongRemark         a remark that the move does not earn
            ├── WrongSeal           a secret move that is not the one sealed
            ├── WrongSeed           a seed that is not the one promised
            └── WrongResult         a result, reason or score that does not follow

Moves and seats are refused with the errors of the rules (`NotYourTurn`, `NotAMove`, `IllegalMove`,
`NotASeat`).
"""

from __future__ import annotations

from typing import Final, Literal

from visavis.rules.errors import VisavisError, shorten
from visavis.rules.protocol import Seat


class SessionError(VisavisError):
    """The base of everything that a session refuses."""


class BadClock(SessionError):
    """A text that isn't a clock, or a clock that can't be kept."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(f"{shorten(text)} can't be the clock: {why}")
        self.text = text


class ClockPrescribed(BadClock):
    """The rules of the game prescribe a clock; no other can be chosen."""

    def __init__(self, text: str, prescribed: str, options: str = "") -> None:
        by = f", by its options ({options})" if options else ""
        super().__init__(text, f"this game prescribes {prescribed}{by}")
        self.prescribed = prescribed


class NoSharedClock(BadClock):
    """A clock for the whole game that the rules of the game do not prescribe."""

    def __init__(self, text: str, options: str = "") -> None:
        why = f"only this game's options set such a clock ({options})"
        super().__init__(text, why if options else "this game has none that both players share")


class BadSeed(SessionError):
    """A seed of the wrong size. The message never repeats the seed."""

    def __init__(self, size: int, wanted: int) -> None:
        super().__init__(f"a seed has {wanted} bytes, not {size}")


class CommandError(SessionError):
    """The base of commands that can't be carried out now."""


class MatchOver(CommandError):
    """The match has ended; nothing more can be done in it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the match is over: {reason}")
        self.reason = reason


class NoOffer(CommandError):
    """There is nothing to answer."""

    def __init__(self, seat: Seat, what: str) -> None:
        super().__init__(f"there is no {what} for {seat} to answer")
        self.seat = seat


class AlreadyOffered(CommandError):
    """The seat's own offer or request is still open."""

    def __init__(self, seat: Seat, what: str) -> None:
        super().__init__(f"a {what} by {seat} is open already")
        self.seat = seat


class AlreadyReady(CommandError):
    """The seat has said that it is ready, or nobody has to."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(f"the clock does not wait for {seat} to be ready")
        self.seat = seat


class NotReady(CommandError):
    """Nobody moves before the other, for whom the clock waits, is ready."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(f"{seat} is not ready yet: the first move comes when both are")
        self.seat = seat


NoTakeback = Literal["nothing", "roll", "shown", "sealed"]
"""Why a seat can't take back."""

_NO_TAKEBACK: Final[dict[NoTakeback, str]] = {
    "nothing": "there is nothing to take back",
    "roll": "a roll can't be undone",
    "shown": "what a move has shown can't be hidden again",
    "sealed": "a sealed move is final",
}


class TakebackRefused(CommandError):
    """There is nothing to take back, or something in between can't be undone."""

    def __init__(self, seat: Seat, why: NoTakeback) -> None:
        super().__init__(f"{seat} can't take back: {_NO_TAKEBACK[why]}")
        self.seat = seat
        self.why: NoTakeback = why


class ClaimRefused(CommandError):
    """A match that can't be claimed: it has hardly begun, or nobody has to stay at it."""

    def __init__(self, seat: Seat, why: str) -> None:
        super().__init__(f"{seat} can't claim the match: {why}")
        self.seat = seat


class TooLate(CommandError):
    """Both players have moved, so the match can't be aborted any more."""

    def __init__(self) -> None:
        super().__init__("both players have moved: resign, or offer a draw")


class OtherRules(SessionError):
    """A match that was played under another version of the game's rules."""

    def __init__(self, slug: str, version: int, known: int) -> None:
        super().__init__(
            f"played under version {version} of the rules of {slug}; this Visavis has version "
            f"{known}, and does not judge it by that"
        )
        self.slug, self.version, self.known = slug, version, known


class RecordError(SessionError):
    """A text that isn't a record. Lines and columns count from 1."""

    def __init__(self, line: int, column: int, why: str) -> None:
        super().__init__(f"line {line}, column {column}: {why}")
        self.line = line
        self.column = column
        self.why = why


class Discrepancy(SessionError):
    """The first thing in a record that does not hold. ``line`` is 0 for what is missing."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line
        self.why = why


class WrongHeader(Discrepancy):
    """The game, an option, the clock, the start or the reason is not possible."""


class WrongMove(Discrepancy):
    """A move that could not be made there, or by another seat, or in another turn."""


class WrongRoll(Discrepancy):
    """A roll that chance did not show."""


class WrongRemark(Discrepancy):
    """A remark that the move does not earn, or one that is missing."""


class WrongSeal(Discrepancy):
    """A secret move that is not the one sealed when it was made."""


class WrongSeed(Discrepancy):
    """A seed that is not the one promised at the start."""


class WrongResult(Discrepancy):
    """A result, a reason or a score that does not follow from the moves."""

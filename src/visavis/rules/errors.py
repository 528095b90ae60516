"""Expected failures. Each has a type, names the culprit, and leaves everything as it was.

::

    VisavisError
    └── RulesError
        ├── UnknownGame     no game of that name
        ├── UnknownReason   no reason of that name for the end of a match
        ├── BadOption       an option that does not exist or is out of its range
        ├── NotAMove        a text that isn't a move at all
        ├── IllegalMove     a move, or a face of a roll, that is not possible now
        ├── NotYourTurn     a move by a seat whose turn it isn't
        ├── NotASeat        a value that is neither a seat nor the number of one
        ├── TooManyMoves    more legal moves than can be gone through
        ├── NotAPosition    a text that isn't a position
        └── NotAView        a text that isn't a view

Other parts of the house hang their own branches under `VisavisError`.
"""

from __future__ import annotations

SHOWN = 60
"""How much of a culprit an error message repeats."""


def shorten(culprit: object) -> str:
    """Return a culprit fit for a one-line message.

    >>> shorten("x" * 100)[-3:]
    "x…'"
    """
    return repr(_cut(str(culprit)))


def spelled(value: object) -> str:
    """Return a value as Python writes it, fit for a one-line message.

    >>> spelled(None), spelled("first")
    ('None', "'first'")
    """
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


class VisavisError(Exception):
    """The base of all failures that are the fault of the input, not of the program."""

    def __reduce__(self) -> tuple[object, ...]:
        """Say how to unpickle a failure in another process: with its message as it is."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[VisavisError], args: tuple[object, ...], fields: dict[str, object]
) -> VisavisError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error


class RulesError(VisavisError):
    """The base of failures that the rules of a game report."""


class UnknownGame(RulesError):
    """No game of that name.

    >>> str(UnknownGame("chess", ("osakana",)))
    "no game is called 'chess'; the games are: osakana"
    """

    def __init__(self, slug: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no game is called {shorten(slug)}; the games are: {', '.join(known)}")
        self.slug = slug


class UnknownReason(RulesError):
    """No match of the game ends for a reason of that name.

    >>> str(UnknownReason("boredom", ("resigned", "agreed")))
    "no match ends by 'boredom' here; the reasons are: resigned, agreed"
    """

    def __init__(self, word: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"no match ends by {shorten(word)} here; the reasons are: {', '.join(known)}"
        )
        self.word = word


class BadOption(RulesError):
    """An option that does not exist, or a value outside its range."""

    def __init__(self, name: str, value: object, why: str) -> None:
        super().__init__(f"option {shorten(name)}, value {shorten(value)}: {why}")
        self.name = name
        self.value = value


class TextError(RulesError):
    """The base of texts that can't be read."""

    kind = "text"

    def __init__(self, text: str, why: str) -> None:
        super().__init__(f"{shorten(text)} is not a {self.kind}: {why}")
        self.text = text
        self.why = why


class NotAMove(TextError):
    """A text that isn't a move at all."""

    kind = "move"


class NotAPosition(TextError):
    """A text that isn't a position of the game."""

    kind = "position"


class NotAView(TextError):
    """A text that isn't a view of the game."""

    kind = "view"


class IllegalMove(RulesError):
    """A move, or a face of a roll, that is not possible now."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(f"{shorten(text)} is not possible now: {why}")
        self.text = text
        self.why = why


class NotYourTurn(RulesError):
    """A move by a seat whose turn it isn't."""

    def __init__(self, seat: object) -> None:
        super().__init__(f"it is not for {seat} to move now")
        self.seat = seat


class NotASeat(RulesError):
    """A value that is neither a seat nor the number of one."""

    def __init__(self, value: object) -> None:
        super().__init__(
            f"{spelled(value)} is not a seat; the seats are Seat.FIRST (0) and Seat.SECOND (1)"
        )
        self.value = value


class TooManyMoves(RulesError):
    """More legal moves than can be gone through one by one."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count:,} moves are possible there, too many to go through one by one")
        self.count = count

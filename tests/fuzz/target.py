"""What a target is: something that reads texts from outside, and what it does with them.

A target is given a text and says whether it was accepted. It may refuse with the errors that its
own documentation names; whatever else is raised, and every broken promise about what was accepted,
is a find.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


class Broken(AssertionError):
    """A promise about an accepted text does not hold."""


@dataclass(frozen=True)
class Target:
    """Something that reads texts, and texts that it knows."""

    name: str
    known: tuple[str, ...] = field(repr=False)
    read: Callable[[str], bool] = field(repr=False)


def hold(law: bool, words: str) -> None:
    """Raise `Broken` unless a law holds."""
    if not law:
        raise Broken(words)


def refusing(read: Callable[[str], object], *refusals: type[Exception]) -> Callable[[str], bool]:
    """Return how a text is read that may be refused with these errors, or with None."""

    def accepted(text: str) -> bool:
        try:
            return read(text) is not None
        except refusals:
            return False

    return accepted

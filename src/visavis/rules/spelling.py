"""How texts from outside are read: the same way in every game and every part of the house.

Blanks around the text of a move are taken off and runs of them inside count as one space; ASCII
letters may be of either case where that tells nothing. Nothing else is folded: no other blanks, no
letters or digits of other alphabets that look or sort alike. The native core has its twin.
"""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase
from typing import Final

LONGEST_MOVE: Final = 100
"""Longer texts of moves are not read."""
LONGEST_NUMBER: Final = 20
"""The most digits that a number may have."""

_WHOLE: Final = re.compile("-?[0-9]+")
_CAPITALS: Final = str.maketrans(ascii_lowercase, ascii_uppercase)


def tidy(text: str) -> str:
    r"""Return a text without blanks (spaces and tabs) around it, and with single spaces inside.

    >>> tidy(" \tkeep  17i ")
    'keep 17i'
    """
    return " ".join(word for word in text.replace("\t", " ").split(" ") if word)


def capitals(text: str) -> str:
    """Return a text with its small ASCII letters as capitals; all else stays as it is.

    >>> capitals("keep 17i"), capitals("ſkip")
    ('KEEP 17I', 'ſKIP')
    """
    return text.translate(_CAPITALS)


def whole_number(text: str, low: int, high: int) -> int | None:
    """Return the number that plain decimal digits stand for; None if it isn't one in the range.

    >>> whole_number("40", 1, 100), whole_number("-3", -5, 5)
    (40, -3)
    >>> [whole_number(text, 0, 100) for text in ("+5", "-0", "1_0", "٤٠", " 40 ", "4.0", "")]
    [None, None, None, None, None, None, None]
    """
    if len(text) > LONGEST_NUMBER or not _WHOLE.fullmatch(text) or (text[0] == "-" and low >= 0):
        return None
    number = int(text)
    return number if low <= number <= high else None

"""People's names, without anything that can't be seen."""

from __future__ import annotations

import unicodedata
from typing import Final

MOST_CHARACTERS: Final = 40
"""The most characters that a name has."""
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co"))
"""Controls, formats (overrides of the direction, zero-width characters), halves, private ones."""
_RESERVED: Final = (
    *range(0xFE00, 0xFE10),
    *range(0xFFF0, 0xFFF9),
    *range(0xE0000, 0xE1000),
    *range(0xFDD0, 0xFDF0),
    *(plane + last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)),
)
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0"
    + "".join(map(chr, _RESERVED))
)
"""Characters of other kinds that show nothing: fillers, selectors of variants, places that are kept
free for more of them (Default_Ignorable_Code_Point), and code points that are no characters."""
_NON_JOINER: Final = "\u200c"
_JOINERS: Final = frozenset((_NON_JOINER, "\u200d"))
_VIRAMA: Final = 9
"""The combining class of the signs that leave out a vowel."""


def plain_name(text: str) -> str:
    """Return a name in its one form: composed (NFC), without what is invisible, single blanks.

    Joiners stay where they change what is seen, as in the names of domains (RFC 5892): after a
    virama, and the non-joiner between Arabic letters. Pictures joined to one fall apart.

    >>> plain_name("  Ada\\u202e \\u200bLove\\tlace "), plain_name("Zoe\\u0308")
    ('Ada Love lace', 'Zoë')
    """
    blanks = " ".join(text.split())
    joined = "".join(char for char in blanks if _is_seen(char) or char in _JOINERS)
    seen = unicodedata.normalize("NFC", joined)
    kept = (char for i, char in enumerate(seen) if char not in _JOINERS or _joins(seen, i))
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def _is_seen(char: str) -> bool:
    return unicodedata.category(char) not in _HIDDEN and char not in _BLANK


def _joins(text: str, i: int) -> bool:
    """Whether the joiner or non-joiner at a place changes what is seen."""
    if not text[i + 1 : i + 2].isalpha():
        return False
    if i and unicodedata.combining(text[i - 1]) == _VIRAMA:
        return True
    letters = [char for char in text[:i] if not unicodedata.combining(char)]
    arabic = [unicodedata.bidirectional(char) for char in (*letters[-1:], text[i + 1])]
    return text[i] == _NON_JOINER and arabic == ["AL", "AL"]

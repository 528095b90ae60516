"""Texts that are almost right: known ones, changed a little, put together, or made up."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

TOKEN = re.compile(r"[0-9]+|[^\W\d]+|\s+|.", re.DOTALL)
NUMBERS = (
    "0",
    "-1",
    "1",
    "00",
    "007",
    "1_0",
    "99",
    "255",
    "256",
    "4294967296",
    "9" * 19,
    "9" * 400,
)
ODD = (
    *("", " ", "\t", "\n", "\r\n", "\x00", "\x7f", "\x85", "\u2028", "\ufeff", "\u200b", "\u202e"),
    *("\ud800", "\udfff", "\U0010ffff", "٤", "４", "²", "Ⅷ", "ſ", "K", "İ", "ß", "A\u030a", "?"),
    *(
        "=",
        "-",
        "x",
        "/",
        ":",
        ";",
        ",",
        ".",
        "*",
        "#",
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        "@",
        "+",
        "%",
    ),
    *("null", "true", "NaN", "-0", "1e999", "[" * 2_000, '{"a":' * 2_000, "\\ud800", "a" * 3_000),
)
LONGEST = 6_000


class Texts:
    """Draws texts for one target: the same rng gives the same texts."""

    def __init__(self, known: Sequence[str], rng: random.Random) -> None:
        self._known = tuple(dict.fromkeys(known)) or ("",)
        self._rng = rng
        tokens = {token for text in self._known[:300] for token in TOKEN.findall(text[:2_000])}
        self._tokens = tuple(sorted(tokens)) or ("",)

    def draw(self) -> str:
        """Return a text."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.05:
            return self._known[rng.randrange(len(self._known))]
        if kind < 0.10:
            return "".join(rng.choices(self._tokens, k=rng.randrange(12)))
        text = self._known[rng.randrange(len(self._known))]
        for _ in range(1 + int(rng.expovariate(1.0))):
            text = self._changed(text)
        return text[:LONGEST]

    def _changed(self, text: str) -> str:
        rng = self._rng
        tokens = TOKEN.findall(text)
        if not tokens:
            return rng.choice(ODD)
        at = rng.randrange(len(tokens))
        match rng.randrange(12):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[at])
            case 2:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3 | 4 | 5:
                tokens[at] = rng.choice(self._tokens)
            case 6:
                tokens[at] = self._number(tokens[at])
            case 7:
                tokens[at] = rng.choice(ODD)
            case 8:
                tokens.insert(at, rng.choice(ODD))
            case 9:
                tokens[at] = rng.choice((str.upper, str.lower, str.swapcase))(tokens[at])
            case 10:
                more = TOKEN.findall(rng.choice(self._known))
                tokens[at:] = more[at if rng.random() < 0.5 else rng.randrange(len(more) + 1) :]
            case _:
                end = at + rng.randrange(8)
                if rng.random() < 0.5:
                    del tokens[at:end]
                else:
                    tokens[at:at] = tokens[at:end]
        return "".join(tokens)

    def _number(self, token: str) -> str:
        if token.isascii() and token.isdigit() and len(token) < 10 and self._rng.random() < 0.6:
            return str(max(0, int(token) + self._rng.randrange(-3, 4)))
        return self._rng.choice(NUMBERS)

"""The set of sixty tokens, as data: what is printed on the two sides of each (T1, T2).

A side is a text of four stones, clockwise from the upper left one. Improved sides are all
different, so the improved side names a token; every base side is found on two tokens, its *twins*.
"""

from __future__ import annotations

import json
from importlib import resources
from types import MappingProxyType
from typing import Final


def _load() -> tuple[dict[str, str], dict[str, str]]:
    text = resources.files(__package__).joinpath("tokens.json").read_text(encoding="utf-8")
    data = json.loads(text)
    bases = {token["improved"]: token["base"] for token in data["tokens"]}
    return data["colours"], bases


_colours, _bases = _load()

COLOURS: Final = MappingProxyType(_colours)
"""The names of the colours by their letters."""
BASE_OF: Final = MappingProxyType(_bases)
"""The base side of every token, by its improved side, in the order of the set."""
TWINS: Final = MappingProxyType(
    {base: tuple(i for i, b in _bases.items() if b == base) for base in _bases.values()}
)
"""The two improved sides behind every base side, in the order of the set."""
SET_SIZE: Final = len(BASE_OF)


def twin_of(improved: str) -> str:
    """Return the improved side of the other token with the same base side.

    >>> twin_of("RRYG"), twin_of("VVYB")
    ('VVYB', 'RRYG')
    """
    one, other = TWINS[BASE_OF[improved]]
    return other if improved == one else one


def turned(side: str, turns: int) -> str:
    """Return a side after a number of quarter turns clockwise.

    >>> turned("RVGB", 1)
    'BRVG'
    """
    return side[-turns:] + side[:-turns] if turns else side

"""Set-ups (E6): all of them in order, and a few to start from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import factorial, prod
from types import MappingProxyType
from typing import Final, overload

from visavis.rules.elements.state import LETTERS, OF_EACH, PIECES, Arrange, Arrangement, Element


def is_arrangement(elements: Sequence[Element]) -> bool:
    """Whether these are 15 elements, three of each (E6)."""
    return len(elements) == PIECES and all(elements.count(e) == OF_EACH for e in Element)


def _orders(left: Sequence[int]) -> int:
    """Count the orders of a multiset with these numbers of each element."""
    return factorial(sum(left)) // prod(map(factorial, left))


class AllSetUps(Sequence[Arrange]):
    """All set-ups, in the order of their letters ``F M W E A``, made only when asked for.

    >>> len(AllSetUps())
    168168000
    """

    def __len__(self) -> int:
        return _orders([OF_EACH] * len(Element))

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Arrange) and is_arrangement(move.elements)

    def __iter__(self) -> Iterator[Arrange]:
        return (self[index] for index in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Arrange: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Arrange]: ...

    def __getitem__(self, index: int | slice) -> Arrange | Sequence[Arrange]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return Arrange(_nth(index % len(self)))


def _nth(index: int) -> Arrangement:
    """Return the set-up at this place in the order, from 0."""
    left = [OF_EACH] * len(Element)
    elements: list[Element] = []
    while len(elements) < PIECES:
        for element in Element:
            if not left[element]:
                continue
            left[element] -= 1
            orders = _orders(left)
            if index < orders:
                elements.append(element)
                break
            index -= orders
            left[element] += 1
    return tuple(elements)


def _formation(text: str) -> Arrange:
    return Arrange(tuple(Element(LETTERS.index(letter)) for letter in text if letter != " "))


_PLANS: Final = {
    # One pair of each element in front, and behind it its avenger: y is beaten by y-1 or y-2, and
    # y+2 beats both. The pairs follow each other in steps of two, so that the right piece of each
    # pair has the left one of the next as a second avenger.
    "avengers": _formation("WFF AWW MAA EMM FEE"),
    # The front pair of a sector is z and z+2, which between them beat whatever comes before them
    # except z, which falls with the first of them; the piece behind beats that one too.
    "pincers": _formation("AFW FME MWA WEF EAM"),
    # Fire, metal and wood in front beat or trade with everything; all water and most earth wait
    # behind, so the front can be traded away while what is left is still unknown.
    "reserve": _formation("AFM AWF EMW EFE AWM"),
}
FORMATIONS: Final = MappingProxyType(_PLANS)
"""Set-ups with a plan, by name; each group is a sector: the piece at the base, left, right."""

"""The entries of a match: the moves that were made and the rolls that were thrown, in order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, overload

from visavis.rules.protocol import Seat, Viewer
from visavis.session.events import ForEach
from visavis.session.record import Time

STATE_EVERY: Final = 256
"""A state is kept after each run of this many entries, and going back replays from there. Keeping
all could take quadratic memory, as a state may hold everything before it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that was made, and everything about it that is worked out only once."""

    seat: Seat
    turn: int
    text: str
    sights: ForEach[str]
    remark: str
    seal: str | None
    """The seal, if there is somebody who does not see all of the move."""
    reveals: bool
    time: Time | None

    def seal_for(self, viewer: Viewer) -> str | None:
        """Return the seal for a viewer: there if the viewer's sight is not all."""
        return self.seal if self.sights.to(viewer) != self.text else None


@dataclass(frozen=True, slots=True)
class Chance:
    """A roll that was thrown."""

    turn: int
    face: str
    sights: ForEach[str]


Entry = Decision | Chance
Reached = tuple[Entry, Hashable]
"""An entry, and the state after it."""


class Entries(Sequence[Entry]):
    """All entries so far, as a value: the last one, and the entries before it.

    A longer value shares all of a shorter one, so that a step costs the same in time and memory
    however long the match is, and whoever else goes on from the same entries.

    >>> roll = Chance(1, "6", ForEach.same("6"))
    >>> one = Entries().extended([(roll, None)])
    >>> len(one), one.rolls, one.extended([(roll, None)])[:1] == one
    (1, 1, True)
    """

    __slots__ = ("_before", "_entry", "_length", "_state", "decided", "decisions")

    decisions: int
    """How many of them are decisions."""
    decided: frozenset[Seat]
    """The seats that have decided something."""

    def __init__(self) -> None:
        """Begin without any."""
        self._before: Entries | None = None
        self._entry: Entry | None = None
        self._state: Hashable | None = None
        self._length = 0
        self.decisions = 0
        self.decided = frozenset()

    def extended(self, added: Iterable[Reached]) -> Entries:
        """Return the entries with some more after them."""
        entries = self
        for entry, state in added:
            entries = entries._append(entry, state)
        return entries

    def _append(self, entry: Entry, state: Hashable | None) -> Entries:
        longer = Entries()
        longer._before, longer._entry, longer._length = self, entry, self._length + 1
        longer._state = state if longer._length % STATE_EVERY == 0 else None
        longer.decisions, longer.decided = self.decisions, self.decided
        if isinstance(entry, Decision):
            longer.decisions += 1
            if entry.seat not in self.decided:
                longer.decided = self.decided | {entry.seat}
        return longer

    @property
    def rolls(self) -> int:
        """How many of them are rolls."""
        return self._length - self.decisions

    def since_state(self, start: Hashable) -> tuple[Hashable, list[Entry]]:
        """Return the last state that is kept, else ``start``, and the entries after it."""
        entries: list[Entry] = []
        for here in self._back():
            if here._state is not None:
                return here._state, entries[::-1]
            entries.append(here._last())
        return start, entries[::-1]

    def _back(self) -> Iterator[Entries]:
        """Return the values that end with each of the entries, the longest first."""
        here = self
        while here._before is not None:
            yield here
            here = here._before

    def _last(self) -> Entry:
        assert self._entry is not None, "only the empty value has no last entry"
        return self._entry

    def __len__(self) -> int:
        return self._length

    def __reversed__(self) -> Iterator[Entry]:
        return (here._last() for here in self._back())

    def __iter__(self) -> Iterator[Entry]:
        return reversed(list(reversed(self)))

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> Entries: ...
    def __getitem__(self, at: int | slice) -> Entry | Entries:
        if isinstance(at, int):
            return self[: range(self._length)[at] + 1]._last()
        wanted = range(self._length)[at]
        if wanted == range(len(wanted)):
            here = self
            while here._length > len(wanted) and here._before is not None:
                here = here._before
            return here
        return Entries().extended((entry, None) for entry in tuple(self)[at])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entries):
            return NotImplemented
        if len(self) != len(other):
            return False
        for mine, theirs in zip(self._back(), other._back(), strict=True):
            if mine is theirs:  # so is all that comes before
                return True
            if mine._entry != theirs._entry:
                return False
        return True

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Entries({list(self)!r})"

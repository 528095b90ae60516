"""The timeline of a match: its log folded, and what is kept so as not to fold it again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from visavis.server import match_log
from visavis.server.hosted_match import HostedMatch
from visavis.server.store import Row
from visavis.server.updates import Change

RECENT: Final = 8
"""How many recent updates of a match are kept for clients that reconnect."""
CHUNK: Final = 64
"""How many entries are read and folded at a time."""
MOST_MARKS: Final = 64
"""The most states of a match that are kept, evenly spaced."""


class Timeline:
    """The last updates of a match, and states from which its log can be folded on."""

    __slots__ = ("_every", "_marks", "recent")

    def __init__(self) -> None:
        self.recent: deque[Change] = deque(maxlen=RECENT)
        self._marks: list[HostedMatch] = []
        self._every = CHUNK

    @property
    def hosted(self) -> HostedMatch | None:
        """The match as it is now."""
        return self.recent[-1].hosted if self.recent else None

    def note(self, change: Change) -> None:
        """Go on by an update."""
        self.recent.append(change)
        if change.hosted.seq % self._every == 0:
            self._marks.append(change.hosted)
            if len(self._marks) > MOST_MARKS:
                self._marks, self._every = self._marks[1::2], self._every * 2

    def mark(self, number: int) -> HostedMatch | None:
        """Return the last state kept that is not behind an entry; None if that is the beginning."""
        at = min(number // self._every, len(self._marks))
        return self._marks[at - 1] if at else None

    def since(self, seen: int) -> list[Change] | None:
        """Return what came after a number, if all of it is at hand."""
        if self.recent and self.recent[0].hosted.seq > seen + 1:
            return None
        return [change for change in self.recent if change.hosted.seq > seen]


def fold(id: str, hosted: HostedMatch | None, rows: Iterable[Row]) -> list[Change]:
    """Return what each row of a log brought about; without a match they are the first ones."""
    folded = []
    for row in rows:
        entry = match_log.decode(row.body)
        if hosted is not None:
            hosted, change = hosted.after(entry, row.at)
        elif isinstance(entry, match_log.Opened):
            hosted, change = HostedMatch.open(id, entry, row.at)
        else:
            raise TypeError(f"the log of {id} does not begin with its opening")
        folded.append(change)
    return folded

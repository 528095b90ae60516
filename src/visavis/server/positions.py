"""The positions that people have before them now: no engine here is asked about those.

Kept are the positions of public matches that run, that this process holds and in which no computer
of the server has a seat: the one on the board and those of the last moves. Of a private match a
refusal would tell a stranger who guesses. What a spectator would see stands for a position. So all
views of it are one, whatever their owner knows or guesses, and that a
question is refused tells nobody anything secret.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from visavis.rules.protocol import AnyGame
from visavis.server.errors import Refusal
from visavis.server.hosted_match import HostedMatch
from visavis.server.messages import MatchInfo

OPENING: Final = 6
"""After fewer moves and rolls than this a position is many matches' at once, and nobody's own."""
RECENT: Final = 4
"""How many recent positions of a match are kept: people look back, and may take back."""


@dataclass(slots=True)
class _Kept:
    state: Hashable
    keys: deque[bytes]


class Positions:
    """Positions of running matches between people. Looking one up does not depend on how many."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._counts: Counter[bytes] = Counter()

    def note(self, hosted: HostedMatch) -> None:
        """Keep how a match stands now; forget it if it has ended."""
        match = hosted.match
        is_asked_about = is_between_people(hosted) and not hosted.opened.private
        if match is None or len(match.entries) < OPENING or not is_asked_about:
            self.forget(hosted.id)
            return
        kept = self._kept.setdefault(hosted.id, _Kept(None, deque()))
        if kept.state is match.state:
            return  # something was said or offered
        kept.state = match.state
        key = _key(match.game, match.state)
        kept.keys.append(key)
        self._counts[key] += 1
        if len(kept.keys) > RECENT:
            self._drop(kept.keys.popleft())

    def forget(self, id: str) -> None:
        """Keep nothing more of a match."""
        kept = self._kept.pop(id, None)
        for key in kept.keys if kept else ():
            self._drop(key)

    def _drop(self, key: bytes) -> None:
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]

    def check_view(self, game: AnyGame, view: Hashable) -> None:
        """Refuse a view of a position that people have before them."""
        self.check_state(game, game.determinize(view, random.Random(0)))

    def check_state(self, game: AnyGame, state: Hashable) -> None:
        """Refuse a position that people have before them."""
        if _key(game, state) in self._counts:
            raise running_match()


def is_between_people(match: HostedMatch | MatchInfo) -> bool:
    """Whether a match runs in which no computer of the server has a seat."""
    seated = all(player is None or player.kind != "computer" for player in match.players)
    return match.status == "running" and seated


def running_match() -> Refusal:
    """Return the refusal of a question about a match that people play."""
    return Refusal("running_match", "people are playing this just now; ask when the match is over")


def _key(game: AnyGame, state: Hashable) -> bytes:
    # Options are left out: the same question under other options would have the same answer.
    text = game.format_view(game.view(state, None))
    return hashlib.blake2b(f"{game.slug} {text}".encode(), digest_size=16).digest()

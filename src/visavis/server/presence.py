"""Who is at the board: on this process, and, as they tell it, on the others.

A seat is there while somebody follows the match with its secret; an order is a sign too. Every few
seconds a process tells the others who is there, and for whom no sign comes any more is away. Who
comes back soon was never away, so that a page can be loaded again without anybody noticing.

Moments are the server's time: nobody is away while the server is. What was before a process began
to listen it does not know, and holds against nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from visavis.rules.protocol import Seat
from visavis.server import messages
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch
from visavis.server.hosted_match import HostedMatch

TOLD_EVERY_MS: Final = 5_000
"""How often a process tells the others about everybody who is present."""
GRACE_MS: Final = 15_000
"""Anyone back within this does not count as away. Longer than the delay between processes."""
MOST: Final = 50_000
"""Of this many who are away the moment is known; of others only that they were there."""

Key = tuple[str, Seat]


class Presence:
    """Who is there, and since when the others are not."""

    def __init__(self, now: Callable[[], int], claim_after_ms: int) -> None:
        self._now = now
        self._claim_after = claim_after_ms
        self._grace = min(GRACE_MS, claim_after_ms or GRACE_MS)
        self._floor = 0
        """Nobody is known to have been away before."""
        self._here: set[Key] = set()
        self._until: dict[Key, int] = {}
        """Until when those were there who are not here, and not away either."""
        self._away: dict[Key, int] = {}
        """Since when those who are away are."""
        self._changed: set[str] = set()
        """Matches of which there is something to tell."""
        self._signs: set[Key] = set()
        """Who came or went since the other processes were told."""
        self._told = 0

    # What is noticed

    def begin(self) -> None:
        """Listen from now on; who was away before has until now to show up."""
        self._floor = self._now()
        self._until |= self._away
        self._away.clear()

    def note(self, cached: CachedMatch, seat: Seat) -> None:
        """Note that somebody follows a match with a seat's secret, or no longer does."""
        key = (cached.id, seat)
        if cached.has_seat(seat):
            if tells_presence(cached.hosted):
                self._meet(key)
                self._here.add(key)
                self._signs.add(key)
        elif key in self._here:
            self._here.discard(key)
            self._until[key] = self._now()
            self._signs.add(key)

    def sign(self, hosted: HostedMatch, seat: Seat) -> None:
        """Take what a seat does for a sign that it is there."""
        key = (hosted.id, seat)
        if key not in self._here and tells_presence(hosted):
            self._meet(key)
            self._until[key] = self._now()
            self._signs.add(key)

    def hear(self, keys: Iterable[Key]) -> None:
        """Go by what another process tells: they are there, until it should have told again."""
        until = self._now() + TOLD_EVERY_MS
        for key in keys:
            if key not in self._here:
                self._meet(key)
                self._until[key] = until

    def _meet(self, key: Key) -> None:
        self._until.pop(key, None)
        if self._away.pop(key, None) is not None:
            self._changed.add(key[0])

    def follow(self, hosted: HostedMatch) -> None:
        """Mind the seats of a match that somebody looks at, also those that nobody has seen."""
        if tells_presence(hosted) and hosted.status == "running":
            for seat in Seat:
                key = (hosted.id, seat)
                if not (key in self._here or key in self._until or key in self._away):
                    self._until[key] = max(self._floor, hosted.began)

    def change(self, hosted: HostedMatch) -> None:
        """Mind the seats of a match that has begun, and no longer of one that is over."""
        self.follow(hosted)
        self._changed.add(hosted.id)
        for seat in Seat if hosted.status == "over" else ():
            key = (hosted.id, seat)
            self._here.discard(key)
            self._signs.discard(key)
            self._until.pop(key, None)
            self._away.pop(key, None)

    # What is told

    def changes(self) -> set[str]:
        """Return the matches in which somebody has left or come back since it was last asked."""
        before = self._now() - self._grace
        while self._until:
            key, until = next(iter(self._until.items()))
            if max(until, self._floor) > before:
                break
            del self._until[key]
            self._away[key] = until
            self._changed.add(key[0])
        while len(self._away) > MOST:
            # Of who is forgotten it is known no more that they are away: nor of all before.
            self._floor = max(self._floor, self._away.pop(next(iter(self._away))))
        changed, self._changed = self._changed, set()
        return changed

    def signs(self) -> list[Key]:
        """Return of whom the other processes are to be told: who came or went, and at times all."""
        keys, self._signs = self._signs, set()
        now = self._now()
        if now - self._told >= TOLD_EVERY_MS:
            self._told = now
            keys |= self._here
        return sorted(keys)

    def away(self, hosted: HostedMatch, seat: Seat) -> int | None:
        """Return since when a seat is away; None if it is there, or may come back soon."""
        key = (hosted.id, seat)
        if key in self._here:
            return None
        until = self._until.get(key, self._away.get(key, 0))
        since = max(until, self._floor, hosted.began)
        return since if self._now() - since >= self._grace else None

    def message(self, hosted: HostedMatch) -> messages.Presence | None:
        """Return what to tell of a match; None of one at which nobody is waited for."""
        if not (tells_presence(hosted) and hosted.status == "running"):
            return None
        return messages.Presence(
            match=hosted.id,
            first=self.away(hosted, Seat.FIRST),
            second=self.away(hosted, Seat.SECOND),
            claim=self._claim_after if self._is_claimable(hosted) else None,
        )

    # Claims

    def _is_claimable(self, hosted: HostedMatch) -> bool:
        match = hosted.match
        is_live = match is not None and not match.is_over and match.clock.spec.is_live
        return bool(self._claim_after) and is_live and tells_presence(hosted)

    def check_claim(self, hosted: HostedMatch, seat: Seat) -> None:
        """Refuse a claim against one who is there, or was lately, and by one who is not there."""
        if not self._is_claimable(hosted):
            why = "only live matches between people at different screens can be claimed"
            raise Refusal("claim_refused", why)
        if self.away(hosted, seat) is not None:
            raise Refusal("claim_refused", "follow the match first: who claims it has to be there")
        since = self.away(hosted, seat.other)
        if since is None:
            raise Refusal("claim_refused", "the opponent is there")
        left = since + self._claim_after - self._now()
        if left > 0:
            seconds = -(-left // 1_000)
            raise Refusal("claim_refused", f"the opponent has {seconds} seconds to come back")


def tells_presence(hosted: HostedMatch) -> bool:
    """Whether each waits for the other in a match: two people or bots, not at one screen."""
    with_computer = any(player and player.kind == "computer" for player in hosted.players)
    return not (hosted.status == "over" or with_computer or hosted.opened.is_on_one_screen)

"""Turns: a fixed number at a time; waiting clients are served in rotation."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

from visavis.server.errors import Refusal

Waiting = asyncio.Future[None]


class Turns:
    """Hands out turns. However many a client waits for, the others come in between.

    ``most_each`` may wait of one client, and ``most`` in all; when there is no more room, who waits
    for fewest goes before who waits for most. 0 is no limit.
    """

    def __init__(self, size: int, most: int = 0, most_each: int = 0) -> None:
        self._free = size
        self._most, self._most_each = most, most_each
        self._queues: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._count = 0

    async def take(self, client: str) -> None:
        """Return when it is a client's turn, or refuse at once; cancelled, it waits no longer."""
        if self._free:
            self._free -= 1
            return
        turn: Waiting = asyncio.get_running_loop().create_future()
        self._join(client, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._remove(client, turn)
            elif turn.exception() is None:  # it had just been given
                self.give_back()
            raise

    def give_back(self) -> None:
        """End a turn; the next begins."""
        while self._queues:
            client, queue = next(iter(self._queues.items()))
            self._queues.move_to_end(client)
            turn = queue[0]
            self._remove(client, turn)
            if not turn.done():  # nor cancelled a moment ago
                turn.set_result(None)
                return
        self._free += 1

    def _join(self, client: str, turn: Waiting) -> None:
        own = len(self._queues.get(client, ()))
        if self._most_each and own >= self._most_each:
            raise Refusal("too_many", "too many of your questions wait; ask again later")
        if self._most and self._count >= self._most:
            self._make_room(own)
        self._queues.setdefault(client, deque()).append(turn)
        self._count += 1

    def _make_room(self, own: int) -> None:
        longest = max(self._queues, key=lambda client: len(self._queues[client]))
        refused = Refusal("busy", "too many questions wait; ask again later")
        if len(self._queues[longest]) <= own + 1:
            raise refused
        turn = self._queues[longest][-1]
        self._remove(longest, turn)
        if not turn.done():
            turn.set_exception(refused)

    def _remove(self, client: str, turn: Waiting) -> None:
        queue = self._queues.get(client)
        if queue is None or turn not in queue:
            return
        queue.remove(turn)
        self._count -= 1
        if not queue:
            del self._queues[client]

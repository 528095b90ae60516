"""Computer seats: what computers of this process do in matches, like players of any other kind."""

from __future__ import annotations

import contextlib
import logging
from typing import Final

from visavis.rules.protocol import Seat
from visavis.server.computer import SIMPLE, Computers
from visavis.server.errors import Refusal
from visavis.server.fanout import CachedMatch
from visavis.server.orders import Orders
from visavis.server.store import Unavailable
from visavis.server.supervisor import Supervisor
from visavis.server.uptime import Uptime
from visavis.server.vocabulary import Command, Order
from visavis.server.worker import ComputerFailed
from visavis.session.commands import Move

logger = logging.getLogger(__name__)

COMPUTER: Final = "computer"
"""The client of a computer's orders."""


class ComputerSeats:
    """Sets computers to work where something is asked of them."""

    def __init__(
        self, orders: Orders, computers: Computers, uptime: Uptime, background: Supervisor
    ) -> None:
        self._orders = orders
        self._computers = computers
        self._uptime = uptime
        self._background = background

    def act(self, cached: CachedMatch) -> None:
        """Let a computer answer or move, if it has to."""
        hosted = cached.hosted
        if (answer := hosted.computers_answer()) is not None:
            self._background.spawn(self._answer(cached, *answer))
        elif hosted.awaited_computer() and cached.thinks_at != hosted.seq:
            cached.thinks_at = hosted.seq
            self._background.spawn(self.think(cached))

    async def _answer(self, cached: CachedMatch, computer: Seat, command: Command) -> None:
        """Do what a computer does beside moving."""
        seq = cached.hosted.seq
        order = Order(command, COMPUTER, number=seq, seen=seq)
        with contextlib.suppress(Refusal):  # things have moved on
            await self._orders.order(cached, computer, order)

    async def think(self, cached: CachedMatch) -> None:
        """Choose a move and make it; one from the rules alone if the player fails."""
        hosted = cached.hosted
        awaited, match = hosted.awaited_computer(), hosted.match
        if awaited is None or match is None:
            return
        seat, player = awaited
        thinks_at = cached.thinks_at
        for who in (player, SIMPLE):  # where the player fails, one from the rules alone does not
            try:
                text = await self._computers.choose(
                    hosted.id, match, seat, who, number=hosted.asked[seat], now=self._uptime.now()
                )
                order = Order(Move(seat, text), COMPUTER, number=hosted.seq, seen=hosted.seq)
                await self._orders.order(cached, seat, order)
            except ComputerFailed as error:
                logger.warning("a computer failed", extra={"player": who, "why": error.kind})
            except Unavailable:
                break
            except Refusal as error:
                if error.code not in ("illegal_move", "not_a_move", "busy"):
                    return
                logger.warning("a computer's move was refused", extra={"player": who})
            else:
                return
        if cached.thinks_at == thinks_at:
            cached.thinks_at = 0  # so that it is tried again when the match is looked after

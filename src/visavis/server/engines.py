"""Attached engines: programs of the operator's, one for each seat that one of them takes.

A program runs, in a worker of its own, until its match is over, or it has had nothing to do for a
while. One that fails is started anew once in a match; after that it is given up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from visavis.engine.pool import Pool
from visavis.rules.protocol import Seat
from visavis.server import worker
from visavis.server.pool import FairPool
from visavis.server.worker import ComputerFailed, MoveTask

logger = logging.getLogger(__name__)

RESTARTS: Final = 1
"""How often a program that fails is started anew in a match."""
IDLE_SECONDS: Final = 600.0
"""A program that is idle for this long is stopped, and started again for the next question."""
MOST: Final = 64
"""With more seats than this, the program that has waited longest is ended."""


@dataclass(slots=True, eq=False)
class _Seated:
    """A program that plays a seat."""

    pool: Pool = field(default_factory=lambda: Pool(1))
    failures: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One question at a time."""
    idle: asyncio.TimerHandle | None = None


class Engines:
    """The attached engines that sit in matches of this process."""

    def __init__(self, queue: FairPool) -> None:
        self._queue = queue
        self._seated: OrderedDict[tuple[str, Seat], _Seated] = OrderedDict()

    async def choose(
        self, match: str, seat: Seat, player: str, make: Callable[[], MoveTask]
    ) -> str:
        """Return the move of the engine ``player`` in a seat, or raise `ComputerFailed`."""
        key = (match, seat)
        seated = self._sit(key)
        async with seated.lock:
            if seated.idle is not None:
                seated.idle.cancel()
            try:
                return await self._ask(seated, player, make)
            finally:
                if self._seated.get(key) is seated:
                    later = asyncio.get_running_loop().call_later
                    seated.idle = later(IDLE_SECONDS, self._leave, key)

    async def _ask(self, seated: _Seated, player: str, make: Callable[[], MoveTask]) -> str:
        while seated.failures <= RESTARTS:
            try:
                return await self._queue.ask(worker.choose, make, pool=seated.pool)
            except ComputerFailed as error:
                seated.failures += 1
                seated.pool.stop()
                logger.warning(
                    "an attached engine failed",
                    extra={
                        "player": player,
                        "why": error.kind,
                        "failures": seated.failures,
                        "stderr": list(error.stderr),
                    },
                )
        raise ComputerFailed("the engine failed too often in this match", "EngineGivenUp")

    def release(self, match: str) -> None:
        """End the programs of a match that is over."""
        for seat in Seat:
            self._leave((match, seat))

    def close(self) -> None:
        """End all programs at once."""
        for seated in self._seated.values():
            if seated.idle is not None:
                seated.idle.cancel()
            seated.pool.stop()
        self._seated.clear()

    def _sit(self, key: tuple[str, Seat]) -> _Seated:
        if key not in self._seated:
            free = (key for key, seated in self._seated.items() if not seated.lock.locked())
            if len(self._seated) >= MOST and (longest := next(free, None)) is not None:
                self._leave(longest)
            self._seated[key] = _Seated()
        self._seated.move_to_end(key)
        return self._seated[key]

    def _leave(self, key: tuple[str, Seat]) -> None:
        """Stop a program as soon as it has answered the question it is working on."""
        seated = self._seated.pop(key, None)
        if seated is not None:
            if seated.idle is not None:
                seated.idle.cancel()
            seated.failures = RESTARTS + 1  # whatever it is still asked, it does not start again
            seated.pool.finish(wait=False)

"""Answers that everybody may share for a moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Generic, TypeVar

T = TypeVar("T")


class Fresh(Generic[T]):
    """An answer that is fetched at most once per interval, however many ask for it.

    Anyone who asks while it is being fetched waits for the same answer.
    """

    def __init__(
        self,
        ask: Callable[[], Coroutine[object, object, T]],
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask, self._seconds, self._clock = ask, seconds, clock
        self._asked = 0.0
        self._answer: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the answer."""
        now = self._clock()
        answer = self._answer
        if answer is None or (answer.done() and now - self._asked >= self._seconds):
            self._asked = now
            answer = self._answer = asyncio.create_task(self._ask())
            answer.add_done_callback(_let_fail)
        return await asyncio.shield(answer)

    def forget(self) -> None:
        """Ask anew when somebody wants to know; who waits already gets what was asked for."""
        self._answer = None


def _let_fail(answer: asyncio.Task[T]) -> None:
    """Those who wait get the exception; if nobody waits any more, it is ignored."""
    if not answer.cancelled():
        answer.exception()

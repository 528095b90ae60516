"""A pool of workers with a fair queue before it: each client is answered in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from visavis.engine.pool import Pool, WorkerDied
from visavis.server.errors import Refusal
from visavis.server.turns import Turns

T = TypeVar("T")
Asked = TypeVar("Asked")

TRIES: Final = 3
"""How often a question is asked whose worker dies."""
NOBODY: Final = ""
"""The client where there is none: a computer's own moves."""


class FairPool:
    """Workers, and a queue of questions to them.

    A worker that dies is replaced, and what it was asked is asked again; ``on_retry`` hears of it.
    ``most`` questions may wait, and ``most_each`` of one client; 0 is no limit.
    """

    def __init__(
        self,
        size: int,
        on_retry: Callable[[], None],
        *,
        nice: bool = False,
        most: int = 0,
        most_each: int = 0,
    ) -> None:
        self.size = size
        self.waiting = 0
        """How many questions have no answer yet."""
        self._pool = Pool(size, nice=nice)
        self._on_retry = on_retry
        self._turns = Turns(size, most, most_each)
        self._tasks: dict[asyncio.Task[Any], Future[Any]] = {}

    async def ask(
        self,
        work: Callable[[Asked], T],
        make: Callable[[], Asked],
        client: str = NOBODY,
        pool: Pool | None = None,
    ) -> T:
        """Return what some work makes of a question, which is made when its turn has come.

        ``pool`` answers instead of the workers here; that takes a turn all the same. A question
        whose asker is cancelled is abandoned.
        """
        self.waiting += 1
        try:
            await self._turns.take(client)
        except BaseException:
            self.waiting -= 1
            raise
        pool = pool or self._pool
        answering = asyncio.create_task(self._answer(pool, work, make))
        answering.add_done_callback(self._answered)
        try:
            return await asyncio.shield(answering)
        finally:
            if not answering.done():
                self._abandon(pool, answering)

    async def _answer(self, pool: Pool, work: Callable[[Asked], T], make: Callable[[], Asked]) -> T:
        task, asked = asyncio.current_task(), make()
        assert task is not None
        for _ in range(TRIES):
            future = self._tasks[task] = pool.submit(work, asked)
            try:
                return await asyncio.wrap_future(future)
            except WorkerDied:
                self._on_retry()
        raise Refusal("busy", "the engine does not answer")

    def _abandon(self, pool: Pool, answering: asyncio.Task[Any]) -> None:
        if answering in self._tasks:
            pool.abandon(self._tasks[answering])
        else:  # no worker has been asked yet
            answering.cancel()

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        self.waiting -= 1
        self._turns.give_back()
        if not task.cancelled():
            task.exception()  # of what nobody waits for, nobody wants to know

    def stop(self) -> None:
        """End the workers in the middle of whatever they do; with new questions others start."""
        self._pool.stop()

"""Work in the background, kept going whatever happens to it.

Work that fails is started again after a pause that doubles up to a bound, with some chance in it so
that not all come back at once. An outage is logged when it begins and when it is over, however
often the work is tried in between.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final

from visavis.server.metrics import Metrics
from visavis.server.store import Unavailable

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 2.0

Well = Callable[[], None]
"""Called by work whenever it has done what it is there for."""
Work = Callable[[Well], Awaitable[None]]


class Job:
    """Some work that is kept going."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_well = True
        """Whether it works, as far as is known."""
        self.tried = asyncio.Event()
        """Set once it is known whether it works."""
        self.failures = 0
        """How often it has failed without having worked for long in between."""
        self.since = 0.0
        """Since when it works, or does not."""


class Supervisor:
    """All work in the background of a process."""

    def __init__(
        self,
        metrics: Metrics,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._metrics = metrics
        self._sleep = sleep
        self._chance = chance
        self._jobs: list[Job] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed_for: set[str] = set()

    @property
    def down(self) -> tuple[str, ...]:
        """What does not work now, by name."""
        return tuple(job.name for job in self._jobs if not job.is_well)

    def keep(self, name: str, work: Work) -> Job:
        """Keep some work going until it returns, or `stop`."""
        job = Job(name)
        job.since = asyncio.get_running_loop().time()
        self._jobs.append(job)
        self._metrics.background_up.labels(name).set(1)
        self.spawn(self._keep(job, work))
        return job

    def every(self, seconds: float, name: str, work: Callable[[], Awaitable[None]]) -> Job:
        """Keep doing something, with a pause after each time."""

        async def repeat(well: Well) -> None:
            while True:
                await work()
                well()
                await asyncio.sleep(seconds)

        return self.keep(name, repeat)

    def spawn(self, work: Coroutine[object, object, None]) -> None:
        """Do something once; what goes wrong in it is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    async def attempt(self, subject: str, work: Awaitable[None]) -> None:
        """Do something for one of many. What goes wrong with it stands in nobody's way.

        It is logged once for each subject; what everybody suffers from is raised.
        """
        try:
            await work
        except Unavailable:
            raise
        except Exception:
            if subject not in self._failed_for:
                self._failed_for.add(subject)
                logger.exception("work for one of many failed", extra={"subject": subject})

    async def stop(self) -> None:
        """End everything."""
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, Unavailable):  # which the heartbeat logs, once
            logger.debug("work in the background was put off", extra={"why": error.why})
        else:
            logger.error("work in the background failed", exc_info=error)

    async def _keep(self, job: Job, work: Work) -> None:
        while True:
            try:
                await work(lambda: self._well(job))
            except asyncio.CancelledError as error:
                if _is_cancelled():
                    raise
                self._failed(job, error)  # something within gave up, nobody has ended the work
            except Exception as error:  # whatever it is, the work has to go on
                self._failed(job, error)
            else:
                self._well(job)
                return
            pause = min(FIRST_PAUSE * 2 ** min(job.failures - 1, 10), LONGEST_PAUSE)
            await self._sleep(pause * (1 + self._chance()) / 2)

    def _well(self, job: Job) -> None:
        if not job.is_well:
            seconds = self._change(job, True)
            logger.warning(
                "work in the background goes on",
                extra={"work": job.name, "failures": job.failures, "seconds": round(seconds, 1)},
            )
        job.tried.set()

    def _failed(self, job: Job, error: BaseException) -> None:
        self._metrics.background_failures.labels(job.name).inc()
        if job.is_well:
            if self._change(job, False) > LONGEST_PAUSE:
                job.failures = 0
            logger.error("work in the background fails", exc_info=error, extra={"work": job.name})
        job.failures += 1
        job.tried.set()

    def _change(self, job: Job, is_well: bool) -> float:
        """Note how a job is now; return for how many seconds it was otherwise."""
        now = asyncio.get_running_loop().time()
        lasted, job.since, job.is_well = now - job.since, now, is_well
        self._metrics.background_up.labels(job.name).set(is_well)
        return lasted


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0

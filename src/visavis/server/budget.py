"""A budget of work for each client: seconds of a processor, over all its connections."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from visavis.server.errors import Refusal
from visavis.server.safety import CLIENTS

T = TypeVar("T")

NOBODY: Final = ""
"""Whose work it is that no client has asked for; it has no bound."""
SOON: Final = 0.001
"""The shortest wait that is ever announced."""


@dataclass(slots=True)
class _Account:
    left: float
    at: float


class Budget:
    """A rate in seconds of work per second, and a burst. A rate of 0 is no limit.

    Work is charged when it is done, as long as it took, so that an account may be overdrawn; its
    client may have nothing more done until that has come back.

    >>> now = 0.0
    >>> budget = Budget(0.5, 10, clock=lambda: now)
    >>> budget.charge("192.0.2.1", 12.0)
    >>> budget.wait("192.0.2.1"), budget.wait("192.0.2.2")
    (4.0, 0.0)
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    def wait(self, client: str) -> float:
        """Return after how many seconds a client may have something done; 0 if at once."""
        account = self._accounts.get(client)
        if account is None:
            return 0.0
        self._refill(account)
        return max(SOON, -account.left / self._rate) if account.left < 0 else 0.0

    def check(self, client: str) -> None:
        """Refuse a client whose account is overdrawn."""
        if wait := self.wait(client):
            raise Refusal("too_many", "this address has asked for too much; wait", wait=wait)

    def charge(self, client: str, seconds: float) -> None:
        """Take from the account of a client."""
        if not self._rate or client == NOBODY:
            return
        account = self._accounts.get(client)
        if account is None:
            account = self._accounts[client] = _Account(self._burst, self._clock())
            if len(self._accounts) > CLIENTS:
                self._accounts.popitem(last=False)
        self._accounts.move_to_end(client)
        self._refill(account)
        account.left -= seconds

    def _refill(self, account: _Account) -> None:
        now = self._clock()
        account.left = min(self._burst, account.left + (now - account.at) * self._rate)
        account.at = now

    async def metered(self, client: str, work: Awaitable[T]) -> T:
        """Do some work on the event loop, charged for what it takes there, not for its waiting."""
        return await _Metered(work, lambda seconds: self.charge(client, seconds))


class _Metered(Generic[T]):
    """An awaitable of which each step is measured."""

    def __init__(self, work: Awaitable[T], charge: Callable[[float], None]) -> None:
        self._steps = work.__await__()
        self._charge = charge

    def __await__(self) -> Generator[Any, Any, T]:
        answer: Any = None
        error: BaseException | None = None
        while True:
            began = time.thread_time()
            try:
                awaited = self._steps.send(answer) if error is None else self._steps.throw(error)
            except StopIteration as done:
                result: T = done.value
                return result
            finally:
                self._charge(time.thread_time() - began)
            answer = error = None
            try:
                answer = yield awaited
            except BaseException as raised:  # whatever it is, it is for the work to deal with
                error = raised

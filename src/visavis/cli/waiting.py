"""Waiting for work that takes a while: Ctrl-C is heard, and somebody sees that it goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

TICK_SECONDS: Final = 0.1


def interruptibly(work: Callable[[], T], tick: Callable[[], object] = lambda: None) -> T:
    """Do native work so that Ctrl-C is heard meanwhile: native code doesn't listen for it itself.

    ``tick`` is called now and then while it lasts.

    >>> interruptibly(lambda: 7)
    7
    """
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(TICK_SECONDS)
        tick()
    if failures:
        raise failures[0]
    return results[0]


def each_interruptibly(items: Iterator[T]) -> Iterator[T]:
    """Pass things on that native work makes one after the other, as `interruptibly` does one.

    >>> list(each_interruptibly(iter("ab")))
    ['a', 'b']
    """
    while True:
        try:
            item = interruptibly(lambda: next(items))
        except StopIteration:
            return
        yield item

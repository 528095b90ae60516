"""Programs that play the outside engine in tests."""

from __future__ import annotations

import os
import select
import shlex
import sys
import time
from pathlib import Path


def program(source: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(source)}"


POLITE = (
    "import sys\n"
    "for line in sys.stdin:\n"
    "    word = line.split()[0]\n"
    "    if word in ('visavis', 'game'): print('ok', flush=True)\n"
    "    if word == 'go': {go}\n"
)


STUBBORN = (
    "import signal, sys\n"
    "alive, moves = open({pipe!r}, 'w'), []\n"
    "for line in sys.stdin:\n"
    "    word, _, rest = line.strip().partition(' ')\n"
    "    if word == 'moves': moves = rest.split('; ')\n"
    "    if word in {answers}: print('ok', flush=True)\n"
    "    if word == 'go':\n"
    "        print('x', file=alive, flush=True)\n"
    "        print('bestmove', moves[0], flush=True)\n"
    "while True: signal.pause()\n"
)
"""Ends neither when told to nor with its input; holds a pipe open as long as it lives."""


class Pulse:
    """The other end of the pipe that stubborn programs hold open."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self.end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def program(self, *answers: str) -> str:
        return program(STUBBORN.format(pipe=str(self.path), answers=answers))

    def feels(self, event: int) -> bool:
        """Whether an event comes: POLLIN, a program is asked; POLLHUP, all have ended."""
        poll = select.poll()
        poll.register(self.end, event)
        deadline = time.monotonic() + 60
        while not (felt := any(seen & event for _, seen in poll.poll(100))):
            if time.monotonic() > deadline:
                break
        return felt

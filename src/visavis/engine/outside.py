"""Engines of other people: programs that speak the engine protocol, run as a seat of a match."""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Final

from visavis.engine.program import format_game
from visavis.engine.wire import LINE_LIMIT, SEPARATOR, Go, format_go
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Seat
from visavis.rules.seats import seat_of

START_SECONDS: Final = 10.0
"""How long a program may take to introduce itself and to set a game up."""
GRACE_SECONDS: Final = 1.0
"""How much longer than allowed a move may take before it counts as late."""
QUIT_SECONDS: Final = 2.0


class EngineFailure(VisavisError):
    """The base of what an outside engine can do wrong; ``reason`` is the word for records."""

    reason = "engine_failed"


class EngineCrashed(EngineFailure):
    """The program did not start, or ended in the middle of a conversation."""

    reason = "engine_crashed"


class EngineTimedOut(EngineFailure):
    """The program did not answer in time."""

    reason = "engine_timeout"


class OutsideEngine:
    """A running program. Use it from one thread; close it when done."""

    def __init__(self, command: str, game: AnyGame) -> None:
        self.command = command
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError) as error:
            raise EngineCrashed(f"{command!r} does not start: {error}") from None
        self._heard: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._say("visavis")
            self._expect("ok", START_SECONDS)
            self._say(format_game(game))
            self._expect("ok", START_SECONDS)
        except BaseException:
            self.close()
            raise

    def choose(
        self, view: str, seat: Seat, moves: Sequence[str] | None, go: Go, seconds: float
    ) -> str:
        """Ask for a move: the text after ``bestmove``. Raises an `EngineFailure`."""
        self._say(f"view {seat_of(seat)} {view}")
        if moves is not None:
            self._say(f"moves {SEPARATOR.join(moves)}")
        self._say(format_go(go))
        return self._expect("bestmove", seconds + GRACE_SECONDS)

    def close(self) -> None:
        """Ask the program to end, and end it if it does not."""
        try:
            self._say("quit")
            self._process.wait(QUIT_SECONDS)
        except (EngineFailure, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # what was not sent to an ended program
                if stream is not None:
                    stream.close()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineCrashed(f"{self.command!r} has ended") from None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            while line := self._process.stdout.readline(LINE_LIMIT):
                self._heard.put(line.decode(errors="replace").strip())
        except ValueError:
            pass  # closed while listening
        self._heard.put(None)

    def _expect(self, word: str, seconds: float) -> str:
        """Wait for a line that begins with a word, and return the rest of it."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._heard.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise EngineTimedOut(
                    f"{self.command!r} did not say {word!r} within {seconds:g} s"
                ) from None
            if line is None:
                raise EngineCrashed(f"{self.command!r} has ended")
            said, _, rest = line.partition(" ")
            if said == word:
                return rest
            if said == "error":
                raise EngineCrashed(f"{self.command!r} says: {rest[:200]}")

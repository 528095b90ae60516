"""Engines of other people: programs that speak the engine protocol, run as a seat of a match."""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, Final

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
"""How long a program may take to exit when asked to."""
LAST_WORDS_SECONDS: Final = 1.0
"""How long to wait for the rest of what an ended program wrote to standard error."""
KEPT_LINES: Final = 10
"""How many of the last lines on standard error are kept."""
KEPT_CHARACTERS: Final = 200
"""How much is kept of each."""


class EngineFailure(VisavisError):
    """The base of what an outside engine can do wrong.

    ``reason`` is the word for records, ``stderr`` the last lines that the program wrote there.
    """

    reason = "engine_failed"

    def __init__(self, why: str, stderr: tuple[str, ...] = ()) -> None:
        words = f"; its last words: {' | '.join(stderr)}" if stderr else ""
        super().__init__(why + words)
        self.stderr = stderr


class EngineCrashed(EngineFailure):
    """The program did not start, or ended in the middle of a conversation."""

    reason = "engine_crashed"


class EngineTimedOut(EngineFailure):
    """The program did not answer in time."""

    reason = "engine_timeout"


class OutsideEngine:
    """A running program, for as many games as it is wanted for.

    Use it from one thread, and close it when done.
    """

    def __init__(self, command: str, game: AnyGame) -> None:
        self.command = command
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except (OSError, ValueError) as error:
            raise EngineCrashed(f"{command!r} does not start: {error}") from None
        assert self._process.stderr is not None
        self._stderr = _LastLines(self._process.stderr)
        self._heard: queue.Queue[str | None] = queue.Queue()
        self._is_new = False
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._say("visavis")
            self._expect("ok", START_SECONDS)
            self._say(format_game(game))
            self._expect("ok", START_SECONDS)
        except BaseException:
            self.close()
            raise

    def new_game(self) -> None:
        """Begin a new game: the program is told before it is asked for its first move."""
        self._is_new = True

    def choose(
        self, view: str, seat: Seat, moves: Sequence[str] | None, go: Go, seconds: float
    ) -> str:
        """Ask for a move: the text after ``bestmove``. Raises an `EngineFailure`."""
        if self._is_new:
            self._say("new")
            self._is_new = False
        self._say(f"view {seat_of(seat)} {view}")
        if moves is not None:
            self._say(f"moves {SEPARATOR.join(moves)}")
        self._say(format_go(go))
        return self._expect("bestmove", seconds + GRACE_SECONDS)

    def close(self) -> None:
        """Ask the program to end, and end it if it does not."""
        try:
            self._write("quit")
            self._process.wait(QUIT_SECONDS)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # what was not sent to an ended program
                if stream is not None:
                    stream.close()

    def _say(self, line: str) -> None:
        try:
            self._write(line)
        except (OSError, ValueError):
            raise self._ended() from None

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):  # closed while listening
            while line := self._process.stdout.readline(LINE_LIMIT):
                self._heard.put(line.decode(errors="replace").strip())
        self._heard.put(None)

    def _expect(self, word: str, seconds: float) -> str:
        """Wait for a line that begins with a word, and return the rest of it."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._heard.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                why = f"{self.command!r} did not say {word!r} within {seconds:g} s"
                raise EngineTimedOut(why, self._stderr.lines()) from None
            if line is None:
                raise self._ended()
            said, _, rest = line.partition(" ")
            if said == word:
                return rest
            if said == "error":
                raise EngineCrashed(f"{self.command!r} says: {rest[:200]}", self._stderr.lines())

    def _ended(self) -> EngineCrashed:
        """Return what to raise of a program that listens or talks no more."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS_SECONDS)
        self._stderr.wait(LAST_WORDS_SECONDS)
        status = self._process.returncode
        how = "" if status is None else f" with exit status {status}"
        if status is not None and status < 0:
            how = f" by signal {-status}"
        return EngineCrashed(f"{self.command!r} has ended{how}", self._stderr.lines())


class _LastLines:
    """The last lines of a stream, which is always read, so that its writer never blocks."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait(self, seconds: float) -> None:
        """Wait for the end, unless somebody else holds the stream open."""
        self._reader.join(seconds)

    def lines(self) -> tuple[str, ...]:
        """Return the last lines so far, fit to be shown."""
        return tuple(self._lines)

    def _read(self) -> None:
        with self._stream:
            while line := self._stream.readline(KEPT_CHARACTERS):
                text = line.decode(errors="replace").rstrip()
                if text:
                    self._lines.append("".join(c if c.isprintable() else " " for c in text))

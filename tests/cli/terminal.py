"""Running the command line: in this process with pipes, and in a real pseudo-terminal."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unittest import mock

from visavis.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error."""
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        return self.err.strip()


def run(*arguments: str, typed: str = "") -> Ran:
    """Run a command with a pipe at each end."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "stdin", io.StringIO(typed)),
    ):
        code = main(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


class Person:
    """Somebody at a terminal of 80 columns."""

    def __init__(self, child: int, terminal: int) -> None:
        self.child = child
        self.terminal = terminal
        self.seen = ""
        """All that was ever written to the terminal."""
        self.read_to = 0

    def expect(self, text: str, seconds: float = 30) -> str:
        """Wait until a text appears; return what was written up to and with it."""
        deadline = time.monotonic() + seconds
        while (found := self.seen.find(text, self.read_to)) < 0:
            wait = deadline - time.monotonic()
            if not self._read(max(wait, 0)) and (wait <= 0 or self._ended() is not None):
                raise AssertionError(f"{text!r} does not come after {self.seen[-600:]!r}")
        start, self.read_to = self.read_to, found + len(text)
        return self.seen[start : self.read_to]

    def type(self, line: str) -> None:
        os.write(self.terminal, line.encode() + b"\n")

    def press(self, key: bytes) -> None:
        os.write(self.terminal, key)

    def interrupt(self) -> int:
        """Press Ctrl-C until it is heard (a program that only begins may not), as people do."""
        for _ in range(10):
            self.press(b"\x03")
            with contextlib.suppress(AssertionError):
                return self.exit_code(seconds=3)
        raise AssertionError("Ctrl-C is not heard")

    def exit_code(self, seconds: float = 30) -> int:
        """Read to the end and return how the command ended."""
        deadline = time.monotonic() + seconds
        while (code := self._ended()) is None:
            assert time.monotonic() < deadline, f"goes on after {self.seen[-600:]!r}"
            self._read(0.1)
        while self._read(0.1):
            pass
        return code

    def _ended(self) -> int | None:
        ended, status = os.waitpid(self.child, os.WNOHANG)
        if not ended:
            return None
        self.child = 0
        return os.waitstatus_to_exitcode(status)

    def _read(self, seconds: float) -> bool:
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # the other end is closed
            time.sleep(0.01)
            return False
        self.seen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)


@contextlib.contextmanager
def at_terminal(arguments: Sequence[str], directory: str, lines: int = 24) -> Iterator[Person]:
    """Start the command line in a pseudo-terminal, in a directory that is its home too."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(directory)
        environment = {**os.environ, "HOME": directory, "XDG_STATE_HOME": directory}
        environment |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": str(lines)}
        script = "import sys; from visavis.cli import main; print('ready'); sys.exit(main())"
        command = [sys.executable, "-u", "-c", script]
        os.execve(sys.executable, [*command, *arguments], environment)
    person = Person(child, terminal)
    try:
        person.expect("ready\n")
        yield person
    finally:
        if person.child:
            os.kill(person.child, signal.SIGKILL)
            os.waitpid(person.child, 0)
        os.close(terminal)

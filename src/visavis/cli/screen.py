"""The terminal: what is shown and what is read. Piped, it is a plain transcript."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

import typer
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from visavis.cli.waiting import interruptibly

T = TypeVar("T")

CLEAR: Final = "\x1b[H\x1b[2J"
CLEAR_SCROLLBACK: Final = "\x1b[3J"
ENTER_ALTERNATE: Final = "\x1b[?1049h"
LEAVE_ALTERNATE: Final = "\x1b[?1049l"
WIDEST: Final = 100
"""Longer lines of prose are hard to read, however wide the terminal."""


class TimeIsUp(Exception):
    """A clock ran out while somebody was to type."""


class Screen:
    """A person's terminal, or a pipe in its place.

    A private screen is for two people with secrets from each other: what is cleared from it can't
    be scrolled back to. It is the terminal's alternate screen, which nothing scrolls back from;
    where ``lines`` are more than that can hold, the usual one, scrollback and all.
    """

    def __init__(self, *, private: bool = False, lines: int = 0) -> None:
        self.listens = sys.stdin.isatty()
        self.interactive = self.listens and sys.stdout.isatty()
        private = private and self.interactive
        fits = lines <= shutil.get_terminal_size().lines
        self.alternate = private and fits
        self.clearing = CLEAR + CLEAR_SCROLLBACK if private and not fits else CLEAR
        if self.interactive:
            _edit_without_history()

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Take the screen, and give it back without secrets, whatever happens."""
        if self.alternate:
            self._write(ENTER_ALTERNATE)
        try:
            yield
        finally:
            if self.alternate:
                self._write(LEAVE_ALTERNATE)
            elif self.clearing != CLEAR:
                self.clear()

    def say(self, text: str = "") -> None:
        """Show a line or more, as they are."""
        typer.echo(text)

    def tell(self, text: str) -> None:
        """Show a sentence, broken between words where the line is full."""
        console = Console(highlight=False)
        for line in Text(text).wrap(console, console.width):
            self.say(line.plain.rstrip())

    def clear(self) -> None:
        """Begin with an empty screen; in a transcript, with an empty line."""
        if self.interactive:
            self._write(self.clearing)
        else:
            self.say()

    def ask(self, question: str = "> ", seconds: float | None = None) -> str:
        """Return the line that is typed. Raises EOFError, KeyboardInterrupt and `TimeIsUp`."""
        with _alarm(seconds if self.interactive else None):
            line = input(question)
        if not self.listens:
            self.say(line)  # nobody typed it, so nobody has seen it
        return line.strip()

    def wait(self, words: str, work: Callable[[], T]) -> T:
        """Do work while the words say so, with a mark that moves where somebody watches."""
        if not self.interactive:
            return interruptibly(work)
        marks = itertools.cycle("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
        try:
            return interruptibly(work, lambda: self._write(f"\r{next(marks)} {words}"))
        finally:
            self._write("\r\x1b[K")

    def hand_over(self, name: str) -> None:
        """Let the players change places: nothing is to be seen until the other is there."""
        self.clear()
        self.say(f"=== {name}: your turn, and for your eyes only. ===")
        if self.listens:
            self.ask("Press Enter when nobody else is looking. ")
        self.clear()

    def show_markdown(self, text: str) -> None:
        """Show prose, a page at a time if it is longer than the terminal."""
        if not self.interactive:
            self.say(text)
            return
        console = Console(highlight=False, width=min(shutil.get_terminal_size().columns, WIDEST))
        with console.capture() as captured:
            console.print(Markdown(text))
        self.show_pages(captured.get().splitlines())

    def show_pages(self, lines: Sequence[str]) -> None:
        """Show lines, a page at a time if a person watches."""
        page = max(5, shutil.get_terminal_size().lines - 2) if self.interactive else len(lines)
        for start in range(0, len(lines), max(page, 1)):
            self.say("\n".join(lines[start : start + page]))
            if start + page < len(lines) and self.ask("-- Enter: more, q: enough -- ") == "q":
                break

    def show_columns(self, items: Sequence[str]) -> None:
        """Show many short texts side by side."""
        self.show_pages(in_columns(items, shutil.get_terminal_size().columns - 1))

    def _write(self, sequence: str) -> None:
        sys.stdout.write(sequence)
        sys.stdout.flush()


def in_columns(items: Sequence[str], width: int) -> list[str]:
    """Lay texts out in lines of a width, where kana take two columns.

    >>> in_columns(["い↑B3B2", "か↑C4C3", "TA4B3"], 20)
    ['い↑B3B2  か↑C4C3', 'TA4B3']
    """
    widest = max(map(cell_len, items), default=0) + 2
    fitting = max(1, (width + 2) // widest)
    return [
        "".join(set_cell_size(item, widest) for item in items[start : start + fitting]).rstrip()
        for start in range(0, len(items), fitting)
    ]


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise `TimeIsUp` after a number of seconds."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: object) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _edit_without_history() -> None:
    """Let lines be edited, but not called up again: they may be the other player's secrets."""
    with contextlib.suppress(ImportError):
        import readline

        readline.set_auto_history(False)

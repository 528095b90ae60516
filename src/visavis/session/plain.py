"""Reading plain lists of moves, as authors write them down, into records.

Moves stand on lines of their own or follow each other, divided by blanks or ``;``. Numbers
(``12.``), seats (``first:``, or the game's own names), rolls (``*face``), braces, a closing result
and comments after ``#`` are understood. The rules know whose move it is.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from visavis.rules.errors import NotAMove, RulesError, shorten
from visavis.rules.protocol import AnyGame, MatchReason, Roll, Seat
from visavis.session.clock import ClockStart, choose_clock
from visavis.session.errors import RecordError
from visavis.session.record import RESULTS, Item, Record, Written, write_lines
from visavis.session.replay import replay

MOST_CHARACTERS: Final = 400_000
"""Longer texts are not read."""
MOST_WORDS: Final = 6
"""No move has more words than this."""

_ASIDE: Final = re.compile(r"#.*|\{[^{}]*\}")
_NUMBER: Final = re.compile(r"[0-9]{1,7}(?:\.{1,3}|\))")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    line: int
    column: int

    def wrong(self, why: str) -> RecordError:
        return RecordError(self.line, self.column, why)


def read_plain(game: AnyGame, text: str, names: tuple[str, str] = ("?", "?")) -> Record:
    """Read a list of moves, or raise `RecordError`, which names line and column.

    >>> from visavis.rules import game
    >>> read_plain(game("osakana"), "1. IB3B2 2. kA1A2").lines[1].seat
    <Seat.SECOND: 1>
    >>> read_plain(game("osakana"), "1. IB3B2 2. xyz")
    Traceback (most recent call last):
    visavis.session.errors.RecordError: line 1, column 13: 'xyz' is not a move
    """
    if len(text) > MOST_CHARACTERS:
        raise RecordError(1, 1, f"longer than {MOST_CHARACTERS} characters")
    reader = _Reader(game)
    for chunk in _chunks(text):
        at = 0
        while at < len(chunk):
            at += reader.read(chunk[at : at + MOST_WORDS])
    return _with_remarks(game, reader.record(names))


def _chunks(text: str) -> Iterator[list[_Word]]:
    """Return the words between line ends and semicolons, without asides."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        kept = _ASIDE.sub(lambda aside: " " * len(aside[0]), line)
        for chunk in re.finditer(r"[^;]+", kept):
            words = re.finditer(r"\S+", chunk[0])
            yield [_Word(w[0], number, chunk.start() + w.start() + 1) for w in words]


class _Reader:
    """Plays a game through while its moves are read."""

    def __init__(self, game: AnyGame) -> None:
        self.game, self.state = game, game.start()
        self.written: list[Written] = []
        self.seat: Seat | None = None
        self.result: str | None = None
        names = zip(Seat, game.seat_names, strict=True)
        self.marks = {name.lower(): seat for seat, name in names}
        self.marks |= {str(seat): seat for seat in Seat}

    def read(self, words: list[_Word]) -> int:
        """Read one thing from the front of some words; return how many words it took."""
        word = words[0]
        if self.result is not None:
            raise word.wrong("nothing comes after the result")
        awaited = self.game.awaits(self.state)
        if isinstance(awaited, Roll):
            taken = self._roll(words, {face for face, _ in awaited.faces})
        else:
            taken = self._move(words)
        return taken or self._mark(word) or self._end(word)

    def record(self, names: tuple[str, str]) -> Record:
        """Return what was read."""
        outcome = self.game.outcome(self.state)
        reasons = {None: None, "*": None, "1/2-1/2": MatchReason.AGREED}
        clock = choose_clock(self.game, None)
        return Record(
            game=self.game.slug,
            rules_version=self.game.rules_version,
            options=tuple((name, str(value)) for name, value in self.game.options.items()),
            names=names,
            clock=clock.text,
            clock_start=ClockStart.READY if clock.is_shared else None,
            result=outcome.result if outcome else self.result or "*",
            reason=outcome.reason if outcome else reasons.get(self.result, MatchReason.RESIGNED),
            scores=outcome.scores if outcome else None,
            lines=write_lines(self.written),
        )

    def _roll(self, words: list[_Word], faces: set[str]) -> int:
        for count in range(len(words), 0, -1):
            text = " ".join(word.text for word in words[:count])
            if text.startswith("*") and text[1:] in faces:
                self._write(None, Item(text[1:], is_roll=True))
                self.state = self.game.roll(self.state, text[1:])
                return count
        return 0

    def _move(self, words: list[_Word]) -> int:
        for count in range(len(words), 0, -1):
            try:
                move = self.game.parse_move(" ".join(word.text for word in words[:count]))
            except NotAMove:
                continue
            awaited = self.game.awaited(self.state)
            seat = self.seat if self.seat is not None else (*awaited, Seat.FIRST)[0]
            try:
                after = self.game.apply(self.state, seat, move)
            except RulesError as error:
                raise words[0].wrong(str(error)) from None
            self._write(seat, Item(self.game.format_move(move)))
            self.state, self.seat = after, None
            return count
        return 0

    def _mark(self, word: _Word) -> int:
        if _NUMBER.fullmatch(word.text):
            return 1
        seat = self.marks.get(word.text.removesuffix(":").lower())
        if seat is None:
            return 0
        self.seat = seat
        return 1

    def _end(self, word: _Word) -> int:
        if word.text not in RESULTS:
            due = isinstance(self.game.awaits(self.state), Roll)
            why = "is not a roll that is possible here" if due else "is not a move"
            raise word.wrong(f"{shorten(word.text)} {why}")
        outcome = self.game.outcome(self.state)
        if outcome is not None and outcome.result != word.text:
            raise word.wrong(f"the game ended {outcome.result}")
        self.result = word.text
        return 1

    def _write(self, seat: Seat | None, item: Item) -> None:
        self.written.append(Written(self.game.turn(self.state), seat, item))


def _with_remarks(game: AnyGame, record: Record) -> Record:
    played = replay(record, lambda slug, options: game)
    written = [
        Written(step.line.turn, step.seat, dataclasses.replace(step.item, remark=remark or ""))
        for step, remark in zip(played.steps, played.remarks(), strict=True)
    ]
    return dataclasses.replace(record, lines=write_lines(written))

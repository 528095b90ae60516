"""Records: one readable text for matches of all games, in the spirit of PGN.

::

    [Visavis "1"]
    [Game "heap"]
    [Option stones "21"]
    [First "Mio"]
    [Second "Ren \\"the Eel\\""]
    [Clock "300+5"]
    [Result "1-0"]
    [Reason "last_stone"]

    1. first: 3  @4:58.2  # at once!
    2. second: ...

The whole format, with its reasons, is in ``docs/records.md``. This module holds the values and
their text; `visavis.session.replay` replays and verifies them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from visavis.rules.errors import shorten
from visavis.rules.protocol import Seat
from visavis.session.clock import ClockStart
from visavis.session.errors import RecordError

VERSION: Final = "1"
MOST_CHARACTERS: Final = 4_000_000
"""Longer texts are not read."""

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
_CONTROLS: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
"""Characters that no line of a record has: controls, other line ends, halves of characters."""
_UNFIT: Final = re.compile(f"[;{{}}#{_CONTROLS}]")
_ESCAPED: Final = re.compile(rf"[\\{_CONTROLS}]")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


# -- Values ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Time:
    """What the clock showed when a move was made: the seat's time left, and the game's own."""

    left_ms: int
    game_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A move or a roll. ``seal`` is the digest of a move that somebody does, or did, not see."""

    text: str
    remark: str = ""
    seal: str | None = None
    is_roll: bool = False

    def __post_init__(self) -> None:
        if not self.text or _UNFIT.search(self.text) or _UNFIT.search(self.remark):
            raise ValueError(f"{self.text!r}, {self.remark!r}: not fit for a record")
        if self.is_roll and (self.remark or self.seal is not None):
            raise ValueError("a roll has no remark and no seal")


@dataclass(frozen=True, slots=True)
class Line:
    """What a seat, or chance (None), did in one go in one turn."""

    turn: int
    seat: Seat | None
    items: tuple[Item, ...]
    time: Time | None = None
    comment: str = ""
    above: tuple[str, ...] = ()
    """Comments that stand on lines of their own above this one."""
    number: int = field(default=0, compare=False)
    """The number of the line in the text it was read from; 0 if it was not read."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a match, finished or not."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    names: tuple[str, str] = ("?", "?")
    date: str | None = None
    clock: str = "none"
    rules_version: int = 1
    """The version of the game's rules; records that don't say it are of version 1."""
    clock_start: ClockStart | None = None
    """When a clock that both share started; older records don't say it, and it was at once."""
    commitment: str | None = None
    start: str | None = None
    """The text of the position from which the match began, if it is not the usual one."""
    result: str = "*"
    reason: str | None = None
    scores: tuple[int, int] | None = None
    seed: str | None = None
    lines: tuple[Line, ...] = ()
    below: tuple[str, ...] = ()
    """Comments after the last line."""
    places: tuple[tuple[str, int], ...] = field(default=(), compare=False, repr=False)
    """On which line each header was read."""

    @property
    def text(self) -> str:
        """The canonical text, which `parse` reads back exactly."""
        headers = [f"[{name} {_quote(value)}]" for name, value in _headers(self)]
        moves = [written for line in self.lines for written in _write_line(line)]
        below = [_write_comment(comment) for comment in self.below]
        return "\n".join([*headers, "", *moves, *below]) + "\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record, or raise `RecordError`, which names line and column."""
        return _Reader(text).read()

    def items(self) -> Iterator[tuple[Line, Item]]:
        """Return all moves and rolls in order, each with its line."""
        return ((line, item) for line in self.lines for item in line.items)

    def place(self, header: str) -> int:
        """Return the number of the line of a header; 0 if it is not there."""
        return dict(self.places).get(header, 0)


@dataclass(frozen=True, slots=True)
class Written:
    """A move or a roll (by None) that is to be written on a line, and when it was made."""

    turn: int
    seat: Seat | None
    item: Item
    time: Time | None = None


def write_lines(written: Iterable[Written]) -> tuple[Line, ...]:
    """Arrange moves and rolls in lines: one for what a seat did in one go.

    Rolls stand with the move they follow; those that open a turn have a line of their own.
    """
    lines: list[list[Written]] = []
    for entry in written:
        last = lines[-1][0] if lines else None
        if last is not None and last.turn == entry.turn and entry.seat in (None, last.seat):
            lines[-1].append(entry)
        else:
            lines.append([entry])
    return tuple(map(_line_of, lines))


def _line_of(written: list[Written]) -> Line:
    times = [entry.time for entry in written if entry.time is not None]
    items = tuple(entry.item for entry in written)
    return Line(written[0].turn, written[0].seat, items, times[-1] if times else None)


# -- Writing ---------------------------------------------------------------------------------------


def _headers(record: Record) -> Iterator[tuple[str, str]]:
    yield "Visavis", VERSION
    yield "Game", record.game
    if record.rules_version != 1:
        yield "Rules", str(record.rules_version)
    for name, value in record.options:
        yield f"Option {name}", value
    yield "First", record.names[0]
    yield "Second", record.names[1]
    if record.date is not None:
        yield "Date", record.date
    if record.clock != "none":
        yield "Clock", record.clock
    if record.clock_start is not None:
        yield "ClockStart", record.clock_start
    if record.commitment is not None:
        yield "Commitment", record.commitment
    if record.start is not None:
        yield "Start", record.start
    yield "Result", record.result
    if record.reason is not None:
        yield "Reason", record.reason
    if record.scores is not None:
        yield "Score", f"{record.scores[0]}-{record.scores[1]}"
    if record.seed is not None:
        yield "Seed", record.seed


def _write_line(line: Line) -> Iterator[str]:
    yield from map(_write_comment, line.above)
    who = "chance" if line.seat is None else str(line.seat)
    text = f"{line.turn}. {who}: " + "; ".join(map(_write_item, line.items))
    if line.time is not None:
        text += "  @" + _write_time(line.time.left_ms)
        if line.time.game_ms is not None:
            text += "/" + _write_time(line.time.game_ms)
    yield f"{text}  {_write_comment(line.comment)}" if line.comment else text


def _write_item(item: Item) -> str:
    text = item.text.replace("\\", "\\\\").replace(" @", " \\@")
    if text[0] in " @" or (text[0] == "*" and not item.is_roll):
        text = "\\" + text
    if text[-1] == " " and len(item.text) > 1:
        text = text[:-1] + "\\ "
    remark = f"{{{item.remark}}}" if item.remark else ""
    digest = f"{{#{item.seal}}}" if item.seal is not None else ""
    return ("*" if item.is_roll else "") + text + remark + digest


def _write_time(ms: int) -> str:
    seconds, part = divmod(ms, 1_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{text}.{part:03}".rstrip("0") if part else text


def _write_comment(comment: str) -> str:
    return f"# {_escape(comment)}" if comment else "#"


def _quote(text: str) -> str:
    return '"' + _escape(text).replace('"', '\\"') + '"'


def _escape(text: str) -> str:
    return _ESCAPED.sub(lambda c: "\\\\" if c[0] == "\\" else f"\\u{ord(c[0]):04x}", text)


# -- Reading ---------------------------------------------------------------------------------------

_HEADER: Final = re.compile(
    r"[ \t]*\[([A-Z][A-Za-z]{0,31})(?:[ \t]+([a-z][a-z0-9_]{0,63}))?[ \t]+"
    r'"((?:[^"\\]|\\.)*)"[ \t]*\][ \t]*'
)
_HEAD: Final = re.compile(r"[ \t]*([0-9]{1,7})\.[ \t]*(first|second|chance):[ \t]*")
_TEXT: Final = re.compile(r"(?:\\.|[^\\;{}#@]|(?<![ \t])@)+")
_RUNS: Final = re.compile(r"\\(.)|[ \t]+|[^\\ \t]+")
_BRACES: Final = re.compile(r"\{(#?)([^{}#;]*)\}")
_SPAN: Final = r"(?:([0-9]{1,5}):)?([0-9]{1,2}):([0-9]{2})(?:\.([0-9]{1,3}))?"
_TIME: Final = re.compile(rf"@{_SPAN}(?:/{_SPAN})?(?=[ \t]|$)")
_BLANK: Final = re.compile(r"[ \t]*")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-f]{4})|(.)|$)", re.DOTALL)
_SCORE: Final = re.compile(r"(-?[0-9]{1,9})-(-?[0-9]{1,9})")
_VERSION: Final = re.compile(r"[1-9][0-9]{0,5}")
_WHO: Final = {"first": Seat.FIRST, "second": Seat.SECOND, "chance": None}

_OPENING: Final = {"Visavis", "Game", "Rules", "First", "Second", "Date", "Clock", "ClockStart"}
_HEADERS: Final = _OPENING | {"Commitment", "Start", "Result", "Reason", "Score", "Seed"}


class _Reader:
    """Reads one text, line by line."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise RecordError(1, 1, f"longer than {MOST_CHARACTERS} characters")
        self.lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        self.headers: dict[str, str] = {}
        self.options: dict[str, str] = {}
        self.places: dict[str, int] = {}
        self.moves: list[Line] = []
        self.comments: list[str] = []

    def read(self) -> Record:
        for number, line in enumerate(self.lines, 1):
            start = line.lstrip(" \t")
            if start.startswith("#"):
                self.comments.append(_read_comment(line, line.index("#"), number))
            elif start.startswith("[") and not self.moves:
                self._read_header(line, number)
            elif start:
                above, self.comments = tuple(self.comments), []
                self.moves.append(_LineReader(line, number).read(above))
        return self._assemble()

    def _read_header(self, line: str, number: int) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise RecordError(number, 1, 'a header looks like [Name "text"]')
        name, option, value = found[1], found[2], _unescape(found[3], number, found.start(3))
        if name not in _HEADERS and name != "Option":
            raise RecordError(number, found.start(1) + 1, f"no header is called {shorten(name)}")
        if (name == "Option") != (option is not None):
            raise RecordError(number, found.start(1) + 1, "an option, and only that, has a name")
        if not self.places and (name, value) != ("Visavis", VERSION):
            raise RecordError(number, 1, f'a record begins with [Visavis "{VERSION}"]')
        key = f"Option {option}" if option else name
        if key in self.places:
            raise RecordError(number, 1, f"{key} appears twice")
        _check_value(name, value, number, found.start(3) + 1)
        self.places[key] = number
        if option:
            self.options[option] = value
        else:
            self.headers[name] = value

    def _assemble(self) -> Record:
        given = self.headers
        for name in ("Visavis", "Game"):
            if name not in given:
                raise RecordError(1, 1, f"the header {name} is missing")
        score = _SCORE.fullmatch(given.get("Score", ""))
        return Record(
            game=given["Game"],
            rules_version=int(given.get("Rules", "1")),
            options=tuple(self.options.items()),
            names=(given.get("First", "?"), given.get("Second", "?")),
            date=given.get("Date"),
            clock=given.get("Clock", "none"),
            clock_start=ClockStart.READY if "ClockStart" in given else None,
            commitment=given.get("Commitment"),
            start=given.get("Start"),
            result=given.get("Result", "*"),
            reason=given.get("Reason"),
            scores=(int(score[1]), int(score[2])) if score else None,
            seed=given.get("Seed"),
            lines=tuple(self.moves),
            below=tuple(self.comments),
            places=tuple(self.places.items()),
        )


class _LineReader:
    """Reads one line of moves, from left to right."""

    def __init__(self, line: str, number: int) -> None:
        self.line, self.number, self.at = line, number, 0

    def read(self, above: tuple[str, ...]) -> Line:
        head = self._take(_HEAD, "a line of moves begins like 3. first: or 3. chance:")
        items = [self._item()]
        while self._next() == ";":
            self.at += 1
            items.append(self._item())
        time = self._time() if self._next() == "@" else None
        comment = ""
        if self._next() == "#":
            comment, self.at = _read_comment(self.line, self.at, self.number), len(self.line)
        if self._next():
            raise self._wrong("expected ; or @ or # or the end of the line")
        turn, seat = int(head[1]), _WHO[head[2]]
        return Line(turn, seat, tuple(items), time, comment, above, self.number)

    def _item(self) -> Item:
        self._next()
        start = self.at
        raw = self._take(_TEXT, "a move is missing")[0]
        is_roll = raw.startswith("*")
        text = self._plain(raw[is_roll:], start + is_roll)
        remark, seal = "", None
        if self._next() == "{" and not is_roll:
            mark, inner = self._take(_BRACES, "a brace does not close").groups()
            if not mark:
                remark = self._fit(inner)
                if self._next() == "{":
                    mark, inner = self._take(_BRACES, "a brace does not close").groups()
            if mark:
                seal = self._digest(inner)
            elif inner != remark:
                raise self._wrong("one remark is enough")
        return Item(text, remark, seal, is_roll)

    def _plain(self, raw: str, start: int) -> str:
        """Take the escapes out of a text, and the blanks around it that are not escaped."""
        parts, kept = list[str](), 0
        for run in _RUNS.finditer(raw):
            escaped = run[1]
            if escaped is not None and escaped not in "\\*@ ":
                raise RecordError(self.number, start + run.start() + 1, "no such escape")
            is_blank = escaped is None and run[0][0] in " \t"
            if parts or not is_blank:
                parts.append(escaped or run[0])
            kept = kept if is_blank else len(parts)
        text = self._fit("".join(parts[:kept]), start)
        if not text:
            raise RecordError(self.number, start + 1, "a move is missing")
        return text

    def _fit(self, text: str, start: int | None = None) -> str:
        if _UNFIT.search(text) or (start is None and not text):
            at = self.at if start is None else start
            raise RecordError(self.number, at + 1, "not fit for a record")
        return text

    def _digest(self, text: str) -> str:
        if not _DIGEST.fullmatch(text):
            raise self._wrong("a seal has 64 hexadecimal digits")
        return text

    def _time(self) -> Time:
        found = self._take(_TIME, "a time looks like @4:58.2")
        left = self._milliseconds(*found.groups()[:4])
        return Time(left, self._milliseconds(*found.groups()[4:]) if found[6] else None)

    def _milliseconds(self, hours: str | None, minutes: str, seconds: str, part: str | None) -> int:
        if int(seconds) > 59 or int(minutes) > 59:
            raise self._wrong("minutes and seconds go to 59")
        whole = (int(hours or "0") * 60 + int(minutes)) * 60 + int(seconds)
        return whole * 1_000 + int((part or "").ljust(3, "0"))

    def _take(self, pattern: re.Pattern[str], why: str) -> re.Match[str]:
        found = pattern.match(self.line, self.at)
        if found is None:
            raise self._wrong(why)
        self.at = found.end()
        return found

    def _next(self) -> str:
        """Go over blanks and return the next character, "" at the end."""
        self.at = self._take(_BLANK, "").end()
        return self.line[self.at : self.at + 1]

    def _wrong(self, why: str) -> RecordError:
        return RecordError(self.number, self.at + 1, why)


def _check_value(name: str, value: str, number: int, column: int) -> None:
    if name in ("Commitment", "Seed") and not _DIGEST.fullmatch(value):
        raise RecordError(number, column, f"{name} has 64 hexadecimal digits")
    if name == "ClockStart" and value != ClockStart.READY:
        raise RecordError(number, column, f"ClockStart is {ClockStart.READY}, or not there")
    if name == "Rules" and not _VERSION.fullmatch(value):
        raise RecordError(number, column, "Rules is a version of the game's rules: 1, 2 and so on")
    if name == "Result" and value not in RESULTS:
        raise RecordError(number, column, "a result is one of " + ", ".join(RESULTS))
    if name == "Score" and not _SCORE.fullmatch(value):
        raise RecordError(number, column, "a score looks like 12-9")


def _read_comment(line: str, at: int, number: int) -> str:
    start = at + 2 if line.startswith(" ", at + 1) else at + 1
    return _unescape(line[start:], number, start)


def _unescape(text: str, number: int, start: int) -> str:
    def plain(found: re.Match[str]) -> str:
        if found[1]:
            return chr(int(found[1], 16))
        if found[2] is not None and found[2] in '"\\':
            return found[2]
        raise RecordError(number, start + found.start() + 1, "no such escape")

    return _ESCAPE.sub(plain, text)

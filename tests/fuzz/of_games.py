"""Texts of games: moves, positions, views, options, records; by the rules and by the kernel.

What the rules read the kernel reads, and as the same. The kernel may read more: whether a position
can come about is for the rules to say. But it must cope with what it has read.

No game is named here: they come from the registry, and their texts from random games.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.fuzz.target import Target, hold
from visavis._core import Kernel
from visavis.rules import game, games
from visavis.rules.errors import (
    BadOption,
    IllegalMove,
    NotAMove,
    NotAPosition,
    NotAView,
    NotYourTurn,
)
from visavis.rules.protocol import AnyGame, Roll, Seat
from visavis.session import VIEWERS, Match, Move, Record, check, read_plain
from visavis.session.errors import Discrepancy, RecordError

VECTORS = Path(__file__).parents[2] / "vectors"
WALKS, PLIES = 6, 60
LISTED = 3_000
"""More legal moves than this are not gone through."""
SHORT = 10
"""Records and plain lists are of matches of so many plies, and of whole ones."""


@dataclass
class Samples:
    """Texts of one game with some options, from random games."""

    game: AnyGame
    moves: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    """Which position, which seat, which move."""
    positions: list[str] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)

    def walk(self, rng: random.Random) -> None:
        """Play a random game, and keep all texts."""
        match, _ = Match.begin(self.game, seed=rng.randbytes(32))
        for ply in range(PLIES):
            if ply == SHORT:
                self.keep(match)
            state = match.state
            self.positions.append(self.game.format_position(state))
            self.views += [self.game.format_view(self.game.view(state, v)) for v in VIEWERS]
            if match.is_over:
                break
            seat = rng.choice(match.awaited)
            text = self.game.format_move(rng.choice(self.game.legal(state, seat)))
            self.moves.append(text)
            self.steps.append(f"{len(self.positions) - 1} {int(seat)} {text}")
            match, _ = match.execute(Move(seat, text), 0)
        if match.is_over:
            self.keep(match)

    def keep(self, match: Match) -> None:
        """Keep a match as records."""
        self.records += [match.record(None).text, match.whole_record().text]
        written = ["*" * item.is_roll + item.text for _, item in match.whole_record().items()]
        self.plain += [" ".join(written[: 2 * SHORT]), "\n".join(written[:SHORT])]


def options_of(slug: str) -> list[dict[str, str]]:
    """Return the options that a game is fuzzed with."""
    untimed = dict(games()[slug].untimed)
    path = VECTORS / slug / "options.json"
    more = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return [
        untimed,
        *({**untimed, **{k: str(v) for k, v in chosen.items()}} for chosen in more[:2]),
    ]


def targets_of(slug: str) -> Iterator[Target]:
    """Return what reads texts of a game."""
    rng = random.Random(slug)
    for number, options in enumerate(options_of(slug)):
        samples = Samples(game(slug, options))
        for _ in range(WALKS):
            samples.walk(rng)
        name = slug if not number else f"{slug}{number}"
        chosen, kernel = samples.game, Kernel(slug, samples.game.kernel_options())
        yield Target(f"{name}.move", tuple(samples.moves), partial(read_move, chosen))
        yield Target(
            f"{name}.position", tuple(samples.positions), partial(read_position, chosen, kernel)
        )
        yield Target(f"{name}.view", tuple(samples.views), partial(read_view, chosen, kernel))
        states = [chosen.parse_position(text) for text in samples.positions]
        yield Target(
            f"{name}.apply", tuple(samples.steps), partial(apply_move, chosen, kernel, states)
        )
        yield Target(f"{name}.plain", tuple(samples.plain), partial(read_moves, chosen))
        yield Target(f"{name}.record", tuple(samples.records), read_record)
    pairs = [json.dumps(options) for options in options_of(slug)]
    pairs += [json.dumps({n: str(v)}) for n, v in game(slug).options.items()]
    yield Target(f"{slug}.options", tuple(pairs), partial(read_options, slug))


def read_move(chosen: AnyGame, text: str) -> bool:
    try:
        move = chosen.parse_move(text)
    except NotAMove:
        return False
    hold(chosen.parse_move(chosen.format_move(move)) == move, "a move's text is not that move")
    return True


def read_position(chosen: AnyGame, kernel: Kernel, text: str) -> bool:
    native = natively(kernel.awaits, text)
    try:
        state = chosen.parse_position(text)
    except NotAPosition:
        if native is not None:
            use_natively(kernel, text)
        return False
    hold(native is not None, "the rules read a position, the kernel does not")
    hold(chosen.parse_position(chosen.format_position(state)) == state, "not that position")
    use(chosen, state)
    for viewer in VIEWERS:
        seen = chosen.format_view(chosen.view(state, viewer))
        hold(natively(kernel.view, text, viewer) == seen, "the kernel sees something else")
    return True


def read_view(chosen: AnyGame, kernel: Kernel, text: str) -> bool:
    native = natively(kernel.reprint_view, text)
    try:
        view = chosen.parse_view(text)
    except NotAView:
        if native is not None:
            use_natively(kernel, kernel.determinize(text, 0))
        return False
    canonical = chosen.format_view(view)
    hold(native == canonical, "the kernel reads another view")
    hold(chosen.parse_view(canonical) == view, "a view's text is not that view")
    use(chosen, chosen.determinize(view, random.Random(0)))
    chosen.board(view)
    return True


def use(chosen: AnyGame, state: Hashable) -> None:
    """Do what can be done with a state."""
    awaited = chosen.awaits(state)
    if isinstance(awaited, Roll):
        chosen.roll(state, awaited.faces[0][0])
    for seat in Seat:
        moves = chosen.legal(state, seat)
        hold(bool(moves) == (seat in chosen.awaited(state)), "moves exactly for who is awaited")
        for move in moves[:1] if len(moves) > LISTED else (*moves[:1], *moves[-1:]):
            chosen.apply(state, seat, move)
            chosen.observe(state, seat, move, seat.other)
        chosen.prompt(chosen.view(state, seat), seat)
        chosen.suggestions(state, seat)
        chosen.on_timeout(state, seat)
    chosen.board(chosen.view(state, None))
    chosen.turn(state)
    chosen.standing(state)


def use_natively(kernel: Kernel, position: str) -> None:
    """Do natively what can be done with a position that the rules do not know."""
    for seat in Seat:
        natively(kernel.view, position, int(seat))
        moves = natively(kernel.legal, position, int(seat)) or ()
        for move in (*moves[:1], *moves[-1:]):
            natively(kernel.apply, position, int(seat), move)


def apply_move(chosen: AnyGame, kernel: Kernel, states: list[Hashable], text: str) -> bool:
    number, _, rest = text.partition(" ")
    index, _, words = rest.partition(" ")
    if not (is_number(number) and is_number(index)):
        return False
    state, seat = states[int(number) % len(states)], Seat(int(index) % 2)
    try:
        move = chosen.parse_move(words)
        after = chosen.apply(state, seat, move)
    except (NotAMove, IllegalMove, NotYourTurn):
        return False
    if move in chosen.legal(state, seat):  # a foul that loses is the rules' alone
        native = natively(kernel.apply, chosen.format_position(state), int(seat), words)
        hold(native == chosen.format_position(after), "the kernel comes to another position")
    return True


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def read_moves(chosen: AnyGame, text: str) -> bool:
    try:
        record = read_plain(chosen, text)
    except RecordError:
        return False
    hold(Record.parse(record.text).text == record.text, "a record's text is not that record")
    return True


def read_options(slug: str, text: str) -> bool:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = {next(iter(games()[slug].schema)).name: text}
    if not isinstance(given, dict):
        given = {text[:10]: given}
    options = {
        str(name): value if isinstance(value, int) else str(value) for name, value in given.items()
    }
    try:
        chosen = game(slug, options)
    except BadOption:
        return False
    again = game(slug, dict(chosen.options))
    hold(again.options == chosen.options, "canonical options are canonical")
    Kernel(slug, chosen.kernel_options())
    chosen.awaits(chosen.start())
    return True


def is_text(text: str) -> bool:
    """Whether a text can cross to the kernel: it has no halves of characters."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def natively(work: Callable[..., Any], text: str, *more: Any) -> Any:
    """Return what the kernel makes of a text; None if it refuses it."""
    try:
        return work(text, *more)
    except (NotAPosition, NotAView, NotAMove, IllegalMove, NotYourTurn):
        return None
    except UnicodeEncodeError:
        hold(not is_text(text), "a text does not cross to the kernel")
        return None


def read_record(text: str) -> bool:
    try:
        record = Record.parse(text)
    except RecordError:
        return False
    hold(Record.parse(record.text) == record, "a record's text is not that record")
    try:
        check(record)
    except Discrepancy:
        return False
    return True

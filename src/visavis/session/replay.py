"""Replaying records, and verifying them: move by move, roll by roll, seal by seal."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from visavis import rules
from visavis.rules.errors import BadOption, NotAPosition, RulesError, UnknownGame, UnknownReason
from visavis.rules.protocol import AnyGame, MatchReason, Options, Outcome, Roll, Seat
from visavis.rules.seats import VIEWERS
from visavis.session.clock import ClockSpec, ClockStart, choose_clock
from visavis.session.errors import (
    BadClock,
    OtherRules,
    WrongHeader,
    WrongMove,
    WrongRemark,
    WrongResult,
    WrongRoll,
    WrongSeal,
    WrongSeed,
)
from visavis.session.record import Item, Line, Record
from visavis.session.seal import promise, roll_face, seal
from visavis.session.versions import upgrade_record

Lookup = Callable[[str, Options], AnyGame]
"""Finds a game by name and options; `visavis.rules.game` knows all that are registered."""


@dataclass(frozen=True, slots=True)
class Step:
    """One move or roll of a record, with the states around it."""

    line: Line
    item: Item
    seat: Seat | None
    move: Hashable | None
    """The move; None for a roll."""
    before: Hashable
    after: Hashable


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played through."""

    record: Record
    game: AnyGame
    start: Hashable
    steps: tuple[Step, ...]

    @property
    def final(self) -> Hashable:
        """The state at the end."""
        return self.steps[-1].after if self.steps else self.start

    def remarks(self) -> list[str | None]:
        """Return the remark that each step earns; None while a roll to decide it is missing."""
        game, settled, earned = self.game, self.final, list[str | None]()
        is_settled = not isinstance(game.awaits(settled), Roll)
        for step in reversed(self.steps):
            if not isinstance(game.awaits(step.after), Roll):
                settled, is_settled = step.after, True
            if step.seat is None or step.move is None:
                earned.append("")
            elif is_settled:
                earned.append(game.remark(step.before, step.seat, step.move, settled))
            else:
                earned.append(None)
        return earned[::-1]


@dataclass(frozen=True, slots=True)
class Checked:
    """What was verified. Without a seed, rolls are only known to be possible, not to be fair."""

    moves: int
    rolls: int
    seals: int
    has_seed: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """A record to be played through: each step when it is asked for, once, and none is kept."""

    record: Record
    game: AnyGame
    start: Hashable
    steps: Iterator[Step]


def walk(record: Record, lookup: Lookup = rules.game) -> Walk:
    """Return a record to be played through, or raise `WrongHeader`.

    Going through the steps raises `WrongMove` or `WrongRoll`.
    """
    record = _upgraded(_located(record), lookup)
    game = _game(record, lookup)
    try:
        start = game.start() if record.start is None else game.parse_position(record.start)
    except NotAPosition as error:
        raise WrongHeader(record.place("Start"), str(error)) from None
    return Walk(record, game, start, _steps(game, start, record))


def _steps(game: AnyGame, state: Hashable, record: Record) -> Iterator[Step]:
    for line, item in record.items():
        step = _step(game, state, line, item)
        yield step
        state = step.after


def replay(record: Record, lookup: Lookup = rules.game) -> Replay:
    """Play a record through, or raise `WrongHeader`, `WrongMove` or `WrongRoll`."""
    walked = walk(record, lookup)
    return Replay(walked.record, walked.game, walked.start, tuple(walked.steps))


def check(record: Record, lookup: Lookup = rules.game) -> Checked:
    """Verify a record, or raise the `Discrepancy` that comes first."""
    record = _located(record)
    _check_seed(record)
    played = replay(record, lookup)
    _check_clock(record, played.game)
    seed = None if record.seed is None else bytes.fromhex(record.seed)
    moves = rolls = seals = 0
    for step, remark in zip(played.steps, played.remarks(), strict=True):
        if step.seat is None:
            rolls += 1
            _check_roll(played.game, step, seed, rolls)
        else:
            moves += 1
            seals += _check_seal(played.game, step, step.seat, seed, moves)
            _check_remark(step, remark)
    _check_result(played)
    return Checked(moves, rolls, seals, seed is not None)


def _located(record: Record) -> Record:
    """Return the record with line numbers: those of its canonical text if it was not read."""
    return record if record.places else Record.parse(record.text)


def _upgraded(record: Record, lookup: Lookup) -> Record:
    try:
        return upgrade_record(type(lookup(record.game, {})), record)
    except UnknownGame as error:
        raise WrongHeader(record.place("Game"), str(error)) from None
    except OtherRules as error:
        raise WrongHeader(record.place("Rules"), str(error)) from None


def _game(record: Record, lookup: Lookup) -> AnyGame:
    try:
        game = lookup(record.game, dict(record.options))
    except BadOption as error:
        raise WrongHeader(record.place(f"Option {error.name}"), str(error)) from None
    named = dict(record.options)
    for name, value in game.options.items():
        if named.get(name) != str(value):
            raise WrongHeader(record.place(f"Option {name}"), f"option {name} must say {value}")
    if record.reason is not None:
        try:
            game.reason_named(record.reason)
        except UnknownReason as error:
            raise WrongHeader(record.place("Reason"), str(error)) from None
    return game


def _step(game: AnyGame, state: Hashable, line: Line, item: Item) -> Step:
    if line.turn != game.turn(state):
        raise WrongMove(line.number, f"this is turn {game.turn(state)}, not {line.turn}")
    if item.is_roll:
        return _rolled(game, state, line, item)
    if line.seat is None:
        raise WrongMove(line.number, f"chance does not move: {item.text}")
    try:
        move = game.parse_move(item.text)
        after = game.apply(state, line.seat, move)
    except RulesError as error:
        raise WrongMove(line.number, _why(item, error)) from None
    return Step(line, item, line.seat, move, state, after)


def _rolled(game: AnyGame, state: Hashable, line: Line, item: Item) -> Step:
    if not isinstance(game.awaits(state), Roll):
        raise WrongRoll(line.number, f"nothing is rolled here: {item.text}")
    try:
        after = game.roll(state, item.text)
    except RulesError as error:
        raise WrongRoll(line.number, _why(item, error)) from None
    return Step(line, item, None, None, state, after)


def _why(item: Item, error: RulesError) -> str:
    """Return what is wrong: in a viewer's own record of a match that ran, something is hidden."""
    if "?" in item.text:
        return f"{item.text} is hidden here; once the match is over, its record has everything open"
    return str(error)


def _check_seed(record: Record) -> None:
    line = record.place("Seed")
    if record.seed is None:
        if record.commitment is not None and record.reason is not None:
            raise WrongSeed(record.place("Commitment"), "the match is over, its seed is missing")
    elif record.commitment is None:
        raise WrongSeed(line, "a seed without a commitment proves nothing")
    elif promise(bytes.fromhex(record.seed)) != record.commitment:
        raise WrongSeed(line, "the seed is not the one that was committed to")


def _check_clock(record: Record, game: AnyGame) -> None:
    try:
        clock = ClockSpec.parse(record.clock)
        choose_clock(game, clock, record.clock_start or ClockStart.AT_ONCE)
    except BadClock as error:
        raise WrongHeader(record.place("Clock"), str(error)) from None
    if record.clock_start is not None and not clock.is_shared:
        raise WrongHeader(record.place("ClockStart"), "only a clock that both share waits for them")


def _check_roll(game: AnyGame, step: Step, seed: bytes | None, number: int) -> None:
    awaited = game.awaits(step.before)
    if seed is None or not isinstance(awaited, Roll):
        return
    face = roll_face(seed, number, awaited)
    if face != step.item.text:
        raise WrongRoll(step.line.number, f"the seed gives {face}, not {step.item.text}")


def _check_seal(game: AnyGame, step: Step, seat: Seat, seed: bytes | None, number: int) -> bool:
    """Check the seal of a move, and say whether it had one."""
    given = step.item.seal
    if seed is None or step.move is None:
        return False
    text = game.format_move(step.move)
    sights = {game.observe(step.before, seat, step.move, viewer) for viewer in VIEWERS}
    due = seal(seed, number, text) if sights != {text} else None
    if given != due:
        why = "its seal is missing" if given is None else "this is not what was sealed"
        raise WrongSeal(step.line.number, f"{text}: {why}")
    return due is not None


def _check_remark(step: Step, remark: str | None) -> None:
    if remark is not None and remark != step.item.remark:
        why = f"{step.item.text} earns {{{remark}}}, not {{{step.item.remark}}}"
        raise WrongRemark(step.line.number, why)


def _check_result(played: Replay) -> None:
    record, game = played.record, played.game
    if isinstance(game.awaits(played.final), Roll) and record.commitment is not None:
        raise WrongRoll(0, "a roll is missing at the end")
    claimed = (record.result, record.reason, record.scores)
    outcome = game.outcome(played.final)
    possible = [outcome] if outcome is not None else _possible_ends(played)
    if claimed in [(end.result, end.reason, end.scores) for end in possible]:
        return
    if outcome is None:
        if claimed == ("*", None, None):
            return
        if claimed == ("*", MatchReason.ABORTED, None) and not _is_underway(played):
            return
    wanted = f": it is {outcome.result}, {outcome.reason}" if outcome is not None else ""
    raise WrongResult(record.place("Result"), f"the result does not follow from the moves{wanted}")


def _possible_ends(played: Replay) -> list[Outcome]:
    """Return how a match can end while its game goes on."""
    game, state = played.game, played.final
    ends = [Outcome(seat, MatchReason.RESIGNED) for seat in Seat] + [
        Outcome(None, MatchReason.AGREED)
    ]
    clock = ClockSpec.parse(played.record.clock)
    if clock.is_live and _is_underway(played):
        ends += [Outcome(winner, MatchReason.ABANDONED) for winner in (*Seat, None)]
    if clock.seat_ms is not None and (_is_underway(played) or clock.is_shared):
        awaited = game.awaited(state)
        ends += [game.on_timeout(state, seat) for seat in awaited]
        ends += [Outcome(None, MatchReason.TIMEOUT)] if len(awaited) == 2 else []
    if clock.game_ms is not None:
        ends.append(game.on_timeout(state, None))
    return ends


def _is_underway(played: Replay) -> bool:
    return len({step.seat for step in played.steps} - {None}) == 2

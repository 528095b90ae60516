"""Resuming a match that was kept as a whole record."""

from __future__ import annotations

from visavis.rules import game, game_type
from visavis.rules.errors import RulesError
from visavis.session.clock import ClockSpec, ClockStart
from visavis.session.commands import Move, Ready
from visavis.session.errors import MatchOver, SessionError, WrongHeader, WrongMove
from visavis.session.match import Match
from visavis.session.record import Line, Record
from visavis.session.versions import upgrade_record


def resume(record: Record, now: int) -> Match:
    """Return the match of which `Match.whole_record` was kept, as if it had never been away.

    The clocks stand as they did at the last move; if there was none, a clock that waits until both
    are ready does so again. Raises a `Discrepancy`, or `MatchOver`.

    >>> match, _ = Match.begin(game("osakana"), seed=bytes(32))
    >>> match, _ = match.execute(Move(match.awaited[0], "IB3B2"), now=0)
    >>> resume(match.whole_record(), now=0).awaited
    (<Seat.SECOND: 1>,)
    """
    if record.reason is not None:
        raise MatchOver(record.reason)
    _, elapsed = _replay(record, 0)
    match, _ = _replay(record, now - elapsed)
    return match


def _replay(record: Record, start: int) -> tuple[Match, int]:
    """Play a record from a moment on; return the match and the moment of its last move."""
    match, now = _begin(record, start), start
    for seat in match.unready if any(line.seat is not None for line in record.lines) else ():
        match, _ = match.execute(Ready(seat), now)
    for line in record.lines:
        if line.seat is None:
            continue  # the seed throws the same again
        moves = [item for item in line.items if not item.is_roll]
        for item in moves:
            if item is moves[-1]:
                now = _moment(match, line, now)
            try:
                match, _ = match.execute(Move(line.seat, item.text), now)
            except (RulesError, SessionError) as error:
                raise WrongMove(line.number, str(error)) from None
    return match, now


def _begin(record: Record, now: int) -> Match:
    if record.seed is None:
        raise WrongHeader(0, "a match can't be resumed without its seed")
    seed = bytes.fromhex(record.seed)
    try:
        record = upgrade_record(game_type(record.game), record)
        chosen = game(record.game, dict(record.options))
        match, _ = Match.begin(
            chosen,
            seed=seed,
            names=record.names,
            clock=ClockSpec.parse(record.clock),
            clock_start=record.clock_start or ClockStart.AT_ONCE,
            start=record.start,
            date=record.date,
            now=now,
        )
    except (RulesError, SessionError) as error:
        raise WrongHeader(0, str(error)) from None
    return match


def _moment(match: Match, line: Line, now: int) -> int:
    """Return the moment at which the mover's clock showed what the record says."""
    if line.time is None or line.seat is None or not match.clock.hands:
        return now
    hand = match.clock.hands[line.seat]
    if hand.since is None:
        return now
    return max(now, hand.since + hand.left_ms - line.time.left_ms)

"""What a match tells, in words for people."""

from __future__ import annotations

from visavis.rules.protocol import AnyGame, Outcome, Seat
from visavis.session import Record
from visavis.session.clock import Clock
from visavis.session.events import (
    DrawDeclined,
    DrawOffered,
    Ending,
    Moved,
    Notice,
    Rolled,
    TookBack,
)


def news_words(game: AnyGame, notice: Notice) -> str:
    """Return a line on something that happened; empty if it goes without saying."""
    match notice:
        case Moved(seat=seat, text=text, remark=remark):
            return f"{game.seat_names[seat]}: {text}" + (f" ({remark})" if remark else "")
        case Rolled(text=text):
            return f"chance: {text}"
        case DrawOffered(seat):
            return f"{game.seat_names[seat]} offered a draw"
        case DrawDeclined(seat):
            return f"{game.seat_names[seat]} declined the draw"
        case TookBack(decisions=decisions):
            return "1 move taken back" if decisions == 1 else f"{decisions} moves taken back"
        case _:
            return ""


def ending_words(game: AnyGame, ending: Ending) -> str:
    """Return how a match ended.

    >>> from visavis.rules import game
    >>> from visavis.rules.protocol import MatchReason
    >>> ending_words(game("osakana"), Ending(Outcome(Seat.SECOND, MatchReason.TIMEOUT)))
    '後手 wins: out of time (0-1)'
    """
    outcome = ending.outcome
    if outcome is None:
        return "The match was broken off and does not count."
    who = "A draw" if outcome.winner is None else f"{game.seat_names[outcome.winner]} wins"
    score = f", {outcome.scores[0]}–{outcome.scores[1]}" if outcome.scores else ""
    return f"{who}: {reason_words(outcome)}{score} ({outcome.result})"


def reason_words(outcome: Outcome) -> str:
    """Return why a match ended.

    >>> from visavis.rules.protocol import MatchReason
    >>> reason_words(Outcome(Seat.FIRST, MatchReason.RESIGNED))
    'resignation'
    """
    return outcome.reason.phrase(outcome.winner) or outcome.reason.replace("_", " ")


def result_words(game: AnyGame, record: Record) -> str:
    """Return how a match ended that was written down."""
    if record.reason is None:
        return "The game goes on."
    if record.result == "*":
        return ending_words(game, Ending(None))
    winner = {"1-0": Seat.FIRST, "0-1": Seat.SECOND}.get(record.result)
    return ending_words(
        game, Ending(Outcome(winner, game.reason_named(record.reason), record.scores))
    )


def time_words(game: AnyGame, clock: Clock, now: int) -> list[str]:
    """Return a line on the time left, if time counts."""
    left = {game.seat_names[seat]: clock.left(seat, now) for seat in Seat}
    left["game"] = clock.game_left(now)
    times = [f"{whose} {clock_time(ms)}" for whose, ms in left.items() if ms is not None]
    return ["Time: " + ", ".join(times)] if times else []


def clock_time(ms: int) -> str:
    """Return a time as on a clock.

    >>> clock_time(299_001), clock_time(7_200_000)
    ('5:00', '2:00:00')
    """
    seconds = -(-ms // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

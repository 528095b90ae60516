"""Clocks as values. Time comes from outside, in whole milliseconds; nothing here ticks.

A `ClockSpec` says what was agreed, a `Clock` how things stand. Each seat has a `Hand`: time left,
and since when it runs. A hand has run out when the time used equals what was left.

A clock that both share runs from its `ClockStart` on; others run when both have moved.

A seat's *part* of a turn begins when it becomes awaited, or when the turn number changes, and is
over when it is no longer awaited, or when the turn number changes. Time a turn is renewed when a
part begins; an increment is earned when a part is over. In a compound turn the hand runs on, and
when both choose in secret both hands run, each until its own choice is in.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, replace
from typing import Final

from visavis.rules.protocol import AnyGame, Seat
from visavis.session.errors import BadClock, ClockPrescribed, NoSharedClock

MOST_CREDIT_MS: Final = 1_000
"""The most that a slow line is credited for one move."""

SECOND: Final = 1_000
DAY: Final = 86_400_000
MOST_MS: Final = 366 * DAY

_UNITS: Final = {"": SECOND, "m": 60 * SECOND, "h": 3_600 * SECOND, "d": DAY}
_SPAN: Final = r"[0-9]{1,8}(?:\.[0-9]{1,3})?[dhm]?"
_FISCHER: Final = re.compile(rf"({_SPAN})(?:\+({_SPAN}))?")
_PER_TURN: Final = re.compile(rf"({_SPAN})/move")
_SHARED: Final = re.compile(rf"({_SPAN})/game\+({_SPAN})/move")


class ClockStart(enum.StrEnum):
    """When a clock that both share starts."""

    READY = "ready"
    """When both have said that they are ready."""
    AT_ONCE = "at_once"
    """When the match begins; only old matches have this."""


@dataclass(frozen=True, slots=True)
class ClockSpec:
    """What the players agreed on. Made by the class methods below, or from its text.

    >>> ClockSpec.parse("5m+3").text
    '300+3'
    >>> ClockSpec.parse("3d/move").seat_ms // DAY
    3
    """

    seat_ms: int | None = None
    """What a seat has when it starts; None if time does not count."""
    increment_ms: int = 0
    """What a seat earns by finishing its part of a turn."""
    renewed: bool = False
    """Whether a seat has ``seat_ms`` anew for each part of a turn."""
    game_ms: int | None = None
    """What both have together for the whole game."""

    def __post_init__(self) -> None:
        spans = [span for span in (self.seat_ms, self.game_ms) if span is not None]
        if any(not 0 < span <= MOST_MS for span in spans) or not 0 <= self.increment_ms <= MOST_MS:
            raise BadClock(self.text, "times are more than zero and at most 366 days")

    @classmethod
    def none(cls) -> ClockSpec:
        """Time does not count."""
        return cls()

    @classmethod
    def fischer(cls, base_ms: int, increment_ms: int = 0) -> ClockSpec:
        """A time for the game, and an increment for each turn."""
        return cls(seat_ms=base_ms, increment_ms=increment_ms)

    @classmethod
    def per_turn(cls, turn_ms: int) -> ClockSpec:
        """A time for each turn."""
        return cls(seat_ms=turn_ms, renewed=True)

    @classmethod
    def shared(cls, game_ms: int, turn_ms: int) -> ClockSpec:
        """One time for the whole game of both players, and a limit for each turn."""
        return cls(seat_ms=turn_ms, renewed=True, game_ms=game_ms)

    @classmethod
    def parse(cls, text: str) -> ClockSpec:
        """Read ``none``, ``300+5``, ``30/move``, ``3d/move`` or ``600/game+90/move``.

        Times are seconds, or have a unit: ``m``, ``h``, ``d``. Raises `BadClock`.
        """
        if text == "none":
            return cls.none()
        if found := _FISCHER.fullmatch(text):
            return cls.fischer(_read_span(found[1]), _read_span(found[2] or "0"))
        if found := _PER_TURN.fullmatch(text):
            return cls.per_turn(_read_span(found[1]))
        if found := _SHARED.fullmatch(text):
            return cls.shared(_read_span(found[1]), _read_span(found[2]))
        raise BadClock(text, "write none, 300+5, 30/move or 3d/move")

    @property
    def text(self) -> str:
        """The canonical text, which `parse` reads back."""
        if self.seat_ms is None:
            return "none"
        seat = _write_span(self.seat_ms)
        if self.game_ms is not None:
            return f"{_write_span(self.game_ms)}/game+{seat}/move"
        return f"{seat}/move" if self.renewed else f"{seat}+{_write_span(self.increment_ms)}"

    @property
    def is_shared(self) -> bool:
        """Whether the players share a clock, which does not wait for the first moves."""
        return self.game_ms is not None

    @property
    def is_live(self) -> bool:
        """Whether players are expected to stay: no clock, or less than a day to begin with."""
        return self.seat_ms is None or self.seat_ms < DAY

    def stand(self) -> Clock:
        """Return the clock before it runs."""
        hands = () if self.seat_ms is None else (Hand(self.seat_ms), Hand(self.seat_ms))
        return Clock(self, hands, None if self.game_ms is None else Hand(self.game_ms))


def choose_clock(
    game: AnyGame, chosen: ClockSpec | None, start: ClockStart = ClockStart.READY
) -> ClockSpec:
    """Return the clock of a match: the one that the rules prescribe, else the chosen one.

    Raises `ClockPrescribed` if another was chosen than the rules prescribe, and `NoSharedClock`
    for a shared clock that they don't; the latter was allowed to matches that started at once.
    """
    rules = game.clock()
    if rules is None:
        if chosen is not None and chosen.is_shared and start is not ClockStart.AT_ONCE:
            raise NoSharedClock(chosen.text, _how_to_set(game))
        return chosen or ClockSpec.none()
    prescribed = ClockSpec.shared(rules.game_ms, rules.turn_ms)
    if chosen is not None and chosen != prescribed:
        raise ClockPrescribed(chosen.text, prescribed.text, _how_to_set(game))
    return prescribed


def _how_to_set(game: AnyGame) -> str:
    """Say which options set the clock of the rules and how far they go; empty if none do."""
    ranges = [
        f"{option.name}: {option.help}, {option.domain}"
        for option in game.schema
        if option.name in game.clock_options
    ]
    return "; ".join(ranges)


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a clock: what was left when it was last touched, and since when it runs."""

    left_ms: int
    since: int | None = None

    @property
    def face(self) -> HandFace:
        """What everybody is shown."""
        return HandFace(self.left_ms, self.since)

    def left(self, now: int) -> int:
        """What is left now, never less than zero. Time does not run backwards."""
        return self.stop(now).left_ms

    def falls(self, credit_ms: int = 0) -> int | None:
        """The moment at which nothing is left, if the hand runs."""
        return None if self.since is None else self.since + self.left_ms + credit_ms

    def start(self, now: int) -> Hand:
        """Let the hand run from now on."""
        return replace(self, since=now)

    def stop(self, now: int, credit_ms: int = 0) -> Hand:
        """Take off what was used, less a credit of at most as much."""
        if self.since is None:
            return self
        used = max(0, now - self.since - credit_ms)
        return Hand(max(0, self.left_ms - used))


@dataclass(frozen=True, slots=True)
class Flag:
    """A clock has run out: whose (no seats: the one that both share), and when."""

    seats: tuple[Seat, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Clock:
    """How time stands in a match. Public: it is the same for all viewers."""

    spec: ClockSpec
    hands: tuple[Hand, ...] = ()
    """The hands of the two seats; empty if time does not count."""
    game: Hand | None = None
    """The hand that both share, where there is one."""
    turn: int = 0
    """The turn for which the hands run."""

    @property
    def running(self) -> tuple[Seat, ...]:
        """The seats whose hands run."""
        return tuple(Seat(i) for i, hand in enumerate(self.hands) if hand.since is not None)

    @property
    def face(self) -> ClockFace:
        """What everybody is shown."""
        hands = tuple([hand.face for hand in self.hands])
        return ClockFace(self.spec.text, hands, None if self.game is None else self.game.face)

    def left(self, seat: Seat, now: int) -> int | None:
        """What a seat has left, in milliseconds; None if time does not count."""
        return self.hands[seat].left(now) if self.hands else None

    def game_left(self, now: int) -> int | None:
        """What is left of the game's own time, if it has one."""
        return None if self.game is None else self.game.left(now)

    def deadline(self) -> int | None:
        """The next moment at which something runs out, if nobody moves before."""
        flag = self._next_flag(None, 0)
        return None if flag is None else flag.at

    def flag(self, now: int, mover: Seat | None = None, credit_ms: int = 0) -> Flag | None:
        """What has run out by now, if the mover gets this credit.

        The earliest counts; at the same moment the game's own clock counts before the seats'.
        """
        flag = self._next_flag(mover, credit_ms)
        return flag if flag is not None and flag.at <= now else None

    def run(
        self,
        seats: tuple[Seat, ...],
        turn: int,
        now: int,
        *,
        mover: Seat | None = None,
        credit_ms: int = 0,
    ) -> Clock:
        """Let the hands of these seats run for a turn, and stop the others.

        The hand that both share runs from the first time on. A mover whose part of the turn is
        over by this has the credit and earns the increment.
        """
        if not self.hands:
            return self
        hands = []
        for i, hand in enumerate(self.hands):
            seat, same_turn = Seat(i), turn == self.turn
            if hand.since is not None and not (seat in seats and same_turn):
                hand = hand.stop(now, credit_ms if seat is mover else 0)
                if seat is mover:
                    hand = Hand(hand.left_ms + self.spec.increment_ms)
            if hand.since is None and seat in seats:
                hand = (Hand(self.spec.seat_ms or 0) if self.spec.renewed else hand).start(now)
            hands.append(hand)
        game = self.game
        if game is not None and game.since is None and seats:
            game = game.start(now)
        return replace(self, hands=tuple(hands), game=game, turn=turn)

    def stop(self, now: int) -> Clock:
        """Stop everything, for good."""
        game = None if self.game is None else self.game.stop(now)
        return replace(self, hands=tuple(hand.stop(now) for hand in self.hands), game=game)

    def _next_flag(self, mover: Seat | None, credit_ms: int) -> Flag | None:
        if not self.hands:
            return None
        falls = [
            (at, Seat(i))
            for i, hand in enumerate(self.hands)
            if (at := hand.falls(credit_ms if i == mover else 0)) is not None
        ]
        first = min((at for at, _ in falls), default=None)
        game = None if self.game is None else self.game.falls()
        if game is not None and (first is None or game <= first):
            return Flag((), game)
        if first is None:
            return None
        return Flag(tuple(seat for at, seat in falls if at == first), first)


@dataclass(frozen=True, slots=True)
class HandFace:
    """One hand of a clock as it is shown: what was left at ``since``; null if it stands still."""

    left: int
    since: int | None


@dataclass(frozen=True, slots=True)
class ClockFace:
    """A clock as it is shown: what was agreed, the seats' hands (empty: none), the shared one."""

    spec: str
    hands: tuple[HandFace, ...]
    game: HandFace | None


def _read_span(text: str) -> int:
    unit = text[-1] if text[-1] in _UNITS else ""
    whole, _, part = text.removesuffix(unit).partition(".")
    return (int(whole) * 1_000 + int(part.ljust(3, "0") or "0")) * _UNITS[unit] // 1_000


def _write_span(ms: int) -> str:
    if ms and ms % DAY == 0:
        return f"{ms // DAY}d"
    whole, part = divmod(ms, SECOND)
    return f"{whole}.{part:03}".rstrip("0") if part else str(whole)

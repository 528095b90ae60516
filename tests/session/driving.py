"""Random matches for property tests: a plan is drawn, and carried out on a match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.toys import SOUND, toy
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.session import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Claim,
    ClockSpec,
    Command,
    DeclineDraw,
    DeclineTakeback,
    Event,
    Match,
    Move,
    OfferDraw,
    Ready,
    Resign,
    Tick,
)

FIRST, SECOND = Seat.FIRST, Seat.SECOND
SEED = bytes(range(32))
CLOCKS = ("none", "300+5", "1+0", "3+2", "10/move", "3d/move")
TALK = (OfferDraw, AcceptDraw, DeclineDraw, AskTakeback, AcceptTakeback, DeclineTakeback)


@dataclass(frozen=True)
class Wish:
    """Something to do: which command is meant depends on the match when it comes to it."""

    kind: int
    seat: Seat
    pick: int
    after_ms: int
    credit_ms: int

    def command(self, match: Match) -> Command:
        if self.kind < 20:
            return self._move(match)
        if self.kind < 32:
            return TALK[self.kind % len(TALK)](self.seat)
        if self.kind == 32:
            return Resign(self.seat)
        if self.kind == 33:
            return Abort(self.seat)
        if self.kind == 34:
            return Move(self.seat, "nonsense", self.credit_ms)
        if self.kind == 35:
            return Ready(self.seat)
        if self.kind == 36:
            return Claim(self.seat, draw=self.pick % 2 == 1)
        return Tick()

    def _move(self, match: Match) -> Move:
        seat = match.awaited[self.pick % len(match.awaited)] if match.awaited else self.seat
        moves = match.game.legal(match.state, seat)
        text = match.game.format_move(moves[self.pick % len(moves)]) if moves else "take 9"
        return Move(seat, text, self.credit_ms)


wishes = st.lists(
    st.builds(
        Wish,
        kind=st.integers(0, 38),
        seat=st.sampled_from(Seat),
        pick=st.integers(0, 20),
        after_ms=st.integers(0, 4_000),
        credit_ms=st.integers(-50, 1_500),
    ),
    max_size=60,
)


@st.composite
def openings(draw: st.DrawFn, slugs: tuple[str, ...] = SOUND) -> tuple[Match, tuple[Event, ...]]:
    game = toy(draw(st.sampled_from(slugs)))
    clock = None if game.clock() else ClockSpec.parse(draw(st.sampled_from(CLOCKS)))
    seed = draw(st.binary(min_size=32, max_size=32))
    ready = tuple(draw(st.sets(st.sampled_from(Seat))))
    now = draw(st.integers(0, 10**6))
    return Match.begin(game, seed=seed, clock=clock, ready=ready, now=now)


@dataclass(frozen=True)
class Happened:
    """A command that was carried out."""

    before: Match
    command: Command
    now: int
    after: Match
    events: tuple[Event, ...]


def carry_out(match: Match, plan: list[Wish], now: int = 10**6) -> Iterator[Happened]:
    """Carry out what is possible of a plan; what is not changes nothing."""
    for wish in plan:
        now += wish.after_ms
        command = wish.command(match)
        try:
            after, events = match.execute(command, now)
        except VisavisError:
            continue
        yield Happened(match, command, now, after, events)
        match = after


def last(match: Match, plan: list[Wish]) -> Match:
    """The match after a plan."""
    for happened in carry_out(match, plan):
        match = happened.after
    return match


def begin(slug: str, clock: str | None = None, **options: int) -> Match:
    """A match in which both are ready."""
    spec = None if clock is None else ClockSpec.parse(clock)
    return Match.begin(toy(slug, options), seed=SEED, clock=spec, ready=(FIRST, SECOND))[0]


def play(match: Match, *moves: str, now: int = 0) -> Match:
    """Play moves, each by the seat that is awaited (the first, if both are)."""
    for text in moves:
        match, _ = match.execute(Move(match.awaited[0], text), now)
    return match

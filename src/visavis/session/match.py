"""One match as a value: a command goes in, the next match and what to tell everybody come out.

>>> from visavis.rules import game
>>> match, events = Match.begin(game("osakana"), seed=bytes(32))
>>> match, events = match.execute(Move(Seat.FIRST, "IB3B2"), now=0)
>>> [type(event.to(Seat.SECOND)).__name__ for event in events]
['Moved', 'Stands']

Nothing here reads a clock or a random source: ``now`` and the seed come from outside, so the same
seed and the same commands at the same times give the same match. A command that can't be carried
out raises a typed error, and the match, being a value, is as it was.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from visavis.rules.errors import NotYourTurn
from visavis.rules.protocol import (
    AnyGame,
    Awaits,
    Decide,
    MatchReason,
    Outcome,
    Roll,
    Seat,
    Viewer,
)
from visavis.rules.protocol import Ended as Over
from visavis.rules.seats import viewer_of
from visavis.session import commands, events
from visavis.session.asked import Asked, ask
from visavis.session.clock import MOST_CREDIT_MS, Clock, ClockSpec, ClockStart, Flag, choose_clock
from visavis.session.commands import Command, Move
from visavis.session.entries import Chance, Decision, Entries, Entry, Reached
from visavis.session.errors import (
    AlreadyOffered,
    AlreadyReady,
    ClaimRefused,
    MatchOver,
    NoOffer,
    NoTakeback,
    NotReady,
    TakebackRefused,
    TooLate,
)
from visavis.session.events import Ending, Event, ForEach, Snapshot, public
from visavis.session.record import Item, Line, Record, Time, Written, write_lines
from visavis.session.seal import check_seed, promise, roll_face, seal

NO_ENTRIES: Final = Entries()
Executed = tuple["Match", tuple[Event, ...]]
"""The match after a command, and what it brought about."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match between two seats. All fields are for reading; `execute` makes the next value."""

    game: AnyGame
    names: tuple[str, str]
    seed: bytes = field(repr=False)
    clock: Clock
    start: Hashable
    state: Hashable
    entries: Entries = NO_ENTRIES
    draw_offer: Seat | None = None
    """The seat whose offer of a draw is open."""
    takeback: Seat | None = None
    """The seat whose request to take back is open."""
    ending: Ending | None = None
    date: str | None = None
    deciding: tuple[Seat, ...] = ()
    """The seats that the state waits for: `Game.awaited`, worked out once."""
    clock_start: ClockStart | None = None
    """When the clock starts, if both share it."""
    unready: tuple[Seat, ...] = ()
    """The seats that have yet to say that they are ready, where the clock waits for it."""

    @classmethod
    def begin(
        cls,
        game: AnyGame,
        *,
        seed: bytes,
        names: tuple[str, str] | None = None,
        clock: ClockSpec | None = None,
        clock_start: ClockStart = ClockStart.READY,
        ready: tuple[Seat, ...] = (),
        start: str | None = None,
        date: str | None = None,
        now: int = 0,
    ) -> Executed:
        """Begin a match, from the text of a position if one is given.

        ``ready`` are the seats that need not say so: those of computers. Raises `BadSeed`,
        `BadClock` or `NotAPosition`.
        """
        spec = choose_clock(game, clock, clock_start)
        waits = spec.is_shared and clock_start is ClockStart.READY
        unready = tuple(seat for seat in Seat if waits and seat not in ready)
        state = game.start() if start is None else game.parse_position(start)
        seated = names or game.seat_names
        starts = clock_start if spec.is_shared else None
        fresh = cls(game, seated, check_seed(seed), spec.stand(), state, state, date=date)
        fresh = replace(fresh, clock_start=starts, unready=unready)
        began = public(events.Began(fresh.commitment, unready))
        thrown, state, awaited = fresh._throw(state)
        match, settled = fresh._go_on(state, NO_ENTRIES.extended(thrown), awaited, now)
        return match, (began, *_events_of(thrown), *settled)

    # Looking

    @property
    def commitment(self) -> str:
        """The digest of the seed, which everybody sees from the start."""
        return promise(self.seed)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.ending is not None

    @property
    def is_underway(self) -> bool:
        """Whether both seats have decided something; before that a match may be aborted."""
        return _is_underway(self.entries)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that must decide now: not before the other one is ready."""
        if self.is_over:
            return ()
        return tuple([seat for seat in self.deciding if seat.other not in self.unready])

    def deadline(self) -> int | None:
        """The next moment at which a clock runs out, if nobody moves before."""
        return self.clock.deadline()

    def view(self, viewer: Viewer) -> Hashable:
        """Return what a viewer knows of the state: everything, once the match is over."""
        seer = viewer_of(viewer)
        return self.game.reveal(self.state) if self.is_over else self.game.view(self.state, seer)

    def seen_by(self, viewer: Viewer) -> Snapshot:
        """Return all that a viewer may know."""
        viewer = viewer_of(viewer)
        return Snapshot(
            viewer=viewer,
            view=self.game.format_view(self.view(viewer)),
            turn=self.game.turn(self.state),
            awaited=self.awaited,
            asked=self.asked_of(viewer),
            clock=self.clock,
            unready=self.unready,
            draw_offer=self.draw_offer,
            takeback=self.takeback,
            ending=self.ending,
            record=self.record(viewer),
        )

    def asked_of(self, viewer: Viewer) -> Asked | None:
        """Return what a viewer has to decide now; None if nothing."""
        if viewer is None or viewer not in self.awaited:
            return None
        return ask(self.game, self.state, self.view(viewer), viewer)

    def no_takeback(self, seat: Seat) -> NoTakeback | None:
        """Return why a seat can't ask to take back; None if it can."""
        try:
            self._taken_back(seat)
        except TakebackRefused as refused:
            return refused.why
        return None

    def record(self, viewer: Viewer) -> Record:
        """Return the record as a viewer may see it; it is open once the match is over."""
        viewer = viewer_of(viewer)
        outcome = None if self.ending is None else self.ending.outcome
        return Record(
            game=self.game.slug,
            rules_version=self.game.rules_version,
            options=tuple((name, str(value)) for name, value in self.game.options.items()),
            names=self.names,
            date=self.date,
            clock=self.clock.spec.text,
            clock_start=None if self.clock_start is ClockStart.AT_ONCE else self.clock_start,
            commitment=self.commitment,
            # A position tells everything, so that of a hidden game has to wait for the end.
            start=self._unusual_start() if self.is_over or not self.game.hidden else None,
            result="*" if self.ending is None else self.ending.result,
            reason=None if self.ending is None else self.ending.reason,
            scores=None if outcome is None else outcome.scores,
            seed=self.seed.hex() if self.is_over else None,
            lines=self._lines(viewer, is_open=self.is_over),
        )

    def whole_record(self) -> Record:
        """Return the record with everything open, over or not: for whoever keeps the match.

        `visavis.session.resume` goes on from it. While the match runs it is for nobody's eyes.
        """
        return replace(
            self.record(None),
            start=self._unusual_start(),
            seed=self.seed.hex(),
            lines=self._lines(None, is_open=True),
        )

    def _unusual_start(self) -> str | None:
        usual = self.start == self.game.start()
        return None if usual else self.game.format_position(self.start)

    def _lines(self, viewer: Viewer, *, is_open: bool) -> tuple[Line, ...]:
        return write_lines(_written(entry, viewer, is_open=is_open) for entry in self.entries)

    # Doing

    def execute(self, command: Command, now: int) -> Executed:
        """Carry out a command at a moment, and say what to tell each viewer.

        Time comes first: if a clock has run out by ``now``, that is what happens, and the command
        is void. Raises a `CommandError`, or for moves `NotYourTurn`, `NotAMove` or `IllegalMove`.
        """
        if self.ending is not None:
            if isinstance(command, commands.Tick):
                return self, ()
            raise MatchOver(self.ending.reason)
        if flag := self.clock.flag(now, *_credit(command)):
            return self._run_out(flag)
        match command:
            case commands.Tick():
                return self, ()
            case Move():
                return self._move(command, now)
            case commands.Ready(seat):
                return self._get_ready(seat, now)
            case commands.Resign(seat):
                return self._end(Outcome(seat.other, MatchReason.RESIGNED), now)
            case commands.OfferDraw(seat):
                return self._offer_draw(seat, now)
            case commands.AcceptDraw(seat):
                self._check_offer(self.draw_offer, seat, "draw offer")
                return self._end(Outcome(None, MatchReason.AGREED), now)
            case commands.DeclineDraw(seat):
                self._check_offer(self.draw_offer, seat, "draw offer")
                return replace(self, draw_offer=None), (public(events.DrawDeclined(seat)),)
            case commands.AskTakeback(seat):
                return self._ask_takeback(seat)
            case commands.AcceptTakeback(seat):
                self._check_offer(self.takeback, seat, "takeback request")
                return self._take_back(seat.other, now)
            case commands.DeclineTakeback(seat):
                self._check_offer(self.takeback, seat, "takeback request")
                return replace(self, takeback=None), (public(events.TakebackDeclined(seat)),)
            case commands.Claim(seat, draw):
                return self._claim(seat, now, draw=draw)
            case commands.Abort():
                if self.is_underway:
                    raise TooLate
                return self._end(None, now)
            case _:
                assert_never(command)

    def _move(self, command: Move, now: int) -> Executed:
        game, before, seat = self.game, self.state, command.seat
        if seat not in self.deciding:
            raise NotYourTurn(seat)
        if seat.other in self.unready:
            raise NotReady(seat.other)
        if seat in self.unready:  # who moves is ready
            ready, got_ready = self._get_ready(seat, now)
            match, told = ready._move(command, now)
            return match, (*got_ready[:-1], *told)
        mover, credit = _credit(command)
        move = game.parse_move(command.text)
        moved = game.apply(before, seat, move)
        thrown, state, awaited = self._throw(moved)
        text = game.format_move(move)
        sights = ForEach.same(text)
        if game.hidden:
            sights = ForEach.of(lambda viewer: game.observe(before, seat, move, viewer))
        is_secret = game.hidden and sights != ForEach.same(text)
        decision = Decision(
            seat=seat,
            turn=game.turn(before),
            text=text,
            sights=sights,
            remark=game.remark(before, seat, move, state),
            seal=seal(self.seed, self.entries.decisions + 1, text) if is_secret else None,
            reveals=game.reveals(before, seat, move),
            time=self._time(mover, credit, now),
        )
        added: list[Reached] = [(decision, moved), *thrown]
        entries = self.entries.extended(added)
        match, settled = self._lapsed(seat)._go_on(state, entries, awaited, now, mover, credit)
        return match, (*_events_of(added), *self._declined_by(seat), *settled)

    def _get_ready(self, seat: Seat, now: int) -> Executed:
        """Wait for a seat no longer; when both are ready the clock starts."""
        if seat not in self.unready:
            raise AlreadyReady(seat)
        ready = replace(self, unready=tuple([each for each in self.unready if each is not seat]))
        match, settled = ready._go_on(self.state, self.entries, self.game.awaits(self.state), now)
        return match, (public(events.GotReady(seat)), *settled)

    def _throw(self, state: Hashable) -> tuple[list[Reached], Hashable, Awaits]:
        """Resolve rolls until somebody has to decide, or the game has ended; say which."""
        game, thrown = self.game, list[Reached]()
        while isinstance(awaited := game.awaits(state), Roll):
            number = self.entries.rolls + len(thrown) + 1
            face = roll_face(self.seed, number, awaited)
            chance, state = _chance(game, state, face), game.roll(state, face)
            thrown.append((chance, state))
        return thrown, state, awaited

    def _time(self, seat: Seat | None, credit_ms: int, now: int) -> Time | None:
        if seat is None or not self.clock.hands:
            return None
        return Time(self.clock.hands[seat].stop(now, credit_ms).left_ms, self.clock.game_left(now))

    def _lapsed(self, mover: Seat) -> Match:
        """Moving on declines what is open: any request to take back, and the other's draw offer."""
        if self.draw_offer is None and self.takeback is None:
            return self
        offer = self.draw_offer if self.draw_offer is mover else None
        return replace(self, draw_offer=offer, takeback=None)

    def _declined_by(self, mover: Seat) -> tuple[Event, ...]:
        """Tell what moving on declines."""
        told: list[Event] = []
        if self.draw_offer is not None and self.draw_offer is not mover:
            told.append(public(events.DrawDeclined(mover)))
        if self.takeback is not None:
            told.append(public(events.TakebackDeclined(self.takeback.other)))
        return tuple(told)

    def _stands(self) -> Event:
        turn, awaited, clock = self.game.turn(self.state), self.awaited, self.clock.face

        def stands(viewer: Viewer) -> events.Notice:
            view = self.game.format_view(self.view(viewer))
            return events.Stands(view, turn, awaited, clock)

        # Where nothing is hidden all views are one.
        return ForEach.of(stands) if self.game.hidden else public(stands(None))

    def _go_on(
        self,
        state: Hashable,
        entries: Entries,
        awaited: Awaits,
        now: int,
        mover: Seat | None = None,
        credit_ms: int = 0,
    ) -> Executed:
        """Set the clocks for what is awaited now, or end the match if the game has ended."""
        deciding = awaited.seats if isinstance(awaited, Decide) else ()
        runs = not self.unready if self.clock.spec.is_shared else _is_underway(entries)
        turn = self.game.turn(state)
        clock = self.clock.run(
            deciding if runs else (), turn, now, mover=mover, credit_ms=credit_ms
        )
        match = replace(self, clock=clock, state=state, entries=entries, deciding=deciding)
        if isinstance(awaited, Over):
            return match._end(awaited.outcome, now)
        return match, (match._stands(),)

    def _end(self, outcome: Outcome | None, now: int) -> Executed:
        match = replace(
            self,
            clock=self.clock.stop(now),
            draw_offer=None,
            takeback=None,
            ending=Ending(outcome),
        )
        return match, (match._ended(Ending(outcome)), match._stands())

    def _ended(self, ending: Ending) -> Event:
        return public(
            events.Ended(
                result=ending.result,
                winner=ending.winner,
                reason=ending.reason,
                scores=ending.scores,
                seed=self.seed.hex(),
                position=self.game.format_position(self.state),
            )
        )

    def _run_out(self, flag: Flag) -> Executed:
        if len(flag.seats) == 2:
            return self._end(Outcome(None, MatchReason.TIMEOUT), flag.at)
        seat = flag.seats[0] if flag.seats else None
        return self._end(self.game.on_timeout(self.state, seat), flag.at)

    def _offer_draw(self, seat: Seat, now: int) -> Executed:
        if self.draw_offer is seat:
            raise AlreadyOffered(seat, "draw offer")
        if self.draw_offer is seat.other:
            return self._end(Outcome(None, MatchReason.AGREED), now)
        return replace(self, draw_offer=seat), (public(events.DrawOffered(seat)),)

    def _claim(self, seat: Seat, now: int, *, draw: bool) -> Executed:
        if not self.clock.spec.is_live:
            raise ClaimRefused(seat, "with days to think, nobody has to stay at the board")
        if not self.is_underway:
            raise ClaimRefused(seat, "somebody has not moved yet, so it can still be aborted")
        return self._end(Outcome(None if draw else seat, MatchReason.ABANDONED), now)

    def _ask_takeback(self, seat: Seat) -> Executed:
        if self.takeback is not None:
            raise AlreadyOffered(self.takeback, "takeback request")
        self._taken_back(seat)
        return replace(self, takeback=seat), (public(events.TakebackAsked(seat)),)

    def _take_back(self, asker: Seat, now: int) -> Executed:
        here = self._taken_back(asker)
        kept = self.entries[:here]
        state = self._played(kept)
        open_again = replace(self, draw_offer=None, takeback=None)
        match, settled = open_again._go_on(state, kept, self.game.awaits(state), now)
        took = public(events.TookBack(asker, len(self.entries) - here))
        return match, (took, *settled)

    def _played(self, entries: Entries) -> Hashable:
        """Return the state after some entries, from the last one that is kept."""
        game = self.game
        state, behind = entries.since_state(self.start)
        for entry in behind:
            if isinstance(entry, Chance):
                state = game.roll(state, entry.face)
            else:
                state = game.apply(state, entry.seat, game.parse_move(entry.text))
        return state

    def _taken_back(self, seat: Seat) -> int:
        """Return how many entries stand before the seat's last decision, or refuse to go back."""
        for back, entry in enumerate(reversed(self.entries), 1):
            if isinstance(entry, Chance):
                raise TakebackRefused(seat, "roll")
            if entry.reveals:
                raise TakebackRefused(seat, "shown")
            if entry.seal is not None:
                raise TakebackRefused(seat, "sealed")
            if entry.seat is seat:
                return len(self.entries) - back
        raise TakebackRefused(seat, "nothing")

    def _check_offer(self, offer: Seat | None, seat: Seat, what: str) -> None:
        if offer is not seat.other:
            raise NoOffer(seat, what)


def _credit(command: Command) -> tuple[Seat | None, int]:
    """Return who moves, and the credit that the mover has."""
    if isinstance(command, Move):
        return command.seat, min(max(command.credit_ms, 0), MOST_CREDIT_MS)
    return None, 0


def _chance(game: AnyGame, state: Hashable, face: str) -> Chance:
    sights = ForEach.of(lambda viewer: game.observe_roll(state, face, viewer))
    return Chance(game.turn(state), face, sights)


def _is_underway(entries: Entries) -> bool:
    return len(entries.decided) == 2


def _events_of(reached: list[Reached]) -> list[Event]:
    return [_event_of(entry) for entry, _ in reached]


def _event_of(entry: Entry) -> Event:
    """Return the event that tells of an entry."""

    def tell(sight: str) -> events.Notice:
        if isinstance(entry, Chance):
            return events.Rolled(entry.turn, sight)
        seal = None if sight == entry.text else entry.seal
        return events.Moved(entry.seat, entry.turn, sight, entry.remark, seal)

    return entry.sights.map(tell)


def _written(entry: Entry, viewer: Viewer, *, is_open: bool) -> Written:
    text = entry.sights.to(viewer)
    if isinstance(entry, Chance):
        return Written(entry.turn, None, Item(entry.face if is_open else text, is_roll=True))
    digest = entry.seal if is_open else entry.seal_for(viewer)
    item = Item(entry.text if is_open else text, entry.remark, digest)
    return Written(entry.turn, entry.seat, item, entry.time)

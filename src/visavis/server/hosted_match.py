"""A match as a server has it: with players, rebuilt from its log. An entry in, what to tell out.

A `HostedMatch` is a value. `HostedMatch.after` gives the next one, or raises why the entry can't
be; the same entries at the same moments give the same matches, in whichever process.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

from visavis.rules import game, game_type
from visavis.rules.protocol import Seat
from visavis.server import match_log, messages
from visavis.server.errors import Refusal
from visavis.server.lag import Credit
from visavis.server.match_log import AnyEntry, Did, Opened, Sat
from visavis.server.messages import MatchInfo
from visavis.server.secrets import fits
from visavis.server.updates import Change, ending_of
from visavis.server.vocabulary import (
    Closed,
    Command,
    Joined,
    Notice,
    Paused,
    Player,
    Rematch,
    RematchAsked,
    RematchMade,
    Said,
    Say,
)
from visavis.session import ClockSpec, ClockStart, Match, commands
from visavis.session.versions import Terms, upgrade

MOST_ENTRIES: Final = 10_000
"""A match this long takes only `LAST_WORDS`; with the limit on messages, this bounds its memory."""
LAST_WORDS: Final = (
    commands.Resign,
    commands.OfferDraw,
    commands.AcceptDraw,
    commands.Claim,
    commands.Abort,
)
"""What can be done in such a match still: what ends it, or what the other may end it with."""
MOST_TALK: Final = 200
"""The most phrases, offers and requests a seat may send in one match."""
TALK: Final = (Say, commands.OfferDraw, commands.AskTakeback)

After = tuple["HostedMatch", Change]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Done:
    """An order of a seat that was carried out, and those before it.

    None is forgotten while the match is held, however many there are: they are as many as the
    entries of the match.
    """

    client: str
    number: int
    seq: int
    before: Done | None

    def back(self) -> Iterator[Done]:
        """Return this order and those before it."""
        here: Done | None = self
        while here is not None:
            yield here
            here = here.before


class HostedMatch(Struct, frozen=True):
    """One match with its seats. All fields are for reading."""

    id: str
    opened: Opened
    players: tuple[Player | None, Player | None]
    keys: tuple[str, str]
    """Digests of the seats' secrets; empty where there is none."""
    seq: int
    at: int
    match: Match | None = None
    began: int = 0
    asked: tuple[int, int] = (0, 0)
    """Since which entry each seat has had the decision before it that it now has."""
    orders: tuple[Done | None, Done | None] = (None, None)
    """The last order of each seat that was carried out."""
    talk: tuple[int, int] = (0, 0)
    credits: tuple[Credit, Credit] = (Credit(), Credit())
    """What is left of each seat's quota for a slow line."""
    wants_rematch: tuple[Seat, ...] = ()
    rematch: str | None = None
    is_closed: bool = False
    """Whether the challenge was withdrawn before anything began."""

    # Beginning

    @classmethod
    def open(cls, id: str, opened: Opened, at: int) -> After:
        """Set a match up; raises what is wrong with game, options, clock or start."""
        opened = _upgraded(opened)
        seats = [_seated(chair) for chair in opened.chairs]
        keys = (opened.chairs[0].key, opened.chairs[1].key)
        hosted = cls(id, opened, (seats[0], seats[1]), keys, seq=1, at=at)
        if None not in hosted.players:
            return hosted._begin(())
        hosted._start(at)  # so that a wrong game or clock is refused now, not when somebody joins
        return hosted, Change(hosted)

    def _start(self, now: int) -> tuple[Match, Change]:
        opened = self.opened
        chosen = game(opened.game, dict(opened.options))
        names = tuple(
            (player and player.name) or chosen.seat_names[i]
            for i, player in enumerate(self.players)
        )
        match, events = Match.begin(
            chosen,
            seed=bytes.fromhex(opened.seed),
            names=(names[0], names[1]),
            clock=None if opened.clock is None else ClockSpec.parse(opened.clock),
            clock_start=opened.clock_start,
            ready=tuple(seat for seat in Seat if self._computer(seat)),
            start=opened.start,
            date=datetime.fromtimestamp(opened.created / 1_000, UTC).date().isoformat(),
            now=now,
        )
        return match, Change(self, events=events)

    def _begin(self, before: tuple[Notice, ...]) -> After:
        match, change = self._start(self.at)
        hosted = replace(self, match=match, began=self.at, asked=(self.seq, self.seq))
        return hosted, replace(change, hosted=hosted, notices=before)

    # Looking

    @property
    def status(self) -> messages.Status:
        """Whether it waits for players, is being played, or is over."""
        if self.match is None:
            return "over" if self.is_closed else "open"
        return "over" if self.match.is_over else "running"

    @property
    def is_full(self) -> bool:
        """Whether the match runs and has the most entries that it may: only its end can follow."""
        return self.seq >= MOST_ENTRIES and self.status == "running"

    def seat_of(self, secret: str) -> Seat | None:
        """Return the seat that a secret opens."""
        # Both are compared, whatever the first says, so that time tells nothing.
        opens = [fits(secret, key) for key in self.keys]
        return Seat(opens.index(True)) if any(opens) else None

    def free_seats(self) -> tuple[Seat, ...]:
        """Return the seats that nobody has taken."""
        return tuple(seat for seat in Seat if self.players[seat] is None and not self.is_closed)

    def player_seat(self, kind: str, player: str) -> Seat | None:
        """Return the seat of a bot or a computer of that name."""
        for seat in Seat:
            sitting = self.players[seat]
            if sitting is not None and (sitting.kind, sitting.player) == (kind, player):
                return seat
        return None

    def awaited_computer(self) -> tuple[Seat, str] | None:
        """Return a computer's seat that has to decide, and which computer it is."""
        for seat in self.match.awaited if self.match and not self.is_full else ():
            if (player := self._computer(seat)) is not None:
                return seat, player.player
        return None

    def computers_answer(self) -> tuple[Seat, Command] | None:
        """Return what a computer does beside moving: it lets its opponent take back.

        In a match that goes no further it offers a draw, or agrees to one.
        """
        match = self.match
        if match is None or match.is_over:
            return None
        for seat in Seat:
            if self._computer(seat) and self.is_full and match.draw_offer is not seat:
                return seat, commands.OfferDraw(seat)
            if self._computer(seat) and not self.is_full and match.takeback is seat.other:
                return seat, commands.AcceptTakeback(seat)
        return None

    def _computer(self, seat: Seat) -> Player | None:
        player = self.players[seat]
        return player if player is not None and player.kind == "computer" else None

    def done(self, seat: Seat, client: str, number: int) -> int | None:
        """Return as which entry an order was carried out, if it was; or raise ``old_number``."""
        last = self.orders[seat]
        newest: Done | None = None
        for order in last.back() if last else ():
            if order.client == client:
                newest = newest or order
                if number > newest.number:  # a client counts upwards, so this one is new
                    return None
                if number == order.number:
                    return order.seq
        if newest is not None:
            raise Refusal("old_number", f"the client has given order {newest.number} since")
        return None

    def is_stale(self, seat: Seat, command: Command, seen: int | None) -> bool:
        """Whether a move was meant for a decision that is no longer the seat's."""
        return isinstance(command, commands.Move) and seen is not None and seen < self.asked[seat]

    def info(self) -> MatchInfo:
        """Return what everybody may know."""
        match, opened = self.match, self.opened
        return MatchInfo(
            match=self.id,
            game=opened.game,
            options=opened.options,
            clock=match.clock.spec.text if match else opened.clock or "none",
            private=opened.private,
            created=opened.created,
            status=self.status,
            players=self.players,
            turn=match.game.turn(match.state) if match else 0,
            ending=ending_of(match.ending) if match and match.ending else None,
            rematch=self.rematch,
            previous=opened.previous,
        )

    # Going on

    def check_room(self, entry: AnyEntry) -> None:
        """Refuse what is too much for one match. What is in a log already, has had room."""
        if not isinstance(entry, Did):
            return
        if self.is_full and not isinstance(entry.command, LAST_WORDS):
            raise Refusal(
                "match_full",
                f"the match has {self.seq} entries, and goes no further: resign, or offer a draw",
            )
        if (
            isinstance(entry.command, TALK)
            and self.talk[entry.seat] >= MOST_TALK
            and not self.is_full
        ):
            raise Refusal("enough_said", f"{MOST_TALK} phrases, offers and requests are enough")

    def after(self, entry: AnyEntry, at: int) -> After:
        """Return the match after an entry, and what to tell; or raise why it can't be."""
        orders = self._orders_with(entry) if isinstance(entry, Did) else self.orders
        here = replace(self, seq=self.seq + 1, at=at, orders=orders)
        match entry:
            case Did():
                return here._did(entry)
            case Sat():
                return here._sat(entry)
            case match_log.Ticked():
                return here._run(commands.Tick(), None)
            case match_log.Expired():
                return here._run(commands.Abort(), None) if here.match else here._close()
            case match_log.Away(millis=millis):
                return here, Change(here, notices=(Paused(millis),))
            case Opened():
                raise Refusal("bad_message", "a match is opened once")
            case _:
                assert_never(entry)

    def _sat(self, entry: Sat) -> After:
        if entry.seat not in self.free_seats():
            raise Refusal("seat_taken", "somebody else was quicker")
        player = (
            Player(kind="bot", name=entry.player, player=entry.player)
            if entry.player
            else Player(kind="person", name=entry.name)
        )
        players, keys = list(self.players), list(self.keys)
        players[entry.seat], keys[entry.seat] = player, entry.key
        hosted = replace(self, players=(players[0], players[1]), keys=(keys[0], keys[1]))
        joined = (Joined(entry.seat, player),)
        if None in players:
            return hosted, Change(hosted, notices=joined)
        return hosted._begin(joined)

    def _close(self) -> After:
        if self.is_closed:
            raise Refusal("match_over", "the challenge was withdrawn")
        hosted = replace(self, is_closed=True)
        return hosted, Change(hosted, notices=(Closed(),))

    def _did(self, entry: Did) -> After:
        here = self._talked(entry.seat) if isinstance(entry.command, TALK) else self
        match entry.command:
            case Say(seat, phrase):
                return here, Change(here, entry, notices=(Said(seat, phrase),))
            case Rematch():
                return here._rematch(entry)
            case commands.Abort() if here.match is None:
                closed, change = here._close()
                return closed, replace(change, entry=entry)
            case commands.Move(seat, _, credit_ms):
                return here._credited(seat, credit_ms)._run(entry.command, entry)
            case command:
                return here._run(command, entry)

    def _run(self, command: commands.Command, entry: Did | None) -> After:
        if self.match is None:
            raise Refusal("not_begun", "a seat is still free")
        before = self.match
        match, events = before.execute(command, self.at)
        hosted = replace(self, match=match, asked=self._asked(before, match, command))
        return hosted, Change(hosted, entry, events=events)

    def _asked(self, before: Match, match: Match, command: commands.Command) -> tuple[int, int]:
        """Return since which entry each seat has the decision before it that it now has."""
        if match.state is before.state:
            return self.asked
        asked = [self.seq, self.seq]
        if isinstance(command, commands.Move) and len(before.awaited) == 2:
            other, turn = command.seat.other, before.game.turn(before.state)
            if match.game.turn(match.state) == turn:  # it chooses in secret, and still has to
                asked[other] = self.asked[other]
        return asked[0], asked[1]

    def _credited(self, seat: Seat, credit_ms: int) -> HostedMatch:
        credits = list(self.credits)
        credits[seat] = credits[seat].after(credit_ms)
        return replace(self, credits=(credits[0], credits[1]))

    def _talked(self, seat: Seat) -> HostedMatch:
        talk = (self.talk[0] + (seat == 0), self.talk[1] + (seat == 1))
        return replace(self, talk=talk)

    def _rematch(self, entry: Did) -> After:
        if self.status != "over" or self.match is None:
            raise Refusal("not_over", "a rematch comes after the match")
        if self.rematch is not None or entry.seat in self.wants_rematch:
            raise Refusal("already_offered", "the rematch is asked for already")
        wants = tuple(sorted((*self.wants_rematch, entry.seat)))
        notices: tuple[Notice, ...] = (RematchAsked(entry.seat),)
        if entry.made:
            notices = (*notices, RematchMade(entry.made))
        hosted = replace(self, wants_rematch=wants, rematch=entry.made or None)
        return hosted, Change(hosted, entry, notices=notices)

    def _orders_with(self, entry: Did) -> tuple[Done | None, Done | None]:
        """Return the orders that were carried out once this one is the next entry."""
        before = self.orders[entry.seat]
        client = before.client if before and before.client == entry.client else entry.client
        done = Done(client, entry.number, self.seq + 1, before)
        return (done, self.orders[1]) if entry.seat is Seat.FIRST else (self.orders[0], done)

    def agrees_to_rematch(self, seat: Seat) -> bool:
        """Whether a rematch is made if this seat asks: the other has asked, or is a computer."""
        other = self.players[seat.other]
        return seat.other in self.wants_rematch or (other is not None and other.kind != "person")

    def rematch_of(self, seed: str, created: int) -> Opened:
        """Return the set-up of the rematch: seats swapped, and their secrets with them."""
        chairs = [_chair(*sitting) for sitting in zip(self.players, self.keys, strict=True)]
        return dataclasses.replace(
            self.opened,
            seed=seed,
            created=created,
            chairs=(chairs[1], chairs[0]),
            previous=self.id,
            one_screen=self.opened.is_on_one_screen,
            clock_start=ClockStart.READY,
        )


def _chair(player: Player | None, key: str) -> match_log.Chair:
    if player is None:
        raise Refusal("not_over", "a seat was never taken")
    if player.kind == "person":
        return match_log.Chair(kind="me", name=player.name, key=key)
    return match_log.Chair(kind=player.kind, player=player.player, name=player.name)


def _upgraded(opened: Opened) -> Opened:
    """Return an opening as the current version of the rules has it, or raise `OtherRules`."""
    terms = Terms(opened.rules_version, opened.options, opened.start)
    terms = upgrade(game_type(opened.game), terms)
    return dataclasses.replace(
        opened, rules_version=terms.rules_version, options=terms.options, start=terms.start
    )


def _seated(chair: match_log.Chair) -> Player | None:
    match chair.kind:
        case "invited" | "open":
            return None
        case "me":
            return Player(kind="person", name=chair.name)
        case "computer" | "bot":
            return Player(kind=chair.kind, name=chair.name, player=chair.player)
        case _:
            assert_never(chair.kind)

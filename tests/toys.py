"""Small games to test the rest of the house with.

`Nim` is sequential, `Steps` has compound turns with answers, dice and moves that reveal, and `Duel`
has private and public rolls and simultaneous secret choices. `LeakyView`, `LeakyMoves` and
`LeakyRolls` are `Duel` with a leak each: every law on secrets must fail for them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from visavis.rules.errors import IllegalMove, NotAMove, NotAPosition, NotAView, UnknownGame
from visavis.rules.protocol import (
    AnyGame,
    Awaits,
    Decide,
    Ended,
    Game,
    GameClock,
    Number,
    OpenGame,
    Options,
    Outcome,
    Reason,
    Roll,
    Seat,
    Viewer,
)
from visavis.rules.spelling import capitals


class ToyReason(Reason):
    """Why toys end."""

    LAST = "last"
    GAMETIME = "gametime"
    EIGHT = "eight"
    POINTS = "points"


def by_score(scores: tuple[int, int], reason: Reason) -> Outcome:
    first, second = scores
    winner = None if first == second else Seat.FIRST if first > second else Seat.SECOND
    return Outcome(winner, reason, scores)


# -- Nim: sequential, open -------------------------------------------------------------------------


@dataclass(frozen=True)
class Heap:
    left: int
    taken: tuple[int, int] = (0, 0)
    ply: int = 0
    mover: Seat = Seat.FIRST


class Nim(OpenGame[Heap, int]):
    """Take one to three from a heap; who takes the last wins. Moves have a blank in them."""

    slug, title, summary = "nim", "Nim", "the smallest game"
    reasons = ToyReason
    schema = (Number("heap", "how many there are", 12, 1, 1_000),)

    def start(self) -> Heap:
        return Heap(int(self.options["heap"]))

    def awaits(self, state: Heap) -> Awaits:
        if state.left:
            return Decide((state.mover,))
        return Ended(Outcome(state.mover.other, ToyReason.LAST, state.taken))

    def legal(self, state: Heap, seat: Seat) -> Sequence[int]:
        return range(1, min(3, state.left) + 1) if seat in self.awaited(state) else ()

    def apply(self, state: Heap, seat: Seat, move: int) -> Heap:
        self.check_turn(state, seat)
        if move not in self.legal(state, seat):
            raise IllegalMove(self.format_move(move), "take one to three, of those that are left")
        first, second = state.taken
        taken = (first, second + move) if seat else (first + move, second)
        return Heap(state.left - move, taken, state.ply + 1, seat.other)

    def turn(self, state: Heap) -> int:
        return state.ply + 1

    def remark(self, state: Heap, seat: Seat, move: int, after: Heap) -> str:
        return "" if after.left else "the last"

    def is_move(self, move: object) -> bool:
        return type(move) is int and move in range(1, 10)

    def format_move(self, move: int) -> str:
        return f"take {move}"

    def parse_move(self, text: str) -> int:
        if found := re.fullmatch(r"TAKE ([1-9])|([1-9])", capitals(text)):
            return int(found[1] or found[2])
        raise NotAMove(text, "write take 2")

    def format_position(self, state: Heap) -> str:
        return f"{state.left} {state.taken[0]} {state.taken[1]} {state.ply} {state.mover}"

    def parse_position(self, text: str) -> Heap:
        found = re.fullmatch(r"([0-9]{1,4}) ([0-9]{1,4}) ([0-9]{1,4}) ([0-9]{1,4}) (\w+)", text)
        if found is None or found[5] not in ("first", "second"):
            raise NotAPosition(text, "write 12 0 0 0 first")
        left, first, second, ply = map(int, found.groups()[:4])
        return Heap(left, (first, second), ply, Seat[found[5].upper()])

    def board(self, view: Heap) -> str:
        return "|" * min(view.left, 79)


class TimedNim(Nim):
    """Nim whose rules prescribe a clock; when the game's time is up, more taken wins."""

    slug = "timednim"

    def clock(self) -> GameClock:
        return GameClock(game_ms=60_000, turn_ms=9_000)

    def on_timeout(self, state: Heap, seat: Seat | None) -> Outcome:
        if seat is None:
            return by_score(state.taken, ToyReason.GAMETIME)
        return super().on_timeout(state, seat)


# -- Steps: compound turns -------------------------------------------------------------------------


@dataclass(frozen=True)
class Walk:
    turns: int = 1
    steps: tuple[int, int] = (0, 0)
    asked: bool = False
    rolling: bool = False

    @property
    def mover(self) -> Seat:
        return Seat((self.turns + 1) % 2)


STEPS_WORDS = {capitals(w): w for w in ("step", "dice", "show", "ask", "end", "yes", "no")}


class Steps(OpenGame[Walk, str]):
    """In a turn one may ``step``, throw ``dice``, ``show`` or ``ask`` (the other says yes or no)
    as often as one likes, up to ten steps ahead; ``end`` passes the turn, and the eighth ends all.
    """

    slug, title, summary = "steps", "Steps", "a toy of compound turns"
    reasons = ToyReason

    def start(self) -> Walk:
        return Walk()

    def awaits(self, state: Walk) -> Awaits:
        if state.turns > 8:
            return Ended(by_score(state.steps, ToyReason.EIGHT))
        if state.rolling:
            return Roll((("one", 1), ("two", 2)))
        return Decide((state.mover.other if state.asked else state.mover,))

    def legal(self, state: Walk, seat: Seat) -> Sequence[str]:
        if seat not in self.awaited(state):
            return ()
        if state.asked:
            return ("yes", "no")
        return ("step", "dice", "show", "ask", "end") if state.steps[seat] < 10 else ("end",)

    def apply(self, state: Walk, seat: Seat, move: str) -> Walk:
        self.check_turn(state, seat)
        if move not in self.legal(state, seat):
            raise IllegalMove(move, "not now")
        match move:
            case "end":
                return replace(state, turns=state.turns + 1)
            case "dice":
                return replace(state, rolling=True)
            case "ask":
                return replace(state, asked=True)
            case "no":
                return replace(state, asked=False, turns=state.turns + 1)
            case "yes":
                return replace(state, asked=False, steps=self._ahead(state, 1))
        return replace(state, steps=self._ahead(state, 1))

    def roll(self, state: Walk, face: str) -> Walk:
        if not state.rolling or face not in ("one", "two"):
            raise IllegalMove(face, "no such face")
        ahead = 1 if face == "one" else 2
        return replace(state, rolling=False, steps=self._ahead(state, ahead))

    def _ahead(self, state: Walk, by: int) -> tuple[int, int]:
        first, second = state.steps
        return (first, second + by) if state.mover else (first + by, second)

    def turn(self, state: Walk) -> int:
        return min(state.turns, 8)

    def remark(self, state: Walk, seat: Seat, move: str, after: Walk) -> str:
        return f"at {after.steps[seat]}" if move == "dice" else ""

    def reveals(self, state: Walk, seat: Seat, move: str) -> bool:
        return move == "show"

    def is_move(self, move: object) -> bool:
        return isinstance(move, str) and move in STEPS_WORDS.values()

    def format_move(self, move: str) -> str:
        return move

    def parse_move(self, text: str) -> str:
        if capitals(text) not in STEPS_WORDS:
            raise NotAMove(text, "no such word")
        return STEPS_WORDS[capitals(text)]

    def format_position(self, state: Walk) -> str:
        flags = "asked" if state.asked else "rolling" if state.rolling else "free"
        return f"{state.turns} {state.steps[0]} {state.steps[1]} {flags}"

    def parse_position(self, text: str) -> Walk:
        found = re.fullmatch(r"([1-9]) ([0-9]{1,2}) ([0-9]{1,2}) (asked|rolling|free)", text)
        if found is None:
            raise NotAPosition(text, "write 1 0 0 free")
        steps = (int(found[2]), int(found[3]))
        return Walk(int(found[1]), steps, found[4] == "asked", found[4] == "rolling")

    def board(self, view: Walk) -> str:
        return f"{view.steps[0]}:{view.steps[1]}"


# -- Duel: secrets and chance ----------------------------------------------------------------------

Known = str
"""A digit; ``-`` for nothing yet, ``?`` for what the viewer does not know."""


@dataclass(frozen=True)
class DuelState:
    """A state; and, with ``?`` in it, a view."""

    round: int = 0
    cards: tuple[Known, Known] = ("-", "-")
    bids: tuple[Known, Known] = ("-", "-")
    points: tuple[int, int] = (0, 0)
    viewer: str = "all"


BIDS = {capitals(bid): bid for bid in ("bid 1", "bid 2", "bid 3")}


class Duel(Game[DuelState, str, DuelState]):
    """Each is dealt a card in private; in each of three rounds both bid in secret, then a public
    die pays one point to those who bid its number. At the end the cards count too.
    """

    slug, title, summary = "duel", "Duel", "a toy of secrets and chance"
    reasons = ToyReason
    hidden = True
    schema = (Number("rounds", "how many rounds", 3, 1, 9),)

    def start(self) -> DuelState:
        return DuelState()

    def awaits(self, state: DuelState) -> Awaits:
        if "-" in state.cards:
            return Roll((("1", 1), ("2", 2), ("3", 3)))
        if state.round > int(self.options["rounds"]):
            first, second = (p + int(c) for p, c in zip(state.points, state.cards, strict=True))
            return Ended(by_score((first, second), ToyReason.POINTS))
        if "-" in state.bids:
            return Decide(tuple(seat for seat in Seat if state.bids[seat] == "-"))
        return Roll((("1", 1), ("2", 1), ("3", 1)))

    def legal(self, state: DuelState, seat: Seat) -> Sequence[str]:
        return ("bid 1", "bid 2", "bid 3") if seat in self.awaited(state) else ()

    def apply(self, state: DuelState, seat: Seat, move: str) -> DuelState:
        self.check_turn(state, seat)
        return replace(state, bids=put(state.bids, seat, move[-1]))

    def roll(self, state: DuelState, face: str) -> DuelState:
        if not isinstance(self.awaits(state), Roll) or face not in ("1", "2", "3"):
            raise IllegalMove(face, "no such face")
        if "-" in state.cards:
            cards = put(state.cards, self._dealt(state), face)
            return replace(state, cards=cards, round=0 if "-" in cards else 1)
        first, second = (p + (bid == face) for p, bid in zip(state.points, state.bids, strict=True))
        return replace(state, round=state.round + 1, bids=("-", "-"), points=(first, second))

    def _dealt(self, state: DuelState) -> Seat:
        return Seat(state.cards.index("-"))

    def turn(self, state: DuelState) -> int:
        return min(state.round, int(self.options["rounds"]))

    def view(self, state: DuelState, viewer: Viewer) -> DuelState:
        if self.outcome(state) is not None:
            return self.reveal(state)
        cards, bids = ("-", "-"), ("-", "-")
        both_in = "-" not in state.bids
        for seat in Seat:
            card = state.cards[seat] if seat is viewer or state.cards[seat] == "-" else "?"
            bid = state.bids[seat]
            cards = put(cards, seat, card)
            bids = put(bids, seat, bid if seat is viewer or bid == "-" or both_in else "?")
        return DuelState(state.round, cards, bids, state.points, str(viewer))

    def reveal(self, state: DuelState) -> DuelState:
        return replace(state, viewer="all")

    def determinize(self, view: DuelState, rng: random.Random) -> DuelState:
        def fill(known: tuple[Known, Known]) -> tuple[Known, Known]:
            first, second = (rng.choice("123") if k == "?" else k for k in known)
            return first, second

        return DuelState(view.round, fill(view.cards), fill(view.bids), view.points)

    def observe(self, state: DuelState, seat: Seat, move: str, viewer: Viewer) -> str:
        return move if seat is viewer else "bid ?"

    def observe_roll(self, state: DuelState, face: str, viewer: Viewer) -> str:
        if "-" not in state.cards:
            return face
        return face if self._dealt(state) is viewer else "?"

    def reveals(self, state: DuelState, seat: Seat, move: str) -> bool:
        return state.bids[seat.other] != "-"

    def is_move(self, move: object) -> bool:
        return isinstance(move, str) and move in BIDS.values()

    def format_move(self, move: str) -> str:
        return move

    def parse_move(self, text: str) -> str:
        if capitals(text) not in BIDS:
            raise NotAMove(text, "write bid 2")
        return BIDS[capitals(text)]

    def format_position(self, state: DuelState) -> str:
        cards, bids = "".join(state.cards), "".join(state.bids)
        return f"{state.round} {cards} {bids} {state.points[0]} {state.points[1]} {state.viewer}"

    def parse_position(self, text: str) -> DuelState:
        found = re.fullmatch(r"([0-9]) ([123-]{2}) ([123-]{2}) ([0-9]) ([0-9]) all", text)
        if found is None:
            raise NotAPosition(text, "write 0 -- -- 0 0 all")
        return self._state(found, "all")

    def format_view(self, view: DuelState) -> str:
        return self.format_position(view)

    def parse_view(self, text: str) -> DuelState:
        pattern = r"([0-9]) ([123?-]{2}) ([123?-]{2}) ([0-9]) ([0-9]) (all|first|second|None)"
        found = re.fullmatch(pattern, text)
        if found is None:
            raise NotAView(text, "write 0 -- -- 0 0 first")
        return self._state(found, found[6])

    def _state(self, found: re.Match[str], viewer: str) -> DuelState:
        cards, bids = (found[2][0], found[2][1]), (found[3][0], found[3][1])
        return DuelState(int(found[1]), cards, bids, (int(found[4]), int(found[5])), viewer)

    def board(self, view: DuelState) -> str:
        return self.format_view(view)


class LeakyView(Duel):
    """Everybody sees all cards, though the game believes that nobody does."""

    slug = "leakyview"

    def view(self, state: DuelState, viewer: Viewer) -> DuelState:
        return replace(super().view(state, viewer), cards=state.cards)

    def determinize(self, view: DuelState, rng: random.Random) -> DuelState:
        return super().determinize(super().view(view, self._viewer(view)), rng)

    def _viewer(self, view: DuelState) -> Viewer:
        return {"first": Seat.FIRST, "second": Seat.SECOND}.get(view.viewer)


class LeakyMoves(Duel):
    """A big bid is told in more letters than a small one."""

    slug = "leakymoves"

    def observe(self, state: DuelState, seat: Seat, move: str, viewer: Viewer) -> str:
        seen = super().observe(state, seat, move, viewer)
        return seen if seat is viewer else seen + "?" * (move == "bid 3")


class LeakyRolls(Duel):
    """Everybody sees what is dealt to whom."""

    slug = "leakyrolls"

    def observe_roll(self, state: DuelState, face: str, viewer: Viewer) -> str:
        return face


def put(pair: tuple[Known, Known], seat: Seat, value: Known) -> tuple[Known, Known]:
    return (pair[0], value) if seat else (value, pair[1])


# -- All of them -----------------------------------------------------------------------------------

TOYS = {toy.slug: toy for toy in (Nim, TimedNim, Steps, Duel, LeakyView, LeakyMoves, LeakyRolls)}
SOUND = ("nim", "timednim", "steps", "duel")
LEAKY = ("leakyview", "leakymoves", "leakyrolls")


def toy(slug: str, options: Options | None = None) -> AnyGame:
    """Find a toy, as `visavis.rules.game` finds a game."""
    if slug not in TOYS:
        raise UnknownGame(slug, tuple(TOYS))
    return cast(AnyGame, TOYS[slug](options))

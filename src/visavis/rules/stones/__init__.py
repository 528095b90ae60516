"""Stones: double-sided tokens, groups of colours, chance and partly hidden backs. See ``rules.md``.

>>> game = Stones({"field": "square6"})
>>> game.roll(game.start(), "RRYG").tokens[0].base
'RVGB'
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import ClassVar, Final

from visavis.rules.errors import IllegalMove
from visavis.rules.protocol import (
    Awaits,
    Decide,
    Ended,
    Game,
    Option,
    Options,
    Outcome,
    Reason,
    Roll,
    Seat,
    Viewer,
)
from visavis.rules.stones import text
from visavis.rules.stones.board import draw_board
from visavis.rules.stones.field import Cell, FieldOption, field_of
from visavis.rules.stones.state import (
    DEALT,
    DEALT_EACH,
    FRONT_LIMIT,
    LEVELS,
    PEEKING,
    Done,
    Front,
    Group,
    Keep,
    Known,
    Level,
    Lying,
    Move,
    Phase,
    Pile,
    Piled,
    Put,
    Side,
    Skip,
    State,
    Take,
    View,
    drawn,
    identified,
    largest_groups,
    learned,
    placed,
)
from visavis.rules.stones.tokens import BASE_OF, TWINS

__all__ = ["GAME", "Stones"]

ASKED: Final = {
    Phase.PLACE: "place a token: number@cell and quarter turns",
    Phase.MORE: "place one more token, or give that up with done",
    Phase.LEVEL: "choose the equal group to go a level up, by its first cell",
    Phase.THREE: "three: take one token of the group to your pile",
    Phase.FOUR: "four: take one token of the group to your pile",
    Phase.KEEP: "put another of the tokens in front, side i or b up",
    Phase.FIVE: "five: pile the token, or keep it, side i or b up",
}


@cache
def _turns(number: int, cell: Cell) -> tuple[Put, ...]:
    return tuple(Put(number, cell, turns) for turns in range(4))


class Stones(Game[State, Move, View]):
    """The rules of Stones (T1-T15)."""

    slug = "stones"
    title = "Stones"
    summary = "double-sided tokens, colour groups, chance and peeks"
    schema: ClassVar[tuple[Option, ...]] = (FieldOption("field", "the field to play on (T3)"),)
    hidden = True
    reasons: ClassVar = MappingProxyType(
        {
            "both_skipped": Reason(
                "nobody can place, points decide", "nobody can place, points are equal"
            ),
            "bag_empty": Reason(
                "the bag is empty, points decide", "the bag is empty, points are equal"
            ),
        }
    )

    def __init__(self, chosen: Options | None = None) -> None:
        super().__init__(chosen)
        self.field = field_of(self.options["field"])

    def kernel_options(self) -> list[tuple[str, str]]:
        """Return the field as a map: the kernel knows no names."""
        return [("field", self.field.map)]

    # Flow

    def start(self) -> State:
        """Return the state before the deal."""
        return State(0, Phase.DEAL, (), 0, 0, ())

    def awaits(self, state: State) -> Awaits:
        """Say what the state waits for."""
        if state.ending is not None:
            return Ended(self._count(state, state.ending))  # T14
        faces = self._faces(state)
        return Roll(faces) if faces else Decide((state.seat,))

    def _count(self, state: State, reason: str) -> Outcome:
        first, second = self.standing(state)
        winner = None if first == second else Seat.FIRST if first > second else Seat.SECOND
        return Outcome(winner, reason, (first, second))

    def standing(self, state: State) -> tuple[int, int]:
        """Return both scores as they stand (T15)."""
        return state.score(Seat.FIRST), state.score(Seat.SECOND)

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return all legal moves of a seat.

        Placings by number, cell in reading order and turns, then ``done``; groups in reading
        order; tokens of a group by number, improved side first.
        """
        if seat not in self.awaited(state):
            return ()
        match state.phase:
            case Phase.PLACE:
                return self._placings(state) or (Skip(),)  # T13
            case Phase.MORE:
                return [*self._placings(state), Done()]  # T12
            case Phase.LEVEL:
                return [Level(group.cells[0]) for group in largest_groups(state)]  # T11
            case Phase.KEEP:
                return [Keep(number, up) for number in state.group for up in Side]  # T9
            case Phase.FIVE:
                token = state.group[0]
                room = len(state.front(seat)) < FRONT_LIMIT
                return [Pile(token), *(Keep(token, up) for up in Side if room)]  # T10
            case _:
                return [Take(number) for number in state.group]  # T8, T9

    def _placings(self, state: State) -> list[Put]:
        covered = state.covered().keys()
        squares = self.field.squares.items()
        free = [cell for cell, square in squares if covered.isdisjoint(square)]  # T6
        front = state.front(state.seat)
        return [put for token in front for cell in free for put in _turns(token, cell)]

    def _is_legal(self, state: State, move: Move) -> bool:
        if not isinstance(move, Put):
            return move in self.legal(state, state.seat)
        square = self.field.squares.get(move.cell)
        return (
            state.phase in (Phase.PLACE, Phase.MORE)
            and move.token in state.front(state.seat)
            and move.turns in range(4)
            and square is not None
            and state.covered().keys().isdisjoint(square)
        )

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a move."""
        self._check_legal(state, seat, move)
        match move:
            case Skip():
                return self._pass(replace(state, skips=state.skips + 1))
            case Done():
                return self._pass(state)
            case Put(token, cell, turns):
                return self._put(state, token, Lying(cell, turns, state.token(token).up))
            case Level(cell):
                return self._choose(state, cell)
            case Take(token):
                return self._take(state, token)
            case Pile(token):
                return self._divide(state, token, Piled(seat))
            case Keep(token, up):
                return self._divide(state, token, Front(seat, up))

    def _check_legal(self, state: State, seat: Seat, move: Move) -> None:
        self.check_turn(state, seat)
        if not self._is_legal(state, move):
            raise IllegalMove(self.format_move(move), self._refusal(state, move))

    def _refusal(self, state: State, move: Move) -> str:
        if isinstance(move, Put) and state.phase in (Phase.PLACE, Phase.MORE):
            if move.token not in state.front(state.seat):
                return f"token {move.token} is not in front of {state.seat}"
            return "a token lies on four free cells of the field"
        if isinstance(move, Skip) and state.phase is Phase.PLACE:
            return "there is room for a token"
        if isinstance(move, Pile | Keep) and state.phase is Phase.FIVE:  # T10
            if move.token != state.group[0]:
                return f"token {state.group[0]} is the next to be divided"
            return f"with {FRONT_LIMIT} tokens in front, token {move.token} goes to the pile"
        return ASKED[state.phase]

    def _put(self, state: State, token: int, place: Lying) -> State:
        bonus = state.bonus - (state.phase is Phase.MORE)
        tokens = placed(state.tokens, token, place)
        return self._settle(replace(state, tokens=tokens, bonus=bonus, skips=0))

    def _settle(self, state: State) -> State:
        """Look for what there is to settle: the largest group first (T11)."""
        match largest_groups(state):
            case []:
                if state.bonus:
                    return replace(state, phase=Phase.MORE, group=())  # T12
                return self._pass(state)  # T13
            case [group]:
                return self._open(state, group, group.level)
            case _:
                return replace(state, phase=Phase.LEVEL, group=())

    def _choose(self, state: State, cell: Cell) -> State:
        group = next(g for g in largest_groups(state) if g.cells[0] == cell)
        higher = LEVELS[min(LEVELS.index(group.level) + 1, len(LEVELS) - 1)]  # T11
        return self._open(state, group, higher)

    def _open(self, state: State, group: Group, level: Phase) -> State:
        """Begin to settle a group. At level four and five its lower sides are looked at.

        What others have seen before, the player sees now; what nobody has seen is rolled for.
        """
        tokens = state.tokens
        if level in PEEKING:
            bases = (state.token(number).base for number in group.tokens)
            tokens = learned(tokens, bases, Known.to(state.seat))
        return replace(state, phase=level, group=group.tokens, tokens=tokens)

    def _take(self, state: State, token: int) -> State:
        tokens = placed(state.tokens, token, Piled(state.seat))  # T8
        after = replace(state, tokens=tokens, group=())
        if state.phase is Phase.THREE:
            return self._settle(after)
        if len(state.front(state.seat)) == FRONT_LIMIT:
            return self._earn(after)
        rest = tuple(number for number in state.group if number != token)
        return replace(after, phase=Phase.KEEP, group=rest)  # T9

    def _divide(self, state: State, token: int, place: Front | Piled) -> State:
        tokens = placed(state.tokens, token, place)
        if place == Front(state.seat, Side.IMPROVED):
            tokens = learned(tokens, [state.token(token).base], Known.ALL)  # T4
        rest = state.group[1:] if state.phase is Phase.FIVE else ()
        after = replace(state, tokens=tokens, group=rest)
        return after if rest else self._earn(after)

    def _earn(self, state: State) -> State:
        return self._settle(replace(state, bonus=state.bonus + 1))  # T9, T10

    def _pass(self, state: State) -> State:
        after = replace(state, turn=state.turn + 1, bonus=0, group=())
        full = len(after.front(after.seat)) == FRONT_LIMIT
        return replace(after, phase=Phase.PLACE if full else Phase.DRAW)  # T5

    def turn(self, state: State) -> int:
        """Return the number of the turn; the deal is turn 0."""
        return state.turn

    # Chance

    def _faces(self, state: State) -> tuple[tuple[str, int], ...]:
        """Return the sides that may show next, weighted as drawing from the bag would."""
        if (unseen := state.unseen()) is not None:
            return tuple((improved, 1) for improved in TWINS[state.token(unseen).base])
        if state.phase not in (Phase.DEAL, Phase.DRAW):
            return ()
        if state.phase is Phase.DEAL and self._deals_improved(state):
            return self._improved_faces(state)
        out = Counter(token.base for token in state.tokens)
        return tuple((base, 2 - out[base]) for base in TWINS if out[base] < 2)

    def _deals_improved(self, state: State) -> bool:
        return len(state.tokens) % DEALT_EACH < 2  # T4

    def _improved_faces(self, state: State) -> tuple[tuple[str, int], ...]:
        """Weigh improved sides; one that may lie under a base side dealt before counts half."""
        out = {token.base: token for token in state.tokens}
        seen = {token.improved for token in state.tokens}
        full = {base for base in out if sum(t.base == base for t in state.tokens) == 2}
        return tuple(
            (improved, 1 if base in out and not out[base].known else 2)
            for improved, base in BASE_OF.items()
            if base not in full and improved not in seen
        )

    def roll(self, state: State, face: str) -> State:
        """Return the state after a token was dealt, drawn or looked at."""
        awaited = self.awaits(state)
        if not isinstance(awaited, Roll) or face not in dict(awaited.faces):
            raise IllegalMove(face, "no face of an awaited roll")
        if (unseen := state.unseen()) is not None:
            known = Known.to(state.seat)
            return replace(state, tokens=identified(state.tokens, unseen, face, known))
        if state.phase is Phase.DRAW:
            tokens = drawn(state.tokens, face, Front(state.seat, Side.BASE))  # T5
            return replace(state, phase=Phase.PLACE, tokens=tokens)
        return self._deal(state, face)

    def _deal(self, state: State, face: str) -> State:
        seat = Seat(len(state.tokens) // DEALT_EACH)
        if self._deals_improved(state):
            tokens = drawn(state.tokens, BASE_OF[face], Front(seat, Side.IMPROVED))
            tokens = identified(tokens, len(tokens), face, Known.ALL)
        else:
            tokens = drawn(state.tokens, face, Front(seat, Side.BASE))
        if len(tokens) == DEALT:
            return replace(state, turn=1, phase=Phase.DRAW, tokens=tokens)
        return replace(state, tokens=tokens)

    # Knowledge

    def view(self, state: State, viewer: Viewer) -> View:
        """Return all that a viewer knows: everything but improved sides that only others saw."""
        if state.ending is not None:
            return View(viewer, state)
        eyes = Known.to(viewer)
        tokens = tuple(
            token if eyes & token.known else replace(token, improved=None) for token in state.tokens
        )
        return View(viewer, replace(state, tokens=tokens))

    def reveal(self, state: State) -> View:
        """Return the view of somebody who knows everything that anybody knows."""
        return View(None, state, revealed=True)

    def determinize(self, view: View, rng: random.Random) -> State:
        """Draw the improved sides that others have seen; what nobody has seen stays open."""
        tokens = view.state.tokens
        for number, token in enumerate(tokens, 1):
            if token.known and tokens[number - 1].improved is None:
                improved = rng.choice(TWINS[token.base])
                tokens = identified(tokens, number, improved, token.known)
        return replace(view.state, tokens=tokens)

    def observe_roll(self, state: State, face: str, viewer: Viewer) -> str:
        """Return the face of a roll; what a player looks at is hidden from everybody else."""
        private = state.unseen() is not None and viewer is not state.seat
        return "?" if private else face

    def remark(self, state: State, seat: Seat, move: Move, after: State) -> str:
        """Return the improved side that a token kept that way shows."""
        if isinstance(move, Keep) and move.up is Side.IMPROVED:
            self._check_legal(state, seat, move)
            return after.token(move.token).improved or ""
        return ""

    def reveals(self, state: State, seat: Seat, move: Move) -> bool:
        """Whether somebody sees more improved sides after the move than before it."""
        after = self.apply(state, seat, move)
        return any(
            self.view(state, viewer).improved_sides() != self.view(after, viewer).improved_sides()
            for viewer in (*Seat, None)
        )

    # Text

    def is_move(self, move: object) -> bool:
        """Whether it is made of tokens of the set and cells of the grid."""
        return text.is_move(move)

    def format_move(self, move: Move) -> str:
        """Return the canonical text of a move."""
        return text.format_move(move)

    def parse_move(self, text_: str) -> Move:
        """Read a move."""
        return text.parse_move(text_)

    def format_position(self, state: State) -> str:
        """Return the canonical text of a state."""
        return text.format_state(state)

    def parse_position(self, text_: str) -> State:
        """Read a position."""
        return text.parse_position(text_, self.field)

    def format_view(self, view: View) -> str:
        """Return the canonical text of a view."""
        return text.format_view(view)

    def parse_view(self, text_: str) -> View:
        """Read a view."""
        return text.parse_view(text_, self.field)

    def board(self, view: View) -> str:
        """Draw the field, both fronts and piles."""
        return draw_board(self.field, view)

    def prompt(self, view: View, seat: Seat) -> str:
        """Return what is asked, with an example."""
        moves = self.legal(view.state, seat)
        if not moves:
            return ""
        example = self.format_move(moves[0])
        if len(moves) == 1:
            return f"There is nothing else to do: {example}"
        return f"{ASKED[view.state.phase].capitalize()}; example: {example}"


GAME = Stones

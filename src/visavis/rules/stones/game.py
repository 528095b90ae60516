"""The game: its flow, its ends (T14, T15), who knows what, and its place in the protocol."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from visavis.rules.errors import IllegalMove
from visavis.rules.protocol import (
    Awaits,
    Decide,
    Ended,
    Game,
    Option,
    Options,
    Outcome,
    Roll,
    Seat,
    Viewer,
)
from visavis.rules.stones import text
from visavis.rules.stones.board import FieldOption, field_of
from visavis.rules.stones.drawing import draw, prompt
from visavis.rules.stones.play import after, faces, is_legal, moves, rolled
from visavis.rules.stones.refusals import why_not
from visavis.rules.stones.state import (
    Keep,
    Known,
    Move,
    Phase,
    Reason,
    Side,
    State,
    View,
    identified,
)
from visavis.rules.stones.tokens import TWINS


class Stones(Game[State, Move, View]):
    """Stones on a field.

    >>> game = Stones({"field": "square6"})
    >>> game.roll(game.start(), "RRYG").tokens[0].base
    'RVGB'
    """

    slug = "stones"
    title = "Stones"
    summary = "double-sided tokens, colour groups, chance and peeks"
    schema: ClassVar[tuple[Option, ...]] = (FieldOption("field", "the field to play on (T3)"),)
    hidden = True
    rules_version = 1
    reasons = Reason

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
        shown = faces(state)
        return Roll(shown) if shown else Decide((state.seat,))

    def _count(self, state: State, reason: Reason) -> Outcome:
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
        return moves(self.field, state) if seat in self.awaited(state) else ()

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a move."""
        self._check_legal(state, seat, move)
        return after(state, move)

    def _check_legal(self, state: State, seat: Seat, move: Move) -> None:
        self.check_turn(state, seat)
        if not is_legal(self.field, state, move):
            raise IllegalMove(self.format_move(move), why_not(state, move))

    def turn(self, state: State) -> int:
        """Return the number of the turn; the deal is turn 0."""
        return state.turn

    # Chance

    def roll(self, state: State, face: str) -> State:
        """Return the state after a token was dealt, drawn or looked at."""
        awaited = self.awaits(state)
        if not isinstance(awaited, Roll) or face not in dict(awaited.faces):
            raise IllegalMove(face, "it is not a face of the awaited roll")
        return rolled(state, face)

    # Knowledge

    def view(self, state: State, viewer: Viewer) -> View:
        """Return what a viewer knows: everything but improved sides that only others have seen."""
        if state.ending is not None:
            return View(viewer, state)
        eyes = Known.to(viewer)
        tokens = tuple(
            token if eyes & token.known else replace(token, improved=None) for token in state.tokens
        )
        return View(viewer, replace(state, tokens=tokens))

    def reveal(self, state: State) -> View:
        """Return a view of everything that anybody knows."""
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
        return draw(self.field, view)

    def prompt(self, view: View, seat: Seat) -> str:
        """Return what is asked, with an example."""
        return prompt(self.field, view) if seat in self.awaited(view.state) else ""

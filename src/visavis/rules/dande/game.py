"""The game: its options and clocks, its flow, its ends (D8–D12) and its place in the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final

from visavis.rules.dande.board import cell_name, opposite
from visavis.rules.dande.costumes import COSTUMES
from visavis.rules.dande.drawing import COLOURS, draw, prompt
from visavis.rules.dande.play import after, by_captures, moves_of, suffer
from visavis.rules.dande.refusals import why_not
from visavis.rules.dande.state import PLACES, Effect, Move, Pair, Reason, State
from visavis.rules.dande.text import (
    format_move,
    format_state,
    is_move,
    parse_move,
    parse_state,
)
from visavis.rules.errors import IllegalMove, NotAPosition
from visavis.rules.protocol import (
    Awaits,
    Choice,
    Decide,
    Ended,
    GameClock,
    Number,
    OpenGame,
    Option,
    Outcome,
    Roll,
    Seat,
)

MINUTE_MS: Final = 60_000


class DandE(OpenGame[State, Move]):
    """D&E with its options chosen.

    >>> from visavis.rules import game
    >>> dande = game("dande", {"bad_cells": 0})
    >>> dande.format_position(dande.start())
    '3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3 1 0 - -'
    """

    slug = "dande"
    title = "D&E"
    summary = "a race to capture against two clocks, with bad cells"
    untimed: ClassVar = MappingProxyType({"clock": "off"})  # D12
    clock_options = ("game_minutes", "move_share")
    seat_names = COLOURS  # D1
    rules_version = 1
    reasons = Reason
    schema: ClassVar[tuple[Option, ...]] = (
        Choice("clock", "whether the game and each turn are timed", ("on", "off")),
        Number("game_minutes", "how long a game with clocks lasts, in minutes", 10, 5, 25),
        Number("move_share", "a turn's time limit in percent of the game's time", 15, 15, 100),
        Number("ply_limit", "moves after which a game with clock=off ends", 300, 1, 10_000),
        Number("bad_cells", "how many bad cells there are", 4, 0, 6, (0, 2, 4, 6)),
        Choice("costume", "what the pieces look like; changes no rule", tuple(COSTUMES)),
    )

    # -- Flow --------------------------------------------------------------------------------------

    def start(self) -> State:
        """Return the armies at home; turn 0 if there are bad cells to draw."""
        return State(turn=0 if self._pairs_wanted else 1)

    def awaits(self, state: State) -> Awaits:
        """Say what the state waits for."""
        if state.turn == 0:
            taken = {pair.cell for pair in state.pairs}
            return Roll(tuple((cell_name(cell), 1) for cell in PLACES if cell not in taken))  # D14
        if state.stop is not None:
            return Roll(tuple((effect.value, 1) for effect in state.effects_left()))  # D14
        if not any(moves_of(state)):
            return Ended(Outcome(state.mover.other, Reason.NO_MOVES, state.captured))  # D8
        if self.options["clock"] == "off" and state.plies >= self._ply_limit:
            return Ended(by_captures(state, Reason.PLY_LIMIT))  # D12
        return Decide((state.mover,))

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the moves of a seat by where they start, then where they go: a1, b1, … h8."""
        return tuple(moves_of(state)) if seat in self.awaited(state) else ()

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a move, which may await the roll of a bad cell's effect."""
        self.check_turn(state, seat)
        if move not in moves_of(state):
            raise IllegalMove(format_move(move), why_not(state, move))
        return after(state, move)

    def roll(self, state: State, face: str) -> State:
        """Return the state after a pair of bad cells, or a pair's effect, was drawn."""
        awaited = self.awaits(state)
        if not isinstance(awaited, Roll) or (face, 1) not in awaited.faces:
            raise IllegalMove(face, "it is not a face of the awaited roll")
        if state.stop is None:
            return self._draw_pair(state, face)
        effect = Effect(face)
        pairs = tuple(
            replace(pair, effect=effect) if state.stop in pair.cells else pair
            for pair in state.pairs
        )
        return suffer(replace(state, pairs=pairs, stop=None), state.stop, effect, spurred=False)

    def _draw_pair(self, state: State, face: str) -> State:
        cells = {pair.cell for pair in state.pairs}
        pairs = tuple(
            Pair(cell) for cell in PLACES if cell in cells or cell_name(cell) == face
        )  # D14
        return replace(state, pairs=pairs, turn=int(len(pairs) == self._pairs_wanted))

    def turn(self, state: State) -> int:
        """Return the number of the turn; a spur's second move belongs to the same (D17)."""
        return state.turn

    def standing(self, state: State) -> tuple[int, int]:
        """Return how many pieces each player has captured (D9)."""
        return state.captured

    def on_timeout(self, state: State, seat: Seat | None) -> Outcome:
        """Say what running out of time means: for a turn, a loss; for the game, a count."""
        if seat is None:
            return by_captures(state, Reason.GAMETIME)  # D9
        return Outcome(seat.other, Reason.TIMEOUT, state.captured)  # D8

    def clock(self) -> GameClock | None:
        """Return the clock of the game and the limit of a turn (D9, D10, D12)."""
        if self.options["clock"] == "off":
            return None
        game_ms = int(self.options["game_minutes"]) * MINUTE_MS
        return GameClock(game_ms, game_ms * int(self.options["move_share"]) // 100)

    @property
    def _pairs_wanted(self) -> int:
        return int(self.options["bad_cells"]) // 2

    @property
    def _ply_limit(self) -> int:
        return int(self.options["ply_limit"])

    def remark(self, state: State, seat: Seat, move: Move, after: State) -> str:
        """Return the effect if the piece stopped on a bad cell, even if nothing changed."""
        pair = after.pair_at(move.target)
        if pair is None or pair.effect is None:
            return ""
        other = opposite(move.target)
        if pair.effect is Effect.GATE and (other == move.origin or state.cells[other] is None):
            return f"gate {cell_name(other)}"
        return pair.effect.value

    # -- Text --------------------------------------------------------------------------------------

    def is_move(self, move: object) -> bool:
        """Whether it goes from a cell to a cell."""
        return is_move(move)

    def format_move(self, move: Move) -> str:
        """Return the text of a move: ``d1-d5``, or ``c2xb3`` for a capture."""
        return format_move(move)

    def parse_move(self, text: str) -> Move:
        """Read a move, in small letters or capitals."""
        return parse_move(text)

    def format_position(self, state: State) -> str:
        """Return the text of a position."""
        return format_state(state)

    def parse_position(self, text: str) -> State:
        """Read a position that a game with these options can come to."""
        state = parse_state(text)
        if (len(state.pairs) == self._pairs_wanted) != (state.turn > 0) or (
            len(state.pairs) > self._pairs_wanted
        ):
            raise NotAPosition(text, f"the game has {self.options['bad_cells']} bad cells")
        if self.options["clock"] == "off" and state.plies > self._ply_limit:
            raise NotAPosition(text, f"the game ends after {self._ply_limit} moves")
        return state

    def board(self, view: State) -> str:
        """Draw the position in plain text, in the chosen costume."""
        is_over = self.outcome(view) is not None
        return draw(view, COSTUMES[str(self.options["costume"])], is_over=is_over)

    def prompt(self, view: State, seat: Seat) -> str:
        """Return a line that tells a player what is asked and how to write it."""
        return prompt(view, seat)

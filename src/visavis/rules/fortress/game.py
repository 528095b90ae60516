"""The game: its options, its flow, its end (F1, F9) and its place in the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from visavis.rules.errors import IllegalMove, NotAPosition
from visavis.rules.fortress.drawing import draw, prompt
from visavis.rules.fortress.play import Play
from visavis.rules.fortress.refusals import why_impossible, why_not
from visavis.rules.fortress.scenario import Mode
from visavis.rules.fortress.scenario_text import ScenarioOption, read_scenario
from visavis.rules.fortress.state import Move, Reason, State
from visavis.rules.fortress.text import (
    NotReadable,
    is_move,
    move_text,
    position_text,
    read_move,
    read_position,
)
from visavis.rules.protocol import (
    Awaits,
    Choice,
    Decide,
    Ended,
    OpenGame,
    Option,
    Options,
    Outcome,
    Seat,
)


class Fortress(OpenGame[State, Move]):
    """Fortresses on a scenario. All is open, so a view is a state.

    >>> game = Fortress({"scenario": "plain"})
    >>> state = game.apply(game.start(), Seat.FIRST, game.parse_move("C3"))
    >>> state.scores
    (10, 7)
    """

    slug = "fortress"
    title = "Fortresses"
    summary = "territory on hexagons: cities, fortresses, generals"
    schema: ClassVar[tuple[Option, ...]] = (
        ScenarioOption("scenario", "the mode, the field, the cities and the number of turns"),
        Choice(
            "supply",
            "where a general may build: near own cells, or anywhere",
            ("connected", "free"),
        ),
    )

    rules_version = 1
    reasons = Reason

    def __init__(self, chosen: Options | None = None) -> None:
        super().__init__(chosen)
        self.scenario = read_scenario(str(self.options["scenario"]))
        self.grid = self.scenario.grid
        self.play = Play(self.scenario, supply_is_free=self.options["supply"] == "free")

    def kernel_options(self) -> list[tuple[str, str]]:
        """Return the options with the scenario on one line, whether it has a name or not."""
        return [
            (name, str(value))
            for name, value in {**self.options, "scenario": self.scenario}.items()
        ]

    # Flow

    def start(self) -> State:
        """Return the field with the two cities and their surroundings."""
        return self.play.start()

    def awaits(self, state: State) -> Awaits:
        """Ask whoever's turn it is; after the last turn, count."""
        if state.turn <= 2 * self.scenario.turns:  # F9
            return Decide((state.seat,))
        first, second = state.scores
        winner = None if first == second else Seat(first < second)  # F1
        return Ended(Outcome(winner, Reason.TERRITORY, (first, second)))

    def turn(self, state: State) -> int:
        """Return the number of the turn: first's 1, second's 2, …"""
        return state.turn

    def standing(self, state: State) -> tuple[int, int]:
        """Return how many cells each seat controls."""
        return state.scores

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the sites of fortresses, or the orders for generals; both by their cells."""
        return self.play.moves(state, seat) if seat in self.awaited(state) else ()

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a fortress, an order, the end of a turn or a pass."""
        self.check_turn(state, seat)
        if not self.play.is_legal(state, seat, move):
            raise IllegalMove(self.format_move(move), why_not(self.play, state, seat, move))
        return self.play.after(state, seat, move)

    def remark(self, state: State, seat: Seat, move: Move, after: State) -> str:
        """Return how many cells a fortress took from the other."""
        lost = (state.lands[seat.other] & ~after.lands[seat.other]).bit_count()
        return f"takes {lost}" if lost else ""

    # Text

    def is_move(self, move: object) -> bool:
        """Whether it is a fortress, an order or a call on this field."""
        return is_move(self.grid, move)

    def format_move(self, move: Move) -> str:
        """Return the text of a move: ``C4``, ``C3-D3-D4``, ``C3-D3+``, ``end``, …"""
        return move_text(self.grid, move)

    def parse_move(self, text: str) -> Move:
        """Read a move, in capitals or not."""
        return read_move(self.grid, text)

    def format_position(self, state: State) -> str:
        """Return the turn, the rows of the field and, in mode ``plenty``, the generals."""
        return position_text(self.grid, state, self.scenario.mode is Mode.PLENTY)

    def parse_position(self, text: str) -> State:
        """Read a position; one that can't come about on this scenario is refused."""
        try:
            state = read_position(self.grid, text, self.scenario.mode is Mode.PLENTY)
        except NotReadable as error:
            raise NotAPosition(text, str(error)) from None
        if why := why_impossible(self.play, state):
            raise NotAPosition(text, why)
        return state

    def board(self, view: State) -> str:
        """Draw the field, with the score and the turns left."""
        return draw(self.scenario, view)

    def prompt(self, view: State, seat: Seat) -> str:
        """Return what is asked, with a move that is possible now."""
        return prompt(self.play, view, seat) if seat in self.awaited(view) else ""

"""Fortresses (Фортеці): territory on hexagons, in three modes, with generals in the last.

Here are the rules; beside them `grid` (the field), `scenario` (what is played on), `generator`
(fair random maps), `scenario_text` (how scenarios are written), `state` (states and moves), `text`
and `board` (how they are written and drawn), `refusal` (why something is not possible).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from visavis.rules.errors import IllegalMove, NotAPosition
from visavis.rules.fortress.board import draw
from visavis.rules.fortress.generator import random_scenario
from visavis.rules.fortress.grid import Grid, cells_of
from visavis.rules.fortress.refusal import why_impossible, why_not
from visavis.rules.fortress.scenario import BadScenario, Mode, Scenario
from visavis.rules.fortress.scenario_text import ScenarioOption, built_in, read_scenario
from visavis.rules.fortress.state import Build, Call, Move, Order, State
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
    Reason,
    Seat,
)

__all__ = [
    "GAME",
    "BadScenario",
    "Build",
    "Call",
    "Fortress",
    "Grid",
    "Mode",
    "Order",
    "Scenario",
    "State",
    "built_in",
    "random_scenario",
    "read_scenario",
]


@dataclass(frozen=True, slots=True)
class Ground:
    """What the generals of one seat may do where, at one moment."""

    enterable: frozenset[int]
    stops: frozenset[int]
    sites: frozenset[int]


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

    reasons: ClassVar = MappingProxyType(
        {
            "territory": Reason("by ground held", "equal ground held"),
        }
    )

    def __init__(self, chosen: Options | None = None) -> None:
        super().__init__(chosen)
        self.scenario = read_scenario(str(self.options["scenario"]))
        self.grid = self.scenario.grid
        self.cities = 1 << self.scenario.cities[0], 1 << self.scenario.cities[1]
        ground = self.grid.everywhere & ~(self.scenario.mountains | self.scenario.water)
        self.open_land = ground & ~(self.cities[0] | self.cities[1])
        self.water = frozenset(cells_of(self.scenario.water))

    def kernel_options(self) -> list[tuple[str, str]]:
        """Return the options with the scenario on one line, whether it has a name or not."""
        return [
            (name, str(value))
            for name, value in {**self.options, "scenario": self.scenario}.items()
        ]

    # Flow

    def start(self) -> State:
        """Return the field with the two cities and their surroundings."""
        first, second = (self.grid.grow(city) for city in self.cities)  # F1
        return self._begin_turn(State(1, (first, second), 0))

    def awaits(self, state: State) -> Awaits:
        """Ask whoever's turn it is; after the last turn, count."""
        if state.turn <= 2 * self.scenario.turns:  # F9
            return Decide((state.seat,))
        first, second = state.scores
        winner = None if first == second else Seat(first < second)  # F1
        return Ended(Outcome(winner, "territory", (first, second)))

    def turn(self, state: State) -> int:
        """Return the number of the turn: first's 1, second's 2, …"""
        return state.turn

    def standing(self, state: State) -> tuple[int, int]:
        """Return how many cells each seat controls."""
        return state.scores

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the sites of fortresses, or the orders for generals; both by their cells."""
        if seat not in self.awaited(state):
            return ()
        moves: list[Move]
        if self.scenario.mode is not Mode.PLENTY:
            moves = [Build(cell) for cell in cells_of(self.sites(state, seat))]
        else:
            ground = self.ground(state, seat)
            moves = list(self._orders(state, seat, ground))
            if moves and self._may_end(state, seat, ground):
                moves.append(Call.END)
        return moves or (Call.PASS,)  # F9, F13

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a fortress, an order, the end of a turn or a pass."""
        self.check_turn(state, seat)
        if not self._is_legal(state, seat, move):
            raise IllegalMove(self.format_move(move), why_not(self, state, seat, move))
        match move:
            case Build(cell):
                return self._end_turn(self._fortify(state, seat, cell))
            case Order(path, builds):
                after = self._carry_out(state, seat, path, builds)
                can_go_on = any(self._orders(after, seat, self.ground(after, seat)))
                return after if can_go_on else self._end_turn(after)  # F13
            case Call():
                return self._end_turn(state)

    def _is_legal(self, state: State, seat: Seat, move: Move) -> bool:
        if isinstance(move, Order) and state.generals[seat] & ~state.acted & 1 << move.path[0]:
            # What the other generals may do need not be listed.
            return move in self._orders_to(move.path[0], self.ground(state, seat))
        return move in self.legal(state, seat)

    def _begin_turn(self, state: State) -> State:
        if self.scenario.mode is not Mode.PLENTY or state.turn > 2 * self.scenario.turns:
            return state
        generals = list(state.generals)
        generals[state.seat] |= self.cities[state.seat]  # F10
        return replace(state, generals=(generals[0], generals[1]))

    def _end_turn(self, state: State) -> State:
        in_cities = self.cities[0] | self.cities[1]
        first, second = (mask & ~in_cities for mask in state.generals)  # F10, F13
        return self._begin_turn(
            replace(state, turn=state.turn + 1, generals=(first, second), acted=0)
        )

    # Fortresses

    def sites(self, state: State, seat: Seat) -> int:
        """Return the mask of the cells where a seat may build."""
        free = self.open_land & ~state.forts
        if self.options["supply"] == "free" and self.scenario.mode is Mode.PLENTY:
            return free  # F16
        return free & self.grid.grow(state.lands[seat])  # F7

    def _fortify(self, state: State, seat: Seat, cell: int) -> State:
        taken = self.grid.grow(1 << cell)
        lands = [land & ~taken for land in state.lands]
        lands[seat] |= taken
        for owner, city in enumerate(self.cities):  # F8
            lands[owner] |= city
            lands[1 - owner] &= ~city
        return replace(state, lands=(lands[0], lands[1]), forts=state.forts | 1 << cell)

    # Generals

    def ground(self, state: State, seat: Seat) -> Ground:
        """Return where the generals of a seat may go, stop and build."""
        barred = (
            self.scenario.mountains
            | state.lands[seat.other]
            | state.generals[0]
            | state.generals[1]
        )
        enterable = self.grid.everywhere & ~barred  # F12
        stops = enterable & ~(self.cities[0] | self.cities[1])  # F15
        sites = self.sites(state, seat)
        return Ground(*(frozenset(cells_of(mask)) for mask in (enterable, stops, sites)))

    def _orders(self, state: State, seat: Seat, ground: Ground) -> Iterator[Order]:
        for cell in cells_of(state.generals[seat] & ~state.acted):  # F13
            yield from self._orders_to(cell, ground)

    def _orders_to(self, start: int, ground: Ground) -> Iterator[Order]:
        """Give all orders for the general on a cell: to build, and by each way out."""
        if start in ground.sites:
            yield Order((start,), True)  # F11 (b), F17
        neighbours, water = self.grid.neighbours, self.water
        for near in neighbours[start]:
            if near not in ground.enterable:
                continue
            if near in ground.stops:
                yield Order((start, near), False)  # F11 (a), (d)
            if near in ground.sites and start not in water:
                yield Order((start, near), True)  # F11 (c), F14
            if start in water and near not in water:
                continue  # F14
            for far in neighbours[near]:
                # Its own cell has a general on it, so F12 keeps it from coming back (F15).
                if far in ground.stops and (far in water or near not in water):  # F14
                    yield Order((start, near, far), False)  # F11 (a)

    def _may_end(self, state: State, seat: Seat, ground: Ground) -> bool:
        """Whether the city is clear, or its general has no way out (F13)."""
        if not state.generals[seat] & self.cities[seat]:
            return True
        return not any(self._orders_to(self.scenario.cities[seat], ground))

    def _carry_out(self, state: State, seat: Seat, path: tuple[int, ...], builds: bool) -> State:
        start, stop = 1 << path[0], 1 << path[-1]
        generals = list(state.generals)
        generals[seat] &= ~start
        if not builds:
            generals[seat] |= stop
            return replace(state, generals=(generals[0], generals[1]), acted=state.acted | stop)
        after = replace(state, generals=(generals[0], generals[1]))  # F16
        return self._fortify(after, seat, path[-1])

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
        if why := why_impossible(self, state):
            raise NotAPosition(text, why)
        return state

    def board(self, view: State) -> str:
        """Draw the field, with the score and the turns left."""
        return draw(self.scenario, view)

    def prompt(self, view: State, seat: Seat) -> str:
        """Return what is asked, with a move that is possible now."""
        moves = self.legal(view, seat)
        if not moves:
            return ""
        example = self.format_move(moves[0])
        if moves[0] is Call.PASS:
            return f"{seat}: nothing can be done: {example}"
        if self.scenario.mode is not Mode.PLENTY:
            return f"{seat}: build a fortress, {example} for example ({len(moves)} sites)"
        ending = ", or end" if moves[-1] is Call.END else "; the city must be left"
        return f"{seat}: order a general, {example} for example (A1-B1 goes, + builds){ending}"


GAME = Fortress

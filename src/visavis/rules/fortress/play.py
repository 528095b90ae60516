"""Which moves there are on a scenario and what they do (F7–F17)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from visavis.rules.fortress.board import cells_of
from visavis.rules.fortress.scenario import Mode, Scenario
from visavis.rules.fortress.state import Build, Call, Move, Order, State
from visavis.rules.protocol import Seat


@dataclass(frozen=True, slots=True)
class Ground:
    """What the generals of one seat may do where, at one moment."""

    enterable: frozenset[int]
    stops: frozenset[int]
    sites: frozenset[int]


class Play:
    """A scenario as it is played on, under the chosen rule of supply (F16)."""

    def __init__(self, scenario: Scenario, *, supply_is_free: bool) -> None:
        self.scenario = scenario
        self.supply_is_free = supply_is_free
        self.grid = scenario.grid
        self.cities = 1 << scenario.cities[0], 1 << scenario.cities[1]
        ground = self.grid.everywhere & ~(scenario.mountains | scenario.water)
        self.open_land = ground & ~(self.cities[0] | self.cities[1])
        self.water = frozenset(cells_of(scenario.water))

    # Turns

    def start(self) -> State:
        """Return the field with the two cities and their surroundings."""
        first, second = (self.grid.grow(city) for city in self.cities)  # F1
        return self._begin_turn(State(1, (first, second), 0))

    def moves(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the moves of the seat to move, by their cells."""
        moves: list[Move]
        if self.scenario.mode is not Mode.PLENTY:
            moves = [Build(cell) for cell in cells_of(self.sites(state, seat))]
        else:
            ground = self.ground(state, seat)
            moves = list(self._orders(state, seat, ground))
            if moves and self._may_end(state, seat, ground):
                moves.append(Call.END)
        return moves or (Call.PASS,)  # F9, F13

    def after(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a legal move."""
        match move:
            case Build(cell):
                return self._end_turn(self._fortify(state, seat, cell))
            case Order(path, builds):
                after = self._carry_out(state, seat, path, builds)
                can_go_on = any(self._orders(after, seat, self.ground(after, seat)))
                return after if can_go_on else self._end_turn(after)  # F13
            case Call():
                return self._end_turn(state)

    def is_legal(self, state: State, seat: Seat, move: Move) -> bool:
        """Whether the seat to move may make this move."""
        if isinstance(move, Order) and state.generals[seat] & ~state.acted & 1 << move.path[0]:
            # What the other generals may do need not be listed.
            return move in self._orders_to(move.path[0], self.ground(state, seat))
        return move in self.moves(state, seat)

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
        if self.supply_is_free and self.scenario.mode is Mode.PLENTY:
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

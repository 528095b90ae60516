"""Every refusal names a reason that holds: all moves on small maps, against clause after clause."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from tests.laws.driver import walk
from visavis.rules.errors import IllegalMove
from visavis.rules.fortress import Build, Call, Fortress, Mode, Order, State
from visavis.rules.fortress.state import Move
from visavis.rules.protocol import Seat

MAPS = {
    "lakes": {"scenario": "plenty:4x4:6:A1:D4:B4:B1,B2,C2,B3"},
    "lakes, free supply": {"scenario": "plenty:4x4:6:A1:D4:B4:B1,B2,C2,B3", "supply": "free"},
    "an isthmus": {"scenario": "plenty:5x3:5:A2:E2:C1:B1,B2,D2,C3"},
    "crowded": {"scenario": "plenty:4x3:8:A1:D3:B1:"},
    "rough": {"scenario": "rough:4x4:8:A1:D4:B3:C2"},
    "young": {"scenario": "young:4x3:6:A1:D3"},
}


class Clauses:
    """What F6–F16 say of one moment, each clause by itself, on sets of names of cells."""

    def __init__(self, game: Fortress, state: State) -> None:
        self.game, self.seat = game, state.seat
        self.mode, self.supply = game.scenario.mode, game.options["supply"]
        self.own, self.enemy = (
            self.names(state.lands[state.seat]),
            self.names(state.lands[state.seat.other]),
        )
        self.mountains = self.names(game.scenario.mountains)
        self.water = self.names(game.scenario.water)
        self.cities = {game.grid.names[city] for city in game.scenario.cities}
        self.forts = self.names(state.forts)
        self.generals = self.names(state.generals[0] | state.generals[1])
        self.mine = self.names(state.generals[state.seat])
        self.acted = self.names(state.acted)
        self.city = game.grid.names[game.scenario.cities[state.seat]]

    def names(self, mask: int) -> set[str]:
        return {name for cell, name in enumerate(self.game.grid.names) if mask >> cell & 1}

    def adjacent(self, a: str, b: str) -> bool:  # F2
        def place(name: str) -> tuple[int, int]:
            row = int(name[1:])
            return row, 2 * ord(name[0]) + (row % 2 == 0)

        (row_a, x_a), (row_b, x_b) = place(a), place(b)
        return (abs(row_a - row_b), abs(x_a - x_b)) in {(0, 2), (1, 1)}

    def against_site(self, cell: str) -> Iterator[str]:  # F7, F16
        if cell in self.cities:
            yield f"{cell} is a city"
        if cell in self.mountains:
            yield f"{cell} is a mountain"
        if cell in self.water:
            yield f"{cell} is water"
        if cell in self.forts:
            yield f"a fortress stands on {cell}"
        near = any(self.adjacent(cell, own) for own in self.own)
        anywhere = self.mode is Mode.PLENTY and self.supply == "free"
        if not (cell in self.own or near or anywhere):
            yield f"{cell} is neither a cell of yours nor next to one"

    def against_order(self, path: list[str], builds: bool) -> Iterator[str]:
        start, *rest = path
        if start not in self.mine:
            yield f"no general of {self.seat} is on {start}"
        if start in self.acted:
            yield f"the general on {start} has acted in this turn"  # F13
        for here, there in zip(path, rest, strict=False):
            if not self.adjacent(here, there):
                yield f"{there} is not adjacent to {here}"  # F11
        if len(path) == 3 and path[2] == start:
            yield f"a general does not come back to {start}"  # F15
        for cell in rest:
            if cell in self.enemy:
                yield f"{cell} is controlled by {self.seat.other}"  # F12
            if cell in self.mountains:
                yield f"{cell} is a mountain"  # F12
            if cell in self.generals:
                yield f"a general is on {cell}"  # F12
        if rest and rest[-1] in self.cities:
            yield f"no general stops in a city, and {rest[-1]} is one"  # F15
        yield from self.against_water([cell in self.water for cell in path], builds)
        if builds:
            yield from self.against_site(path[-1])

    def against_water(self, wet: list[bool], builds: bool) -> Iterator[str]:  # F14
        if wet[0] and wet[1:2] == [False] and (builds or len(wet) == 3):
            yield "from water a general steps to adjacent land and no further"
        if wet[1:] == [True, False]:
            yield "from water a general steps to adjacent land and no further"

    def against(self, move: Move, orders: bool) -> set[str]:
        """All that the clauses say against a move."""
        names, plenty = self.game.grid.names, self.mode is Mode.PLENTY
        match move:
            case Build(cell) if not plenty:
                return set(self.against_site(names[cell]))
            case Build():
                return {"fortresses are built by generals here, as in C3+ or C3-D3+"}  # F6
            case Order() if not plenty:
                return {"there are no generals in this mode"}  # F6
            case Order(path, builds):
                return set(self.against_order([names[cell] for cell in path], builds))
            case Call.PASS:
                return {"one passes only when nothing can be done"} if orders else set()  # F9, F13
            case Call.END if not plenty:
                return {"a turn here is one fortress"} | self.idle(orders)  # F7
            case _:
                return self.idle(orders) or self.against_end()

    def idle(self, orders: bool) -> set[str]:
        return set() if orders else {"nothing can be done; that is a pass"}  # F9, F13

    def against_end(self) -> set[str]:  # F13
        cell = self.game.grid.cell
        start = cell(self.city)
        assert start is not None
        ways = [o for o in all_orders(self.game, start) if not self.against(o, True)]
        must_leave = self.city in self.mine and ways
        return {"the new general must leave the city first"} if must_leave else set()


def all_orders(game: Fortress, start: int | None = None) -> Iterator[Order]:
    cells = range(game.grid.size)
    starts = cells if start is None else (start,)
    for first in starts:
        yield Order((first,), True)
        for builds, second in product((False, True), cells):
            yield Order((first, second), builds)
        for second, third in product(cells, cells):
            yield Order((first, second, third), False)


def all_moves(game: Fortress) -> list[Move]:
    return [*map(Build, range(game.grid.size)), *all_orders(game), *Call]


def positions(game: Fortress, wanted: int) -> list[State]:
    found: dict[State, None] = {}
    for seed in range(20):
        steps = [s.state for s in walk(game, random.Random(seed), 80)]  # type: ignore[arg-type]
        states = [state for state in steps if isinstance(state, State) and game.awaited(state)]
        found.update(dict.fromkeys(random.Random(seed).sample(states, min(3, len(states)))))
    return list(found)[:wanted]


@pytest.mark.parametrize("name", MAPS)
def test_every_reason_holds(name: str) -> None:
    game = Fortress(MAPS[name])
    moves = all_moves(game)
    for state in positions(game, 8):
        clauses, legal = Clauses(game, state), set(game.legal(state, state.seat))
        orders = legal != {Call.PASS}
        for move in moves:
            against = clauses.against(move, orders)
            text = game.format_move(move)
            assert (move in legal) == (not against), (text, against)
            if against:
                with pytest.raises(IllegalMove) as refused:
                    game.apply(state, state.seat, move)
                assert refused.value.why in against, (text, game.format_position(state))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("C2-B2-C3", "from water a general steps to adjacent land and no further"),
        ("C2-B2-B3", "from water a general steps to adjacent land and no further"),
        ("C2-C3-D3", "from water a general steps to adjacent land and no further"),
        ("C2-B2+", "from water a general steps to adjacent land and no further"),
        ("C2-C3+", "C3 is water"),
    ],
)
def test_f14_is_the_reason(text: str, why: str) -> None:
    game = Fortress({"scenario": "plenty:6x5:9:A1:F5::C2,C3"})
    first, second = game.start().lands
    cell = game.grid.cell("C2")
    assert cell is not None
    state = State(3, (first, second), 0, (1 << cell, 0))
    with pytest.raises(IllegalMove) as refused:
        game.apply(state, Seat.FIRST, game.parse_move(text))
    assert refused.value.why == why

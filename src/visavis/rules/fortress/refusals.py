"""Why a move is refused or a position is impossible.

Whether a move is legal is decided by the list of legal moves alone; here the reason is found.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from visavis.rules.fortress.board import cells_of
from visavis.rules.fortress.play import Play
from visavis.rules.fortress.scenario import Mode
from visavis.rules.fortress.state import Build, Call, Move, Order, State
from visavis.rules.protocol import Seat

_FROM_WATER: Final = "from water a general steps to adjacent land and no further"  # F14


def why_not(play: Play, state: State, seat: Seat, move: Move) -> str:
    """Return the reason why a move that is not in the list of legal moves is not there."""
    plenty = play.scenario.mode is Mode.PLENTY
    match move:
        case Build(cell) if not plenty:
            return _why_no_site(play, state, cell)
        case Build():
            return "fortresses are built by generals here, as in C3+ or C3-D3+"  # F6
        case Order() if not plenty:
            return "there are no generals in this mode"  # F6
        case Order(path, builds):
            return _why_no_order(play, state, seat, path, builds)
        case Call.END if Call.PASS in play.moves(state, seat):
            return "nothing can be done; that is a pass"  # F9, F13
        case Call.END if plenty:
            return "the new general must leave the city first"  # F13
        case Call.END:
            return "a turn here is one fortress"  # F7
        case Call():
            return "one passes only when nothing can be done"  # F9, F13


def _why_no_site(play: Play, state: State, cell: int) -> str:
    """Return why a fortress may not stand on a cell (F7, F16)."""
    name = play.grid.names[cell]
    if cell in play.scenario.cities:
        return f"{name} is a city"
    if play.scenario.mountains >> cell & 1:
        return f"{name} is a mountain"
    if play.scenario.water >> cell & 1:
        return f"{name} is water"
    if state.forts >> cell & 1:
        return f"a fortress stands on {name}"
    return f"{name} is neither a cell of yours nor next to one"


def _why_no_order(play: Play, state: State, seat: Seat, path: tuple[int, ...], builds: bool) -> str:
    names = play.grid.names
    start = path[0]
    if not state.generals[seat] >> start & 1:
        return f"no general of {seat} is on {names[start]}"
    if state.acted >> start & 1:
        return f"the general on {names[start]} has acted in this turn"  # F13
    for here, there in pairwise(path):
        if there not in play.grid.neighbours[here]:
            return f"{names[there]} is not adjacent to {names[here]}"  # F11
        if there == start:
            return f"a general does not come back to {names[start]}"  # F15
        if why := _why_not_enter(play, state, seat, there):
            return why
    if path[-1] in play.scenario.cities and len(path) > 1:
        return f"no general stops in a city, and {names[path[-1]]} is one"  # F15
    match [cell in play.water for cell in path]:
        case [True, False, _] | [_, True, False]:
            return _FROM_WATER
        case [True, False] if builds:
            return _FROM_WATER
    return _why_no_site(play, state, path[-1])


def _why_not_enter(play: Play, state: State, seat: Seat, cell: int) -> str:
    """Return why a general may not enter a cell (F12); empty if it may."""
    name = play.grid.names[cell]
    if state.lands[seat.other] >> cell & 1:
        return f"{name} is controlled by {seat.other}"
    if play.scenario.mountains >> cell & 1:
        return f"{name} is a mountain"
    if (state.generals[0] | state.generals[1]) >> cell & 1:
        return f"a general is on {name}"
    return ""


def why_impossible(play: Play, state: State) -> str:
    """Return why a state can't come about on this scenario; empty if it can."""
    names, (first, second) = play.grid.names, play.scenario.cities
    last = 2 * play.scenario.turns
    if not 1 <= state.turn <= last + 1:
        return f"turn {state.turn} is not from 1 to {last + 1}"
    for cell in cells_of(state.forts & ~play.open_land):
        return f"fortress on {names[cell]}: {_why_no_site(play, state, cell)}"  # F7
    if not state.lands[0] >> first & 1 or not state.lands[1] >> second & 1:
        return "a city is not its owner's"  # F8
    held = play.grid.grow(state.forts | play.cities[0] | play.cities[1])
    for cell in cells_of(held ^ (state.lands[0] | state.lands[1])):  # F1, F8
        near = "is next to a fortress or a city, but nobody's"
        far = "is somebody's, but not next to a fortress or city"
        return f"{names[cell]} {near if held >> cell & 1 else far}"
    if play.scenario.mode is not Mode.PLENTY:
        return "there are too many fortresses" if state.forts.bit_count() >= state.turn else ""
    return _why_impossible_generals(play, state, last)


def _why_impossible_generals(play: Play, state: State, last: int) -> str:
    names, seat = play.grid.names, state.seat
    ended = state.turn > last
    appeared = min(state.turn, last)
    counts = [mask.bit_count() for mask in state.generals]
    if sum(counts) + state.forts.bit_count() > appeared:  # F10, F16
        return "there are too many generals and fortresses"
    if counts[0] > (appeared + 1) // 2 or counts[1] > appeared // 2:
        return "a player has too many generals"
    for cell in cells_of(state.generals[0] & state.generals[1]):
        return f"two generals are on {names[cell]}"  # F12
    if state.acted & ~(0 if ended else state.generals[seat] & ~play.cities[seat]):
        return "a general has acted that can't have"
    new = 0 if ended else play.cities[seat] & state.generals[seat]
    barred = play.scenario.mountains | play.cities[0] | play.cities[1]
    for cell in cells_of((state.generals[0] | state.generals[1]) & barred & ~new):
        return f"no general can be on {names[cell]}"  # F12, F15
    if not ended and (state.acted or not new) and play.moves(state, seat)[0] is Call.PASS:
        return "the turn is over, as no general can act"  # F13
    return ""

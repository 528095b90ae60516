"""Positions and a few helpers for the tests of D&E."""

from __future__ import annotations

from visavis.rules.dande import DandE, State
from visavis.rules.protocol import OptionValue, Roll, Seat

BLUE, RED = Seat.FIRST, Seat.SECOND
HOME = "3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3"


def game(bad_cells: int = 0, **options: OptionValue) -> DandE:
    return DandE({"bad_cells": bad_cells, "clock": "off", **options})


def at(board: str, pairs: str = "-", mired: str = "-", turn: str = "1", plies: int = 0) -> str:
    return f"{board} {turn} {plies} {pairs} {mired}"


def play(rules: DandE, position: str, *actions: str) -> State:
    """Play moves, of whoever is on turn, and faces of rolls, from a position."""
    state = rules.parse_position(position)
    for action in actions:
        if isinstance(rules.awaits(state), Roll):
            state = rules.roll(state, action)
        else:
            state = rules.apply(state, state.mover, rules.parse_move(action))
    return state


def after(rules: DandE, position: str, *actions: str) -> str:
    return rules.format_position(play(rules, position, *actions))


def goes(rules: DandE, position: str, origin: str, seat: Seat = BLUE) -> str:
    """Where a piece can go, as the signs and targets of its moves."""
    moves = map(rules.format_move, rules.legal(rules.parse_position(position), seat))
    return " ".join(move[2:] for move in moves if move.startswith(origin))

"""A position and a few helpers for the tests of Five Elements."""

from __future__ import annotations

from visavis.rules.elements import Elements, State
from visavis.rules.protocol import Seat

GAME = Elements()
SET_UPS = ("FFFMMMWWWEEEAAA", "WFFAWWMAAEMMFEE")

# Few men are left: first's king and two pieces, second's king and one.
DOWN_TO_FEW = (
    "31 20 - N9:FMWEA,x:F,x:F,x:F,B1:m,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,A15:a "
    "B0:FMWEA,x:W,x:F,x:F,x:A,x:W,x:W,x:M,x:A,x:A,x:E,x:M,x:M,x:F,B14:e,x:E"
)


def play(*moves: str, position: str = "", game: Elements = GAME) -> State:
    """Make moves from a position, or from the start with both sides set up."""
    state = game.parse_position(position) if position else game.start()
    for text in moves if position else (*SET_UPS, *moves):
        state = game.apply(state, game.awaited(state)[0], game.parse_move(text))
    return state


def view(state: State, viewer: Seat | None, game: Elements = GAME) -> str:
    return game.format_view(game.view(state, viewer))


def story(state: State, name: str, viewer: Seat | None) -> str:
    """What a view tells of the piece on a cell."""
    return next(
        piece.partition(":")[2]
        for side in view(state, viewer).split(" ")[-2:]
        for piece in side.split(",")
        if piece.startswith(f"{name}:")
    )

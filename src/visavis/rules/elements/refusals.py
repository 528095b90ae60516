"""Why a move is not possible, in words that tell nothing its maker does not know."""

from __future__ import annotations

from visavis.rules.elements.board import ADJACENT, NAMES
from visavis.rules.elements.play import occupants
from visavis.rules.elements.state import (
    Arrange,
    Attack,
    Change,
    Choose,
    Element,
    Move,
    Play,
    SetUp,
    State,
    Step,
)


def why_not(state: State, move: Move) -> str:
    """Return why the seat that must decide can't make this move."""
    if isinstance(state, SetUp):
        asked = isinstance(move, Arrange)
        return "three pieces get each element" if asked else "first comes the set-up"  # E6
    match state.pending:
        case Attack():
            owned = state.sides[state.mover.other].king.owned
            letters = " ".join(element.letter for element in owned)
            return f"your king must answer with an element it owns: {letters}"  # E15
        case Change(cell):
            return f"your piece on {NAMES[cell]} must take a different element"  # E13
    match move:
        case Arrange():
            return "the set-up is over"  # E7
        case Choose():
            return "no element is to be chosen now"
        case Step() | Attack():
            return _why_no_turn(state, move)


def _why_no_turn(play: Play[Element], move: Step | Attack) -> str:
    held = occupants(play)
    mine, holder = held.get(move.origin), held.get(move.target)
    origin, target = NAMES[move.origin], NAMES[move.target]
    if mine is None or mine.seat is not play.mover:
        return f"no piece of yours is on {origin}"  # E10
    if move.target not in ADJACENT[move.origin]:
        return f"{target} is not next to {origin}"  # E9
    if holder is not None and holder.seat is mine.seat:
        return f"your own piece is on {target}"  # E10
    if isinstance(move, Step):
        return f"an enemy is on {target}: attack it with {origin}x{target}"  # E12
    if holder is None:
        return f"{target} is empty: move there with {origin}-{target}"  # E11
    if mine.is_king:
        return "a king attacks with an element it owns"  # E15
    return "an ordinary piece uses the element it has"  # E14

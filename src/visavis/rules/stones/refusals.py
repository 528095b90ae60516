"""Why a move is refused; and what is asked for instead, which the prompt says too."""

from __future__ import annotations

from typing import Final

from visavis.rules.stones.state import FRONT_LIMIT, Keep, Move, Phase, Pile, Put, Skip, State

ASKED: Final = {
    Phase.PLACE: "place a token: number@cell and quarter turns",
    Phase.MORE: "place one more token, or give that up with done",
    Phase.LEVEL: "choose the equal group to go a level up, by its first cell",
    Phase.THREE: "three: take one token of the group to your pile",
    Phase.FOUR: "four: take one token of the group to your pile",
    Phase.KEEP: "put another of the tokens in front, side i or b up",
    Phase.FIVE: "five: pile the token, or keep it, side i or b up",
}


def why_not(state: State, move: Move) -> str:
    """Return why the seat to move can't make this move."""
    if isinstance(move, Put) and state.phase in (Phase.PLACE, Phase.MORE):
        if move.token not in state.front(state.seat):
            return f"token {move.token} is not in front of {state.seat}"
        return "a token lies on four free cells of the field"
    if isinstance(move, Skip) and state.phase is Phase.PLACE:
        return "there is room for a token"
    if isinstance(move, Pile | Keep) and state.phase is Phase.FIVE:  # T10
        if move.token != state.group[0]:
            return f"token {state.group[0]} is the next to be divided"
        return f"with {FRONT_LIMIT} tokens in front, token {move.token} goes to the pile"
    return ASKED[state.phase]

"""Sets the native kernel of a game against its Python rules, position by position.

The kernel walks random games and tells every step in texts; the Python rules walk the same games
and must say the same: positions, what is awaited, legal moves, faces of rolls, all three views.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from visavis._core import Kernel
from visavis.engine.native import NoEngine, native
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import LISTABLE, AnyGame, Decide, Ended, Roll, Seat
from visavis.rules.seats import VIEWERS

Same = Callable[[str, object, object], None]
"""Compares what Python and the kernel say of something."""

WALK_LIMIT = 2_000
"""Steps after which a walk is broken off: some games have no end of their own without a clock."""
WORLD_EVERY = 7
"""Worlds are drawn from a view, by both sides, once in this many positions."""


class Disagreement(VisavisError):
    """The two implementations say different things about one position."""

    def __init__(self, seed: int, step: int, what: str, python: object, native: object) -> None:
        super().__init__(
            f"walk {seed}, step {step}: {what} differs\n  python: {python}\n  native: {native}"
        )


@dataclass(frozen=True, slots=True)
class Walk:
    """One game walked by both sides without a difference."""

    positions: int
    finished: bool


def native_kernel(game: AnyGame) -> Kernel:
    """Return the native kernel of a game under its options, or raise `NoEngine` or `BadOption`."""
    return native(Kernel, game)


def has_kernel(game: AnyGame) -> bool:
    """Whether the game has a native kernel."""
    try:
        native_kernel(game)
    except NoEngine:
        return False
    return True


def awaits_text(game: AnyGame, state: Hashable) -> object:
    """Say what a state awaits in the words of the native module."""
    match game.awaits(state):
        case Decide(seats):
            return [int(seat) for seat in seats], False, None
        case Roll():
            return [], True, None
        case Ended(outcome):
            winner = None if outcome.winner is None else int(outcome.winner)
            return [], False, (winner, outcome.reason, outcome.scores)


def compare_walk(game: AnyGame, kernel: Kernel, seed: int, limit: int = WALK_LIMIT) -> Walk:
    """Walk one random game with both, or raise `Disagreement` at the first difference."""
    rng = random.Random(seed)
    state = game.start()
    steps = kernel.walk(seed, limit)
    for number, step in enumerate(steps):

        def same(what: str, python: object, native: object, number: int = number) -> None:
            if python != native:
                raise Disagreement(seed, number, what, python, native)

        same("position", game.format_position(state), step["position"])
        same("awaits", awaits_text(game, state), step["awaits"])
        for viewer, native_view in zip(VIEWERS, step["views"], strict=True):
            same(f"view of {viewer}", game.format_view(game.view(state, viewer)), native_view)
        for seat in Seat:
            moves = game.legal(state, seat)
            if len(moves) > LISTABLE:
                known = all(game.parse_move(text) in moves for text in step["legal"][seat])
                same(f"legal moves of {seat}", known, True)
            else:
                same(
                    f"legal moves of {seat}",
                    list(map(game.format_move, moves)),
                    step["legal"][seat],
                )
        awaited = game.awaits(state)
        same("faces", list(awaited.faces) if isinstance(awaited, Roll) else [], step["faces"])
        if number % WORLD_EVERY == 0:
            compare_worlds(game, kernel, state, rng, same)
        if not step["action"]:
            break
        if step["actor"] is None:
            state = game.roll(state, step["action"])
        else:
            state = game.apply(state, Seat(step["actor"]), game.parse_move(step["action"]))
    return Walk(len(steps), isinstance(game.awaits(state), Ended))


def compare_worlds(
    game: AnyGame, kernel: Kernel, state: Hashable, rng: random.Random, same: Same
) -> None:
    """Let each side draw a world from each view; the other must see the same view in it."""
    for viewer in VIEWERS:
        view = game.view(state, viewer)
        text = game.format_view(view)
        same("reprinted view", text, kernel.reprint_view(text))
        ours = game.format_position(game.determinize(view, rng))
        same("view of a world drawn in Python", text, kernel.view(ours, viewer))
        theirs = game.parse_position(kernel.determinize(text, rng.getrandbits(63)))
        same("view of a world drawn natively", game.format_view(game.view(theirs, viewer)), text)


def compare(game: AnyGame, seed: int, positions: int) -> Iterator[Walk]:
    """Walk random games, seed after seed, until enough positions have been compared."""
    kernel = native_kernel(game)
    done = 0
    while done < positions:
        walk = compare_walk(game, kernel, seed)
        done += walk.positions
        seed += 1
        yield walk

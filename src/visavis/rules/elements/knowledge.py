"""Who knows what: E6–E8, E13–E15, E22 and E23.

A side as its opponent knows it is made of its king and its tracks alone, so it can't tell more.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Final

from visavis.rules.elements.state import (
    OF_EACH,
    PIECES,
    Attack,
    Element,
    King,
    Play,
    SetUp,
    Side,
    State,
    Track,
    Unsure,
    View,
)
from visavis.rules.protocol import Seat, Viewer

SEALED: Final = (None,) * PIECES
"""A set-up of which it is only known that it is done (E7)."""


# -- Hiding ----------------------------------------------------------------------------------------


def view_of(state: State, viewer: Viewer) -> View:
    """Return what a viewer knows while the game goes on."""
    if isinstance(state, SetUp):
        given = tuple(
            elements if seat is viewer or elements is None else SEALED  # E7
            for seat, elements in zip(Seat, state.given, strict=True)
        )
        return View(viewer, SetUp((given[0], given[1])))
    sides = tuple(
        side if seat is viewer else _public(side.king, side.tracks)
        for seat, side in zip(Seat, state.sides, strict=True)
    )
    pending = state.pending
    if isinstance(pending, Attack) and viewer is not state.mover:
        pending = Attack(pending.origin, pending.target)  # E15
    return View(viewer, Play(state.turn, state.loss, pending, (sides[0], sides[1])))


def _public(king: King, tracks: tuple[Track, ...]) -> Side[Unsure]:
    """Return a side as everybody knows it (E6, E8, E13, E23)."""
    starts = tuple(track.start for track in tracks)
    nows = tuple(track.seen if track.is_open else None for track in tracks)
    return Side(king, tracks, starts, nows)


# -- Guessing --------------------------------------------------------------------------------------


def draw_state(view: View, rng: random.Random) -> State:
    """Draw a state that the viewer can't tell from the true one, each with the same chance."""
    known = view.known
    if isinstance(known, SetUp):
        given = tuple(
            None if elements is None else _draw_starts(elements, {}, rng)
            for elements in known.given
        )
        return SetUp((given[0], given[1]))
    sides = tuple(_draw_side(side, rng) for side in known.sides)
    pending = known.pending
    king = known.sides[known.mover].king
    if isinstance(pending, Attack) and pending.origin == king.cell and pending.element is None:
        pending = replace(pending, element=rng.choice(king.owned))
    return Play(known.turn, known.loss, pending, (sides[0], sides[1]))


def _draw_side(side: Side[Unsure], rng: random.Random) -> Side[Element]:
    never = {i: track.never for i, track in enumerate(side.tracks) if track.never is not None}
    starts = _draw_starts(side.starts, never, rng)
    nows = tuple(
        now if now is not None else rng.choice(possible_nows(track, start))
        for now, track, start in zip(side.nows, side.tracks, starts, strict=True)
    )
    return Side(side.king, side.tracks, starts, nows)


def left_to_guess(starts: tuple[Unsure, ...]) -> Counter[Element]:
    """Return how many of each element are among the unknown ones (E6: three of each in all)."""
    left = Counter(dict.fromkeys(Element, OF_EACH))
    left.subtract(element for element in starts if element is not None)
    return left


def _draw_starts(
    starts: tuple[Unsure, ...], never: dict[int, Element], rng: random.Random
) -> tuple[Element, ...]:
    """Complete a set-up. Shuffling until nothing contradicts ``never`` keeps the chances equal."""
    holes = [i for i, element in enumerate(starts) if element is None]
    guess = list(left_to_guess(starts).elements())
    while True:
        rng.shuffle(guess)
        if all(never.get(i) is not element for i, element in zip(holes, guess, strict=True)):
            break
    filled = iter(guess)
    return tuple(next(filled) if element is None else element for element in starts)


def possible_nows(track: Track, start: Element) -> list[Element]:
    """Return what a hidden piece may be now: each change was to a different element (E13)."""
    before = start if track.seen is None else track.seen
    match track.changes:
        case 0:
            return [before]
        case 1:
            return [element for element in Element if element != before]
    return list(Element)


def can_be(side: Side[Unsure]) -> bool:
    """Whether some set-up fits what is known of a side's starts.

    Each piece excludes at most one element, so only the pieces that may have had an element
    can be too few for it.
    """
    left = left_to_guess(side.starts)
    return all(
        0
        <= left[element]
        <= sum(
            start is None and track.never is not element
            for start, track in zip(side.starts, side.tracks, strict=True)
        )
        for element in Element
    )

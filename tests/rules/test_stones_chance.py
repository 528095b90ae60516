"""Stones: rolls weigh what drawing from a bag would, and knowledge goes no further than looks."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws import driver
from tests.rules.stones_play import A_FOUR, RICH, greedy_walk, played
from visavis.lab.conformance import awaits_text, native_kernel
from visavis.rules import game
from visavis.rules.protocol import Roll, Seat
from visavis.rules.seats import VIEWERS
from visavis.rules.stones import Stones
from visavis.rules.stones.state import Known, Phase, State
from visavis.rules.stones.tokens import BASE_OF, SET_SIZE, TWINS

SQUARE6 = Stones({"field": "square6"})
ANY6 = game("stones", {"field": "square6"})
"""The same, for what works with every game."""


def chance_of(roll: Roll, face: str) -> Fraction:
    return Fraction(dict(roll.faces)[face], sum(weight for _, weight in roll.faces))


def orders(faces: Iterable[str]) -> int:
    """In how many ways tokens drawn one after the other, none twice, can show these sides."""
    tokens = [(face,) if face in BASE_OF else TWINS[face] for face in faces]
    return sum(len(set(drawn)) == len(drawn) for drawn in product(*tokens))


@given(st.randoms(use_true_random=False), st.sampled_from([0, 3, 8]))
@settings(max_examples=200, deadline=None)
def test_the_deal_is_drawing_without_replacement(rng: random.Random, crowded: int) -> None:
    """Of eight tokens with few different base sides, many are twins."""
    state, chance, faces = SQUARE6.start(), Fraction(1), list[str]()
    few = set(rng.sample(list(TWINS), crowded)) if crowded else set(TWINS)
    while state.phase is Phase.DEAL:
        roll = SQUARE6.awaits(state)
        assert isinstance(roll, Roll)
        texts = [text for text, _ in roll.faces]
        faces.append(rng.choice([t for t in texts if BASE_OF.get(t, t) in few] or texts))
        chance *= chance_of(roll, faces[-1])
        state = SQUARE6.roll(state, faces[-1])
    assert chance == Fraction(orders(faces), math.perm(SET_SIZE, len(faces)))


@pytest.mark.parametrize("seed", range(6))
def test_draws_and_looks_are_drawing_without_replacement(seed: int) -> None:
    """Along a game: the chance of all that chance has shown, counted over whole orders of the bag.

    A base side of which nobody has seen the improved side leaves two ways open, whether one or both
    of its tokens are out.
    """
    chance = Fraction(1)
    for step in greedy_walk(SQUARE6, seed):
        state = step.state
        unknown = {token.base for token in state.tokens if not token.known}
        ways = Fraction(2 ** len(unknown), math.perm(SET_SIZE, len(state.tokens)))
        assert chance == ways
        roll = SQUARE6.awaits(state)
        if isinstance(roll, Roll):
            chance *= chance_of(roll, step.action)


def test_the_bag_weighs_what_is_left_of_each_base_side() -> None:
    state = SQUARE6.start()
    for face in ("RRYG", "VVYB", "RGBV", "RGVB", "GGRY", "BBRY", "RGBV", "RYBV"):
        state = SQUARE6.roll(state, face)
    roll = SQUARE6.awaits(state)
    assert isinstance(roll, Roll)
    weights = dict(roll.faces)
    assert sum(weights.values()) == state.in_bag == 52
    assert "RVGB" not in weights  # both are out, improved side up
    assert "RGBV" not in weights  # both are out, base side up
    assert weights["RYBV"] == weights["RGVB"] == 1
    assert weights["YVBG"] == 2
    assert [text for text, _ in roll.faces] == [base for base in TWINS if base in weights]


def test_a_look_at_a_twin_needs_no_roll_and_shows_nothing_to_others() -> None:
    """Second has seen token 10; first looks at it, and its twin is drawn later."""
    state = played(SQUARE6, A_FOUR, "12@D5r3", "(VVYR)")
    assert state.token(10).known is Known.BOTH
    assert SQUARE6.reveals(
        SQUARE6.parse_position(A_FOUR), Seat.FIRST, SQUARE6.parse_move("12@D5r3")
    )
    state = played(SQUARE6, A_FOUR, "12@D5r3", "(VVYR)", "take 3", "keep 12b", "done", "(RVBG)")
    twin = state.tokens[-1]
    assert (twin.improved, twin.known) == ("RRBY", Known.BOTH)
    assert SQUARE6.view(state, None).state.tokens[-1].improved is None
    drawn = played(SQUARE6, A_FOUR, "12@D5r3", "(VVYR)", "take 3", "keep 12b", "done", "(YBVG)")
    assert (drawn.tokens[-1].improved, drawn.tokens[-1].known) == ("BBGR", Known.FIRST)
    assert SQUARE6.view(drawn, Seat.SECOND).state.tokens[-1].improved is None


def secrets(view_state: State) -> set[str]:
    return {token.base for token in view_state.tokens if token.known and token.improved is None}


def test_worlds_are_all_that_a_viewer_can_think_of() -> None:
    """Every way to settle what others have seen is drawn, the true one among them, and no other."""
    rng = random.Random(1)
    looked_at = 0
    for seed, start in enumerate(RICH):
        for step in greedy_walk(SQUARE6, seed, start):
            state = step.state
            for viewer in VIEWERS:
                view = SQUARE6.view(state, viewer)
                hidden = len(secrets(view.state))
                if not 0 < hidden <= 3 or rng.random() < 0.7:
                    continue
                worlds = {SQUARE6.determinize(view, rng) for _ in range(12 * 2**hidden)}
                assert state in worlds
                assert len(worlds) == 2**hidden
                assert all(SQUARE6.view(world, viewer) == view for world in worlds)
                looked_at += 1
    assert looked_at > 10


@pytest.mark.parametrize("seed", range(4))
def test_laws_where_groups_are_many(seed: int) -> None:
    rng = random.Random(seed)
    steps = list(greedy_walk(SQUARE6, seed, RICH[seed % len(RICH)]))
    pool = sorted({step.action for step in steps if step.actor is not None})
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        if step.state.phase in (Phase.DEAL, Phase.DRAW) and rng.random() < 0.8:
            continue
        driver.check_awaits(ANY6, step.state)
        driver.check_texts(ANY6, step)
        driver.check_no_leaks(ANY6, step, pool, rng)
        if after is not None:
            driver.check_takeback_barrier(ANY6, step, after.state, rng)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_seen_stays_seen(seed: int) -> None:
    """Knowledge only grows, and the spectator's is what both players have."""
    before: dict[tuple[Seat | None, int], str] = {}
    for step in greedy_walk(SQUARE6, seed, RICH[seed % len(RICH)]):
        state = step.state
        now = {
            (viewer, number): token.improved
            for viewer in VIEWERS
            for number, token in enumerate(SQUARE6.view(state, viewer).state.tokens, 1)
            if token.improved is not None
        }
        assert before.items() <= now.items()
        for viewer, number in now:
            assert viewer is not None or {(seat, number) for seat in Seat} <= now.keys()
        before = now


@pytest.mark.parametrize("seed", range(8))
def test_the_kernel_agrees_where_groups_are_many(seed: int) -> None:
    """Random games seldom see levels and fives; these do."""
    kernel = native_kernel(ANY6)
    for step in greedy_walk(SQUARE6, seed, RICH[seed % len(RICH)]):
        position = SQUARE6.format_position(step.state)
        assert kernel.awaits(position) == awaits_text(ANY6, step.state)
        awaited = SQUARE6.awaits(step.state)
        assert kernel.faces(position) == (list(awaited.faces) if isinstance(awaited, Roll) else [])
        for seat in Seat:
            legal = [SQUARE6.format_move(move) for move in SQUARE6.legal(step.state, seat)]
            assert kernel.legal(position, seat) == legal
        for viewer in VIEWERS:
            view = SQUARE6.format_view(SQUARE6.view(step.state, viewer))
            assert kernel.view(position, viewer) == view
        if step.actor is not None:
            after = kernel.apply(position, step.actor, step.action)
            move = SQUARE6.parse_move(step.action)
            assert after == SQUARE6.format_position(SQUARE6.apply(step.state, step.actor, move))
        elif step.action:
            after = kernel.roll(position, step.action)
            assert after == SQUARE6.format_position(SQUARE6.roll(step.state, step.action))


def test_games_of_that_kind_see_everything() -> None:
    """The walks above are worth something: every phase, private looks of each and of both."""
    walks = [greedy_walk(SQUARE6, seed, RICH[seed % len(RICH)]) for seed in range(10)]
    states = [step.state for walk in walks for step in walk]
    assert {state.phase for state in states} == set(Phase)
    known = {token.known for state in states for token in state.tokens}
    assert {Known.NOBODY, Known.FIRST, Known.SECOND, Known.ALL} <= known

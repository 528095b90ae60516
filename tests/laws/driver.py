"""The laws that every game obeys, phrased as functions that raise AssertionError.

A game gets them all by being registered. Option sets worth testing beside the defaults are listed
in `vectors/GAME/options.json`, if there is such a file.
"""

from __future__ import annotations

import json
import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from visavis.rules import games
from visavis.rules.errors import IllegalMove, NotYourTurn, RulesError
from visavis.rules.protocol import LISTABLE, AnyGame, Decide, Ended, Options, Roll, Seat, Viewer
from visavis.rules.seats import VIEWERS

VECTORS = Path(__file__).parents[2] / "vectors"
FORBIDDEN = set(";{}#\n\r\t")
WORLDS = 3
"""Worlds drawn from each view at each state looked at."""
MOVES_TRIED = 12
"""Legal moves tried at each state looked at; all of them if there are no more."""


def option_sets(slug: str) -> list[Options]:
    """The defaults, and the sets of options that the game's vectors name."""
    file = VECTORS / slug / "options.json"
    return [{}, *(json.loads(file.read_text()) if file.exists() else [])]


def all_games() -> list[tuple[str, Options]]:
    return [(slug, options) for slug in games() for options in option_sets(slug)]


@dataclass(frozen=True)
class Step:
    """A state on a random walk, and what was done in it: (None: chance)."""

    state: Hashable
    actor: Seat | None
    action: str


def draw_face(roll: Roll, rng: random.Random) -> str:
    faces, weights = zip(*roll.faces, strict=True)
    return str(rng.choices(faces, weights)[0])


def walk(game: AnyGame, rng: random.Random, limit: int) -> Iterator[Step]:
    """A random game: each state with what is done in it; the last state has no action."""
    state = game.start()
    for _ in range(limit):
        match game.awaits(state):
            case Ended():
                break
            case Roll() as roll:
                face = draw_face(roll, rng)
                yield Step(state, None, face)
                state = game.roll(state, face)
            case Decide(seats):
                seat = rng.choice(seats)
                move = rng.choice(game.legal(state, seat))
                yield Step(state, seat, game.format_move(move))
                state = game.apply(state, seat, move)
    yield Step(state, None, "")


def some(moves: object, rng: random.Random) -> list[Hashable]:
    """All of a few moves, or some of many."""
    if len(moves) <= MOVES_TRIED:  # type: ignore[arg-type]
        return list(moves)  # type: ignore[call-overload,no-any-return]
    return [rng.choice(moves) for _ in range(MOVES_TRIED)]  # type: ignore[arg-type]


def check_awaits(game: AnyGame, state: Hashable) -> None:
    """Who is awaited has legal moves, nobody else has; a roll has distinct faces of some weight."""
    awaited = game.awaits(state)
    for seat in Seat:
        assert bool(len(game.legal(state, seat))) == (seat in game.awaited(state))
    if isinstance(awaited, Decide):
        assert awaited.seats
        assert list(awaited.seats) == sorted(set(awaited.seats))
    if isinstance(awaited, Roll):
        texts = [text for text, _ in awaited.faces]
        assert texts
        assert len(set(texts)) == len(texts)
        assert all(weight > 0 for _, weight in awaited.faces)


def check_moves(game: AnyGame, state: Hashable, pool: list[str], rng: random.Random) -> None:
    """Legal moves apply; other moves are refused, or are fouls that lose, and nothing changes."""
    before = game.format_position(state)
    for seat in Seat:
        moves = game.legal(state, seat)
        if len(moves) <= LISTABLE:
            assert len(set(moves)) == len(moves)
        for move in some(moves, rng):
            assert move in moves
            after = game.apply(state, seat, move)
            assert game.turn(after) >= game.turn(state)
        for text in rng.sample(pool, min(len(pool), MOVES_TRIED)):
            move = game.parse_move(text)
            if move not in moves:
                check_refusal(game, state, seat, move)
    assert game.format_position(state) == before


def check_refusal(game: AnyGame, state: Hashable, seat: Seat, move: Hashable) -> None:
    """A move that is not legal is refused with the right error, or is a foul that loses."""
    try:
        after = game.apply(state, seat, move)
    except NotYourTurn:
        assert seat not in game.awaited(state)
    except IllegalMove as error:
        assert seat in game.awaited(state)
        assert error.text == game.format_move(move)
    else:
        outcome = game.outcome(after)
        assert outcome is not None
        assert outcome.winner is seat.other
        assert outcome.reason == "foul"


def check_texts(game: AnyGame, step: Step) -> None:
    """Positions, views and moves come back from their texts, which keep to one clean line."""
    state = step.state
    position = game.format_position(state)
    assert not FORBIDDEN & set(position)
    assert game.parse_position(position) == state
    assert hash(game.parse_position(position)) == hash(state)
    for viewer in VIEWERS:
        view = game.view(state, viewer)
        text = game.format_view(view)
        assert not FORBIDDEN & set(text)
        assert game.parse_view(text) == view
        assert game.format_view(game.parse_view(text)) == text
    assert not FORBIDDEN & set(step.action)
    if step.actor is not None:
        assert game.format_move(game.parse_move(step.action)) == step.action


def check_openness(game: AnyGame, step: Step) -> None:
    """Where nothing is said to be hidden, everybody sees the same, and all of it."""
    if game.hidden:
        return
    state = step.state
    assert len({game.view(state, viewer) for viewer in VIEWERS}) == 1
    for viewer in VIEWERS if step.action else ():
        if step.actor is None:
            assert game.observe_roll(state, step.action, viewer) == step.action
        else:
            move = game.parse_move(step.action)
            assert game.observe(state, step.actor, move, viewer) == step.action


def refusal_of(game: AnyGame, state: Hashable, seat: Seat, move: Hashable) -> str:
    """The message of a refused move, or "" if it is not refused."""
    try:
        game.apply(state, seat, move)
    except RulesError as error:
        return str(error)
    return ""


def check_no_leaks(game: AnyGame, step: Step, pool: list[str], rng: random.Random) -> None:
    """What a seat can't know makes no difference to anything it is shown."""
    state = step.state
    for seat in Seat:
        view = game.view(state, seat)
        for _ in range(WORLDS):
            world = game.determinize(view, rng)
            assert game.parse_position(game.format_position(world)) == world
            check_same_to(game, seat, state, world, pool, rng)
            spectator = game.format_view(game.view(state, None))
            assert game.format_view(game.view(world, None)) == spectator


def check_same_to(
    game: AnyGame, seat: Seat, state: Hashable, world: Hashable, pool: list[str], rng: random.Random
) -> None:
    """Two states look the same to a seat: its view, moves, refusals, and what it may see next."""
    assert game.format_view(game.view(world, seat)) == game.format_view(game.view(state, seat))
    assert game.awaited(world) == game.awaited(state)
    assert isinstance(game.awaits(world), Roll) == isinstance(game.awaits(state), Roll)
    assert game.turn(world) == game.turn(state)
    moves, same = game.legal(state, seat), game.legal(world, seat)
    assert len(moves) == len(same)
    if len(moves) <= LISTABLE:
        assert list(moves) == list(same)
    for text in rng.sample(pool, min(len(pool), 4)):
        move = game.parse_move(text)
        assert refusal_of(game, state, seat, move) == refusal_of(game, world, seat, move)
    assert observations(game, state, seat) == observations(game, world, seat)


def observations(game: AnyGame, state: Hashable, viewer: Seat) -> set[str]:
    """All that a viewer might see the other seat do next."""
    moves = game.legal(state, viewer.other)
    if len(moves) > LISTABLE:
        moves = [moves[0], moves[len(moves) // 2], moves[len(moves) - 1]]
    return {game.observe(state, viewer.other, move, viewer) for move in moves}


def check_sights(game: AnyGame, state: Hashable, rng: random.Random) -> None:
    """What happens is told in the same words wherever the viewer can't see the difference."""
    if isinstance(roll := game.awaits(state), Roll):
        for viewer in VIEWERS:
            faces = [face for face, _ in roll.faces]
            told = [(game.roll(state, f), game.observe_roll(state, f, viewer)) for f in faces]
            check_same_words(game, viewer, told)
    for seat in game.awaited(state):
        moves = some(game.legal(state, seat), rng)
        for viewer in (seat.other, None):
            told = [words_of(game, state, seat, move, viewer) for move in moves]
            check_same_words(game, viewer, told)


def words_of(
    game: AnyGame, state: Hashable, seat: Seat, move: Hashable, viewer: Viewer
) -> tuple[Hashable, str]:
    """The state after a move, and how the move is told to a viewer."""
    after = game.apply(state, seat, move)
    waits = isinstance(game.awaits(after), Roll)
    remark = "" if waits else game.remark(state, seat, move, after)
    return after, f"{game.observe(state, seat, move, viewer)} {remark}"


def check_same_words(game: AnyGame, viewer: Viewer, told: list[tuple[Hashable, str]]) -> None:
    """States that differ, but not to the viewer, were told to the viewer in the same words."""
    for (one, words), (other, other_words) in combinations(told, 2):
        if one != other and game.view(one, viewer) == game.view(other, viewer):
            assert words == other_words


def check_takeback_barrier(game: AnyGame, step: Step, after: Hashable, rng: random.Random) -> None:
    """A move that reveals nothing leaves every world that was possible before possible."""
    if step.actor is None or not step.action:
        return
    move = game.parse_move(step.action)
    if game.reveals(step.state, step.actor, move):
        return
    viewer = step.actor.other
    world = game.determinize(game.view(step.state, viewer), rng)
    seen = game.observe(step.state, step.actor, move, viewer)
    assert any(
        game.view(game.apply(world, step.actor, other), viewer) == game.view(after, viewer)
        for other in game.legal(world, step.actor)
        if game.observe(world, step.actor, other, viewer) == seen
    )


def check_game(game: AnyGame, seed: int, limit: int = 400, looks: int = 12) -> None:
    """All laws, at some states of one random game."""
    rng = random.Random(seed)
    steps = list(walk(game, rng, limit))
    pool = sorted({step.action for step in steps if step.actor is not None})
    looked_at = {0, len(steps) - 1, *(rng.randrange(len(steps)) for _ in range(looks))}
    for index in sorted(looked_at):
        step = steps[index]
        check_awaits(game, step.state)
        check_texts(game, step)
        check_openness(game, step)
        check_moves(game, step.state, pool, rng)
        check_no_leaks(game, step, pool, rng)
        check_sights(game, step.state, rng)
        if index + 1 < len(steps):
            check_takeback_barrier(game, step, steps[index + 1].state, rng)

"""The native engine as a whole: what it promises about limits, stopping and honesty."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path

import pytest

from visavis.engine.native import LEVELS, Engine, Limits, Stop, Thought
from visavis.lab.arena import untimed
from visavis.rules import game_type
from visavis.rules.errors import NotASeat, NotAView, NotYourTurn
from visavis.rules.protocol import AnyGame, Decide, Ended, Roll, Seat

VECTORS = Path(__file__).parents[2] / "vectors"
FIELDS = ("meadow", "river", "random:plenty:40x40:1")
GAMES = [("osakana", {}), ("dande", {}), *(("fortress", {"scenario": name}) for name in FIELDS)]
IDS = ["osakana", "dande", "meadow", "river", "large"]
PATIENCE = 20
"""Seconds after which something that should have stopped at once has not stopped."""


def make(slug: str, options: dict[str, str]) -> AnyGame:
    kind = game_type(slug)
    return kind(untimed(kind, options))


def positions(game: AnyGame, count: int, deepest: int = 30) -> list[tuple[Seat, str]]:
    """Views of seats that must decide, from random games."""
    rng = random.Random(5)
    views: list[tuple[Seat, str]] = []
    while len(views) < count:
        state, left = game.start(), rng.randrange(deepest)
        while not isinstance(awaited := game.awaits(state), Ended):
            if isinstance(awaited, Roll):
                state = game.roll(state, rng.choice(awaited.faces)[0])
                continue
            assert isinstance(awaited, Decide)
            (seat,) = awaited.seats
            if left <= 0:
                views.append((seat, game.format_view(game.view(state, seat))))
                break
            state = game.apply(state, seat, rng.choice(game.legal(state, seat)))
            left -= 1
    return views


@pytest.fixture(params=GAMES, ids=IDS)
def game(request: pytest.FixtureRequest) -> AnyGame:
    slug, options = request.param
    return make(slug, options)


def test_same_view_seed_and_nodes_give_the_same_thought(game: AnyGame) -> None:
    engine, other = Engine(game), Engine(game)
    for seat, view in positions(game, 3):
        limits = Limits(nodes=2_000, seed=7)
        thought = engine.think(view, seat, limits)
        engine.think(view, seat, Limits(nodes=500, seed=8))
        assert engine.think(view, seat, limits) == thought
        assert other.think(view, seat, limits) == thought


def test_levels_are_deterministic_and_legal(game: AnyGame) -> None:
    engine = Engine(game)
    for seat, view in positions(game, 2):
        legal = game.legal(game.determinize(game.parse_view(view), random.Random(1)), seat)
        for level in (1, 3, 5):
            first = engine.think(view, seat, Limits(nodes=1_000, seed=3), style=str(level))
            again = engine.think(view, seat, Limits(nodes=1_000, seed=3), style=str(level))
            assert first == again
            assert game.parse_move(first.best) in legal


def test_weak_levels_vary_with_the_seed() -> None:
    game = make("osakana", {})
    engine = Engine(game)
    view = game.format_view(game.view(game.start(), Seat.FIRST))
    chosen = {
        engine.think(view, Seat.FIRST, Limits(seed=seed), style="1").best for seed in range(30)
    }
    assert len(chosen) > 1


def test_nodes_are_not_exceeded(game: AnyGame) -> None:
    engine = Engine(game)
    for nodes in (1, 100, 3_000):
        for seat, view in positions(game, 2):
            assert engine.think(view, seat, Limits(nodes=nodes)).nodes <= nodes


def test_depth_is_not_exceeded(game: AnyGame) -> None:
    engine = Engine(game)
    for seat, view in positions(game, 2):
        assert engine.think(view, seat, Limits(depth=2, nodes=20_000)).depth <= 2


def test_every_line_is_a_line(game: AnyGame) -> None:
    """Several lines begin with different moves, come best first, and can be played."""
    engine = Engine(game)
    for seat, view in positions(game, 3):
        thought = engine.think(view, seat, Limits(nodes=5_000, lines=4))
        assert len({line.moves[0] for line in thought.lines}) == len(thought.lines)
        scores = [line.score for line in thought.lines]
        assert scores == sorted(scores, reverse=True)
        for line in thought.lines:
            state = game.determinize(game.parse_view(view), random.Random(1))
            for text in line.moves:
                awaited = game.awaits(state)
                if not isinstance(awaited, Decide):
                    break
                state = game.apply(state, awaited.seats[0], game.parse_move(text))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_without_limits_ends_when_stopped(game: AnyGame, threads: int) -> None:
    """Meanwhile this thread runs: the search does not hold the interpreter."""
    engine, stop = Engine(game), Stop()
    seat, view = positions(game, 1)[0]
    thoughts: list[Thought] = []
    limits = Limits(threads=threads)
    search = threading.Thread(
        target=lambda: thoughts.append(engine.think(view, seat, limits, stop=stop))
    )
    search.start()
    turns = 0
    deadline = time.monotonic() + 0.1
    while time.monotonic() < deadline:
        turns += 1
    assert turns > 100
    stop.set()
    search.join(PATIENCE)
    assert not search.is_alive()
    assert thoughts


def test_a_search_stopped_before_it_starts_still_answers(game: AnyGame) -> None:
    stop = Stop()
    stop.set()
    seat, view = positions(game, 1)[0]
    thought = Engine(game).think(view, seat, Limits(), stop=stop)
    legal = game.legal(game.determinize(game.parse_view(view), random.Random(1)), seat)
    assert game.parse_move(thought.best) in legal
    assert 0 < thought.lines[0].score < 1, "nothing is lost before anything is looked at"


def test_news_come_on_the_way_and_an_error_in_them_is_raised() -> None:
    game = make("osakana", {})
    view = game.format_view(game.view(game.start(), Seat.FIRST))
    news: list[Thought] = []
    last = Engine(game).think(view, Seat.FIRST, Limits(depth=5), found=news.append)
    assert [thought.depth for thought in news] == [1, 2, 3, 4, 5]
    assert news[-1].best == last.best

    def fail(_: Thought) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Engine(game).think(view, Seat.FIRST, Limits(), found=fail)


def test_nonsense_is_refused(game: AnyGame) -> None:
    engine = Engine(game)
    seat, view = positions(game, 1)[0]
    with pytest.raises(NotAView):
        engine.think("nonsense", seat, Limits(nodes=1))
    with pytest.raises(NotYourTurn):
        engine.think(view, seat.other, Limits(nodes=1))
    for style in (str(LEVELS + 1), "+3", "03", " 3", "٣"):
        with pytest.raises(ValueError, match="style"):
            engine.think(view, seat, Limits(nodes=1), style=style)


def test_a_seat_may_be_a_plain_number(game: AnyGame) -> None:
    engine = Engine(game)
    seat, view = positions(game, 1)[0]
    limits = Limits(nodes=50, seed=1)
    by_number = Engine(game).think(view, int(seat), limits)  # type: ignore[arg-type]
    assert by_number == engine.think(view, seat, limits)
    for wrong in (2, -1, True, None, "first"):
        with pytest.raises(NotASeat):
            engine.think(view, wrong, limits)  # type: ignore[arg-type]


def test_mates_in_golden_positions_are_right_whenever_claimed() -> None:
    """A win by reaching takes one ply more here than in the solvers' convention."""
    game = make("osakana", {})
    engine = Engine(game, table_mib=4)
    lines = (VECTORS / "osakana" / "positions.jsonl").read_text(encoding="utf-8").splitlines()
    claims = 0
    for text in lines[::4]:
        golden = json.loads(text)
        seat = Seat.FIRST if golden["position"].split()[1] == "b" else Seat.SECOND
        engine.forget()
        mate = engine.think(golden["position"], seat, Limits(nodes=4_000)).lines[0].mate
        if mate is not None:
            claims += 1
            assert golden["value"] == ("win" if mate > 0 else "loss"), text
            assert abs(mate) - golden["distance"] in (0, 1), text
    assert claims > 50

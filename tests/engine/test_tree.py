"""Tree search from Python: limits, stopping, news on the way, lines, threads."""

from __future__ import annotations

from itertools import pairwise

import pytest

from visavis.engine.native import Engine, Limits, Stop, Thought
from visavis.rules import game
from visavis.rules.protocol import AnyGame, Seat

SETUPS = ("FFFMMMWWWEEEAAA", "AFWFMEMWAWEFEAM")


def elements_view() -> tuple[AnyGame, str]:
    rules = game("elements")
    state = rules.start()
    for seat, text in zip(Seat, SETUPS, strict=True):
        state = rules.apply(state, seat, rules.parse_move(text))
    return rules, rules.format_view(rules.view(state, Seat.FIRST))


def test_the_node_limit_is_kept() -> None:
    rules, view = elements_view()
    for nodes in (2, 37, 1000):
        assert Engine(rules).think(view, Seat.FIRST, Limits(nodes=nodes)).nodes == nodes


def test_two_threads_share_the_nodes() -> None:
    rules, view = elements_view()
    thought = Engine(rules).think(view, Seat.FIRST, Limits(nodes=1000, threads=2))
    assert thought.nodes == 1000


@pytest.mark.parametrize("style", ["full", "mcts"])
def test_it_stops_when_told(style: str) -> None:
    rules, view = elements_view()
    stop = Stop()
    thought = Engine(rules).think(
        view, Seat.FIRST, Limits(), style=style, stop=stop, found=lambda _: stop.set()
    )
    assert thought.best


def test_there_is_news_on_the_way() -> None:
    rules, view = elements_view()
    news: list[Thought] = []
    last = Engine(rules).think(view, Seat.FIRST, Limits(millis=600), found=news.append)
    assert news
    nodes = [thought.nodes for thought in (*news, last)]
    assert all(before <= after for before, after in pairwise(nodes))
    assert all(thought.best for thought in news)


def test_several_lines_are_told_most_looked_at_first() -> None:
    rules, view = elements_view()
    lines = Engine(rules).think(view, Seat.FIRST, Limits(nodes=2000, lines=4)).lines
    assert len({line.moves[0] for line in lines}) == 4
    assert [line.share for line in lines] == sorted((line.share for line in lines), reverse=True)
    assert all(0 <= line.score <= 1 for line in lines)

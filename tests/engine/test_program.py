"""The engine protocol, the engine's side."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.engine.native import Limits
from visavis.engine.program import Program, format_game, parse_game
from visavis.engine.wire import Go, format_go, parse_go
from visavis.rules import game, games
from visavis.rules.protocol import Seat

START = "3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3 1 0 b3:?,c5:? -"


def talk(*lines: str) -> list[str]:
    said: list[str] = []
    Program(said.append).run(lines)
    return said


def test_a_conversation() -> None:
    said = talk("visavis", 'game dande clock="off"', f"view first {START}", "isready", "go depth 2")
    assert said[0].startswith("id name Visavis")
    assert said.count("ok") == 2
    assert "readyok" in said
    assert said[-1].startswith("bestmove ")
    assert any(line.startswith("info line 1 depth 2 ") for line in said)


def test_stop_answers_at_once() -> None:
    said = talk('game dande clock="off"', f"view first {START}", "go", "stop", "isready")
    assert said[-2].startswith("bestmove ")
    assert said[-1] == "readyok"


@pytest.mark.parametrize("level", ["1", "8"])
def test_without_a_seed_a_secret_choice_is_nobodys_to_work_out(level: str) -> None:
    """A set-up that followed from the view alone would be known to whoever has the program."""
    rules = game("elements")
    view = rules.format_view(rules.view(rules.start(), Seat.FIRST))

    def choices(go: str) -> set[str]:
        return {talk(format_game(rules), f"view first {view}", go)[-1] for _ in range(3)}

    assert len(choices(f"go style {level}")) == 3
    assert len(choices(f"go style {level} seed 0")) == 3
    assert len(choices(f"go style {level} seed 7")) == 1


def test_the_end_of_input_ends_a_search_that_nothing_else_would() -> None:
    for style in ("full", "mcts"):
        said = talk('game dande clock="off"', f"view first {START}", f"go style {style}")
        assert said[-1].startswith("bestmove ")


def test_a_host_that_stops_listening_is_no_failure_of_a_thread() -> None:
    def say(line: str) -> None:
        if line.startswith("info"):
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Program(say).run(['game dande clock="off"', f"view first {START}", "go depth 2"])


def test_a_bad_game_leaves_a_search_alone() -> None:
    told = threading.Event()
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("info line 1 depth 3 "):
            told.set()

    def lines() -> Iterator[str]:
        yield 'game dande clock="off"'
        yield f"view first {START}"
        yield "go"
        yield "game chess"
        assert told.wait(60)
        yield "stop"

    Program(say).run(lines())
    assert said[-1].startswith("bestmove ")
    assert any(line.startswith("error ") for line in said)


def test_the_next_order_may_come_with_the_answer() -> None:
    said: list[str] = []
    answered, ordered = threading.Event(), threading.Event()

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("bestmove"):
            answered.set()
            # The search that answered is still here when the next order is heard.
            assert ordered.wait(60)

    def lines() -> Iterator[str]:
        yield 'game dande clock="off"'
        yield f"view first {START}"
        yield "go depth 1"
        assert answered.wait(60)
        yield "go depth 1"
        ordered.set()

    Program(say).run(lines())
    assert len([line for line in said if line.startswith("bestmove")]) == 2
    assert not [line for line in said if line.startswith("error")]


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "go",
        "go nodes",
        "go nodes -1",
        "go nodes ²",
        "go threads 257",
        "go depth 999999999999999999",
        "go speed 5",
        "game chess",
        "game dande clock=off",
        'game dande clock="sometimes"',
        "view third x",
        "view",
    ],
)
def test_nonsense_is_an_error_line(line: str) -> None:
    (said,) = talk(line)
    assert said.startswith("error ")
    assert "\n" not in said


def test_a_view_that_is_none_is_an_error() -> None:
    said = talk('game dande clock="off"', "view first nonsense", "go depth 1")
    assert said[-1].startswith("error ")


@settings(max_examples=200)
@given(st.text())
def test_any_line_is_answered_in_kind(line: str) -> None:
    assert all(
        said.startswith(("error ", "ok", "id", "protocol", "games", "styles", "readyok"))
        for said in talk(line)
    )


@given(
    nodes=st.none() | st.integers(0, 10**12),
    millis=st.none() | st.integers(0, 10**9),
    lines=st.integers(1, 50),
    style=st.sampled_from(["full", "mcts", "3"]),
)
def test_go_round_trips(nodes: int | None, millis: int | None, lines: int, style: str) -> None:
    go = Go(Limits(nodes=nodes, millis=millis, lines=lines), style)
    assert parse_go(format_go(go)) == go


@pytest.mark.parametrize("slug", games())
def test_game_line_round_trips(slug: str) -> None:
    chosen = game(slug)
    again = parse_game(format_game(chosen).removeprefix("game "))
    assert (again.slug, again.options) == (chosen.slug, chosen.options)

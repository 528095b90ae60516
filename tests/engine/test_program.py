"""The engine protocol, both sides."""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.engine.native import Limits
from visavis.engine.outside import EngineCrashed, EngineTimedOut, OutsideEngine
from visavis.engine.players import parse_player
from visavis.engine.program import Program, format_game, parse_game
from visavis.engine.wire import Go, format_go, parse_go
from visavis.lab.arena import Pairing, open_player, play_game, play_match
from visavis.rules import game, games
from visavis.rules.protocol import Seat

ROOT = Path(__file__).parents[2]
BOT = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'examples' / 'bot.py'))}"
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


def test_the_example_bot_plays_a_game() -> None:
    players = parse_player(BOT), parse_player("random")
    pairing = Pairing("dande", (("clock", "off"), ("ply_limit", "40")), players, seed=1)
    opened = players[0].open(pairing.game()), players[1].open(pairing.game())
    try:
        played = play_game(pairing, opened, 0)
    finally:
        opened[0].close()
    assert played.reason in {"ply_limit", "no_moves"}


def program(source: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(source)}"


POLITE = (
    "import sys\n"
    "for line in sys.stdin:\n"
    "    word = line.split()[0]\n"
    "    if word in ('visavis', 'game'): print('ok', flush=True)\n"
    "    if word == 'go': {go}\n"
)


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        ("sys.exit(3)", "engine_crashed"),
        ("print('bestmove a1-h8', flush=True)", "engine_illegal"),
        ("print('bestmove garbage', flush=True)", "engine_illegal"),
        ("print('error no idea', flush=True)", "engine_crashed"),
    ],
)
def test_a_failing_engine_loses_with_its_reason(go: str, reason: str) -> None:
    bad = parse_player("cmd:" + program(POLITE.format(go=go)))
    pairing = Pairing("dande", (("clock", "off"),), (bad, parse_player("random")), seed=1)
    opened = bad.open(pairing.game()), parse_player("random").open(pairing.game())
    try:
        played = play_game(pairing, opened, 0)
    finally:
        opened[0].close()
    assert (played.score, played.reason) == (0, reason)


def test_a_program_that_is_gone_loses_in_the_middle_of_a_match() -> None:
    players = parse_player("cmd:no-such-program-anywhere"), parse_player("random")
    pairing = Pairing("dande", (("clock", "off"),), players, seed=1)
    absent, other = (open_player(spec, pairing.game()) for spec in players)
    assert play_game(pairing, (absent, other), 0).reason == "engine_crashed"
    with pytest.raises(EngineCrashed):
        next(play_match(pairing, games=1, jobs=1))


def test_programs_that_do_not_start_or_answer() -> None:
    with pytest.raises(EngineCrashed):
        OutsideEngine("no-such-program-anywhere", game("osakana"))
    silent = OutsideEngine(program(POLITE.format(go="pass")), game("osakana"))
    try:
        with pytest.raises(EngineTimedOut):
            silent.choose("kmt/1i1/1I1/TMK b -", Seat.FIRST, None, Go(Limits()), -0.9)
    finally:
        silent.close()

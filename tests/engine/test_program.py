"""The engine protocol, both sides."""

from __future__ import annotations

import os
import select
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.engine import outside
from visavis.engine.native import Limits
from visavis.engine.outside import EngineCrashed, EngineTimedOut, OutsideEngine
from visavis.engine.players import parse_player
from visavis.engine.program import Program, format_game, parse_game
from visavis.engine.wire import Go, format_go, parse_go
from visavis.lab.arena import Pairing, open_player, play_game, play_match, untimed
from visavis.rules import game, game_type, games
from visavis.rules.protocol import Seat
from visavis.session import Record, check

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


@pytest.mark.parametrize("slug", games())
def test_the_example_bot_plays_every_game(slug: str) -> None:
    players = parse_player(BOT), parse_player("random")
    pairing = Pairing(slug, tuple(untimed(game_type(slug), {}).items()), players, seed=1)
    opened = players[0].open(pairing.game()), players[1].open(pairing.game())
    try:
        played = play_game(pairing, opened, 0)
    finally:
        opened[0].close()
    assert not played.reason.startswith("engine_")


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
    record = Record.parse(played.record)
    check(record)
    assert (record.reason, record.below) == ("resigned", (reason,))


def test_a_program_that_is_gone_loses_in_the_middle_of_a_match() -> None:
    players = parse_player("cmd:no-such-program-anywhere"), parse_player("random")
    pairing = Pairing("dande", (("clock", "off"),), players, seed=1)
    absent, other = (open_player(spec, pairing.game()) for spec in players)
    assert play_game(pairing, (absent, other), 0).reason == "engine_crashed"
    with pytest.raises(EngineCrashed):
        next(play_match(pairing, games=1, jobs=1))


STUBBORN = (
    "import signal, sys\n"
    "alive, moves = open({pipe!r}, 'w'), []\n"
    "for line in sys.stdin:\n"
    "    word, _, rest = line.strip().partition(' ')\n"
    "    if word == 'moves': moves = rest.split('; ')\n"
    "    if word in {answers}: print('ok', flush=True)\n"
    "    if word == 'go':\n"
    "        print('x', file=alive, flush=True)\n"
    "        print('bestmove', moves[0], flush=True)\n"
    "while True: signal.pause()\n"
)
"""Ends neither when told to nor with its input; holds a pipe open as long as it lives."""


class Pulse:
    """The other end of the pipe that stubborn programs hold open."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self.end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def program(self, *answers: str) -> str:
        return program(STUBBORN.format(pipe=str(self.path), answers=answers))

    def feels(self, event: int) -> bool:
        """Whether an event comes: POLLIN, a program is asked; POLLHUP, all have ended."""
        poll = select.poll()
        poll.register(self.end, event)
        deadline = time.monotonic() + 60
        while not (felt := any(seen & event for _, seen in poll.poll(100))):
            if time.monotonic() > deadline:
                break
        return felt


@pytest.fixture
def pulse(tmp_path: Path) -> Iterator[Pulse]:
    felt = Pulse(tmp_path / "pulse")
    yield felt
    os.close(felt.end)


def test_a_program_that_hangs_at_the_start_is_ended(
    pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "START_SECONDS", 1.0)
    monkeypatch.setattr(outside, "QUIT_SECONDS", 0.01)
    with pytest.raises(EngineTimedOut):
        OutsideEngine(pulse.program("visavis"), game("dande"))
    assert pulse.feels(select.POLLHUP)


def test_no_program_outlives_its_match(pulse: Pulse) -> None:
    players = parse_player("cmd:" + pulse.program("visavis", "game")), parse_player("random")
    pairing = Pairing("dande", (("clock", "off"), ("ply_limit", "10")), players, seed=1)
    assert [played.reason for played in play_match(pairing, games=2, jobs=1)] == 2 * ["ply_limit"]
    assert pulse.feels(select.POLLHUP)


def test_workers_and_programs_end_with_a_match_that_is_killed(pulse: Pulse) -> None:
    command = ["match", "random", "cmd:" + pulse.program("visavis", "game")]
    match = subprocess.Popen(
        [sys.executable, "-m", "visavis", *command, "--game", "dande", "--games", "1000"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert pulse.feels(select.POLLIN)
    match.kill()
    match.wait()
    os.read(pulse.end, 65_536)
    assert pulse.feels(select.POLLHUP)


def test_programs_that_do_not_start_or_answer() -> None:
    with pytest.raises(EngineCrashed):
        OutsideEngine("no-such-program-anywhere", game("osakana"))
    silent = OutsideEngine(program(POLITE.format(go="pass")), game("osakana"))
    try:
        with pytest.raises(EngineTimedOut):
            silent.choose("kmt/1i1/1I1/TMK b -", Seat.FIRST, None, Go(Limits()), -0.9)
    finally:
        silent.close()

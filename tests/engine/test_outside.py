"""Outside engines, as their host sees them."""

from __future__ import annotations

import os
import select
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.programs import POLITE, Pulse, program
from visavis.engine import outside
from visavis.engine.native import Limits
from visavis.engine.outside import EngineCrashed, EngineTimedOut, OutsideEngine
from visavis.engine.players import parse_player
from visavis.engine.wire import Go
from visavis.lab.arena import Pairing, open_player, play_game, play_match, untimed
from visavis.rules import game, game_type, games
from visavis.rules.protocol import Seat
from visavis.session import Record, check

ROOT = Path(__file__).parents[2]
BOT = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'examples' / 'bot.py'))}"
DANDE = (("clock", "off"), ("ply_limit", "10"))


@pytest.fixture
def pulse(tmp_path: Path) -> Iterator[Pulse]:
    felt = Pulse(tmp_path / "pulse")
    yield felt
    os.close(felt.end)


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
    assert (record.reason, record.below[0]) == ("resigned", reason)


def test_a_program_that_is_gone_loses_in_the_middle_of_a_match() -> None:
    players = parse_player("cmd:no-such-program-anywhere"), parse_player("random")
    pairing = Pairing("dande", (("clock", "off"),), players, seed=1)
    absent, other = (open_player(spec, pairing.game()) for spec in players)
    assert play_game(pairing, (absent, other), 0).reason == "engine_crashed"
    with pytest.raises(EngineCrashed):
        next(play_match(pairing, games=1, jobs=1))


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


DIARY = """
import sys
diary, moves = open({path!r}, "a", buffering=1), []
print("started", file=diary)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("game", "new", "quit"): print(word, file=diary)
    if word in ("visavis", "game"): print("ok", flush=True)
    if word == "moves": moves = rest.split("; ")
    if word == "go": print("bestmove", moves[0], flush=True)
    if word == "quit": break
"""
"""Keeps a diary of what it is told."""


def test_a_program_lives_for_a_match_and_is_told_of_each_new_game(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    players = parse_player("cmd:" + program(DIARY.format(path=str(diary)))), parse_player("random")
    pairing = Pairing("dande", DANDE, players, seed=1)
    assert len(list(play_match(pairing, games=3, jobs=1))) == 3
    trial, match = ["started", "game", "quit"], ["started", "game", "new", "new", "new", "quit"]
    assert diary.read_text().split() == trial + match


CONFUSED = """
import sys
for number in range(100): print("earlier", number, file=sys.stderr)
print("x" * 1000, file=sys.stderr)
print("\\x1b[31mred\\a", file=sys.stderr)
raise SystemExit("no idea")
"""


def test_the_last_words_of_a_program_are_kept() -> None:
    go = f"exec({CONFUSED!r})"
    bad = parse_player("cmd:" + program(POLITE.format(go=go)))
    pairing = Pairing("dande", DANDE, (bad, parse_player("random")), seed=1)
    (played,) = play_match(pairing, games=1, jobs=1)
    assert played.reason == "engine_crashed"
    assert "has ended with exit status 1; its last words: " in played.failure
    assert played.failure.endswith("|  [31mred  | no idea")
    assert "\x1b" not in played.failure
    reason, *words = Record.parse(played.record).below
    assert (reason, words[-1]) == ("engine_crashed", "no idea")
    assert len(words) == outside.KEPT_LINES
    assert all(len(line) <= outside.KEPT_CHARACTERS for line in words)


def test_what_a_program_writes_to_standard_error_holds_nobody_up() -> None:
    """More than a pipe takes, and the move is there all the same."""
    go = "sys.stderr.write('x' * 10**6); sys.stderr.flush(); print('bestmove a', flush=True)"
    talkative = OutsideEngine(program(POLITE.format(go=go)), game("osakana"))
    try:
        assert talkative.choose("-", Seat.FIRST, None, Go(Limits()), 60) == "a"
    finally:
        talkative.close()


def test_a_late_program_has_last_words_too() -> None:
    go = "print('hm', file=sys.stderr, flush=True); print('info', flush=True)"
    slow = OutsideEngine(program(POLITE.format(go=go)), game("osakana"))
    try:
        with pytest.raises(EngineTimedOut, match="did not say 'bestmove'"):
            slow.choose("-", Seat.FIRST, None, Go(Limits()), -0.9)
    finally:
        slow.close()

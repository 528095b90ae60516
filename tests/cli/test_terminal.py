"""What a person sees in a real terminal: redrawing, secrets, Ctrl-C, clocks."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.terminal import at_terminal
from visavis.cli.screen import Screen
from visavis.session import Record

CLEAR = "\x1b[H\x1b[2J"
ALTERNATE, USUAL = "\x1b[?1049h", "\x1b[?1049l"


def test_a_game_of_two(tmp_path: Path) -> None:
    with at_terminal(["play", "osakana", "--second", "human"], str(tmp_path)) as person:
        for prompt, move in [("先手 ↑", "IB3B2"), ("後手 ↓", "か↓A1A2"), ("先手 ↑", "IB2B1")]:
            shown = person.expect(prompt)
            assert CLEAR in shown
            person.expect("> ")
            person.type(move)
        person.expect("先手 wins: the tuna was caught (1-0)")
        for command in ("help", "/resign"):  # no names of files, though they could be
            person.expect("press Enter: ")
            person.type(command)
            person.expect("The game is over.")
        person.expect("press Enter: ")
        person.type("save game.visavis")
        person.expect("Saved to game.visavis.")
        assert person.exit_code() == 0
    assert [file.name for file in tmp_path.iterdir()] == ["game.visavis"]
    assert Record.parse((tmp_path / "game.visavis").read_text()).result == "1-0"


def test_against_the_computer(tmp_path: Path) -> None:
    with at_terminal(["play", "osakana", "--first", "computer"], str(tmp_path)) as person:
        board = person.expect("> ")
        assert "Osakana Taisen: 先手 (computer), 後手 (human)" in board
        assert "\n先手: " in board.replace("\r", "")
        assert "後手 ↓ to move" in board
        assert person.interrupt() == 130


def test_waiting_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """While there is work the words say so; afterwards the line is empty again."""
    drawn, seen = threading.Event(), list[str]()

    def write(text: str) -> None:
        seen.append(text)
        drawn.set()

    screen = Screen()
    monkeypatch.setattr(screen, "interactive", True)
    monkeypatch.setattr(screen, "_write", write)
    assert screen.wait("先手 is thinking …", drawn.wait)
    assert seen[0].endswith(" 先手 is thinking …")
    assert seen[-1] == "\r\x1b[K"


def test_ctrl_c_keeps_the_game(tmp_path: Path) -> None:
    with at_terminal(["play", "osakana", "--second", "human"], str(tmp_path)) as person:
        person.expect("> ")
        person.type("IB3B2")
        person.expect("後手 ↓")
        person.expect("> ")
        assert person.interrupt() == 130
    assert "Traceback" not in person.seen
    told = re.search(r"visavis play --resume (\S+)", person.seen)
    assert told is not None
    assert [item.text for _, item in Record.parse(Path(told[1]).read_text()).items()] == ["い↑B3B2"]


def test_end_of_input_is_clean(tmp_path: Path) -> None:
    with at_terminal(["play", "osakana"], str(tmp_path)) as person:
        person.expect("> ")
        person.press(b"\x04")
        assert person.exit_code() == 0


def test_a_clock_runs_out_while_nobody_types(tmp_path: Path) -> None:
    arguments = ["play", "osakana", "--second", "human", "--clock", "1"]
    with at_terminal(arguments, str(tmp_path)) as person:
        for move in ("IB3B2", "kA1A2"):
            person.expect("> ")
            person.type(move)
        person.expect("後手 wins: out of time (0-1)")


def test_a_clock_waits_until_the_rules_are_read(tmp_path: Path) -> None:
    with at_terminal(["play", "dande", "--second", "human"], str(tmp_path)) as person:
        assert "Time: blue 1:30, red 1:30, game 10:00" in person.expect("Enter starts it. ")
        person.type("rules")
        person.expect("q: enough -- ")
        person.type("q")
        person.expect("Enter starts it. ")
        person.type("a2-a3")
        person.expect("! second is not ready yet")
        person.expect("Enter starts it. ")
        person.type("")
        person.expect("\n> ")
        person.type("a2-a3")
        person.expect("blue: a2-a3")
        assert person.interrupt() == 130


def test_secrets_are_gone_before_the_other_looks(tmp_path: Path) -> None:
    secret = "AFFMMMWWWEEEAAF"
    with at_terminal(["play", "elements", "--second", "human"], str(tmp_path)) as person:
        person.expect("first (human): your turn, and for your eyes only.")
        person.expect("nobody else is looking. ")
        person.type("")
        person.expect("> ")
        person.type(secret)
        person.expect("Press Enter to hand over to second (human). ")
        person.type("")
        shown = person.expect("second (human): your turn, and for your eyes only.")
        assert CLEAR in shown
        person.expect("nobody else is looking. ")
        person.press(b"\x1b[A")  # the key that calls up what was typed before
        person.type("")
        shown = person.expect("> ")
        assert secret not in shown.rpartition(CLEAR)[2]
        assert person.interrupt() == 130
    last = person.seen.rpartition(USUAL)[2] if USUAL in person.seen else person.seen
    assert secret not in last.rpartition(CLEAR)[2]


def test_a_tall_board_on_a_private_screen_can_be_scrolled_but_not_back_to_secrets(
    tmp_path: Path,
) -> None:
    with at_terminal(["play", "elements", "--second", "human"], str(tmp_path), lines=20) as person:
        person.expect("nobody else is looking. ")
        assert ALTERNATE not in person.seen
        assert "\x1b[3J" in person.seen
    with at_terminal(["play", "elements", "--second", "human"], str(tmp_path), lines=60) as person:
        person.expect("nobody else is looking. ")
        assert ALTERNATE in person.seen
        assert "\x1b[3J" not in person.seen
        person.press(b"\x04")
        assert person.exit_code() == 0
        assert person.seen.rstrip().endswith(USUAL)


def test_rules_come_a_page_at_a_time(tmp_path: Path) -> None:
    with at_terminal(["play", "osakana"], str(tmp_path)) as person:
        person.expect("> ")
        person.type("rules")
        person.expect("-- Enter: more, q: enough -- ")
        person.type("q")
        person.expect("> ")


def test_stepping_through_a_record(tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text("IB3B2 kA1A2 IB2B1")
    with at_terminal(["replay", "--game", "osakana", "moves.txt"], str(tmp_path)) as person:
        person.expect("0 of 3")
        for typed, shown in [("", "1 of 3"), ("3", "先手 wins"), ("b", "2 of 3"), ("9", "! Type")]:
            person.expect("q: quit > ")
            person.type(typed)
            person.expect(shown)
        person.expect("q: quit > ")
        person.type("q")
        assert person.exit_code() == 0


def test_ctrl_c_while_the_program_loads_is_silent() -> None:
    pressing = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "visavis.cli":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from visavis.__main__ import main
main()
"""
    ended = subprocess.run([sys.executable, "-c", pressing], capture_output=True, timeout=60)
    assert ended.returncode == -signal.SIGINT
    assert ended.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["lab", "conform", "osakana", "--jobs", "1"],
        ["match", "simple", "simple", "--game", "stones", "--jobs", "1"],
    ],
)
def test_ctrl_c_ends_workers_too(arguments: list[str], tmp_path: Path) -> None:
    with at_terminal(arguments, str(tmp_path)) as person:
        person.expect("\x1b[?25l")  # the bar that tells of progress takes the cursor away
        assert person.interrupt() == 130
    assert "Traceback" not in person.seen
    assert person.seen.rstrip().endswith("\x1b[?25h")


def test_ctrl_c_keeps_the_score_of_a_match(tmp_path: Path) -> None:
    command = ["match", "random", "random", "--game", "osakana", "--games", "1000000"]
    with at_terminal([*command, "--save", "games"], str(tmp_path)) as person:
        person.expect("1/1000000")
        assert person.interrupt() == 130
    games = re.search(r"in (\d+) games", person.seen)
    assert games is not None
    assert "Elo difference" in person.seen
    assert len(list((tmp_path / "games").iterdir())) >= int(games[1])


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_failure(closed: str, tmp_path: Path) -> None:
    command = f'exec "$0" -m visavis play osakana {closed}'
    ended = subprocess.run(
        ["sh", "-c", command, sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")

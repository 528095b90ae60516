"""`visavis replay`, piped, and `--check`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.terminal import run
from visavis.rules import games

MOVES = "1. い↑B3B2 2. か↓A1A2 3. い↑B2B1 1-0\n"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished game, as `visavis play` saves it."""
    file = tmp_path / "game.visavis"
    arguments = ("play", "osakana", "--second", "human", "--save", str(file))
    assert run(*arguments, typed="IB3B2\nkA1A2\nIB2B1\n").code == 0
    return file


def test_all_positions_are_printed(record: Path) -> None:
    out = run("replay", str(record)).out
    assert [line for line in out.splitlines() if " of 3" in line] == [
        f"Osakana Taisen: 先手 (human), 後手 (human) – {number} of 3" for number in range(4)
    ]
    assert "2. 後手: か↓A1A2" in out
    assert out.endswith("先手 wins: the tuna was caught (1-0)\n")


def test_a_good_record_is_confirmed(record: Path) -> None:
    ran = run("replay", "--check", str(record))
    assert ran.code == 0
    assert ran.out.startswith("OK: 3 moves, 0 rolls, 0 seals; rolls and seals are as committed")


def test_either_start_of_a_clock_is_confirmed(tmp_path: Path) -> None:
    file = tmp_path / "game.visavis"
    arguments = ("play", "dande", "--second", "human", "--save", str(file))
    assert run(*arguments, typed="a2-a3\na7-a6\nresign\ny\n").code == 0
    text = file.read_text()
    assert '[ClockStart "ready"]\n' in text
    assert run("replay", "--check", str(file)).out.startswith("OK: 2 moves")
    file.write_text(text.replace('[ClockStart "ready"]\n', ""))  # as written before there was one
    assert run("replay", "--check", str(file)).out.startswith("OK: 2 moves")


@pytest.mark.parametrize(
    ("good", "bad", "line"),
    [
        ("か↓A1A2", "か↓A1A3", "line"),
        ('[Result "1-0"]', '[Result "0-1"]', "line"),
        ('[Reason "capture"]', '[Reason "try"]', "line"),
        ('[Option fouls "lose"]', '[Option fouls "win"]', "line"),
        ("1. first", "2. first", "line"),
    ],
)
def test_a_record_that_was_tampered_with_is_caught(
    record: Path, good: str, bad: str, line: str
) -> None:
    text = record.read_text()
    assert good in text
    record.write_text(text.replace(good, bad))
    ran = run("replay", "--check", str(record))
    assert ran.code == 1
    assert line in ran.complaint


def test_another_seed_is_caught(record: Path) -> None:
    lines = record.read_text().splitlines()
    seeded = ['[Seed "' + "0" * 64 + '"]' if "[Seed" in line else line for line in lines]
    record.write_text("\n".join(seeded))
    assert run("replay", "--check", str(record)).code == 1


@pytest.mark.parametrize("slug", games())
def test_what_is_kept_of_every_game_can_be_replayed_and_checked(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "game"
    arguments = ("play", slug, "--second", "human", "--save", str(file))
    run(*arguments, typed="random\n" * 6 + "resign\ny\n")
    assert run("replay", str(file)).code == 0
    checked = run("replay", "--check", str(file))
    assert (checked.code, checked.err) == (0, "")
    assert "(1-0)" in checked.out or "(0-1)" in checked.out


@pytest.mark.parametrize("slug", games())
def test_a_game_that_goes_on_shows_no_secrets(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "game"
    run("play", slug, "--second", "human", "--save", str(file), typed="random\n" * 2)
    ran = run("replay", str(file))
    assert ran.code == 0
    assert "The game goes on." in ran.out
    assert run("replay", "--check", str(file)).code == 0


def test_a_plain_list_of_moves(tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text(MOVES)
    assert run("replay", "--game", "osakana", str(file)).out.endswith(
        "先手 wins: the tuna was caught (1-0)\n"
    )
    assert run("replay", "--game", "osakana", "--check", str(file)).code == 0
    assert run("replay", str(file)).code == 2
    file.write_text("い↑B3B2 what")
    ran = run("replay", "--game", "osakana", str(file))
    assert ran.code == 2
    assert "column 8" in ran.complaint


def test_bad_files(tmp_path: Path) -> None:
    file = tmp_path / "x"
    assert run("replay", str(file)).code == 2
    assert run("replay", str(tmp_path)).code == 2
    file.write_text("[Visavis]")
    assert "line 1" in run("replay", str(file)).complaint
    file.write_text('[Visavis "1"]\n[Game "chess"]\n')
    assert run("replay", str(file)).code == 1
    file.write_bytes(b"\xff\xfe\x00")
    assert run("replay", str(file)).code == 2


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode), st.booleans(), st.booleans())
def test_no_file_gives_a_traceback(tmp_path: Path, data: bytes, named: bool, headed: bool) -> None:
    file = tmp_path / "any"
    file.write_bytes(b'[Visavis "1"]\n[Game "osakana"]\n' * headed + data)
    ran = run("replay", "--check", str(file), *(["--game", "osakana"] if named else []))
    assert ran.code in (0, 1, 2)

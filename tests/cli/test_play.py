"""`visavis play`, piped: a transcript of a game."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.cli.terminal import Ran, run
from visavis.cli import main
from visavis.rules import games
from visavis.session import Record

TWO = ("play", "osakana", "--second", "human")


def typed(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


def play(lines: list[str], *arguments: str) -> Ran:
    ran = run(*(arguments or TWO), typed=typed(lines))
    assert "Traceback" not in ran.out + ran.err
    return ran


def kept(directory: Path) -> list[Path]:
    return sorted((directory / "state").rglob("*.visavis"))


def test_a_whole_game(tmp_path: Path) -> None:
    ran = play(["IB3B2", "kA1A2", "IB2B1"])
    assert ran.code == 0
    assert "後手: か↓A1A2" in ran.out
    assert ran.out.endswith("先手 wins: the tuna was caught (1-0)\n")
    assert kept(tmp_path) == []


def test_the_author_s_notation_and_ascii_are_the_same() -> None:
    ascii_moves = play(["IB3B2", "quit"]).out
    kana_moves = play(["い↑B3B2", "quit"]).out
    assert ascii_moves.splitlines()[20:-1] == kana_moves.splitlines()[20:-1]


def test_the_board_is_drawn_at_each_turn() -> None:
    out = play(["IB3B2", "quit"]).out
    assert out.count("手ゴマ置き場") == 2
    assert "先手：い" in out


def test_the_picture_in_the_readme_is_true() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    picture = readme.partition("```text\n")[2].partition("```")[0]
    assert picture in play(["IB3B2", "tC1B2", "moves"]).out


def test_moves_are_listed_on_request() -> None:
    out = play(["moves", "moves b4", "moves zzz"]).out
    assert "い↑B3B2  ま↑B4A3  ま↑B4C3  か↑C4C3" in out
    assert "\nま↑B4A3  ま↑B4C3\n" in out


def test_bad_lines_get_one_line_and_another_chance() -> None:
    ran = play(["", "what", "KC4", "save", "save a b", 'save "', "draw", "maybe", "IB3B2", "quit"])
    assert ran.code == 0
    assert "! 'what' is not a move" in ran.out
    assert "後手 (human) plays on." in ran.out
    assert "先手: い↑B3B2" in ran.out


def test_a_foul_is_asked_twice() -> None:
    assert "loses" in play(["KC4C1", "IB3B2", "quit"]).out
    assert play(["KC4C1", "KC4C1"]).out.endswith("後手 wins: a move against the rules (0-1)\n")
    refused = play(["KC4C1", "quit"], *TWO, "--option", "fouls=refuse").out
    assert "is not possible now" in refused


def test_undo_takes_back_the_last_move_of_a_person() -> None:
    out = play(["undo", "IB3B2", "undo", "KC4C3", "quit"]).out
    assert "! " in out.partition("> undo")[2].partition(">")[0]
    assert "先手: か↑C4C3" in out
    record_of = play(["IB3B2", "undo", "quit"], "play", "osakana", "--seed", "5").out
    assert "2 moves taken back" in record_of


def test_resign_and_draw() -> None:
    assert play(["resign", "n", "resign", "y"]).out.endswith("後手 wins: resignation (0-1)\n")
    assert play(["draw", "n", "draw", "y"]).out.endswith("A draw: by agreement (1/2-1/2)\n")
    assert "plays on" in play(["draw", "quit"], "play", "osakana").out


def test_rules_board_and_help_are_at_hand() -> None:
    out = play(["help", "rules", "board", "quit"]).out
    assert "save FILE" in out
    assert "**O1**" in out
    without = play(["help", "rules", "quit"]).out
    boards = [text.count("手ゴマ置き場\n") for text in (without, out)]
    assert boards[1] == boards[0] + 1


def test_a_command_may_have_a_slash() -> None:
    assert "い↑B3B2" in play(["/moves", "/quit"]).out


def test_save_writes_a_record_and_never_over_another_file(tmp_path: Path) -> None:
    file = tmp_path / "my game.visavis"
    ran = play(["IB3B2", f"save '{file}'", f"save '{file}'", "quit"])
    assert ran.out.count(f"Saved to {file}.") == 2
    record = Record.parse(file.read_text())
    assert [item.text for _, item in record.items()] == ["い↑B3B2"]
    assert "there is such a file" in play([f"save '{file}'", "quit"]).out
    assert "No such file" not in play(["save /dev/null/x", "quit"]).out


def test_what_breaks_off_is_kept_and_can_be_gone_on_with(tmp_path: Path) -> None:
    ran = play(["IB3B2"])
    assert ran.code == 0
    (file,) = kept(tmp_path)
    assert ran.out.endswith(f"visavis play --resume {file}\n")
    again = play(["kA1A2", "IB2B1"], "play", "--resume", str(file))
    assert again.out.endswith("先手 wins: the tuna was caught (1-0)\n")
    assert Record.parse(file.read_text()).result == "1-0"
    over = run("play", "--resume", str(file))
    assert over.code == 2
    assert "over" in over.complaint


def test_a_game_is_kept_elsewhere_where_its_place_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.chdir(tmp_path)
    assert "The game is kept: visavis play --resume osakana-" in play(["IB3B2"]).out
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (told,) = re.findall(r"--resume (.+)$", play(["IB3B2"]).out)
    assert Record.parse(Path(told).read_text()).names == ("human", "human")


def test_a_file_that_fails_in_the_middle_ends_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game"
    written = Path.replace

    def replace(source: Path, target: Path) -> Path:
        if target == file and file.exists():
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(source, target)

    monkeypatch.setattr(Path, "replace", replace)
    out = play(["IB3B2", "kA1A2"], *TWO, "--save", str(file)).out
    assert f"! Not saved: {file}: No space left on device" in " ".join(out.split())
    (rescued,) = kept(tmp_path)
    assert len(list(Record.parse(rescued.read_text()).items())) == 2


def test_nothing_is_kept_of_nothing(tmp_path: Path) -> None:
    assert play(["quit"]).code == 0
    assert kept(tmp_path) == []


def test_save_option_follows_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game"
    play(["IB3B2", "kA1A2"], *TWO, "--save", str(file))
    assert file.read_text().count("\n1. first") == 1
    assert kept(tmp_path) == []
    assert run(*TWO, "--save", str(file)).code == 2


def test_a_game_that_goes_on_is_for_nobody_elses_eyes(tmp_path: Path) -> None:
    """Its file has the seed, which tells every roll to come, and what both keep secret."""
    file, left_over = tmp_path / "game", tmp_path / "game.new"
    left_over.touch(0o644)
    play(["IB3B2", "kA1A2"], *TWO, "--save", str(file))
    assert "[Seed " in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    play(["IB2B1"], "play", "--resume", str(file))
    assert file.stat().st_mode & 0o777 == 0o666 & ~umask()


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_the_same_seed_is_the_same_game() -> None:
    arguments = ("play", "osakana", "--first", "computer", "--seed", "c0ffee", "--second", "human")
    moves = ["random", "random"]
    once, again = (play(moves, *arguments).out.partition("The game is kept")[0] for _ in range(2))
    assert once == again


def test_two_computers(tmp_path: Path) -> None:
    file = tmp_path / "game"
    arguments = ("play", "osakana", "--seed", "3", "--save", str(file), "--level", "1")
    both = ("--first", "computer", "--second", "computer")
    assert (
        run(*arguments, *both)
        .out.splitlines()[-1]
        .startswith(("先手 wins: ", "後手 wins: ", "A draw"))
    )
    assert Record.parse(file.read_text()).names == ("computer", "computer")


def test_clocks_are_shown() -> None:
    assert "Time: 先手 5:00, 後手 5:00" in play(["quit"], *TWO, "--clock", "5m+3").out


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["play"], "GAME"),
        (["play", "chess"], "chess"),
        (["play", "osakana", "--first", "dog"], "dog"),
        (["play", "osakana", "--level", "9"], "--level"),
        (["play", "osakana", "--clock", "soon"], "soon"),
        (["play", "osakana", "--seed", "xyz"], "hexadecimal"),
        (["play", "osakana", "--seed", "0" * 65], "hexadecimal"),
        (["play", "osakana", "--option", "x=1"], "x"),
        (["play", "--resume", "/no/such/file"], "/no/such/file"),
        (["play", "osakana", "--resume", "/no/such/file"], "--resume"),
        (["play", "osakana", "--save", "/dev/null/x"], "/dev/null/x"),
    ],
)
def test_bad_arguments(arguments: list[str], culprit: str) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert culprit in ran.complaint


@pytest.mark.parametrize("people", [("human", "human"), ("human", "computer")])
@pytest.mark.parametrize("slug", games())
def test_the_first_moves_of_every_game(slug: str, people: tuple[str, str]) -> None:
    who = ("--first", people[0], "--second", people[1], "--seed", "7")
    ran = play(["moves", "random", "random", "help", "undo", "board"], "play", slug, *who)
    assert ran.code == 0
    shown, _, _ = ran.out.partition("The game is kept: visavis play --resume")
    boards = [line for line in shown.splitlines() if not line.startswith(("!", ">"))]
    assert max(map(cell_len, boards)) <= 80


@pytest.mark.parametrize("slug", games())
def test_a_resumed_game_of_every_kind(slug: str, tmp_path: Path) -> None:
    play(["random"] * 2, "play", slug, "--second", "human")
    (file,) = kept(tmp_path)
    before = file.read_text()
    assert run("play", "--resume", str(file), "--second", "human", typed="quit\n").code == 0
    assert file.read_text() == before


@pytest.mark.parametrize("slug", [slug for slug, game in games().items() if game.hidden])
def test_secrets_are_handed_over(slug: str) -> None:
    names = games()[slug].seat_names
    ran = play(["random"] * 12, "play", slug, "--second", "human")
    for name in names:
        assert f"=== {name} (human): your turn, and for your eyes only. ===" in ran.out


LINES = st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=["Cs"]), max_size=9)
WORDS = st.sampled_from(
    ["moves", "random", "undo", "draw", "y", "board", "help", "resign", "save", "/undo", "IB3B2"]
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=st.lists(WORDS | LINES.filter(lambda line: "/" not in line), max_size=12))
def test_nothing_typed_gives_a_traceback(lines: list[str]) -> None:
    assert play(lines).code == 0


def test_a_person_is_told_what_else_can_be_typed() -> None:
    out = play(["what?", "avengers", "quit"], "play", "elements", "--level", "1").out
    assert "(help lists what else can be typed)" in " ".join(out.split())
    assert out.count("Or by name: avengers, pincers, reserve; or random.") == 1


class Slow(io.StringIO):
    """A person at a terminal who takes an hour for each line."""

    hours = 0

    def isatty(self) -> bool:
        return True

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        self.hours += 1
        return super().readline()


@pytest.mark.parametrize("other", [("--second", "human"), ("--level", "1")])
def test_no_time_passes_before_somebody_is_ready(
    other: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typist = Slow("help\nboard\nnonsense\n\na2-a3\n")
    monkeypatch.setattr(sys, "stdin", typist)
    monkeypatch.setattr("visavis.cli.terminal_match.now", lambda: typist.hours * 3_600_000)
    assert main(["play", "dande", *other]) == 0
    out = capsys.readouterr().out
    assert out.count("Enter starts it.") == 4
    assert out.count("Time: blue 1:30, red 1:30, game 10:00") == 3
    assert "red wins: a turn took too long" in out


def test_what_was_written_down_beforehand_needs_no_word() -> None:
    out = play(["a2-a3", "quit"], "play", "dande", "--level", "1").out
    assert "Enter starts it." not in out
    assert "red:" in out


def test_clocks_and_takebacks_are_told_by_name() -> None:
    out = play(["a2-a3", "undo", "quit"], "play", "dande", "--second", "human", "--seed", "1").out
    assert "Time: blue 1:30, red 1:30, game 10:00" in out
    assert "1 move taken back" in out

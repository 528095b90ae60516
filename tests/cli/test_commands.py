"""`visavis games`, `rules` and `perft`, and what they say to bad arguments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.cli.terminal import at_terminal, run
from visavis.rules import games, rule_book
from visavis.server.settings import Settings


def test_help_and_version() -> None:
    assert run().out == run("--help").out
    assert "play" in run("-h").out
    assert run("--version").out.startswith("visavis 0.")


def test_games_has_a_line_for_each() -> None:
    lines = run("games").out.splitlines()
    assert [line.split()[0] for line in lines] == list(games())
    for line, game in zip(lines, games().values(), strict=True):
        assert game.title in line
        assert game.summary in line
        assert cell_len(line) < 80


@pytest.mark.parametrize("slug", games())
def test_rules_are_plain_when_piped(slug: str) -> None:
    book, printed = rule_book(slug), run("rules", slug).out
    assert printed.startswith(book[: book.index("```")])
    assert printed.count("\n- **") == book.count("\n- **")


@pytest.mark.parametrize("slug", games())
def test_rules_draw_their_diagrams(slug: str) -> None:
    book, printed = rule_book(slug), run("rules", slug).out
    diagrams = re.findall(r"^( *)```board.*\n.+\n *(.+)\n\1```$", book, re.MULTILINE)
    assert book.count("```board") == len(diagrams) > 0
    assert "```board" not in printed
    for indent, caption in diagrams:
        assert f"\n{indent}```\n\n{indent}*{caption}*\n" in printed


@pytest.mark.parametrize("slug", games())
def test_rules_mark_rulings_and_name_all_options(slug: str) -> None:
    text = run("rules", slug).out
    assert "*(ruling)*" in text
    for option in games()[slug].schema:
        assert f"`{option.name}`" in text


def test_rules_fit_a_terminal(tmp_path: Path) -> None:
    with at_terminal(["rules", "osakana"], str(tmp_path)) as person:
        assert person.exit_code() == 0
    assert "O1" in person.seen
    assert "**O1**" not in person.seen
    assert "| か↓| ま↓| た↓| 1" in person.seen


def test_perft_agrees_with_itself() -> None:
    native = run("perft", "osakana", "5", "--divide")
    python = run("perft", "osakana", "5", "--divide", "--engine", "python")
    assert native.out == python.out
    assert native.out.splitlines()[-1] == "8122"
    assert "lines a second" in native.complaint


def test_perft_from_a_position() -> None:
    arguments = ("perft", "osakana", "1", "--position", "1mt/1k1/1M1/T1K b Ii")
    assert run(*arguments).out == run(*arguments, "--engine", "python").out == "14\n"


@pytest.mark.parametrize("engine", ["native", "python"])
def test_perft_of_nothing(engine: str) -> None:
    assert run("perft", "osakana", "0", "--engine", engine).out == "1\n"


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["frobnicate"], "frobnicate"),
        (["--frobnicate"], "frobnicate"),
        (["rules"], "GAME"),
        (["rules", "chess"], "chess"),
        (["perft", "osakana"], "DEPTH"),
        (["perft", "osakana", "-1"], "-1"),
        (["perft", "osakana", "many"], "DEPTH"),
        (["perft", "osakana", "1", "--engine", "steam"], "steam"),
        (["perft", "osakana", "1", "--position", "xyz"], "xyz"),
        (["perft", "osakana", "1", "--option", "fouls"], "fouls"),
        (["perft", "osakana", "1", "--option", "fouls=maybe"], "maybe"),
        (["perft", "osakana", "1", "--option", "speed=1"], "speed"),
        (["perft", "osakana", "1", "--option", "fouls=@/no/such/file"], "/no/such/file"),
        (["perft", "osakana", "1", "-o", "fouls=lose", "-o", "fouls=lose"], "twice"),
        (["play", "dande", "--clock", "5m"], "prescribes 600/game+90/move"),
        (["play", "dande", "--clock", "60/game+1/move", "-o", "clock=off"], "from 5 to 25"),
        (["play", "osakana", "--clock", "600/game+90/move"], "this game has none"),
        (["play", "--resume", "/no/such/file"], "/no/such/file"),
        (["match", "mcts:0", "1", "--game", "osakana"], "mcts:0"),
        (["probe", "osakana", "kmt/1i1/1I1/TMK b -", "--table", "/"], "is a directory"),
        (["export", "/no/such", "--database", "/no/such/file"], "no such database"),
        (["serve", "--log-level", "loud"], "loud"),
        (["serve", "--requests", "inf"], "--requests"),
        (["serve", "--origin", "host"], "https://host"),
        (["serve", "--engine", "mine=a", "--engine", "mine=b"], "mine"),
        (["serve", "--engine", "perfect=a"], "perfect"),
        (["lab", "frobnicate"], "visavis lab --help"),
        (["lab", "lengths", "osakana", "--seed", "9" * 30], "--seed"),
        (["lab", "conform", "osakana", "--seed", "9" * 30], "--seed"),
        (["lab", "conform", "osakana", "--positions", "9" * 30], "--positions"),
        (["analyse", "x", "--millis", "9" * 30], "--millis"),
    ],
)
def test_bad_arguments_get_one_line_and_code_2(arguments: list[str], culprit: str) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert culprit in ran.complaint
    assert ran.out == ""


def test_what_is_wrong_with_a_file_names_it(tmp_path: Path) -> None:
    (tmp_path / "half").write_text('[Visavis "1"]\n')
    (tmp_path / "binary").write_bytes(b"\xff\x00")
    for name in ("half", "binary"):
        database = ["--database", str(tmp_path / "database")]
        for command in (["play", "--resume"], ["replay"], ["analyse"], ["import", *database]):
            ran = run(*command, str(tmp_path / name))
            assert (ran.code, name in ran.complaint) == (2, True)
    for command in (
        ["import", str(tmp_path / "half"), "--database"],
        ["export", "x", "--database"],
    ):
        assert "file is not a database" in run(*command, str(tmp_path / "binary")).complaint


def test_a_file_without_end_is_not_read_to_it(tmp_path: Path) -> None:
    ran = run("import", "/dev/zero", "--database", str(tmp_path / "database"))
    assert (ran.code, "/dev/zero" in ran.complaint) == (2, True)


def test_engines_come_from_the_environment_a_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Settings] = []
    monkeypatch.setattr("visavis.server.run.run", lambda settings, **_: given.append(settings))
    monkeypatch.setenv("VISAVIS_ENGINE", "mine=python my_bot.py\nother=./other --fast\n")
    assert run("serve").code == 0
    assert given[0].engines == (("mine", "python my_bot.py"), ("other", "./other --fast"))


def test_a_foul_gives_everything_away(tmp_path: Path) -> None:
    (tmp_path / "record").write_text(
        '[Visavis "1"]\n[Game "osakana"]\n[Option fouls "lose"]\n[Result "0-1"]\n'
        '[Reason "foul"]\n\n1. first: KC4A2\n'
    )
    *_, line, _ = run("analyse", str(tmp_path / "record"), "--nodes", "1000").out.splitlines()
    assert "か↑C4A2     0%" in line
    assert line.rstrip().endswith("??")


def test_a_move_written_otherwise_is_judged_alike(tmp_path: Path) -> None:
    judged = []
    for move in ("い↑B3B2", "IB3B2"):
        record = tmp_path / "record"
        record.write_text(
            '[Visavis "1"]\n[Game "osakana"]\n[Option fouls "lose"]\n[Result "*"]\n\n'
            f"1. first: {move}\n"
        )
        judged.append(run("analyse", str(record), "--nodes", "1000").out)
    assert "い↑B3B2" in judged[0]
    assert judged[0] == judged[1]


@pytest.mark.parametrize("columns", ["20", "80"])
def test_an_analysis_is_never_cut_short(
    columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    run("match", "random", "random", "--game", "elements", "--games", "1", "--save", str(tmp_path))
    [record] = tmp_path.iterdir()
    ran = run("analyse", str(record), "--nodes", "1")
    assert ran.code == 0
    assert "…" not in ran.out
    assert all(len(line.split()) >= 10 for line in ran.out.splitlines())


def test_where_nothing_can_be_written_a_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    match = ("match", "random", "random", "--game", "osakana", "--games", "1")
    ran = run(*match, "--save", str(tmp_path / "file"))
    assert ran.code == 1
    assert str(tmp_path / "file") in ran.complaint


def test_records_of_another_match_are_not_written_over(tmp_path: Path) -> None:
    match = ("match", "random", "random", "--game", "osakana", "--games", "1")
    assert run(*match, "--save", str(tmp_path)).code == 0
    [record] = tmp_path.iterdir()
    before = record.read_text()
    again = run(*match, "--save", str(tmp_path))
    assert (again.code, str(tmp_path) in again.complaint) == (2, True)
    assert record.read_text() == before


def test_what_goes_wrong_in_a_worker_is_told_as_it_is() -> None:
    ran = run("match", "perfect", "random", "--game", "dande", "--games", "1")
    assert ran.complaint == "visavis: dande can't be solved; these can: osakana"


def test_options_from_files(tmp_path: Path) -> None:
    (tmp_path / "fouls").write_text("refuse")
    assert run("perft", "osakana", "1", "-o", f"fouls=@{tmp_path / 'fouls'}").code == 0
    (tmp_path / "binary").write_bytes(b"\xff\x00")
    assert run("perft", "osakana", "1", "-o", f"fouls=@{tmp_path / 'binary'}").code == 2
    assert run("perft", "osakana", "1", "-o", f"fouls=@{tmp_path}").code == 2


COMMANDS = ["games", "rules", "perft", "play", "replay", "osakana", "stones", "1", "2"]
OPTIONS = ["-o", "--option", "--position", "--divide", "--engine", "python", "--version", "--check"]
VALUES = ["fouls=refuse", "x=@", "@", "--", "-", "--position=", "--seed", "--clock", "--resume"]
WORDS = st.sampled_from(COMMANDS + OPTIONS + VALUES)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(WORDS | st.text(max_size=12), max_size=6))
def test_no_arguments_whatever_give_a_traceback(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code in (0, 2)
    if ran.code == 2:
        assert ran.complaint.startswith("visavis: ")


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_long_count_is_interrupted_cleanly(engine: str, tmp_path: Path) -> None:
    with at_terminal(["perft", "osakana", "40", "--engine", engine], str(tmp_path)) as person:
        person.expect("counting")
        assert person.interrupt() == 130
    assert "Traceback" not in person.seen


def test_a_long_analysis_is_interrupted_cleanly(tmp_path: Path) -> None:
    run("match", "random", "random", "--game", "fortress", "--games", "1", "--save", str(tmp_path))
    [record] = tmp_path.iterdir()
    command = ["analyse", str(record), "--nodes", "1000000000000"]
    with at_terminal(command, str(tmp_path)) as person:
        person.expect("thinking")
        assert person.interrupt() == 130
    assert "Traceback" not in person.seen

"""`visavis solve` and `probe`, on a smaller game in the place of the whole one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import run
from visavis import _core
from visavis.engine import oracle
from visavis.engine.solvers.osakana import OsakanaBook, OsakanaTable
from visavis.engine.values import Found, OnProgress, Result, Solver, Value
from visavis.rules import game
from visavis.rules.protocol import Ended

SMALL_START = "1m1/1i1/1I1/1M1 b -"


class SmallTable(OsakanaTable):
    """A table of the game with inada only; asked for anything else it tells of its start."""

    def value(self, position: str) -> Value:
        return super().value(SMALL_START)


class Lookahead(OsakanaTable):
    """No table: two plies are looked at, and what is further off is drawn. It has one puzzle."""

    def __init__(self, path: Path) -> None: ...

    def value(self, position: str, plies: int = 2) -> Value:
        osakana = game("osakana")
        state = osakana.parse_position(position)
        awaited = osakana.awaits(state)
        if isinstance(awaited, Ended):
            return Value(Result.LOSS, 0)
        if plies == 0:
            return Value(Result.DRAW)
        after = oracle.successors(osakana, position).values()
        return max(self.value(position, plies - 1).before for position in after)

    def puzzle(self, near: float, moves: int) -> Found | None:
        return Found("1bk/2m/TKb/MT1 b -", 1, 3, 30)


def solve_small(path: Path, unfinished: Path, on_progress: OnProgress, threads: int) -> None:
    options = [("pieces", "2 0 0")]
    _core.Solver("osakana").solve(path, unfinished, on_progress, options=options, threads=threads)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        oracle, "SOLVERS", {"osakana": Solver(solve_small, SmallTable, OsakanaBook)}
    )
    monkeypatch.setenv("VISAVIS_DATA", str(tmp_path))
    return tmp_path


def test_solve_verify_count_and_probe(data: Path) -> None:
    solved = run("solve", "osakana", "--verify", "--count", "--threads", "2")
    assert solved.code == 0
    assert "all values are right" in solved.out
    assert "reachable" in solved.out
    assert (data / "osakana.table").exists()
    again = run("solve", "osakana")
    assert again.out == "".join(solved.out.splitlines(keepends=True)[:2])
    probed = run("probe", "osakana", "kmt/1i1/1I1/TMK b -")
    assert len(probed.out.splitlines()) == 5


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ("kmt/1i1/1I1/TMK b - foul", "後手 wins: a move against the rules (0-1)"),
        (
            "kmt/1i1/1IK/TM1 w - seen kmt/1i1/1I1/TMK b - foul",
            "先手 wins: a move against the rules (1-0)",
        ),
        (
            "kmt/1i1/1I1/TMK b - seen kmt/1i1/1I1/TMK b - x2",
            "A draw: the same position three times (1/2-1/2)",
        ),
        ("k1t/1I1/3/TMK w MI", "先手 wins: the tuna was caught (1-0)"),
    ],
)
def test_probe_says_when_the_game_is_over(position: str, told: str) -> None:
    probed = run("probe", "osakana", position)
    assert (probed.code, probed.out) == (0, f"the game is over: {told}\n")


def test_output_goes_elsewhere(data: Path) -> None:
    assert run("solve", "osakana", "--output", str(data / "folder" / "mine")).code == 0
    assert run("probe", "osakana", SMALL_START, "--table", str(data / "none")).code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "stones"], "can't be solved"),
        (["solve", "chess"], "chess"),
        (["probe", "osakana", "nonsense"], "nonsense"),
        (["probe", "osakana", "kmt/1i1/1I1/TMK b -"], "visavis solve osakana"),
        (["solve", "osakana", "--threads", "0"], "threads"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str) -> None:
    refused = run(*arguments)
    assert refused.code == 2
    assert message in refused.err
    assert refused.err.count("\n") == 1


class ShortBook(OsakanaBook):
    """A book of which nothing but its proof is known."""

    def __init__(self, path: Path) -> None: ...

    def prove(self) -> tuple[int, int]:
        return 5, 78


def test_the_book_is_proved_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "SOLVERS", {"osakana": Solver(solve_small, SmallTable, ShortBook)})
    proved = run("solve", "osakana", "--prove")
    assert proved.code == 0
    assert "longest game 78 plies" in proved.out


def test_no_book_without_a_lost_start(data: Path) -> None:
    refused = run("solve", "osakana", "--book", str(data / "book"))
    assert refused.code == 2
    assert "second does not win" in refused.err


def test_puzzles_need_a_table() -> None:
    assert "visavis solve osakana" in run("puzzle", "osakana").complaint
    assert run("puzzle", "osakana", "--moves", "1").code == 2
    assert run("puzzle", "osakana", "--date", "yesterday").code == 2


def test_a_puzzle_is_solved(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setattr(oracle, "SOLVERS", {"osakana": Solver(solve_small, Lookahead, OsakanaBook)})
    (data / "osakana.table").touch()
    played = run("puzzle", "osakana", typed="nonsense\nTA3B2\nKB3C3\nKC3C2\n")
    assert "is not a move" in played.out
    assert "No: た↑A3B2 is" in played.out
    assert played.out.rstrip().endswith("Solved.")
    assert (data / "osakana.puzzles").read_text() == "1\n"
    shown = run("puzzle", "osakana", "--forget", typed="show\n")
    assert "The move is" in shown.out


def test_a_foreign_file_is_refused(data: Path) -> None:
    (data / "osakana.table").write_text("something else")
    refused = run("solve", "osakana")
    assert refused.code == 2
    assert "not a table" in refused.err

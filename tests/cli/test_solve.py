"""`visavis solve` and `probe`, on a smaller game in the place of the whole one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import run
from visavis import _core
from visavis.engine import oracle
from visavis.engine.oracle import OsakanaTable, Solver, Told, Value

SMALL_START = "1m1/1i1/1I1/1M1 b -"


class SmallTable(OsakanaTable):
    """A table of the game with inada only; asked for anything else it tells of its start."""

    def value(self, position: str) -> Value:
        return super().value(SMALL_START)


def solve_small(path: Path, unfinished: Path, told: Told, threads: int) -> None:
    _core.solve_osakana(path, unfinished, told, pieces=[2, 0, 0], threads=threads)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(oracle, "SOLVERS", {"osakana": Solver(solve_small, SmallTable)})
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


def test_a_foreign_file_is_refused(data: Path) -> None:
    (data / "osakana.table").write_text("something else")
    refused = run("solve", "osakana")
    assert refused.code == 2
    assert "not a table" in refused.err

"""Solving, on smaller games with the same rules; the whole table too, where there is one."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from visavis import _core
from visavis.engine import oracle
from visavis.engine.solvers.osakana import OsakanaTable
from visavis.engine.tables import (
    DamagedTable,
    ForeignTable,
    MissingTable,
    OtherTable,
    UnfinishedTable,
    UnreadableTable,
    table_path,
)
from visavis.engine.values import Census, Fault, OnProgress, Result, Value
from visavis.rules import game
from visavis.rules.errors import NotAPosition

VECTORS = Path(__file__).parents[2] / "vectors" / "osakana"
HEADER = 64
SLICE = 1 << 16


def quiet(_level: int, _done: int) -> None:
    """Hear of progress and think nothing of it."""


def solve_small(path: Path, on_progress: OnProgress = quiet, threads: int = 2) -> None:
    unfinished, options = path.with_suffix(".unfinished"), [("pieces", "2 0 0")]
    _core.Solver("osakana").solve(path, unfinished, on_progress, options=options, threads=threads)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "small.table"
    solve_small(path)
    return path


def test_a_smaller_game_is_solved_and_verified(small: Path) -> None:
    census = OsakanaTable(small).validate(quiet, 2)
    assert isinstance(census, Census)
    assert census.total == census.wins + census.losses + census.draws > 10_000


def test_one_wrong_value_is_found(small: Path, tmp_path: Path) -> None:
    """A value is changed together with its checksums, as a mistake in solving would be."""
    table = bytearray(small.read_bytes())
    slices = 1
    body = HEADER + 4 * slices
    table[body + 1_000] += 1
    table[HEADER:body] = zlib.crc32(table[body : body + SLICE]).to_bytes(4, "little")
    table[60:64] = zlib.crc32(table[:60] + table[HEADER:body]).to_bytes(4, "little")
    path = tmp_path / "wrong.table"
    path.write_bytes(table)
    fault = OsakanaTable(path).validate(quiet, 2)
    assert isinstance(fault, Fault)
    assert fault.found != fault.derived


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_changes_nothing(small: Path, tmp_path: Path, threads: int) -> None:
    path = tmp_path / "again.table"
    solve_small(path, threads=threads)
    assert path.read_bytes() == small.read_bytes()


def test_work_that_was_broken_off_is_taken_up(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "resumed.table"

    def interrupt_at(stop: int) -> OnProgress:
        def on_progress(level: int, _done: int) -> None:
            if level == stop:
                raise KeyboardInterrupt

        return on_progress

    for stop in (3, 7, 12):
        with pytest.raises(KeyboardInterrupt):
            solve_small(path, interrupt_at(stop))
        assert not path.exists()
        with pytest.raises(UnfinishedTable):
            OsakanaTable(path.with_suffix(".unfinished"))
    levels: list[int] = []
    solve_small(path, lambda level, _done: levels.append(level))
    assert min(levels) == 13
    assert path.read_bytes() == small.read_bytes()
    assert [entry.name for entry in tmp_path.iterdir()] == ["resumed.table"]


def test_bad_files_are_refused(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.table"
    path.write_text("not a table")
    with pytest.raises(ForeignTable, match=r"bad\.table: this is not a table"):
        OsakanaTable(path)
    path.write_bytes(small.read_bytes()[:-1])
    with pytest.raises(DamagedTable):
        OsakanaTable(path)
    with pytest.raises(UnreadableTable):
        OsakanaTable(tmp_path)
    with pytest.raises(MissingTable, match="visavis solve osakana"):
        oracle.open_table("osakana", tmp_path / "none")
    with pytest.raises(oracle.NotSolved):
        oracle.open_table("stones")
    with pytest.raises(OtherTable):
        OsakanaTable(small).value("kmt/1i1/1I1/TMK b -")
    with pytest.raises(NotAPosition):
        OsakanaTable(small).value("kmt/1i1/1I1/TMK")


def test_a_damaged_slice_is_noticed_when_it_is_used(small: Path, tmp_path: Path) -> None:
    table = bytearray(small.read_bytes())
    table[HEADER + 4 + 500] ^= 1
    path = tmp_path / "damaged.table"
    path.write_bytes(table)
    opened = OsakanaTable(path)
    with pytest.raises(DamagedTable):
        opened.value("1m1/1i1/1I1/1M1 b -")


def test_values_in_order() -> None:
    ordered = [
        Value(Result.LOSS, 2),
        Value(Result.LOSS, 3),
        Value(Result.DRAW),
        Value(Result.WIN, 9),
        Value(Result.WIN, 1),
    ]
    assert sorted([ordered[2], *ordered[3:], *ordered[:2]]) == ordered
    assert Value(Result.WIN, 1).before == Value(Result.LOSS, 2)
    assert str(Value(Result.LOSS, 78)) == "loss in 78"


# The whole table: `visavis solve osakana`, then these are run too.

whole = pytest.mark.skipif(not table_path("osakana").exists(), reason="osakana is not solved here")


@pytest.fixture(scope="module")
def table() -> OsakanaTable:
    return OsakanaTable(table_path("osakana"))


@whole
def test_golden_positions_and_all_their_moves(table: OsakanaTable) -> None:
    osakana = game("osakana")
    for line in (VECTORS / "positions.jsonl").read_text(encoding="utf-8").splitlines():
        golden = json.loads(line)
        value = table.value_in_dobutsu(golden["position"])
        assert (value.result, value.distance) == (golden["value"], golden["distance"])
        values = oracle.values(osakana, table, golden["position"])
        assert set(values) == {move["move"] for move in golden["moves"]}
        state = osakana.parse_position(golden["position"])
        (seat,) = osakana.awaited(state)
        for move in golden["moves"]:
            if move["ends"] == "mover loses":  # a try stands: golden values don't go on from there
                assert values[move["move"]] == Value(Result.LOSS, 1)
                continue
            after = osakana.apply(state, seat, osakana.parse_move(move["move"]))
            value = table.value_in_dobutsu(osakana.format_position(after)).before
            assert (value.result, value.distance) == (move["value"], move["distance"]), move


@whole
def test_after_a_try_every_move_loses(table: OsakanaTable) -> None:
    for line in (VECTORS / "after_try.jsonl").read_text(encoding="utf-8").splitlines():
        golden = json.loads(line)
        assert table.value(golden["position"]) == Value(Result.LOSS, 1)


@whole
def test_the_start_is_lost(table: OsakanaTable) -> None:
    assert table.value("kmt/1i1/1I1/TMK b -") == Value(Result.LOSS, 78)
    assert table.value_in_dobutsu("kmt/1i1/1I1/TMK b -") == Value(Result.LOSS, 78)

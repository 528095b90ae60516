"""Solved games on the server: perfect play, exact analysis and puzzles."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.cli.test_solve import Lookahead, solve_small
from tests.server.serving import Json, Served, notice
from tests.server.test_positions import play
from visavis.engine import oracle
from visavis.engine.solvers.osakana import OsakanaBook
from visavis.engine.values import Solver
from visavis.server import worker
from visavis.server.pool import FairPool

pytestmark = pytest.mark.anyio

T = TypeVar("T")
Asked = TypeVar("Asked")
PUZZLE = "/api/games/osakana/puzzle"


@pytest.fixture
def solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make as if Osakana were solved here; workers are threads, so that they believe it too."""
    monkeypatch.setattr(oracle, "SOLVERS", {"osakana": Solver(solve_small, Lookahead, OsakanaBook)})
    monkeypatch.setenv("VISAVIS_DATA", str(tmp_path))
    (tmp_path / "osakana.table").touch()
    worker._table.cache_clear()

    async def ask(
        _: FairPool, work: Callable[[Asked], T], make: Callable[[], Asked], *_who: str
    ) -> T:
        return await asyncio.to_thread(work, make())

    monkeypatch.setattr(FairPool, "ask", ask)


@pytest.fixture
def unsolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISAVIS_DATA", str(tmp_path))


async def games(served: Served) -> dict[str, Json]:
    answer = (await served.http.get("/api/games")).json()
    return {game["slug"]: game for game in answer["games"]}


@pytest.mark.usefixtures("unsolved")
async def test_nothing_is_perfect_without_a_table(served: Served) -> None:
    for info in (await games(served)).values():
        assert "perfect" not in info["computers"]
        assert not info["puzzles"]
        assert info["solvable"] == (info["slug"] == "osakana")
        slug = info["slug"]
        for path in (f"/api/games/{slug}/puzzle", f"/api/games/{slug}/puzzle/daily"):
            answer = await served.http.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "no_puzzle")
            # Where something can be done about it, that is said.
            assert (f"visavis solve {slug}" in answer.json()["message"]) == info["solvable"]
    seats = [{"kind": "me"}, {"kind": "computer", "player": "perfect"}]
    refused = await served.http.post("/api/matches", json={"game": "osakana", "seats": seats})
    assert refused.json()["code"] == "bad_seats"


@pytest.mark.usefixtures("solved")
async def test_perfect_takes_a_seat_where_the_game_is_solved(served: Served) -> None:
    offered = await games(served)
    assert offered["osakana"]["computers"] == [*"12345678", "perfect"]
    assert offered["osakana"]["puzzles"]
    assert "perfect" not in offered["stones"]["computers"]
    start = "1bk/2m/TKb/MT1 b -"
    made = await served.create("osakana", "computer:perfect", "me", start=start)
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["second"], seen=0)
        moved = await client.until(
            lambda m: m["type"] == "update" and any(n["type"] == "moved" for n in m["notices"])
        )
        assert notice(moved, "moved")["text"] == "か↑B3C3"


@pytest.mark.usefixtures("solved")
async def test_analysis_of_a_solved_game_is_exact(served: Served) -> None:
    body = {"game": "osakana", "view": "1bk/2m/TKb/MT1 b -", "seat": "first", "lines": 2}
    lines = (await served.http.post("/api/analysis", json=body)).json()["lines"]
    assert lines[0] == {"moves": ["か↑B3C3"], "score": 1.0, "mate": 3}
    assert len(lines) == 2


@pytest.mark.usefixtures("solved")
async def test_a_puzzle_is_solved_step_by_step(served: Served) -> None:
    shown = (await served.http.get(PUZZLE, params={"moves": 2})).json()
    assert (shown["seat"], shown["moves"], shown["number"]) == ("first", 2, 1)
    assert "か↑B3C3" in shown["legal"]
    assert "か↑B3C3" not in (shown | {"legal": []}).values()

    async def answer(puzzle: Json, move: str | None) -> Json:
        body = {"view": puzzle["view"], "moves": puzzle["moves"], "move": move}
        return dict((await served.http.post(f"{PUZZLE}/answer", json=body)).json())

    wrong = await answer(shown, "TA3B2")
    assert (wrong["verdict"], wrong["moves"]) == ("wrong", 2)
    assert wrong["view"] == shown["view"]
    assert (await answer(shown, None))["move"] == "か↑B3C3"
    right = await answer(shown, "KB3C3")
    assert (right["verdict"], right["result"], right["plies"]) == ("right", "win", 3)
    assert (right["moves"], bool(right["reply"])) == (1, True)
    done = await answer(right, "KC3C2")
    assert (done["verdict"], done["legal"]) == ("solved", [])
    assert (await answer(done | {"moves": 1}, None))["code"] == "illegal_move"
    assert (await answer(shown, "KB3A1"))["code"] == "illegal_move"
    assert (await answer(shown, "nonsense"))["code"] == "not_a_move"
    assert (await answer({"view": "x", "moves": 1}, None))["code"] == "bad_position"


@pytest.mark.usefixtures("solved")
async def test_the_puzzle_of_the_day(served: Served) -> None:
    path = f"{PUZZLE}/daily"
    first = (await served.http.get(path, params={"date": "2026-11-16"})).json()
    again = (await served.http.get(path, params={"date": "2026-11-16"})).json()
    assert first == again
    assert first["date"] == "2026-11-16"
    assert (await served.http.get(path)).json()["date"] is not None
    for bad in ("2026-13-01", "today"):
        answer = await served.http.get(path, params={"date": bad})
        assert answer.json()["code"] == "bad_message"
    for query in ({"moves": 1}, {"moves": "x"}, {"grade": 9}, {"what": 1}):
        answer = await served.http.get(PUZZLE, params=query)
        assert answer.json()["code"] == "bad_message"


@pytest.mark.usefixtures("solved")
async def test_a_position_of_a_running_match_is_no_puzzle(served: Served) -> None:
    made = await served.create("osakana")
    async with served.client() as client:
        body = {"view": (await play(client, made))[-1], "moves": 2}
        refused = await served.http.post(f"{PUZZLE}/answer", json=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "running_match")
        await client.do(made["match"], "first", type="resign")
        assert (await served.http.post(f"{PUZZLE}/answer", json=body)).status_code == 200

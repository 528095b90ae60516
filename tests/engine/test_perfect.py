"""The book that comes with us, and play, analysis and puzzles from a table."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from visavis.engine import analysis, oracle
from visavis.engine.native import LEVELS
from visavis.engine.oracle import shipped_book, successors
from visavis.engine.perfect import PerfectPlayer, PlayerWithBook, exact_lines
from visavis.engine.player import Player, Question
from visavis.engine.players import BadPlayer, RandomPlayer, parse_player
from visavis.engine.puzzles import DAILY_MOVES, NoPuzzle, Shown, draw_puzzle, puzzle_of_the_day
from visavis.engine.solvers.osakana import OsakanaBook, OsakanaTable
from visavis.engine.tables import DamagedTable, ForeignTable, MissingTable, table_path
from visavis.engine.values import Found, Result, Value
from visavis.rules import game
from visavis.rules.protocol import Ended, Seat
from visavis.session import read_plain

OSAKANA = game("osakana")
LIMIT = 1_000_000
"""The book is no larger than this, in bytes."""


# The book


def test_the_book_wins_against_everything() -> None:
    """All moves of first are played against it, in every position it leads to."""
    book = shipped_book("osakana")
    assert book is not None
    positions, longest = book.prove()
    assert positions > 100_000
    assert longest == 78


def test_the_book_is_small() -> None:
    assert oracle.book_path("osakana").stat().st_size <= LIMIT


@pytest.mark.parametrize("seed", range(8))
def test_second_with_the_book_beats_anybody(seed: int) -> None:
    book = shipped_book("osakana")
    assert book is not None
    second = PlayerWithBook(OSAKANA, book, Nobody())
    first = RandomPlayer(OSAKANA)
    state = OSAKANA.start()
    while not isinstance(awaited := OSAKANA.awaits(state), Ended):
        (seat,) = OSAKANA.awaited(state)
        view = OSAKANA.format_view(OSAKANA.view(state, seat))
        moves = tuple(map(OSAKANA.format_move, OSAKANA.legal(state, seat)))
        player = first if seat is Seat.FIRST else second
        move = player.choose(Question(view, seat, moves, seed))
        state = OSAKANA.apply(state, seat, OSAKANA.parse_move(move))
    assert awaited.outcome.winner is Seat.SECOND


class Nobody(Player):
    """A player who is never asked."""

    def choose(self, question: Question) -> str:
        raise AssertionError(f"the book has no answer at {question.view}")


def test_the_strongest_level_has_the_book() -> None:
    assert isinstance(parse_player(str(LEVELS)).open(OSAKANA), PlayerWithBook)
    assert not isinstance(parse_player(str(LEVELS - 1)).open(OSAKANA), PlayerWithBook)
    assert not isinstance(parse_player(str(LEVELS)).open(game("stones")), PlayerWithBook)


def test_where_the_book_ends_the_other_plays() -> None:
    book = shipped_book("osakana")
    assert book is not None
    player = PlayerWithBook(OSAKANA, book, RandomPlayer(OSAKANA))
    moves = tuple(successors(OSAKANA, "kmt/1i1/1I1/TMK b -"))
    assert player.choose(Question("kmt/1i1/1I1/TMK b -", Seat.FIRST, moves, 1)) in moves
    player.close()


def test_a_bad_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book"
    whole = oracle.book_path("osakana").read_bytes()
    path.write_bytes(whole[:1000])
    with pytest.raises(DamagedTable):
        OsakanaBook(path)
    path.write_bytes(b"something else that is long enough")
    with pytest.raises(ForeignTable):
        OsakanaBook(path)


# Perfect play, on values made up for a few positions


class MadeUp(OsakanaTable):
    """A table that knows a few positions; all others are drawn."""

    def __init__(self, known: Mapping[str, Value]) -> None:
        self.known = known

    def value(self, position: str) -> Value:
        return self.known.get(position.partition(" seen ")[0], Value(Result.DRAW))


START = "kmt/1i1/1I1/TMK b -"


def after(move: str) -> str:
    return successors(OSAKANA, START)[move].partition(" seen ")[0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([Value(Result.LOSS, 9), Value(Result.LOSS, 5)], "か↑C4C3"),
        ([Value(Result.WIN, 2), Value(Result.WIN, 4)], "ま↑B4A3"),
    ],
)
def test_perfect_play_takes_what_is_best(values: list[Value], expected: str) -> None:
    table = MadeUp(dict(zip([after("い↑B3B2"), after("か↑C4C3")], values, strict=True)))
    player = PerfectPlayer(OSAKANA, table)
    assert player.choose(Question(START, Seat.FIRST, None, 0)) == expected
    player.close()


def test_perfect_play_loses_as_late_as_can_be() -> None:
    slow = "ま↑B4C3"
    lost = {
        after(move): Value(Result.WIN, 8 if move == slow else 6)
        for move in successors(OSAKANA, START)
    }
    assert PerfectPlayer(OSAKANA, MadeUp(lost)).choose(Question(START, Seat.FIRST, None, 0)) == slow


def test_perfect_play_sets_problems_in_a_draw() -> None:
    """After C4C3 all but one answer lose, elsewhere none: that is the move."""
    tricky = successors(OSAKANA, successors(OSAKANA, START)["か↑C4C3"])
    lost = [position.partition(" seen ")[0] for position in tricky.values()][1:]
    table = MadeUp(dict.fromkeys(lost, Value(Result.WIN, 7)))
    assert PerfectPlayer(OSAKANA, table).choose(Question(START, Seat.FIRST, None, 0)) == "か↑C4C3"


def test_repetition_is_a_draw_whatever_the_table_says() -> None:
    state = OSAKANA.start()
    shuffle = ["ま↑B4A3", "ま↓B1C2", "ま↑A3B4", "ま↓C2B1"]
    for move in (shuffle * 2)[:-1]:
        (seat,) = OSAKANA.awaited(state)
        state = OSAKANA.apply(state, seat, OSAKANA.parse_move(move))
    position = OSAKANA.format_position(state)
    values = oracle.values(OSAKANA, MadeUp({START: Value(Result.LOSS, 8)}), position)
    assert values["ま↓C2B1"] == Value(Result.DRAW)


def test_exact_lines() -> None:
    table = MadeUp({after("い↑B3B2"): Value(Result.LOSS, 4)})
    first, *others = exact_lines(OSAKANA, table, START)
    assert (first.moves, first.score, first.mate) == (("い↑B3B2",), 1.0, 5)
    assert {(line.score, line.mate) for line in others} == {(0.5, None)}


def test_analysis_of_a_solved_game_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    table = MadeUp({after("い↑B3B2"): Value(Result.LOSS, 4)})
    monkeypatch.setattr(analysis, "find_table", lambda _slug: table)
    record = read_plain(OSAKANA, "1. KC4C3 2. kA1A2")
    first, second = analysis.analyse(record)
    assert (first.known.best.moves, first.known.best.mate) == (("い↑B3B2",), 5)
    assert first.known.given_away == 0.5
    assert first.known.mark == "??"
    assert [*analysis.analyse(record, only=2)] == [second]
    assert not [*analysis.analyse(record, only=3)]


def test_perfect_is_a_player_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISAVIS_DATA", str(tmp_path))
    with pytest.raises(MissingTable):
        parse_player("perfect").open(OSAKANA)
    with pytest.raises(oracle.NotSolved):
        parse_player("perfect").open(game("dande"))
    with pytest.raises(BadPlayer):
        parse_player("perfectly")


# Puzzles, from a table with a single one


class OnePuzzle(MadeUp):
    def __init__(self) -> None:
        super().__init__({after("い↑B3B2"): Value(Result.LOSS, 4)})

    def puzzle(self, near: float, moves: int) -> Found | None:
        return Found(START, 7, 5, 300) if moves == 3 else None


def test_puzzles_are_not_shown_twice(tmp_path: Path) -> None:
    shown = Shown("osakana", tmp_path / "puzzles")
    drawn = draw_puzzle(OSAKANA, OnePuzzle(), 3, random.Random(1), seen=shown.numbers)
    assert (drawn.position, drawn.solution, drawn.moves) == (START, "い↑B3B2", 3)
    shown.add(drawn)
    with pytest.raises(NoPuzzle):
        draw_puzzle(OSAKANA, OnePuzzle(), 3, random.Random(1), seen=shown.numbers)
    shown.forget()
    assert not shown.numbers
    with pytest.raises(NoPuzzle, match="grade 1"):
        draw_puzzle(OSAKANA, OnePuzzle(), 3, random.Random(1), grade=1)
    with pytest.raises(NoPuzzle):
        draw_puzzle(OSAKANA, OnePuzzle(), 9, random.Random(1))


def test_a_spoilt_list_of_puzzles_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "puzzles"
    path.write_bytes("7\nseven\n\xff٣\n8\n".encode("latin-1", errors="replace"))
    assert Shown("osakana", path).numbers == {7, 8}


def test_the_puzzle_of_a_day() -> None:
    day = next(
        date(2026, 1, n) for n in range(1, 8) if DAILY_MOVES[date(2026, 1, n).weekday()] == 3
    )
    assert puzzle_of_the_day(OSAKANA, OnePuzzle(), day).number == 7


@pytest.mark.skipif(not table_path("osakana").exists(), reason="osakana is not solved here")
@pytest.mark.parametrize("moves", [2, 3, 5])
def test_puzzles_have_one_solution(moves: int) -> None:
    table = oracle.open_table("osakana")
    rng = random.Random(moves)
    for _ in range(20):
        puzzle = draw_puzzle(OSAKANA, table, moves, rng)
        values = oracle.values(OSAKANA, table, puzzle.position)
        won = [move for move, value in values.items() if value.result is Result.WIN]
        assert won == [puzzle.solution]
        assert values[puzzle.solution].distance in (2 * moves - 1, 2 * moves)

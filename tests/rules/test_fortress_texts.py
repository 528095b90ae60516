"""Fortresses: texts, the board and what is said beside it."""

from __future__ import annotations

import pytest

from tests.rules.test_fortress import FIRST, PLENTY, START, on, play, walk
from visavis.rules.errors import NotAPosition
from visavis.rules.fortress import Call
from visavis.rules.protocol import Seat


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ("0 2f5./2f3.2s/2f3.2s/5.2s A2 -", "number of the turn"),
        (f"14 {START} - -", "turn 14"),
        ("1 2f5./2f3.2s/2f3.2s A2 -", "3 rows"),
        ("1 2f5./2f3.2s/2f3.2s/5.3s A2 -", "8 cells"),
        ("1 2f5./2f3.2s/2f3.2s/5.2x A2 -", "something other"),
        ("1 2f5./2f3.2s/2f3.2s/6.s A2 -", "F4 is next to"),
        ("1 3f4./2f3.2s/2f3.2s/5.2s A2 -", "C1 is somebody's"),
        ("1 2f5./s1f3.2s/2f3.2s/5.2s A2 -", "something other"),
        ("1 2f5./sf3.2s/2f3.2s/5.2s A2 -", "city is not its owner's"),
        ("3 3f4./f2F2.2s/4f.2s/5.2s A2 -", "C2 is water"),
        ("1 2f5./2f3.2s/2f3.2s/5.2s A2", "parts"),
        (f"1  {START} A2 -", "parts"),
        (f"1 {START}\u2028A2 -", "parts"),
        (f"1 {START} A2 - ", "parts"),
        (f"1 {START} A2,A2 -", "twice"),
        (f"1 {START} A2,H1 -", "off the field"),
        (f"1 {START} A2,B2 -", "too many"),
        (f"5 {START} A1,A3,A4,B4 -", "too many"),
        (f"5 {START} A1,A2 A1", "two generals"),
        (f"5 {START} A1,A2 G4!", "acted"),
        (f"5 {START} A1,A2! -", "acted"),
        (f"5 {START} A2,C1 -", "no general can be on C1"),
        (f"5 {START} A2,G3 -", "no general can be on G3"),
        (f"5 {START} A1! -", "turn is over"),
        (f"13 {START} A2 -", "no general can be on A2"),
    ],
)
def test_positions_that_cannot_be(rest: str, why: str) -> None:
    with pytest.raises(NotAPosition, match=why):
        on(PLENTY).parse_position(rest)


def test_too_many_fortresses() -> None:
    with pytest.raises(NotAPosition, match="too many fortresses"):
        on("young:5x4:3:A2:E3").parse_position("1 4f./2fFfs/4fs/3.2s")


def test_moves_are_read_in_any_case() -> None:
    game = on(PLENTY)
    assert game.format_move(game.parse_move(" a2-b2+ ")) == "A2-B2+"
    assert game.parse_move("END") is Call.END


def test_the_board_shows_all() -> None:
    game = on(PLENTY)
    state = play(game, game.parse_position("9 3f.2s./fFfsS2s/3f.3s/5.2s E1,A2 F1"), "A2-B2")
    assert game.board(state).splitlines() == [
        "    A   B   C   D   E   F   G",
        " 1 (.) (.) (^)  .  [.]A[.]B .",
        " 2   (@) (#)a(~) [~] [#] [.] [.]",
        " 3 (.) (.) (~)  .  [.] [.] [@]",
        " 4    .   .   .   .   .  [.] [.]",
        "",
        "( ) first's   [ ] second's   @ city   # fortress   ^ mountain   ~ water",
        "A first's general   B second's   a b has acted in this turn",
        "Cells: first 9, second 11. Turns left: first 2, second 2; it is first's.",
    ]


@pytest.mark.parametrize("width", [18, 19, 37])
def test_the_board_fits_a_terminal(width: int) -> None:
    game = on(f"random:plenty:{width}x10:1")
    for state in list(walk(game, 1))[::40]:
        assert max(map(len, game.board(state).splitlines())) < 80


def test_the_prompt_gives_a_move_that_is_possible() -> None:
    for game in (on("meadow"), on(PLENTY), on("rough:3x3:1:A1:C3:B1,A2:B2")):
        for state in walk(game, 2):
            for seat in Seat:
                prompt = game.prompt(state, seat)
                moves = game.legal(state, seat)
                assert bool(prompt) == bool(moves)
                assert not moves or game.format_move(moves[0]) in prompt


def test_a_remark_tells_what_was_taken() -> None:
    game = on("young:5x4:3:A2:E3")
    start = game.start()
    taking = game.parse_move("C2")
    assert game.remark(start, FIRST, taking, game.apply(start, FIRST, taking)) == "takes 2"
    plain = game.parse_move("B2")
    assert game.remark(start, FIRST, plain, game.apply(start, FIRST, plain)) == ""


def test_standing_is_the_score() -> None:
    assert on("meadow").standing(on("meadow").start()) == (7, 7)

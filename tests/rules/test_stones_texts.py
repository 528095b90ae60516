"""Stones: texts of moves, positions and views, the board and the prompt."""

from __future__ import annotations

import random
import re

import pytest

from tests.laws.driver import walk
from tests.rules.stones_play import A_FIVE, A_FOUR, RICH, START, TWO_SIXES, greedy_walk, played
from visavis.rules import game
from visavis.rules.errors import NotAMove, NotAPosition, NotAView
from visavis.rules.protocol import Seat
from visavis.rules.stones import Stones
from visavis.rules.stones.board import Cell, named_fields
from visavis.rules.stones.state import Done, Keep, Level, Move, Pile, Put, Side, Skip, Take

SQUARE6 = Stones({"field": "square6"})
SQUARE8 = Stones()

MOVES = [
    ("17@C4r2", Put(17, Cell(3, 2), 2)),
    ("60@P16r0", Put(60, Cell(15, 15), 0)),
    ("take 17", Take(17)),
    ("keep 23i", Keep(23, Side.IMPROVED)),
    ("keep 23b", Keep(23, Side.BASE)),
    ("pile 5", Pile(5)),
    ("level C4", Level(Cell(3, 2))),
    ("done", Done()),
    ("skip", Skip()),
]


@pytest.mark.parametrize(("text", "move"), MOVES)
def test_moves(text: str, move: Move) -> None:
    assert SQUARE6.parse_move(text) == move
    assert SQUARE6.format_move(move) == text
    assert SQUARE6.parse_move(f"  {text.upper()} ") == move
    assert SQUARE6.parse_move(text.lower().replace(" ", "   ")) == move


def test_no_turns_are_no_quarter_turns() -> None:
    assert SQUARE6.parse_move("17 @ c4") == Put(17, Cell(3, 2), 0)


@pytest.mark.parametrize(
    "text",
    [
        *("", "0@A1r0", "61@A1r0", "5@Q1r0", "5@A17r0", "5@A0r0", "5@A1r4", "5@A1r", "５@A1r0"),
        *("take", "take 05", "take 5i", "keep 5", "keep 5x", "pile 99", "level", "level 5"),
        *("done 5", "t" * 9999),
    ],
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        SQUARE6.parse_move(text)


DEALT = f"{START} RRYGi=1 YYRGi=1 RGBVb=1"
FIVE = A_FIVE.replace("place", "five:1.12")


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("", "should begin"),
        ("place", "should begin"),
        (DEALT.replace("deal", "meal"), "should begin"),
        (DEALT + " ", "not a token"),
        (DEALT + " RGB", "not a token"),
        (DEALT + " RGBVb=3", "not a token"),
        (DEALT + " BVRGb=1", "no token has the side BVRG"),
        (DEALT + " RGVB?b=1", r"\? in the wrong place"),
        (DEALT + " RGVB1b=1", r"\? in the wrong place"),
        (DEALT + " RRYG?1b=1", r"\? in the wrong place"),
        (DEALT + " RGVB?1b=1", "nobody has looked"),
        (DEALT + " RGVBb=2", "each is dealt two"),
        (DEALT + " RGVB+1", "each is dealt two"),
        (DEALT + " RRYVi=1", "each is dealt two"),
        (DEALT + " RVGBb=1", "who knows one token"),
        (DEALT.replace("0 deal", "1 deal"), "turn 0 is the deal"),
        (DEALT.replace("0 deal", "1 draw"), "turn 0 is the deal"),
        (DEALT.replace("bonus:0", "bonus:1"), "is earned"),
        (DEALT.replace("skips:0", "skips:1"), "a skip counts"),
        (A_FOUR.replace("VVGY2b@", "VVGY2i@"), "which everybody sees"),
        (A_FOUR.replace("VVGY2b@", "RVBG?2b@"), "hides nothing"),
        (A_FOUR.replace("@D3r2", "@F3r2"), "over the edge"),
        (A_FOUR.replace("@D3r2", "@B2r2"), "lies on another"),
        (A_FOUR.replace("RBGYb=2", "RBGYb=1"), "more than 5"),
        (A_FOUR + " YVGBb=2", "only two tokens"),
        (A_FOUR + " YYGR+2", "only one token YYGR"),
        (A_FOUR.replace("place", "draw"), "takes none"),
        (A_FOUR.replace("place", "more"), "no right to place more"),
        (A_FOUR.replace("place", "level"), "no equal largest groups"),
        (A_FOUR.replace("place", "three"), "a group is named"),
        (A_FOUR.replace("place", "place:3"), "a group is named"),
        (A_FOUR.replace("place", "three:3.9"), "not settled that way"),
        (A_FOUR.replace("place", "four:3.9"), "not settled that way"),
        (A_FOUR.replace("place", "five:10"), "has looked"),
        (A_FOUR.replace("place", "keep:3"), "no room in front"),
        (A_FOUR.replace("place", "keep:3").replace("RYBVb=1", "RYBV+1"), "has looked"),
        (FIVE.replace("1.12", "12.1"), "by number"),
        (FIVE.replace("1.12", "1.3"), "lie on the field"),
        (FIVE.replace("1.12", "1.99"), "not a group"),
        (FIVE.replace("1.12", "1..12"), "not a group"),
        (FIVE.replace("skips:0", "skips:1"), "a skip counts"),
        (A_FIVE.replace("GGVBi=1", "GGVBi@E5r3"), "should have been settled"),
        (re.sub("[bi]=1", "+1", A_FIVE), "no token to place"),
        ("5" * 3000, "should begin"),
    ],
)
def test_what_is_no_position(position: str, why: str) -> None:
    with pytest.raises(NotAPosition, match=why):
        SQUARE6.parse_position(position)


def test_three_named_where_two_are_equal() -> None:
    with pytest.raises(NotAPosition, match="not settled that way"):
        SQUARE8.parse_position(TWO_SIXES.replace("level", "three:1.2.3"))


@pytest.mark.parametrize(
    ("viewer", "token"), [("first", "RVBG?2b"), ("second", "VVGY2b"), ("spectator", "RVBG?2b")]
)
def test_views(viewer: str, token: str) -> None:
    text = f"{viewer} " + A_FOUR.replace("VVGY2b", token)
    view = SQUARE6.parse_view(text)
    assert SQUARE6.format_view(view) == text
    for other in {"RVBG?2b", "VVGY2b"} - {token}:
        with pytest.raises(NotAView, match="can't see just that"):
            SQUARE6.parse_view(text.replace(token, other))


def test_reveal() -> None:
    state = played(SQUARE6, A_FOUR)
    view = SQUARE6.reveal(state)
    assert SQUARE6.format_view(view) == f"open {A_FOUR}"
    assert SQUARE6.parse_view(f"open {A_FOUR}") == view


@pytest.mark.parametrize(
    "text", ["", "first", "third " + A_FOUR, "open", "open 5", "all " + A_FOUR, A_FOUR]
)
def test_what_is_no_view(text: str) -> None:
    with pytest.raises(NotAView):
        SQUARE6.parse_view(text)


BOARD = """\
     A   B   C   D   E   F
   ┌───────┬───────┬───────┐
 1 │ G   B │ ·   · │ R   B │
   │   2   │       │   7   │
 2 │ V   Y │ ·   · │ Y   Y │
   ├───┬───┴───┬───┴───┬───┤
 3 │ · │ B   V │ V   G │ · │
   │   │   9   │  *3   │   │
 4 │ · │ G   G │ B   Y │ · │
   │   ├───────┼───────┤   │
 5 │ · │ V   B │ B   V │ · │
   │   │  *10  │  *12  │   │
 6 │ · │ R   G │ B   R │ · │
   └───┴───────┴───────┴───┘

first: score 1, pile 0  (to move)
   4b            6i            13b           14b
   R V           Y Y           R Y           R Y
   Y G           R G           G B           V B
   back GGRB     back RVYB     back GGVY     back ?

second: score 2, pile 0
   1i            5i            8b            11b
   Y Y           R R           Y V           R B
   B V           V B           B G           Y G
   back RVGY     back RGVY     back ?        back ?

bag: 46
known backs on the field: 3 BBGR, 7 RVYG, 9 RGYV, 10 VVGY, 12 RYBG"""


def test_board() -> None:
    state = played(SQUARE6, A_FOUR, "12@D5r3", "(BBGR)")
    assert SQUARE6.board(SQUARE6.view(state, Seat.FIRST)) == BOARD
    second = SQUARE6.board(SQUARE6.view(state, Seat.SECOND))
    assert second == BOARD.replace(" 3 BBGR,", "")


@pytest.mark.parametrize("field", [*named_fields(), "/".join(["x" * 16] * 8)])
def test_boards_fit_a_terminal(field: str) -> None:
    rules = game("stones", {"field": field})
    for step in walk(rules, random.Random(1), 200):
        for viewer in (*Seat, None):
            board = rules.board(rules.view(step.state, viewer))
            assert max(map(len, board.splitlines())) <= 79


@pytest.mark.parametrize("start", RICH[:-1])
def test_prompts_give_an_example_that_can_be_played(start: str) -> None:
    for step in greedy_walk(SQUARE6, 1, start):
        for seat in Seat:
            prompt = SQUARE6.prompt(SQUARE6.view(step.state, seat), seat)
            legal = SQUARE6.legal(step.state, seat)
            assert bool(prompt) == bool(legal)
            if prompt:
                assert len(prompt) <= 79
                assert SQUARE6.parse_move(prompt.rpartition(": ")[2]) in legal

"""Stones, clause by clause."""

from __future__ import annotations

import contextlib
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.stones_play import (
    A_FIVE,
    A_FOUR,
    A_THREE,
    THREE_THREES,
    TWO_SIXES,
    greedy_walk,
    played,
)
from visavis._core import Kernel
from visavis.rules import rule_book
from visavis.rules.errors import BadOption, IllegalMove, NotYourTurn
from visavis.rules.protocol import Ended, Outcome, Roll, Seat
from visavis.rules.stones import Reason, Stones
from visavis.rules.stones.board import Cell, Field, named_fields
from visavis.rules.stones.play import groups
from visavis.rules.stones.state import Known, Phase, Side, State
from visavis.rules.stones.tokens import BASE_OF, COLOURS, TWINS, turned

SQUARE6 = Stones({"field": "square6"})
SQUARE8 = Stones()


def moves(game: Stones, state: State) -> list[str]:
    return [game.format_move(move) for move in game.legal(state, state.seat)]


# -- Tokens and fields -----------------------------------------------------------------------------


def test_t1_sides() -> None:
    for improved, base in BASE_OF.items():
        assert len(set(base)) == 4
        assert improved[0] == improved[1]  # side by side
        assert len(set(improved)) == 3


def test_t2_the_set() -> None:
    assert len(COLOURS) == 5
    assert set(BASE_OF) == {a + a + b + c for a, b, c in permutations(COLOURS, 3)}
    up_to_turning = {min(turned("".join(p), t) for t in range(4)) for p in permutations(COLOURS, 4)}
    assert {min(turned(base, t) for t in range(4)) for base in BASE_OF.values()} == up_to_turning
    assert len(up_to_turning) == 30
    assert set(Counter(BASE_OF.values()).values()) == {2}
    assert all(len(twins) == 2 for twins in TWINS.values())


def test_t3_fields() -> None:
    sizes = {name: len(Field(field).cells) for name, field in named_fields().items()}
    assert sizes == {
        "square8": 64,
        "square6": 36,
        "square10": 100,
        "cross": 64,
        "ring": 96,
        "diamond": 60,
    }
    assert SQUARE8.options == {"field": "square8"}


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        ("ring", "ring"),
        ("xxxx/xxxx", "xxxx/xxxx"),
        ("####\n####\n", "xxxx/xxxx"),
        ("XX\r\nXX\r\n\r\nXX/XX.", "xx./xx./.../xx./xx."),
        ("/".join(["xxxxxx"] * 6), "square6"),
        ("/".join(["x" * 16] * 8), "/".join(["x" * 16] * 8)),
    ],
)
def test_t3_a_field_by_name_or_map(value: str, canonical: str) -> None:
    game = Stones({"field": value})
    assert game.options["field"] == canonical
    assert game.kernel_options() == [("field", named_fields().get(canonical, canonical))]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("square7", "must be one of square8"),
        ("", "must be one of"),
        ("x" * 10_000, "must be one of"),
        ("/", "needs cells"),
        ("xx/xx", "at least two tokens"),
        ("xxx/xxx/xxx", "at least two tokens"),
        ("xxxx/xx.x", "at least two tokens"),
        ("/".join(["x" * 17] * 2), "2 rows of 17 are too many: a map has at most 16 rows and"),
        ("/".join(["xx"] * 17), "17 rows of 2 are too many"),
        ("/".join(["x" * 12] * 11), "11 rows of 12 are too many: .* 128 squares, holes included"),
        ("/".join(["xxxx........"] * 11), "11 rows of 12 are too many"),
    ],
)
def test_t3_a_field_holds_two_tokens(value: str, why: str) -> None:
    with pytest.raises(BadOption, match=why):
        Stones({"field": value})


def test_t4_the_deal() -> None:
    state = SQUARE8.start()
    for face in ("RRYG", "YYRG", "RGBV", "RGVB", "GGRY", "BBRY", "RBGV", "RYBV"):
        assert isinstance(SQUARE8.awaits(state), Roll)
        assert state.turn == 0
        state = SQUARE8.roll(state, face)
    assert SQUARE8.format_position(state) == (
        "1 draw skips:0 bonus:0 RRYGi=1 YYRGi=1 RGBVb=1 RGVBb=1 GGRYi=2 BBRYi=2 RBGVb=2 RYBVb=2"
    )
    with pytest.raises(IllegalMove):
        SQUARE8.roll(state, "RRYG")


def test_t4_what_shows_an_improved_side_tells_its_twin() -> None:
    state = SQUARE8.start()
    for face in ("VVYB", "VVRY", "RVGB", "RGYB"):
        state = SQUARE8.roll(state, face)
    assert state.token(3).improved == "RRYG"  # the other one with this base side is on the table
    assert state.token(4).improved is None
    state = SQUARE8.roll(state, "YYVR")
    assert state.token(4).improved == "BBVG"
    assert {token.known for token in state.tokens} == {Known.ALL}


# -- A turn ----------------------------------------------------------------------------------------


def test_t5_draw_only_with_fewer_than_five() -> None:
    for step in greedy_walk(SQUARE6, 3):
        state = step.state
        if state.phase is Phase.DRAW:
            assert len(state.front(state.seat)) < 5
        if step.actor is None and step.action and state.phase is Phase.DRAW:
            after = SQUARE6.roll(state, step.action)
            assert after.phase is Phase.PLACE
            assert after.front(state.seat) == [*state.front(state.seat), len(after.tokens)]
            assert after.tokens[-1].up is Side.BASE
            assert after.tokens[-1].base == step.action


def test_t5_who_has_five_places_at_once() -> None:
    assert played(SQUARE6, A_THREE, "4@E3r0").phase is Phase.DRAW  # second has four
    full = A_THREE.replace("RYBVb=1", "RYBVb=2")
    assert played(SQUARE6, full, "4@E3r0").phase is Phase.PLACE  # second has five


def holds_two(field: str) -> bool:
    """Whether two tokens fit, by trying all places of both."""
    cells = {
        (r, c) for r, row in enumerate(field.split("/")) for c, x in enumerate(row) if x == "x"
    }
    squares = [{(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} for r, c in cells]
    whole = [square for square in squares if square <= cells]
    return any(not one & other for one, other in permutations(whole, 2))


@settings(max_examples=200, deadline=None)
@given(
    width=st.integers(1, 17),
    height=st.integers(1, 17),
    holes=st.sets(st.tuples(st.integers(0, 16), st.integers(0, 16)), max_size=40),
)
def test_t3_the_limits_are_the_kernels_too(
    width: int, height: int, holes: set[tuple[int, int]]
) -> None:
    rows = ["".join(".x"[(r, c) not in holes] for c in range(width)) for r in range(height)]
    field = "/".join(rows)
    fits = max(width, height) <= 16 and width * height <= 128 and holds_two(field)
    with contextlib.nullcontext() if fits else pytest.raises(BadOption):
        Stones({"field": field})
    with contextlib.nullcontext() if fits else pytest.raises(ValueError, match="field"):
        Kernel("stones", [("field", field)])


def test_t3_the_named_fields_stay_as_they_are() -> None:
    with pytest.raises(TypeError):
        named_fields()["square8"] = "xxxx/xxxx"  # type: ignore[index]


def test_t6_placing() -> None:
    state = played(SQUARE6, A_THREE)
    legal = moves(SQUARE6, state)
    free = {text.split("@")[1][:2] for text in legal}
    assert free == {"C3", "D3", "E3", "C4", "C5"}
    assert len(legal) == 5 * 4 * len(free)
    for text in ("9@A2r0", "9@B2r0", "9@F3r0", "9@C6r0", "7@C3r0", "1@C3r0", "44@C3r0", "9@P16r0"):
        with pytest.raises(IllegalMove):
            played(SQUARE6, A_THREE, text)
    with pytest.raises(NotYourTurn):
        SQUARE6.apply(state, Seat.SECOND, SQUARE6.parse_move("7@C3r0"))


@pytest.mark.parametrize(("turns", "stones"), [(0, "RVGB"), (1, "BRVG"), (2, "GBRV"), (3, "VGBR")])
def test_t6_quarter_turns_clockwise(turns: int, stones: str) -> None:
    state = played(SQUARE6, A_THREE.replace("RBGYb=1", "RVGBb=1"), f"9@E3r{turns}")
    lying = dict(state.token(9).stones())
    square = Cell(2, 4), Cell(2, 5), Cell(3, 5), Cell(3, 4)
    assert "".join(lying[cell] for cell in square) == stones


def test_t6_the_side_up_stays_up() -> None:
    state = played(SQUARE6, A_THREE, "2@E3r0")
    assert state.token(2).up is Side.IMPROVED
    assert played(SQUARE6, A_THREE, "10@E3r0").token(10).up is Side.BASE


def test_t7_groups() -> None:
    state = played(SQUARE6, A_THREE, "9@C3r1")
    (group,) = groups(state)
    assert group.tokens == (1, 5, 9)
    assert len(group.cells) == 3
    assert group.cells == tuple(sorted(group.cells))
    assert groups(played(SQUARE6, A_THREE)) == []
    six, other = groups(played(SQUARE8, TWO_SIXES))
    assert [str(cell) for cell in six.cells] == ["A1", "B1", "C1", "D1", "E1", "F1"]
    assert other.tokens == (4, 5, 6)


def test_t8_three() -> None:
    state = played(SQUARE6, A_THREE, "9@C3r1")
    assert moves(SQUARE6, state) == ["take 1", "take 5", "take 9"]
    after = SQUARE6.apply(state, Seat.FIRST, SQUARE6.parse_move("take 5"))
    assert after.pile(Seat.FIRST) == [5]
    assert (after.turn, after.phase, after.bonus) == (10, Phase.DRAW, 0)
    assert [token.known for token in after.tokens] == [token.known for token in state.tokens]


def test_t9_four() -> None:
    state = played(SQUARE6, A_FOUR, "12@D5r3", "(BBGR)")
    assert moves(SQUARE6, state) == ["take 3", "take 10", "take 12"]
    state = played(SQUARE6, A_FOUR, "12@D5r3", "(BBGR)", "take 10")
    assert moves(SQUARE6, state) == ["keep 3i", "keep 3b", "keep 12i", "keep 12b"]
    state = played(SQUARE6, A_FOUR, "12@D5r3", "(BBGR)", "take 10", "keep 12b")
    assert state.pile(Seat.FIRST) == [10]
    assert state.token(12).up is Side.BASE
    assert (state.phase, state.bonus, state.turn) == (Phase.MORE, 1, 9)


def test_t9_the_look_is_private() -> None:
    before = played(SQUARE6, A_FOUR, "12@D5r3")
    roll = SQUARE6.awaits(before)
    assert isinstance(roll, Roll)
    assert roll.faces == (("BBGR", 1), ("VVYR", 1))
    seen = [SQUARE6.observe_roll(before, "BBGR", viewer) for viewer in (*Seat, None)]
    assert seen == ["BBGR", "?", "?"]
    after = SQUARE6.roll(before, "BBGR")
    names = {
        viewer: [SQUARE6.view(after, viewer).state.token(n).improved for n in (3, 10)]
        for viewer in (*Seat, None)
    }
    assert names == {
        Seat.FIRST: ["BBGR", "VVGY"],
        Seat.SECOND: [None, "VVGY"],
        None: [None, None],
    }


def test_t9_kept_improved_side_up_everybody_knows() -> None:
    steps = ("12@D5r3", "(BBGR)", "take 12")
    before = played(SQUARE6, A_FOUR, *steps)
    after = played(SQUARE6, A_FOUR, *steps, "keep 3i")
    assert SQUARE6.view(before, None).state.token(3).improved is None
    assert SQUARE6.view(after, None).state.token(3).improved == "BBGR"
    move = SQUARE6.parse_move("keep 3i")
    assert SQUARE6.reveals(before, Seat.FIRST, move)
    assert SQUARE6.remark(before, Seat.FIRST, move, after) == "BBGR"
    assert not SQUARE6.reveals(before, Seat.FIRST, SQUARE6.parse_move("keep 3b"))
    back = played(SQUARE6, A_FOUR, *steps, "keep 3b")
    assert SQUARE6.view(back, Seat.SECOND).state.token(3).improved is None


def test_t9_no_second_token_with_five_in_front() -> None:
    steps = ("6@C3r0", "level C2", "(RRGB)", "(BBVR)", "(YYVR)", "take 5", "keep 3i", "level D2")
    state = played(SQUARE6, THREE_THREES, *steps, "(BBGV)", "take 4")
    assert len(state.front(Seat.FIRST)) == 5
    assert (state.phase, state.group, state.bonus) == (Phase.THREE, (2, 6), 2)


def test_t10_five() -> None:
    state = played(SQUARE6, A_FIVE, "14@E5r3")
    assert state.group == (1, 5, 12, 14)
    steps = ["14@E5r3", "(BBRG)", "(RRGY)"]
    assert moves(SQUARE6, played(SQUARE6, A_FIVE, *steps)) == ["pile 1", "keep 1i", "keep 1b"]
    steps += ["keep 1b"]
    assert moves(SQUARE6, played(SQUARE6, A_FIVE, *steps)) == ["pile 5"]  # five in front
    state = played(SQUARE6, A_FIVE, *steps, "pile 5", "pile 12", "pile 14")
    assert state.pile(Seat.FIRST) == [5, 12, 14]
    assert len(state.front(Seat.FIRST)) == 5
    assert (state.phase, state.bonus) == (Phase.MORE, 1)


@pytest.mark.parametrize(
    ("steps", "move", "why"),
    [
        ((), "keep 5i", "token 1 is the next"),
        ((), "pile 12", "token 1 is the next"),
        ((), "take 1", "pile the token, or keep it"),
        (("keep 1b",), "keep 5b", "with 5 tokens in front, token 5 goes to the pile"),
    ],
)
def test_t10_why_not(steps: tuple[str, ...], move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        played(SQUARE6, A_FIVE, "14@E5r3", "(BBRG)", "(RRGY)", *steps, move)


def test_t11_one_of_equal_groups_goes_up() -> None:
    state = played(SQUARE6, THREE_THREES, "6@C3r0")
    assert moves(SQUARE6, state) == ["level C2", "level D2", "level D4"]
    state = played(SQUARE6, THREE_THREES, "6@C3r0", "level D4")
    assert (state.phase, state.group) == (Phase.FOUR, (2, 6))


def test_t11_each_look_counts_afresh() -> None:
    steps = ("6@C3r0", "level C2", "(RRGB)", "(BBVR)", "(YYVR)", "take 5", "keep 3i")
    state = played(SQUARE6, THREE_THREES, *steps)
    assert moves(SQUARE6, state) == ["level D2", "level D4"]
    gone = played(SQUARE6, THREE_THREES, *steps[:-2], "take 6", "keep 3i")
    assert (gone.phase, gone.bonus) == (Phase.MORE, 1)  # nothing is left of the others


def test_t11_at_five_and_more_only_the_order() -> None:
    state = played(SQUARE8, TWO_SIXES, "level A5")
    assert (state.phase, state.group) == (Phase.FIVE, (4, 5, 6))
    state = played(SQUARE8, TWO_SIXES, "level A5", "pile 4", "pile 5", "pile 6")
    assert (state.phase, state.group) == (Phase.FIVE, (1, 2, 3))


def test_t11_the_largest_first() -> None:
    for seed in range(3):
        for step in greedy_walk(SQUARE6, seed):
            state = step.state
            if state.phase in (Phase.THREE, Phase.FOUR) and state.unseen() is None:
                largest = max(len(group.cells) for group in groups(state))
                fitting = [g for g in groups(state) if g.tokens == state.group]
                assert largest in {len(group.cells) for group in fitting}


def test_t12_rights_add_up_and_can_be_declined() -> None:
    steps = ("level A5", "pile 4", "pile 5", "pile 6", "pile 1", "pile 2", "pile 3")
    state = played(SQUARE8, TWO_SIXES, *steps)
    assert (state.phase, state.bonus) == (Phase.MORE, 2)
    assert moves(SQUARE8, state)[-1] == "done"
    assert len(moves(SQUARE8, state)) == 49 * 4 + 1
    after = played(SQUARE8, TWO_SIXES, *steps, "7@A1r0")
    assert (after.phase, after.bonus) == (Phase.MORE, 1)
    assert moves(SQUARE8, after) == ["done"]  # nothing left in front
    for last in (
        played(SQUARE8, TWO_SIXES, *steps, "done"),
        played(SQUARE8, TWO_SIXES, *steps, "7@A1r0", "done"),
    ):
        assert (last.turn, last.phase, last.bonus) == (22, Phase.DRAW, 0)


def test_t12_no_right_without_a_group_of_four() -> None:
    with pytest.raises(IllegalMove):
        played(SQUARE6, A_THREE, "done")
    assert played(SQUARE6, A_THREE, "9@C3r1", "take 9").seat is Seat.SECOND


FULL = (
    "9 place skips:0 bonus:0 RVGBb@A1r3 RBGYb@C1r0 RGYBb=1 RYGVb=1 RBYGb=2 RVYGb=2 RYBGb=2 RGVYb=2"
)
TINY = Stones({"field": "xxxx/xxxx"})


def test_t13_skip_only_if_nothing_can_be_placed() -> None:
    assert moves(TINY, played(TINY, FULL)) == ["skip"]
    after = played(TINY, FULL, "skip")
    assert (after.turn, after.skips, after.phase) == (10, 1, Phase.DRAW)
    with pytest.raises(IllegalMove, match="there is room"):
        played(SQUARE6, A_THREE, "skip")
    assert played(SQUARE6, A_THREE.replace("skips:0", "skips:1"), "9@E3r0").skips == 0


def test_t14_both_skip() -> None:
    after = played(TINY, FULL, "skip", "(RBVY)", "skip")
    assert TINY.awaits(after) == Ended(Outcome(None, Reason.BOTH_SKIPPED, (0, 0)))
    assert moves(TINY, after) == []
    assert TINY.parse_position(TINY.format_position(after)) == after


def all_out(pile_of: str) -> str:
    """A position in which no token is left in the bag; what is not in front is in one pile."""
    names = [*BASE_OF]
    fronts = {name: f"{name}i=1" for name in names[:3]} | {
        name: f"{name}b=1" for name in names[3:5]
    }
    fronts |= {name: f"{name}i=2" for name in names[5:9]}
    return "9 place skips:0 bonus:0 " + " ".join(fronts.get(n, f"{n}+{pile_of}") for n in names)


@pytest.mark.parametrize(
    ("pile_of", "winner", "scores"), [("1", Seat.FIRST, (54, 4)), ("2", Seat.SECOND, (3, 55))]
)
def test_t14_the_bag_is_empty(pile_of: str, winner: Seat, scores: tuple[int, int]) -> None:
    before = played(SQUARE6, all_out(pile_of))
    assert before.in_bag == 0
    assert moves(SQUARE6, before)  # who need not take a token plays on
    after = played(SQUARE6, all_out(pile_of), "4@A1r0")
    assert SQUARE6.awaits(after) == Ended(Outcome(winner, Reason.BAG_EMPTY, scores))


def test_t15_score() -> None:
    state = played(SQUARE6, A_FOUR, "12@D5r3", "(BBGR)", "take 12", "keep 3i")
    assert SQUARE6.standing(state) == (3, 2)  # 6i, 3i and one in the pile; two improved
    assert SQUARE6.standing(played(TINY, FULL)) == (0, 0)


def test_the_rule_book_lists_every_clause() -> None:
    book = rule_book("stones")
    assert all(f"- **T{n}** " in book for n in range(1, 16))

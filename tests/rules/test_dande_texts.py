"""D&E: texts, what records say of bad cells, costumes and the text board."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.driver import walk
from visavis._core import Kernel
from visavis.rules import game as registered
from visavis.rules.dande import COSTUMES, DandE, Kind, State
from visavis.rules.errors import BadOption, IllegalMove, NotAMove, NotAPosition, NotAView
from visavis.rules.protocol import Roll, Seat

HOME = "3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3"
LONE = "k7/8/8/8/8/2E5/8/7K"


def states(seed: int, limit: int) -> Iterator[State]:
    """The states of a random game with many bad cells."""
    rules = registered("dande", {"bad_cells": 6})
    for step in walk(rules, random.Random(seed), limit):
        assert isinstance(step.state, State)
        yield step.state


def game(bad_cells: int = 2, costume: str = "marks") -> DandE:
    return DandE({"bad_cells": bad_cells, "clock": "off", "costume": costume})


# -- Moves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["d1-d5", "c2xb3"])
def test_moves_in_capitals_are_read_too(text: str) -> None:
    rules = game()
    assert rules.parse_move(text.upper()) == rules.parse_move(text)
    assert rules.format_move(rules.parse_move(text.upper())) == text


@pytest.mark.parametrize(
    "text", ["", "d1", "d1d5", "d1-d9", "i1-d5", "d1-d5{pit}", "d1 -d5", "d１-d5"]
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        game().parse_move(text)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("d4-d5", "d4 is empty"),
        ("a8-a7", "opponent's"),
        ("f5-f6", "mired, turns to sit out: 1"),
        ("c3-c5", "executioner on c3 can't go to c5"),
        ("c3xc4", "write c3-c4"),
        ("h1-h2", "write h1xh2"),
    ],
)
def test_a_refusal_says_why(move: str, why: str) -> None:
    rules = game()
    state = rules.parse_position("k7/8/8/5D2/8/2E5/7e/7K 1 0 c4:mire f5:1")
    with pytest.raises(IllegalMove, match=why):
        rules.apply(state, Seat.FIRST, rules.parse_move(move))


# -- Remarks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "move", "remark"),
    [
        (f"{LONE} 1 0 c5:pit -", "c3-c4", ""),
        (f"{LONE} 1 0 c4:pit -", "c3-c4", "pit"),
        (f"{LONE} 1 0 c4:mire -", "c3-c4", "mire"),
        (f"{LONE} 1 0 c4:crown -", "c3-c4", "crown"),
        ("k7/8/8/8/8/2K5/8/8 1 0 c4:crown -", "c3-c4", "crown"),
        (f"{LONE} 1 0 c4:spur -", "c3-c4", "spur"),
        ("k7/8/8/8/2E5/8/8/5K2 1+ 1 c4:spur -", "f1-f5", "spur"),
        (f"{LONE} 1 0 c4:mirror -", "c3-c4", "mirror"),
        ("k7/8/8/8/8/2J5/8/8 1 0 c4:mirror -", "c3-c4", "mirror"),
        (f"{LONE} 1 0 c4:gate -", "c3-c4", "gate f5"),
        ("k7/8/8/5D2/8/2E5/8/8 1 0 c4:gate -", "c3-c4", "gate"),
        ("k7/8/8/5e2/2E5/8/8/5K2 1 0 c4:gate -", "f1xf5", "gate"),
        ("k7/8/8/5e2/8/8/8/5K2 1 0 c4:gate -", "f1xf5", "gate c4"),
        ("k7/8/8/8/8/2K5/8/8 1 0 c3:gate -", "c3-f6", "gate c3"),
    ],
)
def test_the_record_shows_each_effect(position: str, move: str, remark: str) -> None:
    rules = game()
    state = rules.parse_position(position)
    made = rules.parse_move(move)
    after = rules.apply(state, state.mover, made)
    assert rules.remark(state, state.mover, made, after) == remark


def test_the_record_shows_an_effect_just_drawn() -> None:
    rules = game()
    state = rules.parse_position(f"{LONE} 1 0 c4:? -")
    made = rules.parse_move("c3-c4")
    stopped = rules.apply(state, Seat.FIRST, made)
    awaited = rules.awaits(stopped)
    assert isinstance(awaited, Roll)
    for face, _ in awaited.faces:
        remark = rules.remark(state, Seat.FIRST, made, rules.roll(stopped, face))
        assert remark == ("gate f5" if face == "gate" else face)


# -- Positions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("", "write board"),
        (f"{HOME} 1 0 b3:?", "write board"),
        (f"{HOME} 01 0 b3:? -", "write board"),
        (f"{HOME} 1 0 e3:? -", "write board"),
        (f"{HOME} 1 0 b2:? -", "write board"),
        (f"{HOME} 1 0 b3:? b3:3", "write board"),
        ("8/8/8/8/8/8/8 1 0 b3:? -", "8 ranks"),
        ("8/8/8/8/44/8/8/8 1 0 b3:? -", "rank 4"),
        ("8/8/8/8/9/8/8/8 1 0 b3:? -", "write board"),
        ("8/8/8/8/EEEE5/8/8/8 1 0 b3:? -", "rank 4"),
        ("8/8/8/8/K~7/8/8/8 1 0 b3:mirror -", "rank 4"),
        ("KK6/8/8/8/8/8/8/8 1 0 b3:? -", "first has too many pieces of the kind king"),
        ("ddd5/8/8/8/8/8/8/8 1 0 b3:? -", "second has too many pieces of the kind defender"),
        ("JJ6/8/8/8/8/8/8/8 1 0 b3:? -", "kind jumper"),
        ("JJJ5/EEEEEE2/D7/8/8/8/8/8 1 0 b3:crown -", "kind jumper"),
        ("E~7/8/8/8/8/8/8/8 1 0 b3:? -", "no mirror is known"),
        (f"{HOME} 1 0 - -", "2 bad cells"),
        (f"{HOME} 1 0 b3:?,c3:? -", "2 bad cells"),
        (f"{HOME} 0 0 b3:? -", "2 bad cells"),
        (f"{HOME} 1 0 b3:?,b3:? -", "in the order of their names"),
        (f"{HOME} 1 0 c3:?,b3:? -", "in the order of their names"),
        (f"{HOME} 1 0 b3:pit,c3:pit -", "the same effect"),
        ("8/8/8/8/2E5/8/8/8 1 0 c4:pit c4:1", "c4 is not a mire"),
        ("8/8/8/8/2E5/8/8/8 1 0 c4:mire f5:1", "no piece is mired on f5"),
        ("8/8/8/5e2/2E5/8/8/8 1 0 c4:mire f5:1,c4:1", "named once each"),
        ("8/8/8/8/8/8/8/K7 0 0 - -", "nothing has happened"),
        (f"{HOME} 0 1 - -", "nothing has happened"),
        (f"{HOME} 0 0 b3:pit -", "nothing has happened"),
        (f"{HOME} 9 3 b3:? -", "3 moves don't make 9 turns"),
        (f"{HOME} 2 5 b3:? -", "5 moves don't make 2 turns"),
        (f"{HOME} 3+ 2 b3:spur -", "2 moves don't make 3 turns"),
        (f"{HOME} 1+ 1 b3:? -", "no spur is known"),
        ("8/8/8/8/8/8/8/E~7 1+ 1 b3:spur -", "no mirror is known"),
        ("E7/8/8/8/8/8/8/8 1+ 1 b3:spur -", "there is none"),
        (f"{HOME} 1@b3 1 b3:? -", "stopped on b3"),
        (f"{HOME} 1@a2 1 b3:? -", "stopped on a2"),
        ("8/8/8/8/2e5/8/8/8 1@c4 1 c4:? -", "stopped on c4"),
        ("8/8/8/8/2E5/8/8/8 1@c4 1 c4:pit -", "stopped on c4"),
        (f"{HOME} 302 301 b3:? -", "ends after 300 moves"),
    ],
)
def test_what_is_no_position(position: str, why: str) -> None:
    rules = game()
    with pytest.raises(NotAPosition, match=why):
        rules.parse_position(position)
    with pytest.raises(NotAView, match=why):
        rules.parse_view(position)
    with pytest.raises(NotAPosition):
        Kernel(rules.slug, rules.kernel_options()).awaits(position)


@given(data=st.data())
@settings(max_examples=50, deadline=None)
def test_rules_and_kernel_refuse_the_same_texts(data: st.DataObject) -> None:
    rules = game(6)
    kernel = Kernel(rules.slug, rules.kernel_options())
    state = data.draw(st.sampled_from(list(states(data.draw(st.integers(0, 9)), 150))))
    text = list(rules.format_position(state))
    for at in data.draw(st.lists(st.integers(0, len(text) - 1), min_size=1, max_size=3)):
        text[at] = data.draw(st.sampled_from([*text, "", "0", "~", "+", "@", ":", " 1", "é"]))
    spoiled = "".join(text)
    try:
        read = rules.parse_position(spoiled)
    except NotAPosition:
        with pytest.raises(NotAPosition):
            kernel.awaits(spoiled)
    else:
        assert rules.format_position(read) == spoiled
        assert kernel.reprint_view(spoiled) == spoiled


def test_crowned_walkers_make_many_jumpers_possible() -> None:
    state = game().parse_position("JJJJJJ2/JJJK4/8/8/8/8/8/8 1 0 b3:crown -")
    assert state.captured == (10, 0)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_all_is_public(seed: int) -> None:
    rules = game(6)
    for state in states(seed, 60):
        for viewer in (Seat.FIRST, Seat.SECOND, None):
            view = rules.view(state, viewer)
            assert rules.format_view(view) == rules.format_position(state)
            assert rules.determinize(view, random.Random(seed)) == state
        assert rules.reveal(state) == state


# -- Costumes and the board ------------------------------------------------------------------------


def test_d16_costumes() -> None:
    assert list(COSTUMES) == ["marks", "forest", "sea"]
    assert game().options["costume"] == "marks"
    assert [figure.name for figure in COSTUMES["marks"].figures.values()] == [
        "crown",
        "circle",
        "cross",
        "square",
    ]
    for costume in COSTUMES.values():
        letters = {costume.figures[kind].letter for kind in Kind}
        assert len(letters) == len(Kind)
        assert all(letter.isascii() and letter.isupper() for letter in letters)


def test_d16_an_unknown_costume_is_refused() -> None:
    with pytest.raises(BadOption, match="one of marks, forest, sea"):
        game(costume="rags")


@pytest.mark.parametrize("costume", COSTUMES)
def test_d16_a_costume_changes_no_rule(costume: str) -> None:
    plain, dressed = game(6), game(6, costume)
    for state in states(7, 150):
        assert dressed.parse_position(plain.format_position(state)) == state
        assert dressed.awaits(state) == plain.awaits(state)
        for seat in Seat:
            assert dressed.legal(state, seat) == plain.legal(state, seat)


def test_the_board() -> None:
    rules = game(6, "forest")
    state = rules.parse_position("k7/8/8/5D2/2E5/2E~5/8/1J6 3 2 b3:?,c3:mirror,c4:mire c4:1,f5:2")
    assert rules.board(state) == BOARD
    assert rules.prompt(state, Seat.FIRST).startswith("Move, blue: ")
    assert rules.prompt(state, Seat.SECOND) == ""


BOARD = """\
    a     b     c     d     e     f     g     h

8   b     .     .     .     .     .     .     .      8
7   .     .     .     .     .     .     .     .      7
6   .     .     .     .     .     .(R)  .(*)  .      6
5   .     .     .     .     .     G(M)  .     .      5
4   .     .     L(M)  .     .     .     .     .      4
3   .     .(*)  L~(R) .     .     .     .     .      3
2   .     .     .     .     .     .     .     .      2
1   .     H     .     .     .     .     .     .      1

    a     b     c     d     e     f     g     h

B king: bear, H jumper: hare, L executioner: lynx, G defender: hedgehog
Blue in capitals, red in small letters; ~ walks the other way
Bad cells: b3 g6 unknown (*), c3 f6 mirror (R), c4 f5 mire (M)
Mired: c4 sits out 1 turn of blue, f5 sits out 2 turns of blue
Captured: by blue 9, by red 6
Turn 3, blue to move"""


@pytest.mark.parametrize("costume", COSTUMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=5, deadline=None)
def test_the_board_fits_a_terminal(costume: str, seed: int) -> None:
    rules = game(6, costume)
    for state in states(seed, 120):
        drawn = rules.board(state)
        assert drawn.isascii()
        assert max(map(len, drawn.splitlines())) <= 79
        for seat in Seat:
            assert len(rules.prompt(state, seat)) <= 79


def test_the_board_tells_of_a_roll_and_of_a_spur() -> None:
    rules = game()
    assert rules.board(rules.start()).endswith("Bad cells are being drawn")
    stopped = rules.parse_position("k7/8/8/8/2E5/8/8/7K 1@c4 1 c4:? -")
    assert rules.board(stopped).endswith("Turn 1, blue has stopped on the bad cell c4")
    spurred = rules.roll(stopped, "spur")
    assert rules.board(spurred).endswith("Turn 1, blue to move, a second move (spur)")
    assert rules.prompt(spurred, Seat.FIRST).startswith("Move again (spur), blue: ")
    alone = rules.parse_position("8/8/8/8/8/8/8/7K 2 1 c4:? -")
    assert rules.board(alone).endswith("The game is over")

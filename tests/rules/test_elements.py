"""Five Elements, clause by clause; what needs no more than play is in the golden playthrough."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.elements_scene import DOWN_TO_FEW, GAME, SET_UPS, play, story, view
from visavis.rules import rule_book
from visavis.rules.elements import (
    Attack,
    Choose,
    Element,
    Elements,
    Play,
    Reason,
    Step,
)
from visavis.rules.elements.board import ADJACENT, BASES, CELLS, NAMES, TERRITORIES
from visavis.rules.elements.formations import FORMATIONS, AllSetUps, is_arrangement
from visavis.rules.elements.play import Result, battle
from visavis.rules.errors import BadOption, IllegalMove, NotYourTurn
from visavis.rules.protocol import Decide, Ended, MatchReason, Outcome, Seat

FIRST, SECOND = Seat


# -- The board -------------------------------------------------------------------------------------


def test_e1_e2_cells() -> None:
    assert len(NAMES) == 42
    assert [len(cells) for cells in TERRITORIES] == [15, 15]
    assert sum(map(len, ADJACENT)) == 2 * 70
    assert all(a in ADJACENT[b] for a in range(42) for b in ADJACENT[a])


def test_e3_degrees_and_distance() -> None:
    degrees = Counter((NAMES[cell][0], cell in BASES, len(ADJACENT[cell])) for cell in range(42))
    assert degrees == {
        ("A", True, 5): 1,
        ("B", True, 5): 1,
        ("A", False, 3): 15,
        ("B", False, 3): 15,
        ("N", False, 4): 10,
    }
    reached, steps = {BASES[0]}, 0
    while BASES[1] not in reached:
        reached |= {near for cell in reached for near in ADJACENT[cell]}
        steps += 1
    assert steps == 7


@pytest.mark.parametrize(
    ("cell", "neighbours"),
    [
        ("A0", "A1 A4 A7 A10 A13"),
        ("A1", "A0 A2 A3"),
        ("A3", "A1 A5 N1"),
        ("A15", "A2 A13 N9"),
        ("N1", "A2 A3 N2 N10"),
        ("N4", "N3 N5 B5 B6"),
        ("B2", "N2 B1 B15"),
    ],
)
def test_e3_neighbours(cell: str, neighbours: str) -> None:
    assert [NAMES[near] for near in ADJACENT[CELLS[cell]]] == neighbours.split()


# -- The set-up ------------------------------------------------------------------------------------


def test_e4_start() -> None:
    state = play()
    assert isinstance(state, Play)
    for seat in Seat:
        side = state.sides[seat]
        assert (side.king.cell, side.king.owned) == (BASES[seat], tuple(Element))
        assert tuple(track.cell for track in side.tracks) == TERRITORIES[seat]


def test_e5_ring() -> None:
    assert [element.letter for element in Element] == list("FMWEA")
    assert [int(element) for element in Element] == [0, 1, 2, 3, 4]


def test_e6_three_of_each() -> None:
    for text in ("FFFFMMWWWEEEAAA", "F" * 15):
        with pytest.raises(IllegalMove, match="three"):
            GAME.apply(GAME.start(), FIRST, GAME.parse_move(text))


def test_e6_all_set_ups() -> None:
    everything = GAME.legal(GAME.start(), FIRST)
    assert len(everything) == 168_168_000
    assert GAME.format_move(everything[0]) == "FFFMMMWWWEEEAAA"
    assert GAME.format_move(everything[1]) == "FFFMMMWWWEEAEAA"
    assert GAME.format_move(everything[-1]) == "AAAEEEWWWMMMFFF"
    assert list(everything[:2]) == list(itertools.islice(everything, 2))
    assert Choose(Element.FIRE) not in everything
    with pytest.raises(IndexError):
        everything[len(everything)]


@given(st.integers(0, 168_168_000 - 2))
def test_e6_set_ups_are_in_order(index: int) -> None:
    one, next_one = AllSetUps()[index], AllSetUps()[index + 1]
    assert is_arrangement(one.elements)
    assert one in AllSetUps()
    assert one.elements < next_one.elements


@pytest.mark.parametrize("order", [(FIRST, SECOND), (SECOND, FIRST)])
def test_e7_simultaneous(order: tuple[Seat, Seat]) -> None:
    state = GAME.start()
    assert GAME.awaits(state) == Decide((FIRST, SECOND))
    early, late = order
    once = GAME.apply(state, early, GAME.parse_move(SET_UPS[early]))
    assert GAME.awaits(once) == Decide((late,))
    with pytest.raises(NotYourTurn):
        GAME.apply(once, early, GAME.parse_move(SET_UPS[late]))
    both = GAME.apply(once, late, GAME.parse_move(SET_UPS[late]))
    assert both == play()
    assert [GAME.turn(each) for each in (state, once, both)] == [0, 0, 1]


def test_e7_nothing_is_seen_but_that_it_is_done() -> None:
    seen = set()
    for text in SET_UPS:
        move = GAME.parse_move(text)
        state = GAME.apply(GAME.start(), FIRST, move)
        seen.add((view(state, SECOND), view(state, None)))
        assert GAME.observe(GAME.start(), FIRST, move, SECOND) == "?"
        assert GAME.observe(GAME.start(), FIRST, move, FIRST) == text
        assert GAME.reveals(GAME.start(), FIRST, move)
    assert seen == {("second setup ? -", "spectator setup ? -")}


def test_formations() -> None:
    assert len(FORMATIONS) == 3
    assert GAME.suggestions(GAME.start(), SECOND) == FORMATIONS
    assert all(formation in AllSetUps() for formation in FORMATIONS.values())
    assert GAME.suggestions(play(), FIRST) == {}


def test_formations_keep_their_promises() -> None:
    def sectors(name: str) -> list[tuple[Element, ...]]:
        elements = FORMATIONS[name].elements
        return [elements[at : at + 3] for at in range(0, 15, 3)]

    def beaten_by(element: Element) -> set[Element]:
        return {other for other in Element if battle(element, other) is Result.WIN}

    for centre, left, right in sectors("avengers"):
        killers = {e for e in Element if battle(e, left) is Result.WIN}
        assert left is right
        assert killers <= beaten_by(centre)
    for centre, left, right in sectors("pincers"):
        assert beaten_by(left) | beaten_by(right) == set(Element) - {left}
        assert left in beaten_by(centre)
    assert "".join(centre.letter for centre, _, _ in sectors("reserve")) == "AAEEA"


# -- Turns -----------------------------------------------------------------------------------------


def test_e8_what_kings_own_is_public() -> None:
    state = play(position=DOWN_TO_FEW.replace("B0:FMWEA", "B0:WA"))
    for viewer in (FIRST, SECOND, None):
        shown = GAME.view(state, viewer).known
        assert isinstance(shown, Play)
        kings = [(NAMES[side.king.cell], len(side.king.owned)) for side in shown.sides]
        assert kings == [("N9", 5), ("B0", 2)]


def test_e9_turns_alternate() -> None:
    state = play()
    assert GAME.awaits(state) == Decide((FIRST,))
    assert GAME.awaits(play("A2-N1")) == Decide((SECOND,))
    with pytest.raises(NotYourTurn):
        GAME.apply(state, SECOND, Step(CELLS["B2"], CELLS["N2"]))


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("B2-N2", "no piece of yours"),
        ("N1-N2", "no piece of yours"),
        ("A1-A0", "your own piece"),
        ("A2-N2", "not next to"),
        ("A2xN1", "is empty"),
        ("=F", "no element"),
        ("FFFMMMWWWEEEAAA", "set-up is over"),
    ],
)
def test_e10_refusals(move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        GAME.apply(play(), FIRST, GAME.parse_move(move))


def test_e11_an_empty_cell_is_moved_to() -> None:
    state = play("A2-N1")
    assert isinstance(state, Play)
    tracks = state.sides[FIRST].tracks
    assert (tracks[1].cell, tracks[1].is_open) == (CELLS["N1"], False)
    assert CELLS["A2"] not in [track.cell for track in tracks]


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (DOWN_TO_FEW, "B1-B0", "attack it with B1xB0"),
        (DOWN_TO_FEW, "B1xB0=M", "uses the element it has"),
        (DOWN_TO_FEW.replace("N9:FMWEA", "B4:MWEA"), "B4xB0=F", "an element it owns"),
        (DOWN_TO_FEW.replace("N9:FMWEA", "B4:MWEA"), "B4xB0", "an element it owns"),
    ],
)
def test_e12_e15_refused_attacks(position: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        play(move, position=position)


def test_legal_moves_are_in_the_order_of_the_cells() -> None:
    state = play(position=DOWN_TO_FEW.replace("N9:FMWEA", "B4:MA"))
    moves = GAME.legal(state, FIRST)
    assert [GAME.format_move(move) for move in moves] == [
        *("A15-A2", "A15-A13", "A15-N9"),
        *("B1-B2", "B1-B3", "B1xB0"),
        *("B4-B5", "B4-B6", "B4xB0=M", "B4xB0=A"),
    ]


# -- Changes ---------------------------------------------------------------------------------------


def test_e13_change_after_a_move_and_after_a_battle() -> None:
    away = DOWN_TO_FEW.replace("B0:FMWEA", "N4:FMWEA")
    arrived = play("B1-B0", position=away)
    assert GAME.awaits(arrived) == Decide((FIRST,))
    assert [GAME.format_move(m) for m in GAME.legal(arrived, FIRST)] == ["=F", "=W", "=E", "=A"]
    assert GAME.turn(arrived) == 31
    changed = play("=A", position=GAME.format_position(arrived))
    assert story(changed, "B0", FIRST) == "m+a"
    assert story(changed, "B0", SECOND) == "?+?"
    fought = play("B1xB0", "=A", position=away.replace("B14:e", "B0:e+w"))
    assert story(fought, "B0", SECOND) == "M+?"


def test_e13_a_change_is_not_told() -> None:
    state = play("B1-B0", position=DOWN_TO_FEW.replace("B0:FMWEA", "N4:FMWEA"))
    views = set()
    for move in GAME.legal(state, FIRST):
        assert GAME.observe(state, FIRST, move, SECOND) == "=?"
        assert GAME.observe(state, FIRST, move, None) == "=?"
        assert GAME.observe(state, FIRST, move, FIRST) == GAME.format_move(move)
        assert not GAME.reveals(state, FIRST, move)
        assert GAME.remark(state, FIRST, move, GAME.apply(state, FIRST, move)) == ""
        views.add(view(GAME.apply(state, FIRST, move), SECOND))
    assert len(views) == 1


def test_e13_a_king_does_not_change() -> None:
    state = play("B1xB0", "=W", position=DOWN_TO_FEW.replace("N9:", "A1:"))
    assert GAME.awaits(play("B14-N10", "A1-A0", position=GAME.format_position(state))) == Decide(
        (SECOND,)
    )


# -- Battles ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", Element)
def test_e16_ring(x: Element) -> None:
    results = [battle(x, Element((x + step) % 5)) for step in range(5)]
    assert results == [Result.TRADE, Result.WIN, Result.WIN, Result.NOTHING, Result.LOSS]


@pytest.mark.parametrize(
    ("defender", "attacker_cell", "defender_cell", "remark"),
    [
        ("w", "B14", "x", "M beats W"),
        ("e", "B14", "x", "M beats E"),
        ("a", "B13", "B14", "M draws with A"),
        ("f", "x", "B14", "M falls to F"),
        ("m", "x", "x", "M falls with M"),
    ],
)
def test_e17(defender: str, attacker_cell: str, defender_cell: str, remark: str) -> None:
    position = DOWN_TO_FEW.replace("B1:m", "B13:m").replace("B14:e", f"B14:e++{defender}")
    before = play(position=position)
    state = play("B13xB14", position=position)
    fields = GAME.format_position(state).split(" ")
    assert f",{attacker_cell}:M," in fields[3]
    assert f",{defender_cell}:e++{defender.upper()}," in fields[4]
    move = GAME.parse_move("B13xB14")
    assert GAME.remark(before, FIRST, move, state) == remark
    assert GAME.reveals(before, FIRST, move)
    assert GAME.observe(before, FIRST, move, SECOND) == "B13xB14"
    assert state.loss == (20 if "draws" in remark else 31)  # type: ignore[union-attr]


def test_e14_e15_nothing_is_open_before_the_answer() -> None:
    attacked = play("B1xB0", position=DOWN_TO_FEW)
    assert GAME.awaits(attacked) == Decide((SECOND,))
    assert GAME.turn(attacked) == 31
    assert story(attacked, "B1", SECOND) == "?"
    before = play(position=DOWN_TO_FEW)
    assert not GAME.reveals(before, FIRST, GAME.parse_move("B1xB0"))
    assert GAME.remark(before, FIRST, GAME.parse_move("B1xB0"), attacked) == ""
    answer = GAME.parse_move("=F")
    answered = GAME.apply(attacked, SECOND, answer)
    assert GAME.reveals(attacked, SECOND, answer)
    assert GAME.observe(attacked, SECOND, answer, FIRST) == "=F"
    assert GAME.remark(attacked, SECOND, answer, answered) == "M falls to F"
    assert view(answered, SECOND).count("x:M") == 2 + 4


def test_e15_kings_choose_blindly() -> None:
    position = DOWN_TO_FEW.replace("N9:FMWEA", "B4:FMWEA")
    before = play(position=position)
    seen = set()
    for element in Element:
        move = Attack(CELLS["B4"], CELLS["B0"], element)
        state = GAME.apply(before, FIRST, move)
        assert GAME.observe(before, FIRST, move, FIRST) == f"B4xB0={element.letter}"
        assert f" B4xB0={element.letter} " in view(state, FIRST)
        seen.add(GAME.observe(before, FIRST, move, SECOND))
        seen.add(view(state, SECOND).split(" ")[3])
        seen.add(view(state, None).split(" ")[3])
    assert seen == {"B4xB0=?"}


def test_e15_a_king_attacks_an_ordinary_piece_openly() -> None:
    state = play(position=DOWN_TO_FEW.replace("N9:", "N10:"))
    move = GAME.parse_move("N10xB14=F")
    assert GAME.observe(state, FIRST, move, SECOND) == "N10xB14=F"
    assert GAME.awaits(GAME.apply(state, FIRST, move)) == Decide((SECOND,))


@pytest.mark.parametrize(
    ("attack", "answer", "first_owns", "second_owns"),
    [
        ("M", "W", "FMWEA", "FMEA"),
        ("M", "A", "FMWEA", "FMWEA"),
        ("M", "F", "FWEA", "FMWEA"),
        ("M", "M", "FWEA", "FWEA"),
    ],
)
def test_e18_e19_kings_lose_elements_and_stay(
    attack: str, answer: str, first_owns: str, second_owns: str
) -> None:
    position = DOWN_TO_FEW.replace("N9:FMWEA", "B4:FMWEA")
    fields = GAME.format_position(play(f"B4xB0={attack}", f"={answer}", position=position)).split()
    assert fields[3].startswith(f"B4:{first_owns},")
    assert fields[4].startswith(f"B0:{second_owns},")


def test_e19_an_attacker_that_beats_a_king_stays() -> None:
    state = play("B1xB0", "=W", position=DOWN_TO_FEW)
    assert story(state, "B1", SECOND) == "M"
    assert " B0:FMEA," in GAME.format_position(state)
    assert GAME.awaits(state) == Decide((SECOND,))


# -- Ends ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kings", "answer", "outcome"),
    [
        (("FMWEA", "W"), "=W", Outcome(FIRST, Reason.KING)),
        (("M", "FW"), "=F", Outcome(SECOND, Reason.KING)),
        (("M", "M"), "=M", Outcome(None, Reason.BOTH_KINGS)),
    ],
)
def test_e20(kings: tuple[str, str], answer: str, outcome: Outcome) -> None:
    position = DOWN_TO_FEW.replace("N9:FMWEA", f"B4:{kings[0]}")
    position = position.replace("B0:FMWEA", f"B0:{kings[1]}")
    state = play("B4xB0=M", answer, position=position)
    assert GAME.awaits(state) == Ended(outcome)
    assert all(not GAME.legal(state, seat) for seat in Seat)


def test_e20_a_king_that_trades_its_last_element_with_a_piece() -> None:
    position = DOWN_TO_FEW.replace("N9:FMWEA", "N10:E")
    assert GAME.outcome(play("N10xB14=E", position=position)) == Outcome(SECOND, Reason.KING)


@pytest.mark.parametrize("limit", [-1, 1001, "many"])
def test_e21_the_limit_of_quiet_turns_has_a_range(limit: int | str) -> None:
    assert [Elements({"quiet_limit": edge}).options["quiet_limit"] for edge in (0, 1000)] == [
        0,
        1000,
    ]
    with pytest.raises(BadOption, match="must be a whole number from 0 to 1000"):
        Elements({"quiet_limit": limit})
    assert "from 0 to 1000" in rule_book("elements")


def test_e21_quiet_turns() -> None:
    game = Elements({"quiet_limit": 4})
    state = play("A2-N1", "B15-N10", "N1xN10", game=game)
    assert game.outcome(state) is None
    last = game.parse_move("B2-N2")
    assert game.reveals(state, SECOND, last)
    state = game.apply(state, SECOND, last)
    assert game.outcome(state) == Outcome(None, Reason.QUIET)
    again = play("A2-N1", "B15-N10", "N1xN10", "N10xN1", "A3xN1", "B2-N2", game=game)
    assert game.outcome(again) is None
    assert isinstance(again, Play)
    assert again.quiet == 2
    assert "?" not in view(state, None, game)


def test_e21_a_battle_with_a_change_is_no_quiet_turn() -> None:
    position = DOWN_TO_FEW.replace("B0:FMWEA", "N4:FMWEA").replace("B14:e", "B0:e+w")
    state = play("B1xB0", "=A", position=position)
    assert isinstance(state, Play)
    assert state.quiet == 0


def test_e22_time_and_showing() -> None:
    assert GAME.on_timeout(play(), FIRST) == Outcome(SECOND, MatchReason.TIMEOUT)
    ended = play("B1xB0", "=W", position=DOWN_TO_FEW.replace("B0:FMWEA", "B0:W"))
    for viewer in (*Seat, None):
        assert view(ended, viewer).split(" ", 1)[1] == GAME.format_position(ended)
    assert GAME.view(ended, None) == GAME.reveal(ended)
    for state in (GAME.start(), play(), ended):
        shown = GAME.reveal(state)
        assert GAME.parse_view(GAME.format_view(shown)) == shown
        assert "?" not in GAME.format_view(shown)


# -- For people ------------------------------------------------------------------------------------


def test_boards_fit_a_terminal_and_show_everything() -> None:
    states = [GAME.start(), play(), play(position=DOWN_TO_FEW), play("A2-N1", "B15-N10", "N1xN10")]
    for state in states:
        for viewer in (*Seat, None):
            board = GAME.board(GAME.view(state, viewer))
            assert max(map(len, board.splitlines())) <= 79
            assert all(name in board for name in NAMES)
    drawn = GAME.board(GAME.view(states[-1], FIRST))
    assert all(
        piece in drawn for piece in ("A0 <K>", "N1 <F>", "A4 <m>", "N10[E]", "B1 [?]", "N2  · ")
    )


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"B0", "B1", "B14", "A15"}))
def test_every_cell_is_drawn(name: str) -> None:
    state = play(position=DOWN_TO_FEW.replace("N9:", f"{name}:"))
    assert f"{name:<3}<K>" in GAME.board(GAME.view(state, None))


def test_prompts_ask_for_what_is_due() -> None:
    asked = [
        (GAME.start(), FIRST, "WFFAWWMAAEMMFEE"),
        (play(), FIRST, "A2-N1"),
        (play("B1xB0", position=DOWN_TO_FEW), SECOND, "=F =M =W =E =A"),
        (play("B1-B0", position=DOWN_TO_FEW.replace("B0:", "N4:")), FIRST, "=F =W =E =A"),
    ]
    for state, seat, example in asked:
        assert example in GAME.prompt(GAME.view(state, seat), seat)

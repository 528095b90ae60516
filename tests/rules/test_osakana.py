"""Osakana, clause by clause, and against the vectors of independent move generators."""

from __future__ import annotations

import json
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.playthrough import VECTORS
from visavis.rules.errors import BadOption, IllegalMove, NotAMove, NotAPosition, NotYourTurn
from visavis.rules.osakana import Cell, Drop, Kind, Move, Osakana, Piece, Reason, State, Step
from visavis.rules.osakana.play import reach
from visavis.rules.osakana.text import ascii_move
from visavis.rules.protocol import Decide, Ended, Outcome, Seat

GAME = Osakana()
FIRST, SECOND = Seat.FIRST, Seat.SECOND


def at(position: str) -> State:
    return GAME.parse_position(position)


def play(state: State, *moves: str) -> State:
    for move in moves:
        state = GAME.apply(state, state.position.mover, GAME.parse_move(move))
    return state


def play_from(position: str, *moves: str) -> State:
    return play(at(position), *moves)


def line(state: State) -> str:
    """The position without what came before it."""
    return GAME.format_position(state).partition(" seen ")[0]


def legal(state: State) -> list[str]:
    return [GAME.format_move(move) for move in GAME.legal(state, state.position.mover)]


# -- Board and pieces ------------------------------------------------------------------------------


def test_o1_o2_start() -> None:
    start = GAME.start()
    assert GAME.format_position(start) == "kmt/1i1/1I1/TMK b -"
    assert start.position.board[Cell.B4] == Piece(FIRST, Kind.TUNA)
    assert start.position.board[Cell.C1] == Piece(SECOND, Kind.OCTOPUS)
    assert GAME.awaits(start) == Decide((FIRST,))
    assert GAME.turn(start) == 1


@pytest.mark.parametrize(
    ("piece", "cell", "targets"),
    [
        ("M", "B2", "A1 B1 C1 A2 C2 A3 B3 C3"),
        ("m", "B2", "A1 B1 C1 A2 C2 A3 B3 C3"),
        ("I", "B2", "B1"),
        ("i", "B2", "B3"),
        ("B", "B2", "A1 B1 C1 A2 C2 B3"),
        ("b", "B2", "B1 A2 C2 A3 B3 C3"),
        ("T", "B2", "A1 C1 A3 C3"),
        ("t", "B2", "A1 C1 A3 C3"),
        ("K", "B2", "B1 A2 C2 B3"),
        ("k", "B2", "B1 A2 C2 B3"),
        ("I", "B1", ""),
        ("T", "A4", "B3"),
    ],
)
def test_o3_steps(piece: str, cell: str, targets: str) -> None:
    move = GAME.parse_move(f"{piece}{cell}{cell}")
    assert [target.name for target in reach(move.piece, Cell[cell])] == targets.split()


def test_o4_own_pieces_block_and_enemies_are_taken() -> None:
    state = at("kmt/1i1/1I1/TMK b -")
    assert legal(state) == ["い↑B3B2", "ま↑B4A3", "ま↑B4C3", "か↑C4C3"]
    assert line(play(state, "IB3B2")) == "kmt/1I1/3/TMK w I"
    assert line(play_from("1B1/m2/2t/TMK w ik", "mA2B1")) == "1m1/3/2t/TMK b iik"


def test_o5_grows_by_moving_only() -> None:
    assert line(play_from("k1t/I2/2m/TMK b i", "IA2A1")) == "B1t/3/2m/TMK w Ki"
    assert line(play_from("kmt/3/i2/1MK w IT", "iA3A4")) == "kmt/3/3/bMK b IT"
    assert line(play_from("1mt/3/3/TMK b IIk", "I*A1")) == "Imt/3/3/TMK w Ik"


def test_o6_drops_on_empty_cells_only() -> None:
    drops = [move for move in legal(at("kmt/3/3/TMK b II")) if move.endswith("★")]
    assert drops == [f"い↑{cell}★" for cell in ["A2", "B2", "C2", "A3", "B3", "C3"]]


# -- The end ---------------------------------------------------------------------------------------


def test_o7_taking_the_tuna_wins() -> None:
    state = play_from("1mt/kI1/3/TMK b I", "IB2B1")
    assert GAME.awaits(state) == Ended(Outcome(FIRST, Reason.CAPTURE))
    assert line(state) == "1Bt/k2/3/TMK w MI"


def test_o8_a_try_gives_the_other_side_its_turn() -> None:
    reached = play_from("3/2M/m1k/TK1 b ITi", "MC2C1")
    assert GAME.awaits(reached) == Decide((SECOND,))
    for move in legal(reached):
        assert GAME.outcome(play(reached, move)) == Outcome(FIRST, Reason.TRY)
    caught = play_from("k2/1M1/m2/TK1 b ITi", "MB2B1", "kA1B1")
    assert GAME.outcome(caught) == Outcome(SECOND, Reason.CAPTURE)


def test_o9_third_occurrence_is_a_draw() -> None:
    there_and_back = ("KC4C3", "kA1A2", "KC3C4", "kA2A1")
    twice = play(GAME.start(), *there_and_back)
    assert GAME.outcome(play(twice, *there_and_back[:3])) is None
    assert GAME.outcome(play(twice, *there_and_back)) == Outcome(None, Reason.REPETITION)


def test_o9_needs_the_same_hands_and_mover() -> None:
    start = GAME.format_position(GAME.start())
    other_side = start.replace(" b ", " w ")
    assert GAME.outcome(at(f"{start} seen {start} x2")) == Outcome(None, Reason.REPETITION)
    assert GAME.outcome(at(f"{start} seen {other_side} x2")) is None
    assert GAME.outcome(at(f"{start} seen {start}")) is None


FOULS = ["KC4C2", "MB4A4", "I*A3", "TA1B2", "kA1A2", "i*A3", "IB3B3"]


@pytest.mark.parametrize("move", FOULS)
def test_o10_fouls_lose(move: str) -> None:
    state = play(GAME.start(), move)
    assert GAME.awaits(state) == Ended(Outcome(SECOND, Reason.FOUL))
    assert GAME.format_position(state) == "kmt/1i1/1I1/TMK b - foul"
    assert GAME.parse_position(GAME.format_position(state)) == state


@pytest.mark.parametrize("move", FOULS)
def test_o10_fouls_refused(move: str) -> None:
    lenient = Osakana({"fouls": "refuse"})
    with pytest.raises(IllegalMove) as refusal:
        lenient.apply(lenient.start(), FIRST, lenient.parse_move(move))
    assert refusal.value.text == lenient.format_move(lenient.parse_move(move))


def test_o10_out_of_turn_is_no_foul() -> None:
    with pytest.raises(NotYourTurn):
        GAME.apply(GAME.start(), SECOND, GAME.parse_move("kA1A2"))
    with pytest.raises(BadOption):
        Osakana({"fouls": "forgive"})


def test_o11_no_move_loses() -> None:
    shut_in = play_from("KT1/MKT/IIm/3 w -", "mC3C4")
    assert GAME.awaits(shut_in) == Ended(Outcome(SECOND, Reason.NO_MOVES))


# -- Text ------------------------------------------------------------------------------------------

moves = st.builds(
    lambda seat, kind, origin, target: (
        Drop(Piece(seat, kind), target)
        if origin is None
        else Step(Piece(seat, kind), origin, target)
    ),
    st.sampled_from(Seat),
    st.sampled_from(Kind),
    st.none() | st.sampled_from(Cell),
    st.sampled_from(Cell),
)


@given(moves)
def test_o12_o14_moves_round_trip(move: Move) -> None:
    assert GAME.parse_move(GAME.format_move(move)) == move
    assert GAME.parse_move(ascii_move(move)) == move


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("か↑C4C3", "か↑C4C3"),
        ("い↓A3★", "い↓A3★"),
        ("KC4C3", "か↑C4C3"),
        ("i*A3", "い↓A3★"),
        (" kc4c3", "か↓C4C3"),
        ("か↑c4C3\t", "か↑C4C3"),
    ],
)
def test_o12_o14_both_notations(text: str, canonical: str) -> None:
    assert GAME.format_move(GAME.parse_move(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "か↑C4",
        "か↑C4C5",
        "か↑ｃ4c3",
        "かC4C3",
        "K↑C4C3",
        "い↓★A3",
        "い↓*A3",
        "i★A3",
        "KC4 C3",
        "K4C3",
    ],
)
def test_o12_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(NotAMove):
        GAME.parse_move(text)


BEFORE = """\
  A    B    C
 --------------
|    |    | ま↓| 1
 --------------
| か↓|    | た↓| 2
 --------------
| い↑|    | ま↑| 3
 --------------
|    |    |    | 4
 --------------

手ゴマ置き場
先手：い, た
後手：か"""

AFTER = """\
  A    B    C
 --------------
|    |    | ま↓| 1
 --------------
|    |    | た↓| 2
 --------------
| か↓|    | ま↑| 3
 --------------
|    |    |    | 4
 --------------

手ゴマ置き場
先手：い, た
後手：い, か"""


def test_o13_the_authors_two_diagrams() -> None:
    before = at("2m/k1t/I1M/3 w ITk")
    assert GAME.board(before) == BEFORE
    assert GAME.board(play(before, "か↓A2A3")) == AFTER


def test_o13_empty_hands() -> None:
    board = GAME.board(GAME.start())
    assert board.splitlines()[2] == "| か↓| ま↓| た↓| 1"
    assert board.endswith("手ゴマ置き場\n先手：なし\n後手：なし")


@pytest.mark.parametrize(
    "text",
    [
        "kmt/1i1/1I1/TMK",
        "kmt/1i1/1I1/TMK x -",
        "kmt/1i1/1I1/TMK b I",
        "kmt/1i1/1I1/TM1 b -",
        "kmt/1i1/1I1/TK1 b M",
        "kmt/1i1/1I1/TK1 w m",
        "kmt/i/1I1/TMK b -",
        "1mt/11i/1I1/TMK b k",
        "1mt/3/1I1/TMK b ki",
        "kmt/1i1/1I1/TMK b - seen ",
        "kmt/1i1/1I1/TMK b - seen k1t/1i1/1I1/TMK w M",
        "kmt/1i1/1I1/TMK b - seen kmt/1i1/1I1/TMK b - x3",
        "k1t/1i1/1I1/TMK w M foul",
    ],
)
def test_o14_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(NotAPosition):
        GAME.parse_position(text)


def test_o14_earlier_positions_are_told() -> None:
    state = play(GAME.start(), "KC4C3", "kA1A2", "KC3C4", "kA2A1", "KC4C3")
    assert GAME.format_position(state) == (
        "kmt/1i1/1IK/TM1 w - seen 1mt/ki1/1I1/TMK w -, 1mt/ki1/1IK/TM1 b -, "
        "kmt/1i1/1I1/TMK b - x2, kmt/1i1/1IK/TM1 w -"
    )
    assert GAME.parse_position(GAME.format_position(state)) == state
    assert GAME.turn(state) == 6


def test_prompt_names_the_side_and_shows_a_move() -> None:
    prompt = GAME.prompt(GAME.start(), FIRST)
    assert prompt == "先手 ↑ to move, for example い↑B3B2 or IB3B2"


# -- Vectors of independent move generators --------------------------------------------------------


class MoveVector(TypedDict):
    move: str
    ends: str | None


class PositionVector(TypedDict):
    position: str
    moves: list[MoveVector]


class GameVector(TypedDict):
    moves: list[str]
    end: str
    winner: str | None
    final: str
    hands: tuple[str, str]


class TryVector(TypedDict):
    position: str
    moves: list[str]


def lines(name: str) -> list[str]:
    return (VECTORS / "osakana" / name).read_text(encoding="utf-8").splitlines()


def test_vectors_positions() -> None:
    for text in lines("positions.jsonl"):
        vector: PositionVector = json.loads(text)
        state = at(vector["position"])
        mover = state.position.mover
        assert sorted(legal(state)) == sorted(move["move"] for move in vector["moves"])
        for move in vector["moves"]:
            outcome = GAME.outcome(play(state, move["move"]))
            winner = None if outcome is None else outcome.winner
            ends = None if winner is None else "mover wins" if winner is mover else "mover loses"
            assert ends == move["ends"]


def test_vectors_games() -> None:
    for text in lines("games.jsonl"):
        vector: GameVector = json.loads(text)
        state = GAME.start()
        for move in vector["moves"]:
            assert move in legal(state)
            state = play(state, move)
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.reason == vector["end"]
        assert outcome.winner == {"first": FIRST, "second": SECOND, None: None}[vector["winner"]]
        first, second = vector["hands"]
        final = line(state).split()
        assert (final[0], final[2]) == (vector["final"], first + second.lower() or "-")


def test_vectors_after_try() -> None:
    for text in lines("after_try.jsonl"):
        vector: TryVector = json.loads(text)
        state = at(vector["position"])
        mover = state.position.mover
        assert sorted(legal(state)) == sorted(vector["moves"])
        for move in vector["moves"]:
            assert GAME.outcome(play(state, move)) == Outcome(mover.other, Reason.TRY)


def perft(state: State, depth: int) -> int:
    moves = GAME.legal(state, state.position.mover)
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.apply(state, state.position.mover, move), depth - 1) for move in moves)


def perft_table(deepest: int) -> list[tuple[int, int]]:
    table = [tuple(map(int, row.split("\t"))) for row in lines("perft.tsv")[2:]]
    return [(depth, nodes) for depth, nodes in table if depth <= deepest]


@pytest.mark.parametrize(("depth", "nodes"), perft_table(6))
def test_vectors_perft(depth: int, nodes: int) -> None:
    assert perft(GAME.start(), depth) == nodes

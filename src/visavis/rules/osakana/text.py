"""The texts: moves in both notations, positions (O12, O14)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from visavis.rules.errors import NotAMove, NotAPosition
from visavis.rules.osakana.board import COLUMNS, Cell
from visavis.rules.osakana.state import Board, Drop, Hand, Kind, Move, Piece, Position, Step
from visavis.rules.protocol import Seat

KANA: Final = {
    Kind.TUNA: "ま",
    Kind.INADA: "い",
    Kind.BURI: "ぶ",
    Kind.OCTOPUS: "た",
    Kind.FLOUNDER: "か",
}
ARROWS: Final = {Seat.FIRST: "↑", Seat.SECOND: "↓"}
LETTERS: Final = {
    Kind.TUNA: "M",
    Kind.INADA: "I",
    Kind.BURI: "B",
    Kind.OCTOPUS: "T",
    Kind.FLOUNDER: "K",
}
SIDES: Final = {Seat.FIRST: "b", Seat.SECOND: "w"}


def letter(piece: Piece) -> str:
    """Return the ASCII letter of a piece: upper case for first, lower case for second."""
    upper = LETTERS[piece.kind]
    return upper if piece.seat is Seat.FIRST else upper.lower()


def kana(piece: Piece) -> str:
    """Return a piece as the author writes it, with its arrow."""
    return KANA[piece.kind] + ARROWS[piece.seat]


PIECES: Final = tuple(Piece(seat, kind) for seat in Seat for kind in Kind)
PIECE_OF: Final = {spell(piece): piece for piece in PIECES for spell in (kana, letter)}
CELL_OF: Final = {spelt: cell for cell in Cell for spelt in (cell.name, cell.name.lower())}
LETTER_OF: Final = {None: " "} | {piece: letter(piece) for piece in PIECES}

# -- Moves -----------------------------------------------------------------------------------------

# O12, and the ASCII spelling of O14.
PIECE = "[まいぶたか][↑↓]|[MIBTKmibtk]"
CELL = "[ABCabc][1-4]"
STEP: Final = re.compile(f"({PIECE})({CELL})({CELL})")
DROP: Final = re.compile(f"([まいぶたか][↑↓])({CELL})★|([MIBTKmibtk])\\*({CELL})")


def format_move(move: Move) -> str:
    """Return a move in the author's notation.

    >>> format_move(parse_move("KC4C3"))
    'か↑C4C3'
    """
    match move:
        case Step(piece, origin, target):
            return f"{kana(piece)}{origin.name}{target.name}"
        case Drop(piece, target):
            return f"{kana(piece)}{target.name}★"


def ascii_move(move: Move) -> str:
    """Return a move in ASCII.

    >>> ascii_move(parse_move("い↓A3★"))
    'i*A3'
    """
    match move:
        case Step(piece, origin, target):
            return f"{letter(piece)}{origin.name}{target.name}"
        case Drop(piece, target):
            return f"{letter(piece)}*{target.name}"


def is_move(move: object) -> bool:
    """Whether a value is a move, possible or not."""
    match move:
        case Step(Piece(Seat(), Kind()), Cell(), Cell()) | Drop(Piece(Seat(), Kind()), Cell()):
            return True
    return False


def parse_move(text: str) -> Move:
    """Read a move in either notation, or raise `NotAMove`.

    >>> parse_move("Kc4c3") == parse_move("か↑C4C3")
    True
    """
    if step := STEP.fullmatch(text):
        piece, origin, target = step.groups()
        return Step(PIECE_OF[piece], CELL_OF[origin], CELL_OF[target])
    if drop := DROP.fullmatch(text):
        piece, target = (group for group in drop.groups() if group is not None)
        return Drop(PIECE_OF[piece], CELL_OF[target])
    raise NotAMove(text, "write か↑C4C3 or KC4C3 for a move, い↑A3★ or I*A3 for a drop")


# -- Positions in one line -------------------------------------------------------------------------

POSITION: Final = re.compile("([1-3MIBTKmibtk/]{7,15}) ([bw]) (-|[MITKmitk]{1,7})")
PIECE_COUNTS: Final = {Kind.TUNA: 2, Kind.INADA: 2, Kind.OCTOPUS: 2, Kind.FLOUNDER: 2}  # O2


def format_position(position: Position) -> str:
    """Return a position in one line (O14)."""
    cells = "".join(map(LETTER_OF.__getitem__, position.board))
    rows = "/".join(cells[start : start + COLUMNS] for start in range(0, len(cells), COLUMNS))
    gaps = rows.replace("   ", "3").replace("  ", "2").replace(" ", "1")
    first, second = position.hands
    held = "".join(map(LETTERS.__getitem__, first))
    held += "".join(map(LETTERS.__getitem__, second)).lower()
    return f"{gaps} {SIDES[position.mover]} {held or '-'}"


def parse_position(text: str) -> Position:
    """Read a position in one line, or raise `NotAPosition`.

    >>> parse_position("kmt/1i1/1I1/TMK b -").tuna(Seat.FIRST)
    <Cell.B4: 10>
    """
    parts = POSITION.fullmatch(text)
    if parts is None:
        raise NotAPosition(text, "write board, side and hands like kmt/1i1/1I1/TMK b -")
    rows, side, hands = parts.groups()
    held = [PIECE_OF[char] for char in hands if char != "-"]
    position = Position(
        parse_board(text, rows),
        (hand_of(Seat.FIRST, held), hand_of(Seat.SECOND, held)),
        Seat.FIRST if side == SIDES[Seat.FIRST] else Seat.SECOND,
    )
    check_pieces(text, position)
    if format_position(position) != text:
        raise NotAPosition(text, "hands are in the order MITKmitk, and gaps are joined")
    return position


def parse_board(text: str, rows: str) -> Board:
    """Read the rows of a board."""
    filled = [re.sub("[1-3]", lambda gap: " " * int(gap[0]), row) for row in rows.split("/")]
    if [len(row) for row in filled] != [COLUMNS] * (len(Cell) // COLUMNS):
        raise NotAPosition(text, "the board has four rows of three cells")
    return tuple(PIECE_OF.get(char) for char in "".join(filled))


def hand_of(seat: Seat, held: Iterable[Piece]) -> Hand:
    """Pick a player's hand from the pieces in both hands."""
    return tuple(sorted(piece.kind for piece in held if piece.seat is seat))


def check_pieces(text: str, position: Position) -> None:
    """Raise `NotAPosition` unless these are the eight pieces of the game, in possible hands."""
    kinds = Counter(piece.kind for piece in position.board if piece is not None)
    kinds += Counter(position.hands[0] + position.hands[1])
    kinds[Kind.INADA] += kinds.pop(Kind.BURI, 0)
    if kinds != PIECE_COUNTS:
        raise NotAPosition(text, "there are two each of tuna, inada or buri, octopus, flounder")
    for seat in Seat:
        took = Kind.TUNA in position.hands[seat.other]
        if took == (position.tuna(seat) is not None) or (took and position.mover is not seat):
            raise NotAPosition(text, f"the tuna of {seat} is neither on the board nor just taken")

"""The texts of D&E: moves and positions.

A move is ``d1-d5``, a capture ``c2xb3``. A position is five fields::

    3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3 1 0 b3:?,c5:mire -

The board from rank 8 down to rank 1, blue in capitals, ``~`` after a walker that a mirror has
turned; the number of the turn, with ``+`` if a spur's second move is due and ``@d5`` if a piece has
stopped on d5 and its effect is still to be drawn; the number of moves made; the pairs of bad cells,
each named by the lower of the two names, with the effect or ``?`` if nobody knows it; the mired
pieces with the turns that they still have to sit out.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from visavis.rules.arguments import are_among
from visavis.rules.dande.board import ARMY, CELL_OF, CELLS, SIDE, Cells, Kind, Piece, cell_name
from visavis.rules.dande.play import moves_of
from visavis.rules.dande.state import PLACES, Effect, Move, Pair, State
from visavis.rules.errors import NotAMove, NotAPosition
from visavis.rules.protocol import Seat

_NUMBER = r"0|[1-9][0-9]{0,8}"
_EFFECT = "|".join(effect.value for effect in Effect)
_PAIR = rf"[a-d][3-6]:(?:{_EFFECT}|\?)"
_MIRED = r"[a-h][1-8]:[12]"
_MOVE: Final = re.compile(r"([a-hA-H][1-8])([-xX])([a-hA-H][1-8])")
_POSITION: Final = re.compile(
    rf"([KJEDkjed~1-8/]{{1,100}}) ({_NUMBER})(?:(\+)|@([a-h][1-8]))? ({_NUMBER})"
    rf" (-|{_PAIR}(?:,{_PAIR}){{0,2}}) (-|{_MIRED}(?:,{_MIRED})?)"
)
_RANK: Final = re.compile(r"(?:[KJkj]|[EDed]~?|[1-8](?![1-8]))+")
_ITEM: Final = re.compile(r"[1-8]|[A-Za-z]~?")


# -- Moves -----------------------------------------------------------------------------------------


def format_move(move: Move) -> str:
    """Return the text of a move.

    >>> format_move(Move(3, 35))
    'd1-d5'
    """
    return f"{cell_name(move.origin)}{'-x'[move.captures]}{cell_name(move.target)}"


def is_move(move: object) -> bool:
    """Whether a value is a move on the board, possible or not."""
    match move:
        case Move(origin, target, bool()):
            return are_among(CELLS, origin, target)
    return False


def parse_move(text: str) -> Move:
    """Read a move, in small letters or capitals.

    >>> parse_move("C2xB3")
    Move(origin=10, target=17, captures=True)
    """
    read = _MOVE.fullmatch(text)
    if read is None:
        raise NotAMove(text, "write a move like d1-d5 and a capture like c2xb3")
    origin, sign, target = (part.lower() for part in read.groups())
    return Move(CELL_OF[origin], CELL_OF[target], sign == "x")


# -- Positions -------------------------------------------------------------------------------------


def format_state(state: State) -> str:
    """Return the text of a position."""
    mark = "+" if state.spurred else "" if state.stop is None else f"@{cell_name(state.stop)}"
    pairs = (f"{cell_name(p.cell)}:{p.effect.value if p.effect else '?'}" for p in state.pairs)
    mired = (f"{cell_name(c)}:{p.mired}" for c, p in enumerate(state.cells) if p and p.mired)
    return " ".join(
        (
            _format_cells(state.cells),
            f"{state.turn}{mark}",
            str(state.plies),
            ",".join(pairs) or "-",
            ",".join(mired) or "-",
        )
    )


def _format_cells(cells: Cells) -> str:
    ranks = (cells[start : start + SIDE] for start in reversed(range(0, len(cells), SIDE)))
    text = "/".join("".join(map(_letter, rank)) for rank in ranks)
    for run in range(SIDE, 0, -1):
        text = text.replace("." * run, str(run))
    return text


def _letter(piece: Piece | None) -> str:
    if piece is None:
        return "."
    letter = piece.kind.value if piece.seat is Seat.FIRST else piece.kind.value.lower()
    return letter + "~" if piece.turned else letter


def parse_state(text: str) -> State:
    """Read a position; raise `NotAPosition` if it isn't one, or is impossible."""
    read = _POSITION.fullmatch(text) if len(text) <= 200 else None
    if read is None:
        raise NotAPosition(text, "write board, turn, moves made, bad cells, mired pieces")
    board, turn, plus, stop, plies, pairs, mired = read.groups()
    state = State(
        cells=_with_mired(text, _parse_cells(text, board), mired),
        turn=int(turn),
        plies=int(plies),
        pairs=_parse_pairs(pairs),
        spurred=plus is not None,
        stop=CELL_OF[stop] if stop else None,
    )
    flaw = _flaw(state)
    if flaw:
        raise NotAPosition(text, flaw)
    return state


def _parse_cells(text: str, board: str) -> Cells:
    ranks = board.split("/")
    if len(ranks) != SIDE:
        raise NotAPosition(text, "the board has 8 ranks")
    cells: list[Piece | None] = []
    for number, rank in zip(range(SIDE, 0, -1), ranks, strict=True):
        row = _parse_rank(rank) if _RANK.fullmatch(rank) else []
        if len(row) != SIDE:
            raise NotAPosition(text, f"rank {number} is not 8 cells of known pieces")
        cells[:0] = row
    return tuple(cells)


def _parse_rank(rank: str) -> list[Piece | None]:
    row: list[Piece | None] = []
    for item in _ITEM.findall(rank):
        if item.isdigit():
            row += [None] * int(item)
        else:
            seat = Seat.FIRST if item[0].isupper() else Seat.SECOND
            row.append(Piece(seat, Kind(item[0].upper()), turned="~" in item))
    return row


def _parse_pairs(text: str) -> tuple[Pair, ...]:
    items = [] if text == "-" else [item.split(":") for item in text.split(",")]
    return tuple(Pair(CELL_OF[cell], None if e == "?" else Effect(e)) for cell, e in items)


def _with_mired(text: str, cells: Cells, mired: str) -> Cells:
    changed = list(cells)
    items = [] if mired == "-" else [item.split(":") for item in mired.split(",")]
    found = [CELL_OF[name] for name, _ in items]
    if found != sorted(set(found)):
        raise NotAPosition(text, "mired pieces are named once each, in the order a1, b1, … h8")
    for name, turns in items:
        piece = cells[CELL_OF[name]]
        if piece is None:
            raise NotAPosition(text, f"no piece is mired on {name}")
        changed[CELL_OF[name]] = Piece(piece.seat, piece.kind, piece.turned, int(turns))
    return tuple(changed)


# -- What no game can come to ----------------------------------------------------------------------


def _flaw(state: State) -> str | None:
    """Say what makes a position impossible."""
    return _army_flaw(state) or _pairs_flaw(state) or _turn_flaw(state)


def _army_flaw(state: State) -> str | None:
    known = {pair.effect for pair in state.pairs}
    for seat in Seat:
        army = Counter(p.kind for p in state.cells if p is not None and p.seat is seat)
        most = dict(ARMY)
        if Effect.CROWN in known:  # every walker may have become a jumper
            most[Kind.JUMPER] += sum(most[k] - army[k] for k in ARMY if k.walks)
        for kind in Kind:
            if army[kind] > most[kind]:
                return f"{seat} has too many pieces of the kind {kind.name.lower()}"
    if Effect.MIRROR not in known and any(p is not None and p.turned for p in state.cells):
        return "a piece is turned, but no mirror is known"
    return None


def _pairs_flaw(state: State) -> str | None:
    places = [PLACES.index(pair.cell) for pair in state.pairs]
    if places != sorted(set(places)):
        return "bad cells are named once each, in the order of their names"
    known = [pair.effect for pair in state.pairs if pair.effect is not None]
    if len(known) != len(set(known)):
        return "two pairs have the same effect"
    for cell, piece in enumerate(state.cells):
        pair = state.pair_at(cell)
        if piece is not None and piece.mired and (pair is None or pair.effect is not Effect.MIRE):
            return f"{cell_name(cell)} is not a mire"
    return None


def _turn_flaw(state: State) -> str | None:
    if state.turn == 0 and state != State(pairs=tuple(Pair(p.cell) for p in state.pairs)):
        return "in turn 0 nothing has happened"
    under_way = state.spurred or state.stop is not None
    if not state.turn - 1 + under_way <= state.plies <= 2 * state.turn:
        return f"{state.plies} moves don't make {state.turn} turns"
    if state.spurred and Effect.SPUR in state.effects_left():
        return "a second move is due, but no spur is known"
    if state.spurred and not any(moves_of(state)):
        return "a second move is due, but there is none"
    if state.stop is not None:
        piece, pair = state.cells[state.stop], state.pair_at(state.stop)
        if piece is None or piece.seat is not state.mover or pair is None or pair.effect:
            return f"no piece can have stopped on {cell_name(state.stop)}"
    return None

"""Texts of moves, positions and views.

A position of the play phase is ``TURN LOSS PENDING FIRST SECOND``: the number of the turn, the last
turn with a loss, what is pending (``-``; an attack to be answered ``A0xB0=M``; a change to be
made ``B0=``), and the sides. A side is its king with the elements it owns, then its
ordinary pieces in the order of the cells they started on, each with its cell (``x`` if destroyed)
and its story::

    A0:FMWEA,A1:f,N3:M,x:E,A0:M+w,…

A story begins with the element given in the set-up. Capitals are known to both players, small
letters to the owner only, and a view has ``?`` for what the viewer does not know. ``+`` is a change
on a base, ``++`` two or more, ``>`` stands for whatever lies between two openings:

- ``f``: fire, never open, never changed; ``F``: open, fire from the start
- ``f+m``: changed to metal, never open; ``F+m``: was open as fire, then changed
- ``f+M``: changed before it was first open, as metal; ``f++M``: the same after more changes
- ``F>M``: fire at the start, open as metal now; ``F>M+w``: and changed since

The set-up phase is ``setup FIRST SECOND`` with the letters given, or ``-``. A view is the viewer
(``first``, ``second``, ``spectator``) and the position as the viewer knows it.
"""

from __future__ import annotations

import re
from typing import Final

from visavis.rules.arguments import are_among
from visavis.rules.elements.board import ADJACENT, BASES, BOARD, CELLS, NAMES
from visavis.rules.elements.formations import is_arrangement
from visavis.rules.elements.knowledge import SEALED, can_be
from visavis.rules.elements.play import occupants
from visavis.rules.elements.state import (
    LETTERS,
    PIECES,
    Arrange,
    Attack,
    Change,
    Choose,
    Element,
    King,
    Known,
    Move,
    Play,
    SetUp,
    Side,
    Step,
    Track,
    Unsure,
)
from visavis.rules.errors import NotAMove
from visavis.rules.protocol import Seat

LONGEST: Final = 600
"""No position or view is longer than this."""

CELL: Final = "(?:[AB](?:0|[1-9]|1[0-5])|N(?:[1-9]|10))"
_MOVE: Final = re.compile(
    rf"(?P<elements>[FMWEA]{{15}})|=(?P<choice>[FMWEA])|"
    rf"(?P<origin>{CELL})(?:-(?P<target>{CELL})|x(?P<prey>{CELL})(?:=(?P<element>[FMWEA]))?)",
    re.ASCII | re.IGNORECASE,
)
_PENDING: Final = re.compile(
    rf"-|(?P<base>[AB]0)=|(?P<origin>{CELL})x(?P<prey>{CELL})(?:=(?P<element>[FMWEA?]))?"
)
_KING: Final = re.compile(rf"(?P<cell>{CELL}):(?P<owned>F?M?W?E?A?|-)(?<!:)")
_PIECE: Final = re.compile(
    rf"(?P<cell>{CELL}|x):(?P<start>[FMWEAfmwea?])"
    r"(?:(?P<blind>\+\+?)(?P<first>[FMWEA]))?(?:>(?P<last>[FMWEA]))?"
    r"(?:(?P<since>\+\+?)(?P<now>[fmwea?]))?"
)
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,8}")


class Impossible(ValueError):
    """A text that isn't a position or view, with the reason; callers say which of the two."""


def element_of(letter: str) -> Element:
    """Return the element of a letter, capital or small."""
    return Element(LETTERS.index(letter.upper()))


def _maybe(letter: str) -> Unsure:
    return None if letter == "?" else element_of(letter)


# -- Moves -----------------------------------------------------------------------------------------


def format_move(move: Move) -> str:
    """Return the text of a move."""
    match move:
        case Arrange(elements):
            return "".join(element.letter for element in elements)
        case Step(origin, target):
            return f"{NAMES[origin]}-{NAMES[target]}"
        case Attack(origin, target, element):
            with_ = "" if element is None else f"={element.letter}"
            return f"{NAMES[origin]}x{NAMES[target]}{with_}"
        case Choose(element):
            return f"={element.letter}"


def is_move(move: object) -> bool:
    """Whether a value is a move of cells of the board and of elements, possible or not."""
    match move:
        case Arrange(tuple(elements)):
            return len(elements) == PIECES and all(isinstance(e, Element) for e in elements)
        case Step(origin, target) | Attack(origin, target, None | Element()):
            return are_among(BOARD, origin, target)
        case Choose(Element()):
            return True
    return False


def parse_move(text: str) -> Move:
    """Read a move; lower case is accepted too.

    >>> parse_move("a0xn1=m")
    Attack(origin=0, target=16, element=<Element.METAL: 1>)
    """
    found = _MOVE.fullmatch(text)
    if found is None:
        raise NotAMove(text, "write A2-N1, A2xN1, a king's A0xN1=M, =W, or 15 letters of FMWEA")
    if found["elements"]:
        return Arrange(tuple(map(element_of, found["elements"])))
    if found["choice"]:
        return Choose(element_of(found["choice"]))
    origin = CELLS[found["origin"].upper()]
    if found["target"]:
        return Step(origin, CELLS[found["target"].upper()])
    element = element_of(found["element"]) if found["element"] else None
    return Attack(origin, CELLS[found["prey"].upper()], element)


# -- Positions and views, written ------------------------------------------------------------------


def format_known(known: Known) -> str:
    """Return the text of a state, or of what is known of one."""
    if isinstance(known, SetUp):
        return " ".join(["setup", *map(_format_given, known.given)])
    sides = map(_format_side, known.sides)
    return " ".join([str(known.turn), str(known.loss), _format_pending(known), *sides])


def _format_given(given: tuple[Unsure, ...] | None) -> str:
    if given is None:
        return "-"
    return "?" if given == SEALED else "".join(e.letter for e in given if e is not None)


def _format_pending(play: Play[Unsure]) -> str:
    match play.pending:
        case None:
            return "-"
        case Change(cell):
            return f"{NAMES[cell]}="
        case Attack(origin, _, None) as attack if origin == play.sides[play.mover].king.cell:
            return f"{format_move(attack)}=?"
        case Attack() as attack:
            return format_move(attack)


def _format_side(side: Side[Unsure]) -> str:
    owned = "".join(element.letter for element in side.king.owned) or "-"
    pieces = zip(side.tracks, side.starts, side.nows, strict=True)
    return ",".join(
        [f"{NAMES[side.king.cell]}:{owned}", *(_format_piece(*piece) for piece in pieces)]
    )


def _format_piece(track: Track, start: Unsure, now: Unsure) -> str:
    cell = "x" if track.cell is None else NAMES[track.cell]
    return f"{cell}:{_story(track, start, now)}"


def _secret(element: Unsure) -> str:
    return "?" if element is None else element.letter.lower()


def _story(track: Track, start: Unsure, now: Unsure) -> str:
    last_told = track.start
    if track.start is not None:
        story = track.start.letter
    elif track.seen is None:
        story = _secret(start)
    else:
        last_told = track.seen if track.never is None else track.never
        story = _secret(start) + ("++" if track.never is None else "+") + last_told.letter
    if track.seen is not None and track.seen is not last_told:
        story += f">{track.seen.letter}"
    if track.changes:
        story += "+" * track.changes + _secret(now)
    return story


# -- Positions and views, read ---------------------------------------------------------------------


def parse_known(text: str) -> Known:
    """Read a state, or what is known of one; raise `Impossible` with the reason."""
    fields = text.split(" ") if len(text) <= LONGEST else []
    if len(fields) == 3 and fields[0] == "setup":
        given = _parse_given(fields[1]), _parse_given(fields[2])
        if None not in given:
            raise Impossible("play begins when both are set up")
        return SetUp(given)
    if len(fields) != 5:
        raise Impossible("write 'setup FIRST SECOND' or 'TURN LOSS PENDING FIRST SECOND'")
    turn, loss, pending, first, second = fields
    if not (_NUMBER.fullmatch(turn) and _NUMBER.fullmatch(loss)):
        raise Impossible("turns are plain numbers")
    sides = _parse_side(Seat.FIRST, first), _parse_side(Seat.SECOND, second)
    play = Play(int(turn), int(loss), _parse_pending(pending), sides)
    _check_cells(play)
    _check_turn(play)
    if isinstance(play.pending, Attack):
        _check_attack(play, play.pending, pending)
    return play


def _parse_given(text: str) -> tuple[Unsure, ...] | None:
    if text == "-":
        return None
    if text == "?":
        return SEALED
    elements = tuple(map(element_of, text)) if set(text) <= set(LETTERS) else ()
    if not is_arrangement(elements):
        raise Impossible(f"{text!r} is not 15 letters, three of each of {LETTERS}")
    return elements


def _parse_pending(text: str) -> Attack | Change | None:
    found = _PENDING.fullmatch(text)
    if found is None:
        raise Impossible(f"{text!r} can't be pending")
    if found["base"]:
        return Change(CELLS[found["base"]])
    if found["origin"]:
        element = _maybe(found["element"]) if found["element"] else None
        return Attack(CELLS[found["origin"]], CELLS[found["prey"]], element)
    return None


def _parse_side(seat: Seat, text: str) -> Side[Unsure]:
    king_text, *piece_texts = text.split(",")
    found = _KING.fullmatch(king_text)
    if found is None or len(piece_texts) != PIECES:
        raise Impossible(f"the side of {seat} is not a king and {PIECES} pieces")
    owned = tuple(map(element_of, found["owned"].replace("-", "")))
    pieces = [_parse_piece(piece) for piece in piece_texts]
    tracks, starts, nows = zip(*pieces, strict=True)
    side = Side(King(CELLS[found["cell"]], owned), tracks, starts, nows)
    if not can_be(side):
        raise Impossible(f"{seat} can't have started with three of each element")
    return side


def _parse_piece(text: str) -> tuple[Track, Unsure, Unsure]:
    found = _PIECE.fullmatch(text)
    if found is None:
        raise Impossible(f"{text!r} is not a piece")
    seen, told = found["last"] or found["first"], found["start"].isupper()
    start = _maybe(found["start"])
    never = element_of(found["first"]) if found["blind"] == "+" else None
    track = Track(
        cell=CELLS.get(found["cell"]),
        start=start if told else None,
        never=never,
        seen=element_of(seen) if seen else start if told else None,
        changes=len(found["since"] or ""),
    )
    before = start if track.seen is None else track.seen
    now = _maybe(found["now"]) if found["now"] else before
    contradiction = (
        (never is not None and start is never)
        or (track.changes == 1 and now is not None and now is before)
        or (track.cell is None and not track.is_open)
    )
    if contradiction or _format_piece(track, start, now) != text:
        raise Impossible(f"the story of {text!r} can't be")
    return track, start, now


def _check_cells(play: Play[Unsure]) -> None:
    """Refuse two pieces on a cell, and a piece on a base that has not changed there (E13)."""
    tracks = [track for side in play.sides for track in side.tracks if track.cell is not None]
    if len(occupants(play)) != len(tracks) + len(play.sides):
        raise Impossible("two pieces are on one cell")
    for track in tracks:
        unchanged = track.seen is None and not track.changes
        if unchanged and track.cell in BASES and play.pending != Change(track.cell):
            raise Impossible(f"the piece on {NAMES[track.cell]} has not changed")


def _check_turn(play: Play[Unsure]) -> None:
    """Refuse counters that don't fit each other, and things pending that can't be."""
    held = occupants(play)
    changing = isinstance(play.pending, Change)
    if not (play.turn >= 1 and play.loss < play.turn + changing):
        raise Impossible(f"the last loss can't have been in turn {play.loss}")
    if play.is_decided and (play.pending is not None or play.loss != play.turn - 1):
        raise Impossible("the game has ended")
    if isinstance(play.pending, Change):
        who = held.get(play.pending.cell)
        if who is None or who.is_king or who.seat is not play.mover:
            raise Impossible(f"no piece must change on {NAMES[play.pending.cell]}")


def _check_attack(play: Play[Unsure], attack: Attack, text: str) -> None:
    """Refuse an attack that does not wait for the answer of a king (E15)."""
    who = occupants(play).get(attack.origin)
    mine, prey = play.sides[play.mover].king, play.sides[play.mover.other].king
    if (
        who is None
        or who.seat is not play.mover
        or attack.target != prey.cell
        or attack.target not in ADJACENT[attack.origin]
        or who.is_king != ("=" in text)
        or not (attack.element is None or attack.element in mine.owned)
    ):
        raise Impossible(f"{text} is not an attack that a king must answer")

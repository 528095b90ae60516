"""Turns and battles: which moves there are and what they do (E9–E20)."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from visavis.rules.elements.board import ADJACENT, BASES, Cell
from visavis.rules.elements.state import (
    Attack,
    Change,
    Choose,
    Element,
    Known_co,
    Move,
    Play,
    Side,
    Step,
    Track,
    new_side,
)
from visavis.rules.protocol import Seat

T = TypeVar("T")


# -- Battle ---------------------------------------------------------------------------------------


class Result(enum.Enum):
    """How a battle goes, for the attacker."""

    WIN = "beats"
    LOSS = "falls to"
    TRADE = "falls with"
    NOTHING = "draws with"


_RESULTS: Final = (Result.TRADE, Result.WIN, Result.WIN, Result.NOTHING, Result.LOSS)


def battle(attacker: Element, defender: Element) -> Result:
    """Return how a battle between two used elements goes (E16).

    >>> battle(Element.WATER, Element.METAL)
    <Result.WIN: 'beats'>
    """
    return _RESULTS[(defender - attacker) % 5]


# -- What stands where -----------------------------------------------------------------------------


KING: Final = -1
"""Stands for the king where ordinary pieces have numbers."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """A piece on a cell: whose it is, and its number in its side's order, or `KING`."""

    seat: Seat
    piece: int

    @property
    def is_king(self) -> bool:
        """Whether it is a king."""
        return self.piece == KING


def occupants(play: Play[Known_co]) -> dict[Cell, Occupant]:
    """Return what stands on each cell that is not empty."""
    found = {}
    for seat in Seat:
        side = play.sides[seat]
        found[side.king.cell] = Occupant(seat, KING)
        for piece, track in enumerate(side.tracks):
            if track.cell is not None:
                found[track.cell] = Occupant(seat, piece)
    return found


def _piece_on(play: Play[Known_co], cell: Cell) -> int:
    """Return the number of the ordinary piece on a cell."""
    return occupants(play)[cell].piece


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _with_side(play: Play[Element], seat: Seat, side: Side[Element]) -> Play[Element]:
    first, second = play.sides
    return replace(play, sides=(side, second) if seat is Seat.FIRST else (first, side))


def _with_track(play: Play[Element], who: Occupant, track: Track) -> Play[Element]:
    side = play.sides[who.seat]
    return _with_side(play, who.seat, replace(side, tracks=_put(side.tracks, who.piece, track)))


# -- Flow ------------------------------------------------------------------------------------------


def begin(first: tuple[Known_co, ...], second: tuple[Known_co, ...]) -> Play[Known_co]:
    """Return the state when both sides are set up (E6)."""
    sides = new_side(Seat.FIRST, first), new_side(Seat.SECOND, second)
    return Play(turn=1, loss=0, pending=None, sides=sides)


def decider(play: Play[Known_co]) -> Seat:
    """Return who must decide: the mover, or the opponent who must answer its attack (E9, E15)."""
    return play.mover.other if isinstance(play.pending, Attack) else play.mover


def moves(play: Play[Known_co]) -> Iterator[Move]:
    """Generate what the decider may do: by origin, then by target, then by element."""
    match play.pending:
        case Attack():
            yield from map(Choose, play.sides[play.mover.other].king.owned)  # E15
        case Change(cell):
            now = play.sides[play.mover].nows[_piece_on(play, cell)]
            yield from (Choose(element) for element in Element if element != now)  # E13
        case None:
            yield from _turns(play)


def _turns(play: Play[Known_co]) -> Iterator[Move]:
    """Generate the moves and attacks of the mover (E9)."""
    held = occupants(play)
    for origin in sorted(held):
        mine = held[origin]
        if mine.seat is not play.mover:  # E10
            continue
        for target in ADJACENT[origin]:
            holder = held.get(target)
            if holder is None:
                yield Step(origin, target)  # E11
            elif holder.seat is not mine.seat:  # E10
                if mine.is_king:
                    owned = play.sides[mine.seat].king.owned
                    yield from (Attack(origin, target, element) for element in owned)  # E15
                else:
                    yield Attack(origin, target)  # E12


def after(play: Play[Element], move: Move) -> Play[Element]:
    """Return the state after a legal move of the decider."""
    match move, play.pending:
        case Step(origin, target), None:
            return _arrive(play, occupants(play)[origin], target)
        case Attack() as attack, None if needs_answer(play, attack):
            return replace(play, pending=attack)
        case Attack() as attack, None:
            return _resolve(play, attack, None)
        case Choose(element), Attack() as attack:
            return _resolve(replace(play, pending=None), attack, element)
        case Choose(element), Change(cell):
            return _change(play, cell, element)
    raise ValueError(f"{move} does not fit {play.pending}")


def needs_answer(play: Play[Known_co], attack: Attack) -> bool:
    """Whether an attack of the mover meets a king, whose owner chooses its element (E15)."""
    return attack.target == play.sides[play.mover.other].king.cell


def is_attack(play: Play[Known_co], attack: Attack) -> bool:
    """Whether the mover can make this attack (E9, E10, E15)."""
    held = occupants(play)
    mine, prey = held.get(attack.origin), held.get(attack.target)
    if mine is None or prey is None or attack.target not in ADJACENT[attack.origin]:
        return False
    owned = play.sides[mine.seat].king.owned if mine.is_king else (None,)
    return mine.seat is play.mover is not prey.seat and attack.element in owned


def used(play: Play[Element], attack: Attack, answer: Element | None) -> tuple[Element, Element]:
    """Return the elements that attacker and defender use (E14)."""
    attacker, defender = attack.element, answer
    if attacker is None:
        attacker = play.sides[play.mover].nows[_piece_on(play, attack.origin)]
    if defender is None:
        defender = play.sides[play.mover.other].nows[_piece_on(play, attack.target)]
    return attacker, defender


def _resolve(play: Play[Element], attack: Attack, answer: Element | None) -> Play[Element]:
    """Fight a battle whose elements are fixed (E14, E16–E19)."""
    held = occupants(play)
    attacker, defender = held[attack.origin], held[attack.target]
    x, y = used(play, attack, answer)
    result = battle(x, y)
    play = _opened(_opened(play, attacker, x), defender, y)  # E14
    if result is not Result.NOTHING:
        play = replace(play, loss=play.turn)
    if result in (Result.LOSS, Result.TRADE):
        play = _destroyed(play, attacker, x)  # E17
    if result in (Result.WIN, Result.TRADE):
        play = _destroyed(play, defender, y)  # E17
    if result is Result.WIN and not defender.is_king:  # E19
        return _arrive(play, attacker, attack.target)  # E17
    return _end_turn(play)


def _opened(play: Play[Element], who: Occupant, element: Element) -> Play[Element]:
    if who.is_king:
        return play
    track = play.sides[who.seat].tracks[who.piece].opened(element)
    return _with_track(play, who, track)


def _destroyed(play: Play[Element], who: Occupant, element: Element) -> Play[Element]:
    side = play.sides[who.seat]
    if who.is_king:
        return _with_side(play, who.seat, replace(side, king=side.king.without(element)))  # E18
    return _with_track(play, who, replace(side.tracks[who.piece], cell=None))


def _arrive(play: Play[Element], who: Occupant, cell: Cell) -> Play[Element]:
    """Put a piece on a cell; on a base the turn is not over until an ordinary piece changes."""
    side = play.sides[who.seat]
    if who.is_king:
        moved = replace(side, king=replace(side.king, cell=cell))
        return _end_turn(_with_side(play, who.seat, moved))
    play = _with_track(play, who, replace(side.tracks[who.piece], cell=cell))
    return replace(play, pending=Change(cell)) if cell in BASES else _end_turn(play)  # E13


def _change(play: Play[Element], cell: Cell, element: Element) -> Play[Element]:
    """Give the piece on a base another element (E13)."""
    who = Occupant(play.mover, _piece_on(play, cell))
    side = play.sides[who.seat]
    changed = replace(side, nows=_put(side.nows, who.piece, element))
    play = _with_side(play, who.seat, changed)
    return _end_turn(_with_track(play, who, side.tracks[who.piece].changed()))


def _end_turn(play: Play[Element]) -> Play[Element]:
    return replace(play, turn=play.turn + 1, pending=None)  # E9

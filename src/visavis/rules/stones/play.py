"""Groups (T7), which moves there are, what they do (T5–T13), and what chance may show (T4, T5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from visavis.rules.protocol import Seat
from visavis.rules.stones.board import Cell, Field
from visavis.rules.stones.state import (
    DEALT,
    DEALT_EACH,
    FRONT_LIMIT,
    PEEKING,
    Done,
    Front,
    Keep,
    Known,
    Level,
    Lying,
    Move,
    Phase,
    Pile,
    Piled,
    Put,
    Side,
    Skip,
    State,
    Take,
    drawn,
    identified,
    learned,
    placed,
)
from visavis.rules.stones.tokens import BASE_OF, TWINS

# -- Groups ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Group:
    """Stones of one colour joined side by side, three or more (T7)."""

    cells: tuple[Cell, ...]
    """In reading order."""
    tokens: tuple[int, ...]
    """The tokens in the group, by number."""

    @property
    def level(self) -> Phase:
        """How the group is settled, by its size (T7)."""
        return LEVELS[min(len(self.cells), 5) - 3]


LEVELS: Final = (Phase.THREE, Phase.FOUR, Phase.FIVE)


def groups(state: State) -> list[Group]:
    """Return all groups on the field, in reading order of their first cells."""
    colours = {cell: colour for token in state.tokens for cell, colour in token.stones()}
    covered = state.covered()
    found = []
    left = set(colours)
    for start in sorted(colours):
        if start not in left:
            continue
        left.remove(start)
        cells = [start]
        for cell in cells:
            for near in cell.neighbours():
                if near in left and colours[near] == colours[start]:
                    left.remove(near)
                    cells.append(near)
        if len(cells) >= 3:
            tokens = tuple(sorted({covered[cell] for cell in cells}))
            found.append(Group(tuple(sorted(cells)), tokens))
    return found


def largest_groups(state: State) -> list[Group]:
    """Return the groups of the largest size."""
    found = groups(state)
    size = max((len(group.cells) for group in found), default=0)
    return [group for group in found if len(group.cells) == size]


# -- Moves -----------------------------------------------------------------------------------------


def moves(field: Field, state: State) -> Sequence[Move]:
    """Return all moves of the seat to move.

    Placings by number, cell in reading order and turns, then ``done``; groups in reading order;
    tokens of a group by number, improved side first.
    """
    match state.phase:
        case Phase.PLACE:
            return _placings(field, state) or (Skip(),)  # T13
        case Phase.MORE:
            return [*_placings(field, state), Done()]  # T12
        case Phase.LEVEL:
            return [Level(group.cells[0]) for group in largest_groups(state)]  # T11
        case Phase.KEEP:
            return [Keep(number, up) for number in state.group for up in Side]  # T9
        case Phase.FIVE:
            token = state.group[0]
            room = len(state.front(state.seat)) < FRONT_LIMIT
            return [Pile(token), *(Keep(token, up) for up in Side if room)]  # T10
        case _:
            return [Take(number) for number in state.group]  # T8, T9


@cache
def _turns(number: int, cell: Cell) -> tuple[Put, ...]:
    return tuple(Put(number, cell, turns) for turns in range(4))


def _placings(field: Field, state: State) -> list[Put]:
    covered = state.covered().keys()
    squares = field.squares.items()
    free = [cell for cell, square in squares if covered.isdisjoint(square)]  # T6
    front = state.front(state.seat)
    return [put for token in front for cell in free for put in _turns(token, cell)]


def is_legal(field: Field, state: State, move: Move) -> bool:
    """Whether the seat to move may make this move."""
    if not isinstance(move, Put):
        return move in moves(field, state)
    square = field.squares.get(move.cell)
    return (
        state.phase in (Phase.PLACE, Phase.MORE)
        and move.token in state.front(state.seat)
        and move.turns in range(4)
        and square is not None
        and state.covered().keys().isdisjoint(square)
    )


# -- What they do ----------------------------------------------------------------------------------


def after(state: State, move: Move) -> State:
    """Return the state after a legal move."""
    match move:
        case Skip():
            return _pass(replace(state, skips=state.skips + 1))
        case Done():
            return _pass(state)
        case Put(token, cell, turns):
            return _put(state, token, Lying(cell, turns, state.token(token).up))
        case Level(cell):
            return _choose(state, cell)
        case Take(token):
            return _take(state, token)
        case Pile(token):
            return _divide(state, token, Piled(state.seat))
        case Keep(token, up):
            return _divide(state, token, Front(state.seat, up))


def _put(state: State, token: int, place: Lying) -> State:
    bonus = state.bonus - (state.phase is Phase.MORE)
    tokens = placed(state.tokens, token, place)
    return _settle(replace(state, tokens=tokens, bonus=bonus, skips=0))


def _settle(state: State) -> State:
    """Look for what there is to settle: the largest group first (T11)."""
    match largest_groups(state):
        case []:
            if state.bonus:
                return replace(state, phase=Phase.MORE, group=())  # T12
            return _pass(state)  # T13
        case [group]:
            return _open(state, group, group.level)
        case _:
            return replace(state, phase=Phase.LEVEL, group=())


def _choose(state: State, cell: Cell) -> State:
    group = next(g for g in largest_groups(state) if g.cells[0] == cell)
    higher = LEVELS[min(LEVELS.index(group.level) + 1, len(LEVELS) - 1)]  # T11
    return _open(state, group, higher)


def _open(state: State, group: Group, level: Phase) -> State:
    """Begin to settle a group. At level four and five its lower sides are looked at.

    What others have seen before, the player sees now; what nobody has seen is rolled for.
    """
    tokens = state.tokens
    if level in PEEKING:
        bases = (state.token(number).base for number in group.tokens)
        tokens = learned(tokens, bases, Known.to(state.seat))
    return replace(state, phase=level, group=group.tokens, tokens=tokens)


def _take(state: State, token: int) -> State:
    tokens = placed(state.tokens, token, Piled(state.seat))  # T8
    after = replace(state, tokens=tokens, group=())
    if state.phase is Phase.THREE:
        return _settle(after)
    if len(state.front(state.seat)) == FRONT_LIMIT:
        return _earn(after)
    rest = tuple(number for number in state.group if number != token)
    return replace(after, phase=Phase.KEEP, group=rest)  # T9


def _divide(state: State, token: int, place: Front | Piled) -> State:
    tokens = placed(state.tokens, token, place)
    if place == Front(state.seat, Side.IMPROVED):
        tokens = learned(tokens, [state.token(token).base], Known.ALL)  # T4
    rest = state.group[1:] if state.phase is Phase.FIVE else ()
    after = replace(state, tokens=tokens, group=rest)
    return after if rest else _earn(after)


def _earn(state: State) -> State:
    return _settle(replace(state, bonus=state.bonus + 1))  # T9, T10


def _pass(state: State) -> State:
    after = replace(state, turn=state.turn + 1, bonus=0, group=())
    full = len(after.front(after.seat)) == FRONT_LIMIT
    return replace(after, phase=Phase.PLACE if full else Phase.DRAW)  # T5


# -- Chance ----------------------------------------------------------------------------------------


def faces(state: State) -> tuple[tuple[str, int], ...]:
    """Return the sides that may show next, weighted as drawing from the bag would."""
    if (unseen := state.unseen()) is not None:
        return tuple((improved, 1) for improved in TWINS[state.token(unseen).base])
    if state.phase not in (Phase.DEAL, Phase.DRAW):
        return ()
    if state.phase is Phase.DEAL and _deals_improved(state):
        return _improved_faces(state)
    out = Counter(token.base for token in state.tokens)
    return tuple((base, 2 - out[base]) for base in TWINS if out[base] < 2)


def _deals_improved(state: State) -> bool:
    return len(state.tokens) % DEALT_EACH < 2  # T4


def _improved_faces(state: State) -> tuple[tuple[str, int], ...]:
    """Weigh improved sides; one that may lie under a base side dealt before counts half."""
    out = {token.base: token for token in state.tokens}
    seen = {token.improved for token in state.tokens}
    full = {base for base in out if sum(t.base == base for t in state.tokens) == 2}
    return tuple(
        (improved, 1 if base in out and not out[base].known else 2)
        for improved, base in BASE_OF.items()
        if base not in full and improved not in seen
    )


def rolled(state: State, face: str) -> State:
    """Return the state after chance has shown one of `faces`: a token dealt, drawn, looked at."""
    if (unseen := state.unseen()) is not None:
        known = Known.to(state.seat)
        return replace(state, tokens=identified(state.tokens, unseen, face, known))
    if state.phase is Phase.DRAW:
        tokens = drawn(state.tokens, face, Front(state.seat, Side.BASE))  # T5
        return replace(state, phase=Phase.PLACE, tokens=tokens)
    return _deal(state, face)


def _deal(state: State, face: str) -> State:
    seat = Seat(len(state.tokens) // DEALT_EACH)
    if _deals_improved(state):
        tokens = drawn(state.tokens, BASE_OF[face], Front(seat, Side.IMPROVED))
        tokens = identified(tokens, len(tokens), face, Known.ALL)
    else:
        tokens = drawn(state.tokens, face, Front(seat, Side.BASE))
    if len(tokens) == DEALT:
        return replace(state, turn=1, phase=Phase.DRAW, tokens=tokens)
    return replace(state, tokens=tokens)

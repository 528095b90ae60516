"""Texts of moves, positions and views.

A position is its turn, phase, counters and the tokens in order of their numbers, for example
``5 four:3.7.12 skips:0 bonus:1 RRYGi=1 RVGBb=2 RRGY2b@C4r1 RGBV+1 …``. A token is

- its improved side if that is known, else its base side;
- ``1``, ``2`` or ``12`` if only first, only second or only both of them know that side, after a
  ``?`` in a view that does not show it;
- the side up and where it is: ``i=1`` in front of first, ``b@C4r2`` on the field, or ``+2`` in the
  pile of second, which has no side up.

A view begins with its viewer: ``first``, ``second``, ``spectator``, or ``open`` for everything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from visavis.rules.arguments import are_among
from visavis.rules.errors import NotAMove, NotAPosition, NotAView
from visavis.rules.protocol import Seat
from visavis.rules.seats import OPEN, VIEWER_NAMED, viewer_text
from visavis.rules.spelling import capitals
from visavis.rules.stones.board import CELL_TEXT, Cell, Field, parse_cell
from visavis.rules.stones.play import largest_groups
from visavis.rules.stones.state import (
    DEALT,
    DEALT_EACH,
    FRONT_LIMIT,
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
    Place,
    Put,
    Side,
    Skip,
    State,
    Take,
    Token,
    View,
)
from visavis.rules.stones.tokens import BASE_OF, SET_SIZE, TWINS

LONGEST: Final = 2_000
"""Longer positions and views are not read."""
_TOKENS: Final = range(1, SET_SIZE + 1)

# -- Moves -----------------------------------------------------------------------------------------

_NUMBER: Final = "[1-9][0-9]?"
_MOVE: Final = re.compile(
    rf"(?P<put>{_NUMBER}) ?@ ?(?P<cell>{CELL_TEXT})(?:R(?P<turns>[0-3]))?"
    rf"|(?P<verb>TAKE|PILE) (?P<number>{_NUMBER})"
    rf"|KEEP (?P<kept>{_NUMBER})(?P<up>[IB])"
    rf"|LEVEL (?P<level>{CELL_TEXT})"
    r"|(?P<word>DONE|SKIP)"
)


def format_move(move: Move) -> str:
    """Return the canonical text of a move.

    >>> format_move(Put(17, Cell(3, 2), 2))
    '17@C4r2'
    """
    match move:
        case Put(token, cell, turns):
            return f"{token}@{cell}r{turns}"
        case Take(token):
            return f"take {token}"
        case Pile(token):
            return f"pile {token}"
        case Keep(token, up):
            return f"keep {token}{up.value}"
        case Level(cell):
            return f"level {cell}"
        case Done():
            return "done"
        case Skip():
            return "skip"


def is_move(move: object) -> bool:
    """Whether a value is a move of tokens of the set and cells of the grid, possible or not."""
    match move:
        case Put(token, Cell() as cell, turns):
            return are_among(_TOKENS, token) and are_among(range(4), turns) and cell.is_on_grid()
        case Take(token) | Pile(token) | Keep(token, Side()):
            return are_among(_TOKENS, token)
        case Level(Cell() as cell):
            return cell.is_on_grid()
        case Done() | Skip():
            return True
    return False


def parse_move(text: str) -> Move:
    """Read a move; case does not matter, and without ``r`` the token is not turned.

    >>> parse_move("Keep 23I")
    Keep(token=23, up=<Side.IMPROVED: 'i'>)
    """
    read = _MOVE.fullmatch(capitals(text))
    if read is None:
        raise NotAMove(text, "write 17@C4r2, take 17, keep 17i, keep 17b, pile 17, level C4, done")
    if read["put"]:
        move: Move = Put(int(read["put"]), parse_cell(read["cell"]), int(read["turns"] or 0))
    elif read["verb"]:
        move = (Take if read["verb"] == "TAKE" else Pile)(int(read["number"]))
    elif read["kept"]:
        move = Keep(int(read["kept"]), Side(read["up"].lower()))
    elif read["level"]:
        move = Level(parse_cell(read["level"]))
    else:
        move = Done() if read["word"] == "DONE" else Skip()
    if isinstance(move, Put | Take | Pile | Keep) and move.token not in _TOKENS:
        raise NotAMove(text, f"there are only {SET_SIZE} tokens")
    return move


# -- Tokens ----------------------------------------------------------------------------------------

_KNOWN_TEXTS: Final = {
    Known.NOBODY: "",
    Known.FIRST: "1",
    Known.SECOND: "2",
    Known.BOTH: "12",
    Known.ALL: "",
}
_TOKEN: Final = re.compile(
    r"(?P<side>[RYGBV]{4})(?P<hidden>\?)?(?P<known>12?|2)?"
    rf"(?:(?P<up>[ib])(?:=(?P<front>[12])|@(?P<cell>{CELL_TEXT})r(?P<turns>[0-3]))|\+(?P<pile>[12]))"
)


def _format_token(token: Token) -> str:
    name = token.improved or token.base
    hidden = "?" if token.known and not token.improved else ""
    match token.place:
        case Front(seat, up):
            place = f"{up.value}={seat + 1}"
        case Lying(cell, turns, up):
            place = f"{up.value}@{cell}r{turns}"
        case Piled(seat):
            place = f"+{seat + 1}"
    return f"{name}{hidden}{_KNOWN_TEXTS[token.known]}{place}"


def _parse_token(text: str) -> Token:
    read = _TOKEN.fullmatch(text)
    if read is None:
        raise ValueError(f"{text[:40]!r} is not a token")
    side, digits = read["side"], read["known"]
    improved = side if side in BASE_OF else None
    if improved is None and side not in TWINS:
        raise ValueError(f"no token has the side {side}")
    if bool(read["hidden"]) != (improved is None and digits is not None):
        raise ValueError(f"{text!r} has its ? in the wrong place")
    unmarked = Known.ALL if improved else Known.NOBODY
    known = Known(sum(map(int, digits))) if digits else unmarked
    token = Token(BASE_OF.get(side, side), improved, known, _parse_place(read))
    if token.up is Side.IMPROVED and token.known is not Known.ALL:
        raise ValueError(f"{text!r} is improved side up, which everybody sees")
    return token


def _parse_place(read: re.Match[str]) -> Place:
    if read["pile"]:
        return Piled(Seat(int(read["pile"]) - 1))
    up = Side(read["up"])
    if read["front"]:
        return Front(Seat(int(read["front"]) - 1), up)
    return Lying(parse_cell(read["cell"]), int(read["turns"]), up)


# -- Positions and views ---------------------------------------------------------------------------

_HEAD: Final = re.compile(
    r"(?P<turn>0|[1-9][0-9]{0,3}) (?P<phase>[a-z]{4,5})(?::(?P<group>[0-9.]{1,180}))? "
    r"skips:(?P<skips>[0-2]) bonus:(?P<bonus>0|[1-9][0-9]?)(?: (?P<tokens>.+))?"
)
_PHASES: Final = {phase.value: phase for phase in Phase}
_SETTLING: Final = (Phase.THREE, Phase.FOUR, Phase.KEEP, Phase.FIVE)


def format_state(state: State) -> str:
    """Return the text of a state, or of the state that a view shows."""
    group = ":" + ".".join(map(str, state.group)) if state.group else ""
    head = f"{state.turn} {state.phase.value}{group} skips:{state.skips} bonus:{state.bonus}"
    return " ".join([head, *map(_format_token, state.tokens)])


def _parse_state(text: str, field: Field) -> State:
    """Read a state, or raise a ValueError that says what is wrong with it."""
    read = _HEAD.fullmatch(text) if len(text) <= LONGEST else None
    if read is None or read["phase"] not in _PHASES:
        raise ValueError("it should begin like 5 place skips:0 bonus:0 and go on with tokens")
    names = read["tokens"].split(" ") if read["tokens"] else []
    state = State(
        int(read["turn"]),
        _PHASES[read["phase"]],
        _parse_group(read["group"] or "", len(names)),
        int(read["skips"]),
        int(read["bonus"]),
        tuple(map(_parse_token, names)),
    )
    for objection in _objections(state, field):
        raise ValueError(objection)
    return state


def _parse_group(text: str, tokens: int) -> tuple[int, ...]:
    if not text:
        return ()
    parts = text.split(".")
    if not all(re.fullmatch(_NUMBER, part) and int(part) <= tokens for part in parts):
        raise ValueError(f"{text!r} is not a group of its tokens")
    return tuple(map(int, parts))


def parse_position(text: str, field: Field) -> State:
    """Read a position."""
    try:
        state = _parse_state(text, field)
    except ValueError as error:
        raise NotAPosition(text, str(error)) from None
    if any(token.known and not token.improved for token in state.tokens):
        raise NotAPosition(text, "a position hides nothing that somebody knows")
    return state


def format_view(view: View) -> str:
    """Return the text of a view."""
    return f"{OPEN if view.revealed else viewer_text(view.viewer)} {format_state(view.state)}"


def parse_view(text: str, field: Field) -> View:
    """Read a view."""
    name, _, rest = text.partition(" ")
    if name != OPEN and name not in VIEWER_NAMED:
        raise NotAView(text, f"it should begin with {', '.join(VIEWER_NAMED)} or {OPEN}")
    try:
        state = _parse_state(rest, field)
    except ValueError as error:
        raise NotAView(text, str(error)) from None
    view = View(VIEWER_NAMED.get(name), state, revealed=name == OPEN)
    everything = view.revealed or state.ending is not None
    for token in state.tokens:
        sees = everything or bool(token.known & Known.to(view.viewer))
        if token.known and (token.improved is not None) != sees:
            raise NotAView(text, f"{name} can't see just that of {_format_token(token)}")
    return view


# -- Positions that can't be -----------------------------------------------------------------------


def _objections(state: State, field: Field) -> Iterator[str]:
    """Say what is impossible about a state, if anything is."""
    yield from _twins_apart(state)
    yield from _misplaced(state, field)
    yield from _miscounted(state)
    if state.phase is not Phase.DEAL:
        yield from _out_of_phase(state)


def _twins_apart(state: State) -> Iterator[str]:
    for base, count in Counter(token.base for token in state.tokens).items():
        pair = [token for token in state.tokens if token.base == base]
        if count > 2:
            yield f"there are only two tokens with the base side {base}"
        elif count == 2:
            one, other = pair
            if one.known is not other.known or (one.improved is None) != (other.improved is None):
                yield f"a player who knows one token with the base side {base} knows the other"
            if one.improved is not None and one.improved == other.improved:
                yield f"there is only one token {one.improved}"


def _misplaced(state: State, field: Field) -> Iterator[str]:
    taken: set[Cell] = set()
    for token in state.tokens:
        if isinstance(token.place, Lying):
            square = token.place.cell.square()
            if not field.cells.issuperset(square):
                yield f"the token at {token.place.cell} is over the edge of the field"
            if not taken.isdisjoint(square):
                yield f"the token at {token.place.cell} lies on another"
            taken.update(square)
    for seat in Seat:
        if len(state.front(seat)) > FRONT_LIMIT:
            yield f"{seat} has more than {FRONT_LIMIT} tokens in front"


def _miscounted(state: State) -> Iterator[str]:
    if (state.phase is Phase.DEAL) != (state.turn == 0) or (
        (state.phase is Phase.DEAL) != (len(state.tokens) < DEALT)
    ):
        yield f"turn 0 is the deal of the first {DEALT} tokens"
    if state.phase is Phase.DEAL:
        for number, token in enumerate(state.tokens):
            up = Side.IMPROVED if number % DEALT_EACH < 2 else Side.BASE
            if token.place != Front(Seat(number // DEALT_EACH), up):
                yield "each is dealt two tokens improved side up, then two base side up"
            if token.known not in (Known.NOBODY, Known.ALL):
                yield "nobody has looked at anything during the deal"
    if state.skips and state.phase not in (Phase.DRAW, Phase.PLACE):
        yield "a skip counts only until a token is placed"
    if state.bonus and state.phase in (Phase.DEAL, Phase.DRAW, Phase.PLACE):
        yield "the right to place more is earned by settling a group"
    if state.phase is Phase.MORE and not state.bonus:
        yield "there is no right to place more"


def _out_of_phase(state: State) -> Iterator[str]:
    front = len(state.front(state.seat))
    if bool(state.group) != (state.phase in _SETTLING):
        yield "a group is named exactly while one is settled"
    if list(state.group) != sorted(set(state.group)):
        yield "the tokens of a group are named by number"
    if not all(isinstance(state.token(number).place, Lying) for number in state.group):
        yield "the tokens of a group lie on the field"
    if state.phase is Phase.DRAW and front == FRONT_LIMIT:
        yield f"a player with {FRONT_LIMIT} tokens in front takes none from the bag"
    if state.phase is Phase.PLACE and not front:
        yield "there is no token to place"
    if state.phase is Phase.KEEP and front == FRONT_LIMIT:
        yield f"there is no room in front for more than {FRONT_LIMIT}"
    yield from _unlooked(state)
    yield from _ungrouped(state)


def _unlooked(state: State) -> Iterator[str]:
    if state.phase in (Phase.FOUR, Phase.KEEP, Phase.FIVE):
        known = [state.token(number).known for number in state.group]
        if not all(k & Known.to(state.seat) for k in known if k or state.phase is Phase.KEEP):
            yield f"{state.seat} has looked at the tokens of the group"


def _ungrouped(state: State) -> Iterator[str]:
    found = largest_groups(state)
    if state.phase in (Phase.DRAW, Phase.PLACE, Phase.MORE) and found:
        yield f"the group at {found[0].cells[0]} should have been settled"
    if state.phase is Phase.LEVEL and len(found) < 2:
        yield "there are no equal largest groups to choose from"
    if state.phase in (Phase.THREE, Phase.FOUR):
        lifted = state.phase is Phase.FOUR and len(found) > 1  # T11
        level = Phase.THREE if lifted else state.phase
        if not any(g.tokens == state.group and g.level is level for g in found) or (
            state.phase is Phase.THREE and len(found) > 1
        ):
            yield "the group named is not settled that way"

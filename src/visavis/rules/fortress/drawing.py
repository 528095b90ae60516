"""The field drawn in plain text, and what is asked of a player.

Brackets say who controls a cell, ``( )`` first and ``[ ]`` second; what stands between them is the
ground or what is built on it; a letter behind them is a general.
"""

from __future__ import annotations

from textwrap import wrap

from visavis.rules.fortress.board import cells_of, column_name
from visavis.rules.fortress.play import Play
from visavis.rules.fortress.scenario import Mode, Scenario
from visavis.rules.fortress.state import Call, State
from visavis.rules.fortress.text import move_text
from visavis.rules.protocol import Seat

COLUMNS = 79
"""Lines of text are no longer than this."""
WIDEST = 18
"""Fields with more columns are drawn in cells of two characters."""


def draw(scenario: Scenario, state: State) -> str:
    """Return the field, the score and the turns left."""
    field = scenario.grid
    cell_width = 4 if field.width <= WIDEST else 2
    drawn = _wide(scenario, state) if cell_width == 4 else _narrow(scenario, state)
    names = (column_name(column) for column in range(field.width))
    lines = ["   " + "".join(f"{name:^{cell_width}}" for name in names).rstrip()]
    for row in range(field.height):
        shift = " " * (row % 2 * cell_width // 2)
        cells = drawn[row * field.width : (row + 1) * field.width]
        lines.append(f"{row + 1:>2} {shift}{''.join(cells)}".rstrip())
    lines += [
        "",
        *_legend(scenario, cell_width == 2),
        *_generals(scenario, state),
        _score(scenario, state),
    ]
    return "\n".join(lines)


def _ground(scenario: Scenario, state: State) -> list[str]:
    """Return a sign for each cell: the ground, or what is built on it."""
    signs = ["."] * scenario.grid.size
    for sign, mask in (("^", scenario.mountains), ("~", scenario.water), ("#", state.forts)):
        for cell in cells_of(mask):
            signs[cell] = sign
    for city in scenario.cities:
        signs[city] = "@"
    return signs


def _general_signs(state: State) -> dict[int, str]:
    """Return a letter for each cell with a general: small if it has acted."""
    signs = {}
    for letter, mask in zip("AB", state.generals, strict=True):
        for cell in cells_of(mask):
            signs[cell] = letter.lower() if state.acted >> cell & 1 else letter
    return signs


def _wide(scenario: Scenario, state: State) -> list[str]:
    signs, generals = _ground(scenario, state), _general_signs(state)
    drawn = [f" {sign} " for sign in signs]
    for brackets, mask in zip(("(%s)", "[%s]"), state.lands, strict=True):
        for cell in cells_of(mask):
            drawn[cell] = brackets % signs[cell]
    return [text + generals.get(cell, " ") for cell, text in enumerate(drawn)]


def _narrow(scenario: Scenario, state: State) -> list[str]:
    signs, generals = _ground(scenario, state), _general_signs(state)
    owners = [" "] * scenario.grid.size
    for sign, mask in zip("(|", state.lands, strict=True):
        for cell in cells_of(mask):
            owners[cell] = sign
    return [owner + generals.get(cell, signs[cell]) for cell, owner in enumerate(owners)]


def _legend(scenario: Scenario, narrow: bool) -> list[str]:
    owners = "( first's   | second's" if narrow else "( ) first's   [ ] second's"
    ground = "   ^ mountain   ~ water" if scenario.mode is not Mode.YOUNG else ""
    lines = [f"{owners}   @ city   # fortress{ground}"]
    if scenario.mode is Mode.PLENTY:
        lines.append("A first's general   B second's   a b has acted in this turn")
    return lines


def _generals(scenario: Scenario, state: State) -> list[str]:
    """Return where generals stand on something that a narrow cell does not show."""
    signs, names = _ground(scenario, state), scenario.grid.names
    on = [
        names[c] + signs[c]
        for c in cells_of(state.generals[0] | state.generals[1])
        if signs[c] in "~#"
    ]
    if scenario.grid.width <= WIDEST or not on:
        return []
    return wrap("Generals on water or a fortress: " + " ".join(on), COLUMNS)


def _score(scenario: Scenario, state: State) -> str:
    first, second = state.scores
    left = [scenario.turns - (state.turn - seat) // 2 for seat in (0, 1)]
    if state.turn > 2 * scenario.turns:
        return f"The game is over. Cells: first {first}, second {second}."
    return (
        f"Cells: first {first}, second {second}. "
        f"Turns left: first {left[0]}, second {left[1]}; it is {state.seat}'s."
    )


def prompt(play: Play, state: State, seat: Seat) -> str:
    """Return what is asked, with a move that is possible now."""
    moves = play.moves(state, seat)
    example = move_text(play.grid, moves[0])
    if moves[0] is Call.PASS:
        return f"{seat}: nothing can be done: {example}"
    if play.scenario.mode is not Mode.PLENTY:
        return f"{seat}: build a fortress, {example} for example ({len(moves)} sites)"
    ending = ", or end" if moves[-1] is Call.END else "; the city must be left"
    return f"{seat}: order a general, {example} for example (A1-B1 goes, + builds){ending}"

"""The game: its flow, its ends (E20–E22) and its place in the protocol."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from visavis.rules.elements import drawing
from visavis.rules.elements import text as texts
from visavis.rules.elements.formations import FORMATIONS, AllSetUps
from visavis.rules.elements.knowledge import draw_state, view_of
from visavis.rules.elements.play import (
    after,
    battle,
    begin,
    decider,
    is_attack,
    moves,
    needs_answer,
    used,
)
from visavis.rules.elements.refusals import why_not
from visavis.rules.elements.state import (
    Arrange,
    Attack,
    Change,
    Choose,
    Element,
    Known,
    Move,
    Play,
    Reason,
    SetUp,
    State,
    View,
)
from visavis.rules.errors import IllegalMove, NotAPosition, NotAView
from visavis.rules.protocol import (
    Awaits,
    Decide,
    Ended,
    Game,
    Number,
    Outcome,
    Seat,
    Viewer,
)
from visavis.rules.seats import VIEWER_NAMED, viewer_text


class Elements(Game[State, Move, View]):
    """Five Elements.

    >>> game = Elements()
    >>> len(game.legal(game.start(), Seat.SECOND))
    168168000
    """

    slug: ClassVar = "elements"
    title: ClassVar = "Five Elements"
    summary: ClassVar = "hidden pieces and a ring of elements; break the king"
    schema: ClassVar = (
        Number(
            "quiet_limit", "turns in a row without a loss that make a draw; 0: none", 100, 0, 1000
        ),
    )
    hidden: ClassVar = True
    rules_version = 1
    reasons = Reason

    # Flow

    def start(self) -> State:
        """Return the state before the set-up."""
        return SetUp((None, None))

    def awaits(self, state: State) -> Awaits:
        """Ask both for their set-up (E6, E7), then the decider, or say how the game ended."""
        if isinstance(state, SetUp):
            return Decide(tuple(seat for seat in Seat if state.given[seat] is None))
        outcome = self._ended(state)
        return Decide((decider(state),)) if outcome is None else Ended(outcome)

    def _ended(self, play: Play[Element]) -> Outcome | None:
        broken = [seat for seat in Seat if not play.sides[seat].king.owned]
        if len(broken) == 2:
            return Outcome(None, Reason.BOTH_KINGS)  # E20
        if broken:
            return Outcome(broken[0].other, Reason.KING)  # E20
        if play.pending is None and play.quiet >= self._quiet_limit:
            return Outcome(None, Reason.QUIET)  # E21
        return None

    @property
    def _quiet_limit(self) -> float:
        return int(self.options["quiet_limit"]) or math.inf

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return all set-ups, or what the decider may do."""
        if seat not in self.awaited(state):
            return ()
        return AllSetUps() if isinstance(state, SetUp) else tuple(moves(state))

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a set-up, a move, an answer or a change."""
        self.check_turn(state, seat)
        if move not in self.legal(state, seat):
            raise IllegalMove(self.format_move(move), why_not(state, move))
        if isinstance(state, Play):
            return after(state, move)
        first, second = state.given
        if isinstance(move, Arrange):
            first, second = (
                (move.elements, second) if seat is Seat.FIRST else (first, move.elements)
            )
        return SetUp((first, second)) if first is None or second is None else begin(first, second)

    def turn(self, state: State) -> int:
        """Return the number of the turn; answers and changes belong to the turn they end."""
        return 0 if isinstance(state, SetUp) else state.turn

    # Knowledge

    def view(self, state: State, viewer: Viewer) -> View:
        """Return what a viewer knows: everything, once the game is over (E22)."""
        return View(viewer, state) if self.outcome(state) else view_of(state, viewer)

    def reveal(self, state: State) -> View:
        """Return the view of a spectator who knows everything."""
        return View(None, state)

    def determinize(self, view: View, rng: random.Random) -> State:
        """Draw one of the states that are possible for the viewer, all with the same chance."""
        return draw_state(view, rng)

    def observe(self, state: State, seat: Seat, move: Move, viewer: Viewer) -> str:
        """Hide set-ups, changes, and kings' attacks that wait for an answer (E7, E13, E15)."""
        if viewer is not seat:
            match move:
                case Arrange():
                    return "?"
                case Choose() if isinstance(state, Play) and isinstance(state.pending, Change):
                    return "=?"
                case Attack(element=Element()) if isinstance(state, Play) and needs_answer(
                    state, move
                ):
                    return self.format_move(replace(move, element=None)) + "=?"
        return self.format_move(move)

    def remark(self, state: State, seat: Seat, move: Move, after: State) -> str:
        """Tell how a battle went for the attacker, as in ``M beats W``."""
        fought = _battle(state, move)
        if fought is None:
            return ""
        attacker, defender = fought
        return f"{attacker.letter} {battle(attacker, defender).value} {defender.letter}"

    def reveals(self, state: State, seat: Seat, move: Move) -> bool:
        """Whether the move ends the set-up, a battle or the game.

        A change shows only that there was one, so it can be taken back.
        """
        if isinstance(state, SetUp) or _battle(state, move) is not None:
            return True
        return self.outcome(self.apply(state, seat, move)) is not None

    # Text

    def is_move(self, move: object) -> bool:
        """Whether it is made of cells of the board and of elements."""
        return texts.is_move(move)

    def format_move(self, move: Move) -> str:
        """Return the text of a move: ``A2-N1``, ``A2xN1``, ``A0xN1=M``, ``=W``, or a set-up."""
        return texts.format_move(move)

    def parse_move(self, text: str) -> Move:
        """Read a move."""
        return texts.parse_move(text)

    def format_position(self, state: State) -> str:
        """Return the text of a state, described in `visavis.rules.elements.text`."""
        return texts.format_known(state)

    def parse_position(self, text: str) -> State:
        """Read a position."""
        try:
            known = self._parse_known(text)
        except texts.Impossible as error:
            raise NotAPosition(text, str(error)) from None
        state = draw_state(View(None, known), random.Random(0))
        if texts.format_known(state) != text:
            raise NotAPosition(text, "something in it is unknown")
        return state

    def format_view(self, view: View) -> str:
        """Return the viewer and the position as the viewer knows it."""
        return f"{viewer_text(view.viewer)} {texts.format_known(view.known)}"

    def parse_view(self, text: str) -> View:
        """Read a view: one that hides nothing, or exactly what the viewer does not know."""
        word, _, rest = text.partition(" ")
        if word not in VIEWER_NAMED:
            raise NotAView(text, f"a view begins with {', '.join(VIEWER_NAMED)}")
        try:
            view = View(VIEWER_NAMED[word], self._parse_known(rest))
        except texts.Impossible as error:
            raise NotAView(text, str(error)) from None
        state = draw_state(view, random.Random(0))
        if view not in (View(view.viewer, state), self.view(state, view.viewer)):
            raise NotAView(text, f"{word} would know more, or less")
        return view

    def _parse_known(self, text: str) -> Known:
        known = texts.parse_known(text)
        if isinstance(known, Play):
            still_going = known.pending is not None
            if known.quiet + still_going > self._quiet_limit:
                raise texts.Impossible(f"{self._quiet_limit} quiet turns end the game")
        return known

    def board(self, view: View) -> str:
        """Draw the map, who beats whom, and what is known of both sides."""
        return drawing.draw(view)

    def prompt(self, view: View, seat: Seat) -> str:
        """Say what the seat is asked for."""
        return drawing.prompt(view, seat)

    def suggestions(self, state: State, seat: Seat) -> Mapping[str, Move]:
        """Return the named formations during the set-up."""
        asked = isinstance(state, SetUp) and seat in self.awaited(state)
        return FORMATIONS if asked else {}


def _battle(state: State, move: Move) -> tuple[Element, Element] | None:
    """Return the elements used in the battle that a move ends, if it ends one."""
    match state, move:
        case Play(pending=None), Attack() as attack:
            if not is_attack(state, attack):
                raise IllegalMove(texts.format_move(attack), why_not(state, attack))
            return None if needs_answer(state, attack) else used(state, attack, None)
        case Play(pending=Attack() as attack), Choose(element):
            return used(state, attack, element)
    return None

"""The game: its options, its flow, and its place in the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from visavis.rules.errors import IllegalMove, NotAPosition
from visavis.rules.osakana import drawing
from visavis.rules.osakana import text as texts
from visavis.rules.osakana.play import START, fouled, moves, played, reached
from visavis.rules.osakana.refusals import why_not
from visavis.rules.osakana.state import Move, Reason, State
from visavis.rules.protocol import Awaits, Choice, Decide, Ended, OpenGame, Seat

TWICE: Final = " x2"


class Osakana(OpenGame[State, Move]):
    """Osakana Taisen. Nothing is hidden, so a view is the state."""

    slug: ClassVar = "osakana"
    title: ClassVar = "Osakana Taisen"
    summary: ClassVar = "3×4 shogi of fish: catch the tuna or swim yours over"
    schema: ClassVar = (
        Choice(
            "fouls", "what a move against the rules does: lose, or is refused", ("lose", "refuse")
        ),
    )
    seat_names: ClassVar = ("先手", "後手")
    rules_version = 1
    reasons = Reason

    # Flow

    def start(self) -> State:
        """Return the state before the first move (O2)."""
        return START

    def awaits(self, state: State) -> Awaits:
        """Say whose turn it is, or how the game ended."""
        ended = state.outcome
        return Decide((state.position.mover,)) if ended is None else Ended(ended)

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the moves of the board in their order; none is forbidden for what it leads to."""
        return tuple(moves(state.position)) if seat in self.awaited(state) else ()

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        """Return the state after a move, which may be a foul (O10)."""
        self.check_turn(state, seat)
        if move in moves(state.position):
            return played(state, move)
        if self.options["fouls"] == "refuse":
            raise IllegalMove(self.format_move(move), why_not(state.position, move))
        return fouled(state)

    def turn(self, state: State) -> int:
        """Return the number of the turn: each move is one."""
        return len(state.seen) + len(state.twice) + 1

    # Text

    def is_move(self, move: object) -> bool:
        """Whether it is a step or a drop of a piece on cells."""
        return texts.is_move(move)

    def format_move(self, move: Move) -> str:
        """Return a move in the author's notation: か↑C4C3, い↓A3★."""
        return texts.format_move(move)

    def parse_move(self, text: str) -> Move:
        """Read a move in the author's notation or in ASCII: KC4C3, i*A3."""
        return texts.parse_move(text)

    def format_position(self, state: State) -> str:
        """Return the position in one line, then the earlier ones, then whether there was a foul.

        >>> game = Osakana()
        >>> state = game.apply(game.start(), Seat.FIRST, game.parse_move("KC4C3"))
        >>> game.format_position(state)
        'kmt/1i1/1IK/TM1 w - seen kmt/1i1/1I1/TMK b -'
        """
        text = state.text
        if state.seen:
            twice = (earlier + TWICE for earlier in state.twice)
            text += " seen " + ", ".join(sorted([*(state.seen - state.twice), *twice]))
        return text + (" foul" if state.foul else "")

    def parse_position(self, text: str) -> State:
        """Read a position, with or without earlier ones."""
        unfouled = text.removesuffix(" foul")
        now, _, before = unfouled.partition(" seen ")
        entries = before.split(", ") if before else []
        seen = frozenset(entry.removesuffix(TWICE) for entry in entries)
        twice = seen.difference(entries)
        played_from = [reached(texts.parse_position(earlier)) for earlier in seen]
        state = reached(texts.parse_position(now), seen, twice, foul=unfouled != text)
        if self.format_position(state) != text:
            raise NotAPosition(text, "earlier positions are sorted and joined by ', '")
        if state.foul:
            played_from.append(reached(state.position, seen, twice))
        if any(earlier.outcome for earlier in played_from):
            raise NotAPosition(text, "nobody moves when the game has ended")
        return state

    def board(self, view: State) -> str:
        """Draw the board and the hands as the author does."""
        return drawing.draw(view.position)

    def prompt(self, view: State, seat: Seat) -> str:
        """Ask for a move, with one of the possible ones as an example."""
        return drawing.prompt(view.position, seat) if seat in self.awaited(view) else ""

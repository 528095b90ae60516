"""Reads golden playthroughs: whole games as text, step by step, naming the clauses they touch.

One line says one thing; ``#`` starts a comment line. Any line may end in the clauses it touches,
in brackets: ``first い↑B2B1   [O5]``.

====================================  ==============================================================
``game SLUG name=value …``            starts a game; a value with spaces is quoted
``from POSITION``                     starts it there
``first MOVE``, ``second MOVE``       makes a move
``chance FACE``                       throws a roll
``position TEXT``                     the position has this text
``view first|second|spectator TEXT``  this is what a viewer knows
``legal first|second COUNT``          a seat has so many moves
``refuse first|second MOVE``          the move is refused, and nothing changes
``ended WINNER|draw REASON [A-B]``    the game is over like this; A-B are the scores, if it has any
``elsewhere WHERE``                   the clauses on this line can't be played; says what shows them
====================================  ==============================================================
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path

from visavis.rules import game
from visavis.rules.errors import IllegalMove, NotAMove, NotYourTurn
from visavis.rules.protocol import AnyGame, Seat
from visavis.rules.seats import VIEWER_NAMED

VECTORS = Path(__file__).parents[2] / "vectors"
CLAUSES = re.compile(r"\s+\[([A-Z][0-9]+(?: [A-Z][0-9]+)*)\]$")
RULE = re.compile(r"^\s*- \*\*([A-Z][0-9]+)\*\*", re.MULTILINE)
SEATS = {str(seat): seat for seat in Seat}


def clauses_of(rule_book: str) -> set[str]:
    """The clauses that a rule book lists, as ``- **O1** …``."""
    return set(RULE.findall(rule_book))


def expect(found: object, written: object) -> None:
    assert found == written, f"the game says {found}, the playthrough {written}"


@dataclass
class Playthrough:
    """A reader at work: the game on the board and the clauses touched so far."""

    touched: set[str] = field(default_factory=set)
    rules: AnyGame | None = None
    state: Hashable = None

    def read(self, path: Path) -> None:
        """Plays all lines of a file; what fails names its line."""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                try:
                    self.do(line.rstrip())
                except Exception as error:
                    error.add_note(f"{path.name}, line {number}: {line}")
                    raise

    def do(self, line: str) -> None:
        """Plays one line."""
        if clauses := CLAUSES.search(line):
            self.touched.update(clauses[1].split())
            line = line[: clauses.start()]
        verb, _, rest = line.partition(" ")
        if verb in SEATS:
            self.move(SEATS[verb], rest)
        elif verb == "game":
            self.start(*shlex.split(rest))
        elif verb != "elsewhere":
            self.checks[verb](self, rest)

    @property
    def playing(self) -> AnyGame:
        assert self.rules is not None, "a game line comes first"
        return self.rules

    def start(self, slug: str, *options: str) -> None:
        self.rules = game(slug, dict(option.split("=", 1) for option in options))
        self.state = self.rules.start()

    def start_from(self, position: str) -> None:
        self.state = self.playing.parse_position(position)

    def move(self, seat: Seat, text: str) -> None:
        self.state = self.playing.apply(self.state, seat, self.playing.parse_move(text))

    def roll(self, face: str) -> None:
        self.state = self.playing.roll(self.state, face)

    def check_position(self, text: str) -> None:
        expect(self.playing.format_position(self.state), text)
        expect(self.playing.parse_position(text), self.state)

    def check_view(self, rest: str) -> None:
        viewer, _, text = rest.partition(" ")
        view = self.playing.view(self.state, VIEWER_NAMED[viewer])
        expect(self.playing.format_view(view), text)
        expect(self.playing.parse_view(text), view)

    def check_legal(self, rest: str) -> None:
        seat, count = rest.split()
        expect(len(self.playing.legal(self.state, SEATS[seat])), int(count))

    def check_refusal(self, rest: str) -> None:
        seat, _, text = rest.partition(" ")
        try:
            self.playing.apply(self.state, SEATS[seat], self.playing.parse_move(text))
        except (NotAMove, IllegalMove, NotYourTurn):
            return
        raise AssertionError(f"{text} is not refused")

    def check_end(self, rest: str) -> None:
        outcome = self.playing.outcome(self.state)
        assert outcome is not None, "the game goes on"
        winner = "draw" if outcome.winner is None else str(outcome.winner)
        scores = [] if outcome.scores is None else ["{}-{}".format(*outcome.scores)]
        expect([winner, outcome.reason, *scores], rest.split())
        reason = outcome.reason
        assert reason.phrase(outcome.winner) is not None, f"no words for {rest}"

    checks: dict[str, Callable[[Playthrough, str], None]] = field(
        init=False,
        default_factory=lambda: {
            "from": Playthrough.start_from,
            "chance": Playthrough.roll,
            "position": Playthrough.check_position,
            "view": Playthrough.check_view,
            "legal": Playthrough.check_legal,
            "refuse": Playthrough.check_refusal,
            "ended": Playthrough.check_end,
        },
    )

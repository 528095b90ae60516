"""A match at one terminal: asks the people, lets the computer think, shows what happened."""

from __future__ import annotations

import enum
import random
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from visavis.cli.keeping import Keeper
from visavis.cli.rules import drawn_rule_book
from visavis.cli.screen import Screen, TimeIsUp
from visavis.cli.wording import ending_words, news_words, time_words
from visavis.engine.player import Player as Computer
from visavis.engine.player import Question
from visavis.engine.simple import prospects
from visavis.rules.errors import NotAMove, VisavisError, shorten
from visavis.rules.protocol import LISTABLE, AnyGame, Seat, Viewer
from visavis.session.commands import (
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Command,
    DeclineDraw,
    Move,
    OfferDraw,
    Ready,
    Resign,
    Tick,
)
from visavis.session.entries import Decision
from visavis.session.events import Notice
from visavis.session.match import Match
from visavis.session.seal import thinking_seed

HELP: Final = """\
Type a move, or one of these (/word where a move of the game has the same name):
  moves [TEXT]   list the legal moves (those with TEXT in them)
  random         make one of them, whichever
  undo           take the last move back
  draw           offer a draw
  resign         give up
  board          draw the board again
  rules          show the rules of the game
  save FILE      write the game to a file (visavis play --resume FILE goes on)
  quit           leave; what was played is kept"""

READY: Final = "The clock waits. Read the rules if you like (rules); Enter starts it. "

GIVES_UP_BELOW: Final = 0.35
"""The computer agrees to a draw when it thinks its prospects are worse than this."""


class Player(enum.StrEnum):
    """Who sits at the board."""

    HUMAN = "human"
    COMPUTER = "computer"


class Quit(Exception):
    """A person leaves the match."""


def now() -> int:
    """Return the time by which clocks go, in milliseconds."""
    return int(time.monotonic() * 1000)


class TerminalMatch:
    """A match, who plays it, and what each of them has not been told yet."""

    def __init__(
        self,
        match: Match,
        players: tuple[Player, Player],
        screen: Screen,
        keeper: Keeper,
        rng: random.Random,
        computer: Computer,
    ) -> None:
        self.match = match
        self.players = players
        self.screen = screen
        self.keeper = keeper
        self.rng = rng
        self.computer = computer
        self.news: dict[Viewer, list[Notice]] = {Seat.FIRST: [], Seat.SECOND: [], None: []}
        self.people = [seat for seat in Seat if players[seat] is Player.HUMAN]
        self.looking: Viewer = self.people[0] if len(self.people) == 1 else None
        self.doubted: str | None = None
        self.trouble = ""
        """Why the game could not be written to its file, if it could not."""
        self.actions: dict[str, Callable[[Seat, str], None]] = {
            "moves": self.list_moves,
            "random": self.move_at_random,
            "undo": self.undo,
            "draw": self.offer_draw,
            "resign": self.resign,
            "board": lambda seat, _: self.show_board(seat),
            "rules": lambda seat, _: self.screen.show_markdown(drawn_rule_book(self.game.slug)),
            "save": lambda seat, rest: self.save(rest),
            "help": lambda seat, _: self.screen.say(HELP),
            "quit": self.quit,
        }

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.match.game

    def run(self) -> None:
        """Play until the match is over. Raises `Quit`, EOFError and KeyboardInterrupt."""
        self.get_ready()
        while not self.match.is_over:
            seat = self.match.awaited[0]
            if self.players[seat] is Player.COMPUTER:
                self.let_computer_move(seat)
            else:
                self.let_person_move(seat)
        self.screen.clear()

    def get_ready(self) -> None:
        """Let the people say when a clock starts that waits for them.

        The computer is always ready, and so is input from a pipe or a file.
        """
        for seat in self.match.unready:
            if seat not in self.people or not self.screen.listens:
                self.execute(Ready(seat))
        if self.match.unready:
            self.show_board(self.looking)
        while self.match.unready and not self.match.is_over:
            if line := self.screen.ask(READY):
                self.hear(self.people[0], line)
            else:
                for seat in self.match.unready:
                    self.execute(Ready(seat))

    # Playing

    def execute(self, command: Command) -> None:
        """Carry out a command, and keep what it brought about to tell everybody in time."""
        self.match, events = self.match.execute(command, now())
        for viewer, untold in self.news.items():
            untold.extend(event.to(viewer) for event in events)
        self.trouble = self.keeper.note(self.match)

    def let_computer_move(self, seat: Seat) -> None:
        """Let the computer choose, from what its seat may know, and move."""
        if not self.people:
            self.show_board(None)
        seed = thinking_seed(self.match.seed, len(self.match.entries), seat)
        question = Question.of(self.match, seat, seed)
        text = self.screen.wait(
            f"{self.label(seat)} is thinking …", lambda: self.computer.choose(question)
        )
        self.execute(Move(seat, text))

    def let_person_move(self, seat: Seat) -> None:
        """Show a person the board and ask until there is a move, or something else happened."""
        if len(self.people) == 2 and self.looking is not seat:
            if self.is_secret():
                self.hand_over(seat)
            self.looking = seat
        self.show_board(seat)
        before = self.match
        while self.match.entries is before.entries and not self.match.is_over:
            try:
                line = self.screen.ask(seconds=self.seconds_left())
            except TimeIsUp:
                self.execute(Tick())
            else:
                self.hear(seat, line)

    def is_secret(self) -> bool:
        """Whether there is something on the board that the other player must not see."""
        last = self.match.entries[-1] if self.match.entries else None
        sealed = isinstance(last, Decision) and last.seal is not None
        return self.game.hidden or sealed or len(self.match.awaited) == 2

    def hand_over(self, seat: Seat) -> None:
        """Show who moved what came of it, then let the players change places."""
        if self.looking is not None and self.screen.listens:
            self.show_board(self.looking)
            self.screen.ask(f"Press Enter to hand over to {self.label(seat)}. ")
        self.screen.hand_over(self.label(seat))

    def seconds_left(self) -> float | None:
        """Return how long there is to type before a clock runs out, if one does."""
        deadline = self.match.deadline()
        return None if deadline is None else max(0.001, (deadline - now()) / 1000 + 0.01)

    def hear(self, seat: Seat, line: str) -> None:
        """Do what a typed line says, or say why not."""
        try:
            self.obey(seat, line)
        except NotAMove as error:
            self.screen.tell(f"! {error} (help lists what else can be typed)")
        except VisavisError as error:
            self.screen.tell(f"! {error}")

    def obey(self, seat: Seat, line: str) -> None:
        """Do what a typed line says: a move if it can be read as one, else a command."""
        if not line:
            return
        word, _, rest = line.partition(" ")
        name = word.lower().removeprefix("/")
        if name in self.actions and (word.startswith("/") or not self.is_legal(seat, line)):
            self.actions[name](seat, rest.strip())
        else:
            self.move(seat, line)

    def is_legal(self, seat: Seat, text: str) -> bool:
        """Whether a text is a legal move of a seat."""
        try:
            return self.game.parse_move(text) in self.game.legal(self.match.state, seat)
        except VisavisError:
            return False

    def move(self, seat: Seat, text: str) -> None:
        """Make a move, or one that the game suggests under this name.

        Where a move against the rules loses the game, it is made when it is typed twice.
        """
        suggested = self.game.suggestions(self.match.state, seat).get(text.lower())
        if suggested is not None:
            text = self.game.format_move(suggested)
        if not self.is_legal(seat, text) and self.doubted != text:
            self.match.execute(Move(seat, text), now())
            self.doubted = text
            self.screen.say(
                "! That is against the rules and loses. To do it anyway, type it again."
            )
            return
        self.doubted = None
        self.execute(Move(seat, text))

    # Commands

    def move_at_random(self, seat: Seat, _: str) -> None:
        """Make any legal move."""
        move = self.rng.choice(self.game.legal(self.match.state, seat))
        self.execute(Move(seat, self.game.format_move(move)))

    def list_moves(self, seat: Seat, part: str) -> None:
        """List the legal moves, or those with a text in them, and what the game suggests."""
        legal = self.game.legal(self.match.state, seat)
        if len(legal) > LISTABLE:
            self.screen.say(f"{len(legal):,} moves are possible, too many to list; for example:")
            legal = [legal[0], legal[len(legal) // 2], legal[-1]]
        texts = [self.game.format_move(move) for move in legal]
        self.screen.show_columns([text for text in texts if part.lower() in text.lower()])
        for name, move in self.game.suggestions(self.match.state, seat).items():
            self.screen.say(f"{name}: {self.game.format_move(move)}")

    def undo(self, seat: Seat, _: str) -> None:
        """Take back the last decision of a person; who sits across has no objection."""
        made = [entry for entry in self.match.entries if isinstance(entry, Decision)]
        asker = made[-1].seat if made and made[-1].seat in self.people else seat
        match, _asked = self.match.execute(AskTakeback(asker), now())
        self.match = match
        self.execute(AcceptTakeback(asker.other))

    def offer_draw(self, seat: Seat, _: str) -> None:
        """Offer a draw to the other, and hear the answer at once."""
        match, _events = self.match.execute(OfferDraw(seat), now())
        if self.players[seat.other] is Player.COMPUTER:
            chances = prospects(self.game, self.match.view(seat.other), seat.other, self.rng)
            agreed = chances < GIVES_UP_BELOW
        else:
            question = f"Does {self.label(seat.other)} agree to a draw? (y/n) "
            agreed = self.screen.ask(question).lower() in ("y", "yes")
        self.match = match
        self.execute(AcceptDraw(seat.other) if agreed else DeclineDraw(seat.other))
        if not agreed:
            self.screen.say(f"{self.label(seat.other)} plays on.")

    def resign(self, seat: Seat, _: str) -> None:
        """Give up, if it is meant."""
        if self.screen.ask("Give up? (y/n) ").lower() in ("y", "yes"):
            self.execute(Resign(seat))

    def save(self, rest: str) -> None:
        """Write the match to a file."""
        try:
            names = shlex.split(rest)
        except ValueError:
            names = []
        if len(names) != 1:
            self.screen.say(f"! {shorten(rest)} is not one name of a file")
            return
        self.screen.say(self.keeper.save(self.match, Path(names[0]).expanduser()))

    def quit(self, _: Seat, __: str) -> None:
        """Leave the match."""
        raise Quit

    # Showing

    def label(self, seat: Seat) -> str:
        """Return what to call a player."""
        return f"{self.game.seat_names[seat]} ({self.match.names[seat]})"

    def show_board(self, viewer: Viewer) -> None:
        """Draw what a viewer sees, the news, and the question."""
        self.screen.clear()
        self.screen.say(f"{self.game.title}: {self.label(Seat.FIRST)}, {self.label(Seat.SECOND)}")
        self.screen.say()
        self.screen.say(self.game.board(self.match.view(viewer)))
        self.screen.say()
        news = [words for notice in self.news[viewer] if (words := news_words(self.game, notice))]
        self.news[viewer].clear()
        for words in [*news, *time_words(self.game, self.match.clock, now())]:
            self.screen.tell(words)
        if self.trouble:
            self.screen.tell(f"! Not saved: {self.trouble}")
        if viewer is not None and viewer in self.match.awaited:
            self.screen.tell(self.game.prompt(self.match.view(viewer), viewer) or "Your move.")
            if ready := self.game.suggestions(self.match.state, viewer):
                self.screen.tell(f"Or by name: {', '.join(ready)}; or random.")

    def show_end(self) -> None:
        """Show how the match ended, with everything open."""
        if self.match.ending is None:
            return
        self.screen.say(self.game.board(self.match.view(None)))
        self.screen.say()
        last = self.news[self.looking if self.people else None]
        for notice in last:
            if words := news_words(self.game, notice):
                self.screen.tell(words)
        self.screen.say(ending_words(self.game, self.match.ending))

"""Players by name: the one way to make a computer player.

| name | player |
| --- | --- |
| ``3`` or ``level:3`` | the engine at a level, 1 to 8 |
| ``full:200ms``, ``full:50000`` | the engine at full strength with so much time, or so many nodes |
| ``mcts:200ms``, ``mcts:1000`` | plain UCT with random playouts |
| ``perfect`` | perfect play from a table, where the game is solved: ``visavis solve`` |
| ``simple`` | the player that works from the rules alone |
| ``random`` | any legal move |
| ``cmd:PROGRAM …`` | an outside program that speaks the engine protocol |
"""

from __future__ import annotations

import atexit
import random
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Final

from visavis.engine import simple
from visavis.engine.native import LEVELS, Engine, Limits, NoEngine
from visavis.engine.oracle import open_table, shipped_book
from visavis.engine.outside import OutsideEngine
from visavis.engine.perfect import PerfectPlayer, PlayerWithBook
from visavis.engine.player import Player, Question
from visavis.engine.values import Table
from visavis.engine.wire import Go
from visavis.rules.errors import VisavisError, shorten
from visavis.rules.protocol import AnyGame

SPEC: Final = re.compile(
    r"(?:level:)?(?P<level>[1-9])|(?P<style>full|mcts):(?P<amount>[1-9][0-9]{0,8})(?P<unit>ms)?"
    r"|(?P<word>random|simple|perfect)|cmd:(?P<command>.+)",
    re.DOTALL,
)
OUTSIDE_SECONDS: Final = 10.0
"""How long an outside program may think when no other time is set."""


class BadPlayer(VisavisError):
    """A text that names no player."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{shorten(text)} is no player; write a level from 1 to {LEVELS}, full:200ms, "
            "mcts:1000, perfect, simple, random or cmd:PROGRAM"
        )


@dataclass(frozen=True, slots=True)
class Resources:
    """Where players get what they think with: their own, or what a process shares among them."""

    engine: Callable[[AnyGame], Engine] = Engine
    table: Callable[[str], Table] = open_table


OWN: Final = Resources()


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player by name; can be sent to another process and opened there."""

    text: str
    limits: Limits = field(default_factory=Limits)
    style: str = "full"
    word: str = ""
    command: str = ""

    def open(
        self, game: AnyGame, *, resources: Resources = OWN, may_stand_in: bool = False
    ) -> Player:
        """Return the player, ready for a game; the caller closes it.

        Where there is no native engine for the game, the player that works from the rules alone
        takes its place if it ``may_stand_in``.

        Raises `NoEngine`, `BadOption`, `NotSolved`, a `TableError` or an `EngineFailure`.
        """
        if self.command:
            return OutsidePlayer(game, self.command, self.limits)
        if self.word == "random":
            return RandomPlayer(game)
        if self.word == "simple":
            return SimplePlayer(game)
        if self.word == "perfect":
            return PerfectPlayer(game, resources.table(game.slug))
        player = self._native(game, resources, may_stand_in)
        # The strongest level looks in the book that comes with the package.
        book = shipped_book(game.slug) if self.style == str(LEVELS) else None
        return player if book is None else PlayerWithBook(game, book, player)

    def _native(self, game: AnyGame, resources: Resources, may_stand_in: bool) -> Player:
        try:
            return NativePlayer(resources.engine(game), self.style, self.limits)
        except NoEngine:
            if not may_stand_in:
                raise
            return SimplePlayer(game)


def parse_player(text: str, *, move_millis: int | None = None) -> PlayerSpec:
    """Read a player's name, or raise `BadPlayer`. ``move_millis`` is for outside programs.

    >>> parse_player("mcts:200ms").limits.millis
    200
    """
    parts = SPEC.fullmatch(text)
    if parts is None or parts["level"] == "9":
        raise BadPlayer(text)
    if level := parts["level"]:
        return PlayerSpec(text, style=level)
    if word := parts["word"]:
        return PlayerSpec(text, word=word)
    if command := parts["command"]:
        return PlayerSpec(text, Limits(millis=move_millis), command=command)
    amount = int(parts["amount"])
    limits = Limits(millis=amount) if parts["unit"] else Limits(nodes=amount)
    return PlayerSpec(text, limits, parts["style"])


class Roster:
    """The players that a process keeps from one question to the next; closed when it ends."""

    def __init__(self) -> None:
        self._players: dict[Hashable, Player] = {}
        atexit.register(self.dismiss)

    def get(self, key: Hashable, make: Callable[[], Player]) -> Player:
        """Return the player under a key, made if it is not there yet."""
        if key not in self._players:
            self._players[key] = make()
        return self._players[key]

    def dismiss(self) -> None:
        """Close all players."""
        while self._players:
            self._players.popitem()[1].close()


class NativePlayer(Player):
    """The native engine in one of its styles."""

    def __init__(self, engine: Engine, style: str, limits: Limits) -> None:
        self._engine = engine
        self._style = style
        self._limits = limits

    def choose(self, question: Question) -> str:
        """Think, within the limits; a single legal move needs no thought."""
        if question.moves is not None and len(question.moves) == 1:
            return question.moves[0]
        limits = _limited(self._limits, question)
        return self._engine.think(question.view, question.seat, limits, style=self._style).best

    def new_game(self) -> None:
        """Forget all positions. Only a search that is not bounded by nodes remembers any."""
        if self._style == "full" and self._limits.nodes is None:
            self._engine.forget()


class RandomPlayer(Player):
    """Any legal move."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, question: Question) -> str:
        """Draw a legal move."""
        rng = random.Random(question.seed)
        if question.moves is not None:
            return rng.choice(question.moves)
        world = self._game.determinize(self._game.parse_view(question.view), rng)
        return self._game.format_move(rng.choice(self._game.legal(world, question.seat)))


class SimplePlayer(Player):
    """The player that works from the rules alone."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, question: Question) -> str:
        """Look a few moves ahead."""
        view, rng = self._game.parse_view(question.view), random.Random(question.seed)
        return self._game.format_move(simple.choose(self._game, view, question.seat, rng).move)


class OutsidePlayer(Player):
    """An outside program."""

    def __init__(self, game: AnyGame, command: str, limits: Limits) -> None:
        self._engine = OutsideEngine(command, game)
        self._limits = limits

    def choose(self, question: Question) -> str:
        """Ask the program."""
        limits = _limited(self._limits, question)
        seconds = OUTSIDE_SECONDS if limits.millis is None else limits.millis / 1000
        return self._engine.choose(
            question.view, question.seat, question.moves, Go(limits), seconds
        )

    def new_game(self) -> None:
        """Tell the program."""
        self._engine.new_game()

    def close(self) -> None:
        """End the program."""
        self._engine.close()


def _limited(limits: Limits, question: Question) -> Limits:
    """Return limits for one question: its seed, and the shorter time."""
    times = [millis for millis in (limits.millis, question.millis) if millis is not None]
    return replace(limits, seed=question.seed, millis=min(times, default=None))

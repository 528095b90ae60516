"""Players by name: what can take a seat in a match between programs.

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

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from visavis.engine import simple
from visavis.engine.native import LEVELS, Engine, Limits, NoEngine
from visavis.engine.oracle import open_table, shipped_book
from visavis.engine.outside import OutsideEngine
from visavis.engine.perfect import PerfectPlayer, PlayerWithBook
from visavis.engine.wire import Go
from visavis.rules.errors import VisavisError, shorten
from visavis.rules.protocol import AnyGame, Seat

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


class Player(Protocol):
    """Somebody who can take a seat. Knows the view, never the state."""

    def choose(self, view: str, seat: Seat, moves: Sequence[str] | None, seed: int) -> str:
        """Return the text of a move; ``moves`` are the legal ones, where they can be listed."""

    def close(self) -> None:
        """Let go of what the player holds."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player by name; can be sent to another process and opened there."""

    text: str
    limits: Limits = field(default_factory=Limits)
    style: str = "full"
    word: str = ""
    command: str = ""

    def open(self, game: AnyGame) -> Player:
        """Return the player, ready for a game."""
        if self.word == "random":
            return RandomPlayer(game)
        if self.word == "simple":
            return SimplePlayer(game)
        if self.word == "perfect":
            return PerfectPlayer(game, open_table(game.slug))
        if self.command:
            return OutsidePlayer(game, self.command, self.limits)
        return native_player(game, self.style, self.limits)


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


def native_player(game: AnyGame, style: str, limits: Limits) -> Player:
    """Return the engine in a style; at the strongest level with the book that comes with us."""
    return with_book(game, style, NativePlayer(Engine(game), style, limits))


def level_player(game: AnyGame, level: int) -> Player:
    """Return the engine at a level; for a game without one, the player that knows only rules."""
    try:
        return native_player(game, str(level), Limits())
    except NoEngine:
        return with_book(game, str(level), SimplePlayer(game))


def with_book(game: AnyGame, style: str, player: Player) -> Player:
    """Return a player in a style; the strongest level looks in the book that comes with us."""
    book = shipped_book(game.slug) if style == str(LEVELS) else None
    return player if book is None else PlayerWithBook(game, book, player)


class NativePlayer:
    """The native engine in one of its styles."""

    def __init__(self, engine: Engine, style: str, limits: Limits) -> None:
        self._engine = engine
        self._style = style
        self._limits = limits

    def choose(self, view: str, seat: Seat, moves: Sequence[str] | None, seed: int) -> str:
        """Think, within the limits; a single legal move needs no thought."""
        if moves is not None and len(moves) == 1:
            return moves[0]
        limits = replace(self._limits, seed=seed)
        return self._engine.think(view, seat, limits, style=self._style).best

    def close(self) -> None:
        """Nothing to let go of."""


class RandomPlayer:
    """Any legal move."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, view: str, seat: Seat, moves: Sequence[str] | None, seed: int) -> str:
        """Draw a legal move."""
        rng = random.Random(seed)
        if moves is not None:
            return rng.choice(moves)
        world = self._game.determinize(self._game.parse_view(view), rng)
        return self._game.format_move(rng.choice(self._game.legal(world, seat)))

    def close(self) -> None:
        """Nothing to let go of."""


class SimplePlayer:
    """The player that works from the rules alone."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, view: str, seat: Seat, moves: Sequence[str] | None, seed: int) -> str:
        """Look a few moves ahead."""
        seen = self._game.parse_view(view)
        choice = simple.choose(self._game, seen, seat, random.Random(seed))
        return self._game.format_move(choice.move)

    def close(self) -> None:
        """Nothing to let go of."""


class OutsidePlayer:
    """An outside program."""

    def __init__(self, game: AnyGame, command: str, limits: Limits) -> None:
        self._engine = OutsideEngine(command, game)
        self._limits = limits
        millis = limits.millis
        self._seconds = OUTSIDE_SECONDS if millis is None else millis / 1000

    def choose(self, view: str, seat: Seat, moves: Sequence[str] | None, seed: int) -> str:
        """Ask the program."""
        go = Go(replace(self._limits, seed=seed))
        return self._engine.choose(view, seat, moves, go, self._seconds)

    def close(self) -> None:
        """End the program."""
        self._engine.close()

"""``visavis engine``: the native engine as a program that speaks the engine protocol."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.metadata import version
from typing import Final

from visavis.engine.native import DEFAULT_TABLE_MIB, LEVELS, Engine, Stop, Thought
from visavis.engine.wire import (
    LINE_LIMIT,
    MOST,
    VERSION,
    Go,
    WireError,
    format_info,
    parse_go,
    parse_seat,
)
from visavis.rules import game, games
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import AnyGame, Seat

Say = Callable[[str], object]

UNBOUNDED: Final = ("full", "mcts")
"""Styles that think until they are stopped, if nothing else bounds them; levels have their own."""


class Program:
    """One conversation. Each line heard may be answered at once or, for ``go``, later.

    Lines are heard from one thread; answers of a search come from its own. ``say`` must take lines
    from any thread, one at a time.
    """

    def __init__(self, say: Say, *, table_mib: int = DEFAULT_TABLE_MIB) -> None:
        self._say = say
        self._table_mib = table_mib
        self._engine: Engine | None = None
        self._view: tuple[Seat, str] | None = None
        self._stop = Stop()
        self._search: threading.Thread | None = None
        self._answered = threading.Event()
        self._bounded = False
        self._unheard: OSError | None = None
        """Why a search could not say what it found, if nobody listens any more."""

    def run(self, lines: Iterable[str]) -> None:
        """Talk until ``quit`` (which stops a search) or the input ends (a bounded one goes on).

        Raises the OSError that ``say`` raises when nobody listens any more.
        """
        for line in lines:
            if line.strip() == "quit":
                break
            self.hear(line.strip())
        else:
            if self._search is not None and self._bounded:
                self._search.join()
        self._finish()

    def hear(self, line: str) -> None:
        """Do what a line asks; a line that makes no sense is answered by ``error …``."""
        try:
            self._obey(line)
        except VisavisError as error:
            self._say("error " + " ".join(str(error).split()))

    def _obey(self, line: str) -> None:
        if len(line) > LINE_LIMIT:
            raise WireError(f"a line has at most {LINE_LIMIT} characters")
        word, _, rest = line.partition(" ")
        match word:
            case "":
                pass
            case "visavis":
                self._introduce()
            case "isready":
                self._say("readyok")
            case "game":
                self._choose_game(rest)
            case "option":
                raise WireError("options of the game go in the line of the game")
            case "new":
                if self._engine is not None:
                    self._engine.forget()
            case "view":
                seat, _, view = rest.partition(" ")
                self._view = (parse_seat(seat), view)
            case "moves":
                pass  # for engines that don't know the rules
            case "go":
                self._go(parse_go(line))
            case "stop":
                self._finish()
            case _:
                raise WireError(f"unknown word {word[:40]!r}")

    def _introduce(self) -> None:
        self._say(f"id name Visavis {version('visavis')}")
        self._say(f"protocol {VERSION}")
        self._say(f"games {' '.join(games())}")
        self._say(f"styles {' '.join([*UNBOUNDED, *map(str, range(1, LEVELS + 1))])}")
        self._say("ok")

    def _choose_game(self, rest: str) -> None:
        engine = Engine(parse_game(rest), table_mib=self._table_mib)
        self._finish()
        self._engine = engine
        self._view = None
        self._say("ok")

    def _go(self, order: Go) -> None:
        if self._engine is None:
            raise WireError("name a game first, as in: game NAME")
        if self._view is None:
            raise WireError("show a view first: view first …")
        if self._search is not None and not self._answered.is_set():
            raise WireError("still thinking: stop first")
        seat, view = self._view
        if not order.limits.seed:  # what it keeps secret must not follow from its view alone
            seed = secrets.randbelow(MOST["seed"]) + 1
            order = replace(order, limits=replace(order.limits, seed=seed))
        limits = order.limits
        bounds = (limits.nodes, limits.millis, limits.depth)
        self._bounded = order.style not in UNBOUNDED or bounds != (None, None, None)
        self._stop, self._answered = Stop(), threading.Event()
        work = (self._engine, view, seat, order)
        self._search = threading.Thread(target=self._think, args=work, daemon=True)
        self._search.start()

    def _think(self, engine: Engine, view: str, seat: Seat, order: Go) -> None:
        def tell(thought: Thought) -> None:
            for info in format_info(thought):
                self._say(info)

        stop, answered = self._stop, self._answered
        try:
            try:
                thought = engine.think(
                    view, seat, order.limits, style=order.style, stop=stop, found=tell
                )
            except (VisavisError, ValueError) as error:
                answer = "error " + " ".join(str(error).split())
            else:
                tell(thought)
                answer = f"bestmove {thought.best}"
            # The host may give the next order as soon as it hears this.
            answered.set()
            self._say(answer)
        except OSError as error:
            self._unheard = error
            answered.set()

    def _finish(self) -> None:
        """Stop thinking and wait for the answer, which comes within milliseconds."""
        self._stop.set()
        if self._search is not None:
            self._search.join()
            self._search = None
        if self._unheard is not None:
            raise self._unheard


def format_game(chosen: AnyGame) -> str:
    """Return the line that names a game and its options, values in double quotes.

    >>> format_game(game("osakana"))
    'game osakana fouls="lose"'
    """
    options = (f' {name}="{value}"' for name, value in chosen.options.items())
    return f"game {chosen.slug}{''.join(options)}"


def parse_game(rest: str) -> AnyGame:
    """Read a game and its options, or raise what is wrong with them.

    >>> parse_game('osakana fouls="refuse"').options["fouls"]
    'refuse'
    """
    slug, _, rest = rest.partition(" ")
    options: dict[str, str] = {}
    while rest := rest.strip():
        name, equals, rest = rest.partition('="')
        value, quote, rest = rest.partition('"')
        if not (equals and quote):
            raise WireError(f'options are written name="value", not {name[:40]!r}')
        options[name.strip()] = value
    return game(slug, options)

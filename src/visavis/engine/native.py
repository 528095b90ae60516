"""The native engine: searches from a view, on its own threads, until a limit or a stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, Final, ParamSpec, TypeVar

from visavis import _core
from visavis.rules.errors import BadOption, VisavisError
from visavis.rules.protocol import AnyGame, Seat
from visavis.rules.seats import seat_of

LEVELS: Final = 8
"""Levels run from 1, a child's first opponent, to this."""
DEFAULT_TABLE_MIB: Final = 64

P = ParamSpec("P")
T = TypeVar("T")
Options = list[tuple[str, str]]

Stop = _core.Stop
"""A flag that stops a search from another thread."""


class NoEngine(VisavisError):
    """A game for which there is no native engine."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"there is no native engine for {slug}")
        self.slug = slug


def native(
    make: Callable[Concatenate[str, Options, P], T],
    game: AnyGame,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Make something native for a game under its options.

    Raises `NoEngine` if the game is not known there, and `BadOption` if one of its options is not.
    """
    options = game.kernel_options()
    try:
        return make(game.slug, options, *args, **kwargs)
    except LookupError:
        raise NoEngine(game.slug) from None
    except ValueError as error:
        name, why = error.args
        raise BadOption(name, dict(options).get(name, ""), why) from None


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a search. The first bound reached ends it; with none it goes on until stopped.

    With a node limit, one thread and a seed, the same view always gets the same answer.
    """

    nodes: int | None = None
    millis: int | None = None
    depth: int | None = None
    lines: int = 1
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play, and the score from 0 to 1 that the seat may expect of it."""

    moves: tuple[str, ...]
    score: float
    mate: int | None
    """In how many plies it is won (positive) or lost (negative), where that is proven."""
    share: float
    """How much of a tree search went into it; alpha-beta does not say (0)."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search has found so far: lines of play, best first; at least one."""

    lines: tuple[Line, ...]
    nodes: int
    depth: int

    @property
    def best(self) -> str:
        """The move to make."""
        return self.lines[0].moves[0]


class Engine:
    """The native engine for a game under its options. Safe to use from several threads.

    >>> from visavis.rules import game
    >>> osakana = game("osakana")
    >>> view = "kmt/1I1/3/TMK b I"
    >>> Engine(osakana).think(view, Seat.FIRST, Limits(depth=3)).best
    'い↑B2B1'
    """

    def __init__(self, game: AnyGame, *, table_mib: int = DEFAULT_TABLE_MIB) -> None:
        self.game = game
        self._inner = native(_core.Engine, game, table_mib)

    def think(
        self,
        view: str,
        seat: Seat,
        limits: Limits,
        *,
        style: str = "full",
        stop: Stop | None = None,
        found: Callable[[Thought], object] | None = None,
    ) -> Thought:
        """Think about what a seat should do that knows no more than this view.

        ``style`` is ``full``, ``mcts`` (plain UCT with random playouts) or a level, ``1`` to ``8``.
        ``found`` hears of better and better answers. Other Python threads run meanwhile.
        Raises `NotAView`, `NotASeat` or `NotYourTurn`.
        """
        report = self._inner.think(
            view,
            seat_of(seat),
            style,
            stop or Stop(),
            nodes=limits.nodes,
            millis=limits.millis,
            depth=limits.depth,
            lines=limits.lines,
            threads=limits.threads,
            seed=limits.seed,
            found=found and (lambda news: found(_thought(news))),
        )
        return _thought(report)

    def forget(self) -> None:
        """Forget all positions seen, as before a new game."""
        self._inner.forget()


def _thought(report: _core._Report) -> Thought:
    lines, nodes, depth = report
    return Thought(
        tuple(Line(tuple(moves), score, mate, share) for moves, score, mate, share in lines),
        nodes,
        depth,
    )

"""What a seat is asked to decide. Nothing else lists a viewer's legal moves."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from visavis.rules.protocol import AnyGame, Seat

MOST_LISTED: Final = 2_000
"""More legal moves than this are counted, not listed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the viewer is asked to decide: a hint in words, the legal moves, ready-made ones.

    ``legal`` is null if there are more than can be listed; ``count`` says how many.
    """

    prompt: str
    legal: tuple[str, ...] | None
    count: int
    suggestions: dict[str, str]


def list_moves(game: AnyGame, state: Hashable, seat: Seat) -> tuple[tuple[str, ...] | None, int]:
    """Return the texts of a seat's legal moves, None if they are too many, and their number.

    >>> from visavis.rules import game
    >>> osakana = game("osakana")
    >>> list_moves(osakana, osakana.start(), Seat.FIRST)[1]
    4
    """
    moves = game.legal(state, seat)
    texts = tuple(map(game.format_move, moves)) if len(moves) <= MOST_LISTED else None
    return texts, len(moves)


def ask(game: AnyGame, state: Hashable, view: Hashable, seat: Seat) -> Asked:
    """Return what a seat that is awaited has to decide; ``view`` is its view of the state."""
    legal, count = list_moves(game, state, seat)
    ready_made = game.suggestions(state, seat)
    return Asked(
        prompt=game.prompt(view, seat),
        legal=legal,
        count=count,
        suggestions={name: game.format_move(move) for name, move in ready_made.items()},
    )

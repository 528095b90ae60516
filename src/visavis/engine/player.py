"""What a computer player is, and what it is asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from visavis.rules.protocol import Seat
from visavis.session import Match
from visavis.session.asked import list_moves


@dataclass(frozen=True, slots=True)
class Question:
    """A decision to make: all in texts, and never more than the seat may know."""

    view: str
    seat: Seat
    moves: tuple[str, ...] | None
    """The legal moves; None if they are too many to list."""
    seed: int
    """What chance in the player's thinking starts from."""
    millis: int | None = None
    """How long to think at most. A player that has a limit of its own keeps that too."""

    @classmethod
    def of(cls, match: Match, seat: Seat, seed: int, millis: int | None = None) -> Question:
        """Return the question that a match puts to a seat.

        `Match.seen_by` tells the whole record besides, and writing that takes longer than moving.
        """
        texts, _ = list_moves(match.game, match.state, seat)
        return cls(match.game.format_view(match.view(seat)), seat, texts, seed, millis)


class Player(ABC):
    """Somebody who can take a seat. Knows the view, never the state."""

    @abstractmethod
    def choose(self, question: Question) -> str:
        """Return the text of a move."""

    def new_game(self) -> None:  # noqa: B027 (most players have nothing to do)
        """Begin a new game: what was learnt in the last one is forgotten."""

    def close(self) -> None:  # noqa: B027 (most players hold nothing)
        """Release what the player holds."""

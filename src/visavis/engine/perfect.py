"""Playing by what is known for certain: from the table of a solved game, or from a shipped book."""

from __future__ import annotations

from typing import Final

from visavis.engine.native import Line
from visavis.engine.oracle import successors, values
from visavis.engine.player import Player, Question
from visavis.engine.values import Book, Result, Table, Value
from visavis.rules.protocol import AnyGame

SCORES: Final = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}


def exact_lines(game: AnyGame, table: Table, position: str) -> tuple[Line, ...]:
    """Return every move of a position with its exact score, best first."""
    return tuple(
        Line((move,), SCORES[value.result], _mate(value), 0.0)
        for move, value in values(game, table, position).items()
    )


def _mate(value: Value) -> int | None:
    if value.distance is None:
        return None
    return value.distance if value.result is Result.WIN else -value.distance


class PerfectPlayer(Player):
    """Wins as quickly, loses as slowly as can be, and in draws sets problems.

    Of several drawn moves it takes the one after which the opponent has the fewest that do not
    lose, by share. Repetition counts as the draw it is, so that a won game is not drawn by it.
    """

    def __init__(self, game: AnyGame, table: Table) -> None:
        self._game = game
        self._table = table

    def choose(self, question: Question) -> str:
        """Return a best move."""
        view = question.view
        found = values(self._game, self._table, view)
        best = max(found.values())
        alike = [move for move, value in found.items() if value == best]
        if best.result is not Result.DRAW or len(alike) == 1:
            return alike[0]
        after = successors(self._game, view)
        return min(alike, key=lambda move: self._ease(after[move]))

    def _ease(self, position: str) -> float:
        """Return the share of the opponent's moves that do not lose."""
        replies = values(self._game, self._table, position).values()
        return sum(reply >= Value(Result.DRAW) for reply in replies) / max(1, len(replies))


class PlayerWithBook(Player):
    """Plays from a book while the book has an answer, and otherwise as another player."""

    def __init__(self, game: AnyGame, book: Book, other: Player) -> None:
        self._game = game
        self._book = book
        self._other = other

    def choose(self, question: Question) -> str:
        """Return the book's answer, or the other player's."""
        after = successors(self._game, question.view)
        found = self._book.choose(question.view, list(after.values()))
        if found is None:
            return self._other.choose(question)
        return list(after)[found]

    def new_game(self) -> None:
        """Tell the other player."""
        self._other.new_game()

    def close(self) -> None:
        """Release what the other player holds."""
        self._other.close()

"""Puzzles: one move only wins."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from visavis.server.words import Day, SeatName, Text

Verdict = Literal["right", "solved", "wrong", "shown"]


class PuzzleWanted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which puzzle: a win in so many moves of the solver's, of a grade or any."""

    moves: Annotated[int, Meta(ge=2, le=40)] = 2
    grade: Annotated[int, Meta(ge=1, le=5)] | None = None


class PuzzleOfDay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The puzzle of which day; without it, of today (UTC)."""

    date: Day | None = None


class Puzzle(Struct, frozen=True, kw_only=True):
    """A position in which one move only wins. The solution stays with the server."""

    game: str
    options: dict[str, str]
    number: int
    """Tells it from all others of the game."""
    date: str | None
    """Of which day it is the puzzle."""
    view: str
    seat: SeatName
    moves: int
    """How many moves of the solver's the win takes."""
    grade: int
    """How hard the move is to find: from 1, soon seen."""
    grades: int
    legal: tuple[str, ...]


class PuzzleMove(Struct, frozen=True, kw_only=True):
    """A move in a puzzle, with ``moves`` left to win in; ``move`` null asks to be shown."""

    view: Text
    moves: Annotated[int, Meta(ge=1, le=40)]
    move: Text | None = None


class PuzzleAnswer(Struct, frozen=True, kw_only=True):
    """What a move in a puzzle is worth, and how the puzzle goes on.

    ``right`` keeps the win in time: ``reply`` is the longest resistance, and ``view``, ``legal``
    and ``moves`` are the puzzle after it. ``solved`` ends it. ``wrong`` does not win, or not in
    time: nothing changes. ``shown`` is the move to find.
    """

    verdict: Verdict
    move: str
    result: Literal["win", "draw", "loss"]
    plies: int | None
    """In so many plies perfect play comes to that result; null for a draw."""
    reply: str | None
    view: str
    moves: int
    legal: tuple[str, ...]

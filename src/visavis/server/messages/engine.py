"""Questions to the engine."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from visavis.server.words import MatchId, SeatName, Slug, Text


class Analysis(Struct, frozen=True, kw_only=True):
    """A question to the engine: what should the seat do that sees this view?

    ``match`` is the match that the view is of, if it is of one. About matches that people play
    nothing is said while they run.
    """

    game: Slug
    view: Text
    seat: SeatName
    options: dict[Slug, Text | int] = {}
    match: MatchId | None = None
    millis: Annotated[int, Meta(ge=1, le=10_000)] = 1_000
    lines: Annotated[int, Meta(ge=1, le=10)] = 3


class AnalysisLine(Struct, frozen=True, kw_only=True):
    """A line of play, the score from 0 to 1 it promises the seat, and plies to a forced end."""

    moves: tuple[str, ...]
    score: float
    mate: int | None


class Analysed(Struct, frozen=True, kw_only=True):
    """What the engine found, best first."""

    lines: tuple[AnalysisLine, ...]
    depth: int
    nodes: int

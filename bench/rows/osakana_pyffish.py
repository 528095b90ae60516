"""Osakana: perft of the native kernel against pyffish, the Python binding of Fairy-Stockfish."""

from __future__ import annotations

from collections.abc import Iterator

import pyffish

from bench.measure import Row
from bench.rows.osakana_rules import native_perft
from visavis._core import Kernel

VARIANT = "dobutsu"
DEPTH = 3


def fairy_perft(start: str, moves: list[str], depth: int) -> int:
    legal = pyffish.legal_moves(VARIANT, start, moves)
    if depth == 1:
        return len(legal)
    return sum(fairy_perft(start, [*moves, move], depth - 1) for move in legal)


def rows() -> Iterator[Row]:
    kernel, start = Kernel("osakana", []), pyffish.start_fen(VARIANT)
    yield Row(
        what="osakana perft",
        unit="nodes",
        ours=lambda: native_perft(kernel),
        peer="pyffish dobutsu",
        theirs=lambda: fairy_perft(start, [], DEPTH),
        note="pyffish: the try wins at once; every list of moves is asked for with the moves "
        "that led there, as its interface has it.",
    )

"""A long match in a server's log, written there without playing it over the wire."""

from __future__ import annotations

import asyncio

from visavis.rules import game
from visavis.rules.protocol import AnyGame, Seat
from visavis.server import match_log
from visavis.server.match_log import AnyEntry, Did
from visavis.server.store import Append, Row, Store
from visavis.session import Move

SLUG = "elements"
OPTIONS = {"quiet_limit": "0"}
SETUP = "FFFMMMWWWEEEAAA"


def shuffling() -> tuple[AnyGame, list[str]]:
    """Return a game, and a move of each seat that can be made and unmade for ever."""
    rules, steps = game(SLUG, OPTIONS), list[str]()
    state = rules.start()
    for seat in Seat:
        state = rules.apply(state, seat, rules.parse_move(SETUP))
    for seat in Seat:
        step = next(m for m in map(rules.format_move, rules.legal(state, seat)) if "-N" in m)
        state = rules.apply(state, seat, rules.parse_move(step))
        steps.append(step)
    return rules, steps


def moves(count: int) -> list[AnyEntry]:
    """Return so many entries that go on from a match's first: set-ups, then to and fro."""
    _, steps = shuffling()
    made: list[AnyEntry] = []
    for number in range(count):
        seat, turn = Seat(number % 2), number // 2
        here, there = steps[seat].split("-")
        text = SETUP if turn == 0 else f"{here}-{there}" if turn % 2 else f"{there}-{here}"
        made.append(Did(Move(seat, text), client="hand", number=number))
    return made


async def lengthen(store: Store, match: str, count: int) -> list[Row]:
    """Append moves to a match that has but its first entry; return the whole log."""
    first = await store.rows(match)
    rows = [
        Row(number, first[0].at, match_log.encode(entry))
        for number, entry in enumerate(moves(count), 2)
    ]
    await asyncio.gather(*(store.append(Append(match, row)) for row in rows))
    return [*first, *rows]

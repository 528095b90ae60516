"""Replays: a finished match as one viewer saw it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

import msgspec
from msgspec import Raw

from visavis.rules.protocol import AnyGame
from visavis.rules.seats import OPEN, VIEWER_NAMED
from visavis.server.cache import Cache
from visavis.server.codec import seat_name
from visavis.server.longwork import LongWork
from visavis.server.messages import MatchInfo, Replay, ReplayStep, ReplayViewer, Written
from visavis.server.timeline import CHUNK
from visavis.server.turns import Turns
from visavis.session import Record, Step
from visavis.session.replay import Walk, walk

AT_ONCE: Final = 4
"""How many replays are built at a time."""
MOST_EACH: Final = 50
"""How many replays of one client may wait."""


class Replays:
    """Replays of matches that are over, made in pieces; those asked for last are kept."""

    def __init__(self, work: LongWork, cache_bytes: int) -> None:
        self._work = work
        self._slots = Turns(AT_ONCE, most_each=MOST_EACH)
        self._made: Cache[tuple[str, ReplayViewer], bytes] = Cache(cache_bytes)

    async def replay(self, info: MatchInfo, text: str, viewer: ReplayViewer, client: str) -> bytes:
        """Return a match that is over, step by step, from its record: a `Replay`, encoded.

        A seat sees what it saw then and no more, so that one can look back at what the players
        knew; it is for the caller to know that the match is over.
        """
        key = (info.match, viewer)
        made = self._made.get(key)
        if made is None:
            work = partial(self._make, info, text, viewer, client)
            made = await self._made.once((key, client), work)
            self._made.put(key, made, len(made))
        return made

    async def _make(self, info: MatchInfo, text: str, viewer: ReplayViewer, client: str) -> bytes:
        run = partial(self._work.run, client)
        await self._slots.take(client)
        try:
            played = await run(lambda: walk(Record.parse(text)))
            steps, shown = list[Raw](), _shown(played, viewer)
            while some := await run(lambda: list(islice(shown, CHUNK))):
                steps += some
            return await run(
                lambda: msgspec.json.encode(
                    Replay(
                        match=info.match,
                        viewer=viewer,
                        info=info,
                        start=_view(played.game, played.start, viewer),
                        steps=tuple(steps),  # type: ignore[arg-type]  # encoded already
                    )
                )
            )
        finally:
            self._slots.give_back()


def _shown(played: Walk, viewer: ReplayViewer) -> Iterator[Raw]:
    for step in played.steps:
        move, view = _written(played.game, step, viewer), _view(played.game, step.after, viewer)
        yield Raw(msgspec.json.encode(ReplayStep(move=move, view=view)))


def _view(game: AnyGame, state: object, viewer: ReplayViewer) -> str:
    known = game.reveal(state) if viewer == OPEN else game.view(state, VIEWER_NAMED[viewer])
    return game.format_view(known)


def _written(game: AnyGame, step: Step, viewer: ReplayViewer) -> Written:
    item, time = step.item, step.line.time
    text = _sight(game, step, viewer)
    is_last = item is step.line.items[-1]
    return Written(
        turn=step.line.turn,
        seat=None if step.seat is None else seat_name(step.seat),
        text=text,
        remark=item.remark,
        seal=item.seal if text != item.text else None,
        left=time.left_ms if time and is_last else None,
    )


def _sight(game: AnyGame, step: Step, viewer: ReplayViewer) -> str:
    if viewer == OPEN:
        return step.item.text
    if step.seat is None or step.move is None:
        return game.observe_roll(step.before, step.item.text, VIEWER_NAMED[viewer])
    return game.observe(step.before, step.seat, step.move, VIEWER_NAMED[viewer])

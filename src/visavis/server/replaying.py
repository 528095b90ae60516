"""A finished match once more, with somebody's eyes."""

from __future__ import annotations

from typing import Final

from visavis.rules.protocol import AnyGame, Seat
from visavis.server.messages import MatchInfo, Replay, ReplayStep, ReplayViewer, Written
from visavis.server.telling import seat_name
from visavis.session import Record, Step, replay

_SEATS: Final = {"first": Seat.FIRST, "second": Seat.SECOND, "spectator": None}


def replayed(info: MatchInfo, text: str, viewer: ReplayViewer) -> Replay:
    """Return a match that is over, step by step, from its record.

    A seat sees what it saw then and no more, so that one can look back at what the players knew;
    it is for the caller to know that the match is over.
    """
    played = replay(Record.parse(text))
    steps = (
        ReplayStep(
            move=_written(played.game, step, viewer),
            view=_view(played.game, step.after, viewer),
        )
        for step in played.steps
    )
    return Replay(
        match=info.match,
        viewer=viewer,
        info=info,
        start=_view(played.game, played.start, viewer),
        steps=tuple(steps),
    )


def _view(game: AnyGame, state: object, viewer: ReplayViewer) -> str:
    known = game.reveal(state) if viewer == "open" else game.view(state, _SEATS[viewer])
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
    if viewer == "open":
        return step.item.text
    if step.seat is None or step.move is None:
        return game.observe_roll(step.before, step.item.text, _SEATS[viewer])
    return game.observe(step.before, step.seat, step.move, _SEATS[viewer])

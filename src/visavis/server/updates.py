"""Updates and snapshots: what each viewer is told of a match.

Everything here is made from a session's notices and snapshots, which are made from views; nothing
looks at a state. What an update tells a viewer is encoded once, for all who watch as that viewer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from visavis.rules.protocol import Viewer
from visavis.server import messages
from visavis.server.codec import notice_to_send, seat_name, viewer_name
from visavis.server.match_log import Did
from visavis.server.messages import Position, Snapshot, Update, Written
from visavis.server.vocabulary import Notice
from visavis.session import Event, Match, events
from visavis.session.errors import NoTakeback

if TYPE_CHECKING:
    from visavis.server.hosted_match import HostedMatch

_encoder = msgspec.json.Encoder()


def encode(message: msgspec.Struct) -> str:
    """Return a message as it goes over the wire."""
    return _encoder.encode(message).decode()


# -- Updates ---------------------------------------------------------------------------------------


class Change(msgspec.Struct, frozen=True, eq=False):
    """What one entry brought about: the match after it, and what to tell each viewer.

    ``notices`` are the server's own, for everybody; ``events`` are the session's.
    """

    hosted: HostedMatch
    entry: Did | None = None
    notices: tuple[Notice, ...] = ()
    events: tuple[Event, ...] = ()
    _texts: dict[tuple[Viewer, bool], str] = msgspec.field(default_factory=dict)

    def text(self, viewer: Viewer, *, legal: bool) -> str:
        """Return the update for a viewer, encoded; worked out once."""
        key = (viewer, legal and viewer is not None)
        if key not in self._texts:
            self._texts[key] = encode(self.update(viewer, legal=legal))
        return self._texts[key]

    def update(self, viewer: Viewer, *, legal: bool) -> Update:
        """Return the update for a viewer."""
        hosted, entry = self.hosted, self.entry
        told: list[Notice] = [*self.notices, *(event.to(viewer) for event in self.events)]
        own = entry is not None and entry.seat is viewer
        asked = hosted.match.asked_of(viewer) if legal and self.events and hosted.match else None
        return Update(
            match=hosted.id,
            seat=viewer_name(viewer),
            seq=hosted.seq,
            at=hosted.at,
            notices=tuple(map(notice_to_send, told)),
            asked=asked,
            no_takeback=_no_takeback(hosted.match, viewer),
            done=messages.DoneBy(entry.client, entry.number) if own and entry else None,
        )


def _no_takeback(match: Match | None, viewer: Viewer) -> NoTakeback | None:
    return None if match is None or viewer is None else match.no_takeback(viewer)


def ending_of(ending: events.Ending) -> messages.Ending:
    """Return how a match ended."""
    return messages.Ending(
        result=ending.result,
        winner=viewer_name(ending.winner),
        reason=ending.reason,
        scores=ending.scores,
    )


# -- The whole picture -----------------------------------------------------------------------------


def snapshot(
    hosted: HostedMatch, viewer: Viewer, now: int, *, spectators: int, legal: bool = True
) -> Snapshot:
    """Return all that a viewer may know of a match."""
    position = None if hosted.match is None else _position(hosted.match, viewer, legal=legal)
    return Snapshot(
        match=hosted.id,
        seat=viewer_name(viewer),
        seq=hosted.seq,
        now=now,
        info=hosted.info(),
        spectators=spectators,
        position=position,
    )


def _position(match: Match, viewer: Viewer, *, legal: bool) -> Position:
    return Position(
        view=match.game.format_view(match.view(viewer)),
        turn=match.game.turn(match.state),
        awaited=tuple(map(seat_name, match.awaited)),
        clock=match.clock.face,
        unready=tuple(map(seat_name, match.unready)),
        draw_offer=viewer_name(match.draw_offer),
        takeback=viewer_name(match.takeback),
        no_takeback=_no_takeback(match, viewer),
        commitment=match.commitment,
        moves=tuple(_written(match, viewer)),
        asked=match.asked_of(viewer) if legal else None,
    )


def _written(match: Match, viewer: Viewer) -> list[Written]:
    moves = []
    for line, item in match.record(viewer).items():
        seat = None if item.is_roll else viewer_name(line.seat)
        left = line.time.left_ms if line.time and item is line.items[-1] else None
        moves.append(
            Written(
                turn=line.turn,
                seat=seat,
                text=item.text,
                remark=item.remark,
                seal=item.seal,
                left=left,
            )
        )
    return moves

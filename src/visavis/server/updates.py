"""From what a session tells to what goes over the wire, for each viewer on its own.

Everything here is made from a session's notices and snapshots, which are made from views; nothing
looks at a state. What an update tells a viewer is encoded once, for all who watch as that viewer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

import msgspec

from visavis.rules.protocol import Seat, Viewer
from visavis.server import messages
from visavis.server.match_log import Did
from visavis.server.messages import Asked, Notice, Position, SeatName, Snapshot, Update, Written
from visavis.session import Event, Match, clock, events
from visavis.session.errors import NoTakeback
from visavis.session.events import ForEach

if TYPE_CHECKING:
    from visavis.server.hosted_match import HostedMatch

LISTED: Final = 2_000
"""More legal moves than this are not listed in a message."""

_encoder = msgspec.json.Encoder()
_SEATS: Final[tuple[SeatName, SeatName]] = ("first", "second")


def encode(message: msgspec.Struct) -> str:
    """Return a message as it goes over the wire."""
    return _encoder.encode(message).decode()


def seat_name(seat: Seat) -> SeatName:
    """Return how messages name a seat."""
    return _SEATS[seat]


def viewer_name(viewer: Viewer) -> SeatName | None:
    """Return how messages name a viewer: null for a spectator."""
    return None if viewer is None else _SEATS[viewer]


def seat_named(name: SeatName) -> Seat:
    """Return the seat of a name."""
    return Seat.FIRST if name == "first" else Seat.SECOND


# -- Updates ---------------------------------------------------------------------------------------


class Change(msgspec.Struct, frozen=True, eq=False):
    """What one entry brought about: plain notices for all, then what a session tells each."""

    hosted: HostedMatch
    entry: Did | None = None
    notices: tuple[Notice, ...] = ()
    events: tuple[ForEach[Notice], ...] = ()
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
        seen = tuple([event.to(viewer) for event in self.events])
        own = entry is not None and entry.seat is viewer
        asked = asked_of(hosted.match, viewer) if legal and self.events and hosted.match else None
        return Update(
            match=hosted.id,
            seat=viewer_name(viewer),
            seq=hosted.seq,
            at=hosted.at,
            notices=self.notices + seen,
            asked=asked,
            no_takeback=_no_takeback(hosted.match, viewer),
            done=messages.DoneBy(entry.client, entry.number) if own and entry else None,
        )


def asked_of(match: Match, viewer: Viewer) -> Asked | None:
    """Return what a viewer is asked to decide."""
    if viewer is None or viewer not in match.awaited:
        return None
    game, state = match.game, match.state
    moves = game.legal(state, viewer)
    ready = game.suggestions(state, viewer)
    return Asked(
        prompt=game.prompt(match.view(viewer), viewer),
        legal=tuple(map(game.format_move, moves)) if len(moves) <= LISTED else None,
        count=len(moves),
        suggestions={name: game.format_move(move) for name, move in ready.items()},
    )


def _no_takeback(match: Match | None, viewer: Viewer) -> NoTakeback | None:
    return None if match is None or viewer is None else match.no_takeback(viewer)


def noticed(change: tuple[Event, ...]) -> tuple[ForEach[Notice], ...]:
    """Return what a session tells as it goes over the wire."""
    return tuple([event.map(_notice) for event in change])


def _notice(notice: events.Notice) -> Notice:
    match notice:
        case events.Moved(seat, turn, text, remark, seal):
            return messages.Moved(seat=_SEATS[seat], turn=turn, text=text, remark=remark, seal=seal)
        case events.Stands(view, turn, awaited, ticking):
            seats = tuple(_SEATS[seat] for seat in awaited)
            return messages.Stands(view=view, turn=turn, awaited=seats, clock=clock_of(ticking))
        case events.Rolled(turn, text):
            return messages.Rolled(turn=turn, text=text)
        case events.Ended(ending, seed, position):
            how = ending_of(ending)
            return messages.Ended(
                result=how.result,
                winner=how.winner,
                reason=how.reason,
                scores=how.scores,
                seed=seed,
                position=position,
            )
        case events.Began(commitment=commitment, unready=unready):
            seats = tuple(_SEATS[seat] for seat in unready)
            return messages.Began(commitment=commitment, unready=seats)
        case events.GotReady(seat):
            return messages.GotReady(seat=_SEATS[seat])
        case events.DrawOffered(seat):
            return messages.DrawOffered(seat=_SEATS[seat])
        case events.DrawDeclined(seat):
            return messages.DrawDeclined(seat=_SEATS[seat])
        case events.TakebackAsked(seat):
            return messages.TakebackAsked(seat=_SEATS[seat])
        case events.TakebackDeclined(seat):
            return messages.TakebackDeclined(seat=_SEATS[seat])
        case events.TookBack(seat, decisions):
            return messages.TookBack(seat=_SEATS[seat], decisions=decisions)
        case _:
            assert_never(notice)


def ending_of(ending: events.Ending) -> messages.Ending:
    """Return how a match ended."""
    outcome = ending.outcome
    winner = None if outcome is None or outcome.winner is None else _SEATS[outcome.winner]
    scores = None if outcome is None else outcome.scores
    return messages.Ending(result=ending.result, winner=winner, reason=ending.reason, scores=scores)


def clock_of(ticking: clock.Clock) -> messages.Clock:
    """Return how time stands."""
    hands = tuple(messages.Hand(hand.left_ms, hand.since) for hand in ticking.hands)
    shared = ticking.game
    game = None if shared is None else messages.Hand(shared.left_ms, shared.since)
    return messages.Clock(ticking.spec.text, hands, game)


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
    offer, takeback = match.draw_offer, match.takeback
    return Position(
        view=match.game.format_view(match.view(viewer)),
        turn=match.game.turn(match.state),
        awaited=tuple(_SEATS[seat] for seat in match.awaited),
        clock=clock_of(match.clock),
        unready=tuple(_SEATS[seat] for seat in match.unready),
        draw_offer=None if offer is None else _SEATS[offer],
        takeback=None if takeback is None else _SEATS[takeback],
        no_takeback=_no_takeback(match, viewer),
        commitment=match.commitment,
        moves=tuple(_written(match, viewer)),
        asked=asked_of(match, viewer) if legal else None,
    )


def _written(match: Match, viewer: Viewer) -> list[Written]:
    moves = []
    for line, item in match.record(viewer).items():
        seat = None if item.is_roll or line.seat is None else _SEATS[line.seat]
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

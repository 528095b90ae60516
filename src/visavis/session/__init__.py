"""One match: state, seats, clock, record, sealed randomness. Pure: no I/O, no time of its own."""

from visavis.rules.seats import VIEWERS
from visavis.session.clock import Clock, ClockSpec, ClockStart
from visavis.session.commands import (
    Abort,
    AcceptDraw,
    AcceptTakeback,
    AskTakeback,
    Claim,
    Command,
    DeclineDraw,
    DeclineTakeback,
    Move,
    OfferDraw,
    Ready,
    Resign,
    Tick,
)
from visavis.session.events import Ending, Event, Notice, Snapshot
from visavis.session.match import Match
from visavis.session.plain import read_plain
from visavis.session.record import Item, Line, Record, Time
from visavis.session.replay import Checked, Replay, Step, check, replay
from visavis.session.resume import resume

__all__ = [
    "VIEWERS",
    "Abort",
    "AcceptDraw",
    "AcceptTakeback",
    "AskTakeback",
    "Checked",
    "Claim",
    "Clock",
    "ClockSpec",
    "ClockStart",
    "Command",
    "DeclineDraw",
    "DeclineTakeback",
    "Ending",
    "Event",
    "Item",
    "Line",
    "Match",
    "Move",
    "Notice",
    "OfferDraw",
    "Ready",
    "Record",
    "Replay",
    "Resign",
    "Snapshot",
    "Step",
    "Tick",
    "Time",
    "check",
    "read_plain",
    "replay",
    "resume",
]

"""The board for a terminal, and what is asked of a player."""

from __future__ import annotations

import re
from typing import Final

from visavis.rules.elements.board import CELLS, NAMES, Cell
from visavis.rules.elements.knowledge import SEALED, left_to_guess
from visavis.rules.elements.play import begin, moves, occupants
from visavis.rules.elements.state import (
    Attack,
    Change,
    Play,
    SetUp,
    Side,
    Track,
    Unsure,
    View,
)
from visavis.rules.elements.text import format_move
from visavis.rules.protocol import Seat

MAP: Final = r"""
                                 A0 ...
       ┌─────────────┬─────────────┼─────────────┬─────────────┐
     A1 ...        A4 ...        A7 ...        A10...        A13...
     /   \         /   \         /   \         /   \         /   \
─A2 ... A3 ...─A5 ... A6 ...─A8 ... A9 ...─A11... A12...─A14... A15...─
     \   /         \   /         \   /         \   /         \   /
     N1 ...        N3 ...        N5 ...        N7 ...        N9 ...
    /      \      /      \      /      \      /      \      /      \      /
            N2 ...        N4 ...        N6 ...        N8 ...        N10...
            /   \         /   \         /   \         /   \         /   \
       ─B2 ... B3 ...─B5 ... B6 ...─B8 ... B9 ...─B11... B12...─B14... B15...─
            \   /         \   /         \   /         \   /         \   /
            B1 ...        B4 ...        B7 ...        B10...        B13...
              └─────────────┴─────────────┼─────────────┴─────────────┘
                                        B0 ...
"""
"""The map, with dots for what stands on a cell; the left and right edges join."""
MARKS: Final = ("<{}>", "[{}]")
"""How pieces of first and second are drawn."""
LEGEND: Final = (
    "<f> first, [f] second, K king. Small letters are hidden from the opponent,",
    "? from you. The left and right edges of the map join.",
    "In the ring F M W E A an attacker beats the next two, draws with the third and",
    "falls to the fourth; equals both fall.",
)


def draw(view: View) -> str:
    """Draw the map, the legend and a tally of both sides."""
    known = view.known
    if isinstance(known, SetUp):
        first, second = (SEALED if given is None else given for given in known.given)
        play = begin(first, second)
    else:
        play = known
    tallies = [line for seat in Seat for line in _tally(seat, play.sides[seat])]
    return "\n".join([_map(play), "", *LEGEND, "", *tallies])


# -- The map ---------------------------------------------------------------------------------------


def _map(play: Play[Unsure]) -> str:
    """Fill the map in."""
    faces = _faces(play)

    def fill(cell: re.Match[str]) -> str:
        return cell["name"] + cell["gap"] + faces.get(CELLS[cell["name"]], " · ")

    filled = re.sub(r"(?P<name>[ABN]\d+)(?P<gap> *)\.{3}", fill, MAP)
    return "\n".join(line.rstrip() for line in filled.splitlines()[1:])


def _faces(play: Play[Unsure]) -> dict[Cell, str]:
    """Return how each piece on the board is drawn."""
    faces = {}
    for cell, who in occupants(play).items():
        side = play.sides[who.seat]
        letter = "K" if who.is_king else _letter(side.tracks[who.piece], side.nows[who.piece])
        faces[cell] = MARKS[who.seat].format(letter)
    return faces


def _letter(track: Track, now: Unsure) -> str:
    if now is None:
        return "?"
    return now.letter if track.is_open else now.letter.lower()


# -- What is known ---------------------------------------------------------------------------------


def _tally(seat: Seat, side: Side[Unsure]) -> list[str]:
    """Say what a side has and what is known of it."""
    owned = "".join(element.letter for element in side.king.owned) or "nothing"
    hidden = sum(now is None for now in side.nows)
    fallen = sorted(
        now
        for track, now in zip(side.tracks, side.nows, strict=True)
        if track.cell is None and now is not None
    )
    lost = "".join(element.letter for element in fallen) or "none"
    lines = [f"{seat!s:<6} king {owned} at {NAMES[side.king.cell]}; lost: {lost}"]
    if hidden:
        unseen = ", ".join(f"{n} {e.letter}" for e, n in left_to_guess(side.starts).items() if n)
        lines.append(f"       {hidden} hidden; started unseen: {unseen or 'none'}")
    for track, now in zip(side.tracks, side.nows, strict=True):
        if now is None and track.cell is not None and track.changes:
            lines.append(f"       {NAMES[track.cell]} {_history(track)}")
    return lines


def _history(track: Track) -> str:
    """Say what is known of a hidden piece that has changed."""
    times = "once" if track.changes == 1 else "twice or more"
    if track.seen is None:
        return f"has changed {times}, never seen"
    return f"was {track.seen.letter} and has changed {times} since"


# -- What is asked ---------------------------------------------------------------------------------


def prompt(view: View, seat: Seat) -> str:
    """Return a line that asks the seat for what it must decide."""
    known = view.known
    if isinstance(known, SetUp):
        return (
            f"{seat}, give your 15 pieces their elements, three of each, "
            "for example WFFAWWMAAEMMFEE"
        )
    match known.pending:
        case Attack(origin):
            owned = " ".join(f"={element.letter}" for element in known.sides[seat].king.owned)
            return f"{seat}, your king is attacked from {NAMES[origin]}; answer with {owned}"
        case Change(cell):
            choices = " ".join(map(format_move, moves(known)))
            return f"{seat}, your piece on {NAMES[cell]} must change; choose {choices}"
    example = format_move(next(moves(known)))
    return f"{seat} to move, for example {example} (attack A2xN1, a king A0xN1=M)"

"""The board for a terminal, and what is asked of a player."""

from __future__ import annotations

from typing import Final

from visavis.rules.elements.board import BASES, NAMES, SECTORS, Cell, down, small, up
from visavis.rules.elements.knowledge import SEALED, left_to_guess
from visavis.rules.elements.play import begin, moves, occupants
from visavis.rules.elements.state import (
    Attack,
    Change,
    Element,
    Play,
    SetUp,
    Side,
    Track,
    View,
)
from visavis.rules.elements.text import format_move
from visavis.rules.protocol import Seat

Unsure = Element | None

SECTOR_WIDTH: Final = 14
MIDDLE: Final = 6
"""Where the middle of a sector is."""
SHIFT: Final = SECTOR_WIDTH // 2
"""The lower sectors lie half a sector to the right of the upper ones."""
MARKS: Final = ("<{}>", "[{}]")
"""How pieces of first and second are drawn."""
LEGEND: Final = (
    "<f> first, [f] second, K king. Small letters are hidden from the opponent,",
    "? from you. The left and right edges of the map join.",
    "In the ring F M W E A an attacker beats the next two, draws with the third and",
    "falls to the fourth; equals both fall.",
)


class Canvas:
    """Lines of text to write on."""

    def __init__(self, height: int) -> None:
        self._rows = [[" "] * 79 for _ in range(height)]

    def put(self, row: int, column: int, text: str) -> None:
        """Write a text from a place on."""
        self._rows[row][column : column + len(text)] = text

    def lines(self) -> list[str]:
        """Return what was written."""
        return ["".join(row).rstrip() for row in self._rows]


def draw(view: View) -> str:
    """Draw the map, the legend and a tally of both sides."""
    known = view.known
    if isinstance(known, SetUp):
        first, second = (SEALED if given is None else given for given in known.given)
        play = begin(first, second)
    else:
        play = known
    tallies = [line for seat in Seat for line in _tally(seat, play.sides[seat])]
    return "\n".join([*_map(play), "", *LEGEND, "", *tallies])


# -- The map ---------------------------------------------------------------------------------------


def _map(play: Play[Unsure]) -> list[str]:
    """Draw the cells in rows: the bases at the ends, the neutral belt in the middle."""
    canvas = Canvas(15)
    faces = _faces(play)

    def label(cell: Cell) -> str:
        return f"{NAMES[cell]:<3}{faces.get(cell, ' · ')}"

    for side, (base_row, bar, centres, fork, pair, join, belt) in enumerate(
        ((0, 1, 2, 3, 4, 5, 6), (14, 13, 12, 11, 10, 9, 8))
    ):
        shift = 1 + side * SHIFT
        ends = "┌┬┐┼" if side == 0 else "└┴┘┼"
        middle = shift + MIDDLE
        canvas.put(bar, middle, ends[0] + "─" * (4 * SECTOR_WIDTH - 1) + ends[2])
        canvas.put(base_row, middle + 2 * SECTOR_WIDTH - 2, label(BASES[side]))
        canvas.put(pair, shift - 1, "─")
        for sector in range(SECTORS):
            x = shift + sector * SECTOR_WIDTH
            centre, left, right = small(side, sector)
            if 0 < sector < SECTORS - 1:
                canvas.put(bar, x + MIDDLE, ends[3] if sector == 2 else ends[1])
            canvas.put(centres, x + 4, label(centre))
            canvas.put(fork, x + 4, "/   \\" if side == 0 else "\\   /")
            canvas.put(pair, x, f"{label(left)} {label(right)}─")
            canvas.put(join, x + 4, "\\   /" if side == 0 else "/   \\")
            canvas.put(belt, x + 4, label((down, up)[side](sector)))
    for sector in range(SECTORS):
        canvas.put(7, 1 + sector * SECTOR_WIDTH + 3, "/      \\")
    canvas.put(7, 1 + SECTORS * SECTOR_WIDTH + 3, "/")
    return canvas.lines()


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

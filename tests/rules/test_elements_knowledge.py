"""Five Elements: who knows what (E23), and the texts that carry it."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from tests.rules.elements_scene import DOWN_TO_FEW, GAME, view
from visavis.lab.conformance import native_kernel
from visavis.rules import game
from visavis.rules.elements import Arrange, Attack, Choose, Element, Move, SetUp, Step
from visavis.rules.elements.board import CELLS
from visavis.rules.elements.formations import AllSetUps, is_arrangement
from visavis.rules.elements.knowledge import possible_nows
from visavis.rules.elements.state import Track
from visavis.rules.errors import NotAMove, NotAPosition, NotAView
from visavis.rules.protocol import Seat

KERNEL = native_kernel(game("elements"))

# -- Knowledge -------------------------------------------------------------------------------------

Event = str
"""``o``: opened; a letter: changed on a base to this element."""


def histories(start: Element, length: int) -> list[tuple[Event, ...]]:
    """All that can happen to a piece in so many events."""
    found: list[tuple[Event, ...]] = [()]
    for _ in range(length):
        found += [
            (*before, event)
            for before in found
            for event in ("o", *"FMWEA")
            if event != next((e for e in reversed(before) if e != "o"), start.letter)
        ]
    return list(dict.fromkeys(found))


def test_e23_a_track_tells_exactly_what_follows_from_what_was_seen() -> None:
    """For every public history: the pairs (start, now) it allows are those its track allows."""
    allowed: dict[tuple[str, ...], set[tuple[Element, Element]]] = {}
    tracks: dict[tuple[str, ...], Track] = {}
    for start in Element:
        for history in histories(start, 5):
            now, track, public = start, Track(0), []
            for event in history:
                if event == "o":
                    track = track.opened(now)
                    public.append(now.letter)
                else:
                    now = GAME.parse_move(f"={event}").element  # type: ignore[union-attr,assignment]
                    track = track.changed()
                    public.append("+")
            key = tuple(public)
            assert tracks.setdefault(key, track) == track
            allowed.setdefault(key, set()).add((start, now))
    assert len(tracks) > 500
    for key, track in tracks.items():
        starts = [
            start for start in Element if track.start in (None, start) and track.never is not start
        ]
        pairs = {(start, now) for start in starts for now in possible_nows(track, start)}
        assert pairs == allowed[key], key


UNSURE_VIEWS = [
    # Two never seen, one of which changed; one seen and changed; one changed before it was seen.
    "first 31 20 - N9:FMWEA,x:F,x:F,x:F,B1:m,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,A15:a "
    "B0:FMWEA,B2:?,B3:?+?,x:F,x:A,x:W,N2:W+?,x:M,x:A,x:A,x:E,x:M,x:M,x:F,x:?+W,x:E",
    # Changed more often, and seen with different elements.
    "first 31 20 - N9:FMWEA,x:F,x:F,x:F,B1:m,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,A15:a "
    "B0:FMWEA,B2:?++?,N4:?+F>E++?,x:F>M,x:A,x:W,x:W,x:M,x:A,x:A,x:E,x:M,x:M,x:F,x:?++E,x:E",
    # A king's attack in the dark.
    "second 31 20 B4xB0=? B4:FWA,x:F,x:F,x:F,A3:?,A2:?,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,x:A "
    "B0:FMWEA,x:W,x:F,x:F,x:A,x:W,x:W,x:M,x:A,x:A,x:E,x:M,x:M,x:F,B14:e,x:E",
    # A spectator.
    "spectator 31 20 - N9:FM,x:F,x:F,x:?+A,B1:m,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,A15:? "
    "B0:FMWEA,x:W,x:F,x:F,x:A,x:W,x:W,x:M,x:A,x:A,x:E,x:M,x:M,x:F,B14:?,x:E".replace(
        "B1:m", "B1:?"
    ),
]


def possible_positions(text: str) -> set[str]:
    """All positions with this view, found by trying every letter for every ``?``."""
    viewer = GAME.parse_view(text).viewer
    parts = text.split(" ", 1)[1].split("?")
    found = set()
    for letters in itertools.product("fmwea", repeat=len(parts) - 1):
        position = parts[0]
        for letter, part in zip(letters, parts[1:], strict=True):
            position += (letter.upper() if position[-1] == "=" else letter) + part
        try:
            state = GAME.parse_position(position)
        except NotAPosition:
            continue
        if view(state, viewer) == text:
            found.add(position)
    return found


@pytest.mark.parametrize("text", UNSURE_VIEWS)
def test_e23_determinize_draws_every_possible_state_and_no_other(text: str) -> None:
    possible = possible_positions(text)
    assert len(possible) > 1
    known = GAME.parse_view(text)
    rng = random.Random(1)
    draws = 60 * len(possible)
    python = Counter(GAME.format_position(GAME.determinize(known, rng)) for _ in range(draws))
    native = Counter(KERNEL.determinize(text, seed) for seed in range(draws))
    for drawn in (python, native):
        assert set(drawn) == possible
        assert all(20 <= count <= 120 for count in drawn.values())


def test_e23_set_ups_are_drawn_whole() -> None:
    rng = random.Random(1)
    known = GAME.parse_view("second setup ? -")
    drawn = {GAME.determinize(known, rng) for _ in range(50)}
    assert len(drawn) == 50
    for state in drawn:
        assert isinstance(state, SetUp)
        assert is_arrangement(state.given[Seat.FIRST] or ())


# -- Texts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("A2-N1", Step(CELLS["A2"], CELLS["N1"])),
        ("a15xn9", Attack(CELLS["A15"], CELLS["N9"])),
        (" B0xB13=A ", Attack(CELLS["B0"], CELLS["B13"], Element.WATER)),
        ("=e", Choose(Element.EARTH)),
        ("FFFMMMWWWEEEAAA", Arrange(AllSetUps()[0].elements)),
    ],
)
def test_moves_are_read(text: str, move: Move) -> None:
    assert GAME.parse_move(text) == move
    assert GAME.format_move(move) == text.strip().upper().replace("X", "x")


@pytest.mark.parametrize(
    "text",
    ["", "A2", "A16-N1", "A2-N11", "A01-N1", "A2—N1", "=X", "=?", "FFF", "A²-N1", "A" * 100_000],
)
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(NotAMove):
        GAME.parse_move(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A15:a", "A15:e"),  # four earth, two water
        ("A15:a", "B1:a"),  # two pieces on a cell
        ("A15:a", "N9:a"),  # on the king
        ("A15:a", "x:a"),  # destroyed without being seen
        ("A15:a", "A0:a"),  # on a base without a change
        ("A15:a", "A15:a+a"),  # a change to the same
        ("A15:a", "A15:A+a"),
        ("A15:a", "A15:a+A"),
        ("A15:a", "A15:A>A"),
        ("A15:a", "A15:a++M>F"),  # an opening that tells nothing more
        ("A15:a", "A15:a>M"),
        ("A15:a", "A15:?"),
        ("A15:a", "A16:a"),
        ("A15:a", "A15:a,A1:a"),
        ("A15:a", "A15:"),
        ("N9:FMWEA", "N9:MFWEA"),
        ("N9:FMWEA", "N9:"),
        ("N9:FMWEA", "N9:-"),  # the game would have ended with the last turn
        ("N9:FMWEA", "x:FMWEA"),
        ("31 20 -", "0 0 -"),
        ("31 20 -", "31 31 -"),
        ("31 20 -", "031 20 -"),
        ("31 20 -", "31 +20 -"),
        ("31 20 -", "٣١ 20 -"),
        ("31 20 -", "131 20 -"),  # 110 quiet turns
        ("31 20 -", "31 20 B0="),
        ("31 20 -", "31 20 B1="),
        ("31 20 -", "31 20 B1xB14"),
        ("31 20 -", "31 20 B1xB0=M"),
        ("31 20 -", "31 20 N9xB0=M"),
        ("31 20 -", "31 20 N9xB0"),
        ("31 20 -", "32 20 B1xB0"),
        ("31 20 -", "31 20  -"),
    ],
)
def test_impossible_positions_are_refused(old: str, new: str) -> None:
    assert GAME.parse_position(DOWN_TO_FEW)
    with pytest.raises(NotAPosition):
        GAME.parse_position(DOWN_TO_FEW.replace(old, new))
    with pytest.raises(NotAPosition):
        KERNEL.awaits(DOWN_TO_FEW.replace(old, new))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "third setup - -",
        "first setup ? -",
        "second setup ? ?",
        "first setup FFFMMMWWWEEEAAA FFFMMMWWWEEEAAA",
        UNSURE_VIEWS[0].replace("B1:m", "B1:?"),  # a player knows the own pieces
        UNSURE_VIEWS[0].replace("B2:?", "B2:e"),  # and not some of the others'
        UNSURE_VIEWS[0].replace("first", "second"),
        UNSURE_VIEWS[0].replace("first", "spectator"),
        UNSURE_VIEWS[0].replace("x:E,x:A,x:A,A15:a", "x:E,x:A,x:A,A15:e"),
        # No set-up fits: two earth are missing, and both unknown pieces are known not to have been.
        DOWN_TO_FEW.replace("31 20", "first 31 20").replace("B14:e,x:E", "x:?+E,x:?+E"),
    ],
)
def test_impossible_views_are_refused(text: str) -> None:
    with pytest.raises(NotAView):
        GAME.parse_view(text)
    with pytest.raises(NotAView):
        KERNEL.reprint_view(text)

"""The laws on what callers may hand to a game: seats, moves made by hand, spellings of moves."""

from __future__ import annotations

import dataclasses
import enum
import random
import unicodedata
from collections.abc import Callable, Hashable

import pytest
from hypothesis import strategies as st

from tests.laws.driver import Step
from visavis.rules.errors import IllegalMove, NotAMove, NotASeat, NotYourTurn, RulesError
from visavis.rules.protocol import AnyGame, Roll, Seat

NO_SEATS: tuple[object, ...] = (2, -1, True, False, 0.0, "first", "0", (), b"\0")
ODD_BLANKS = "\n\r\v\f\x1c\x1f\x85\xa0\u1680\u2003\u2028\u3000\u200b\ufeff\0"
"""What other programs may take for blanks, or not show."""


# -- Seats -----------------------------------------------------------------------------------------


def result(call: Callable[[], object]) -> str:
    """What a call comes to, spelt out: a plain number in it would show."""
    try:
        return repr(call())
    except RulesError as error:
        return f"{type(error).__name__}: {error}"


def calls(
    game: AnyGame, step: Step, after: Hashable
) -> tuple[list[Callable[[object], object]], list[Callable[[object], object]]]:
    """Everything that takes a seat, and everything that takes a viewer, as functions of that."""
    state = step.state
    of_seat: list[Callable[..., object]] = [
        lambda seat: len(game.legal(state, seat)),
        lambda seat: [*game.legal(state, seat)[:3]],
        lambda seat: game.suggestions(state, seat),
        lambda seat: game.check_turn(state, seat),
        lambda seat: game.prompt(game.view(state, None), seat),
        lambda seat: game.prompt(game.view(state, seat), seat),
    ]
    of_viewer: list[Callable[..., object]] = [
        lambda viewer: game.view(state, viewer),
        lambda viewer: game.format_view(game.view(state, viewer)),
        lambda seat: game.on_timeout(state, seat),
    ]
    if step.actor is not None:
        move, actor = game.parse_move(step.action), step.actor
        of_seat += [
            lambda seat: game.apply(state, seat, move),
            lambda seat: game.format_position(game.apply(state, seat, move)),
            lambda seat: game.observe(state, seat, move, None),
            lambda seat: game.remark(state, seat, move, after),
            lambda seat: game.reveals(state, seat, move),
        ]
        of_viewer.append(lambda viewer: game.observe(state, actor, move, viewer))
    elif isinstance(game.awaits(state), Roll):
        of_viewer.append(lambda viewer: game.observe_roll(state, step.action, viewer))
    if (outcome := game.outcome(state)) is not None:
        of_seat.append(outcome.value)
    return of_seat, of_viewer


def check_seats(game: AnyGame, step: Step, after: Hashable) -> None:
    """A seat's plain number is as good as the seat; what is neither is refused as such."""
    of_seat, of_viewer = calls(game, step, after)
    for call in of_seat + of_viewer:
        for seat in Seat:
            assert result(lambda: call(int(seat))) == result(lambda: call(seat))  # noqa: B023
        for wrong in NO_SEATS:
            with pytest.raises(NotASeat):
                call(wrong)
    for call in of_seat:
        with pytest.raises(NotASeat):
            call(None)


# -- Moves made by hand ----------------------------------------------------------------------------

JUNK: st.SearchStrategy[object] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-130, 130),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=2),
    st.tuples(st.integers(0, 30)),
    st.lists(st.integers(0, 30), max_size=3),
    st.builds(object),
)


@st.composite
def hand_made(draw: st.DrawFn, move: object, others: tuple[object, ...] = ()) -> object:
    """Something like a move: with some of its fields replaced by anything, or anything at all."""
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return draw(JUNK)
    if kind == 1 and others:
        return draw(st.sampled_from(others))
    if isinstance(move, tuple) and hasattr(move, "_make"):
        fields = [draw(part_of(item)) for item in move]
        plain = draw(st.integers(0, 9)) == 0
        return tuple(fields) if plain else move._make(fields)
    if dataclasses.is_dataclass(move) and not isinstance(move, type):
        names = [field.name for field in dataclasses.fields(move)]
        return dataclasses.replace(move, **{n: draw(part_of(getattr(move, n))) for n in names})
    return draw(part_of(move))


@st.composite
def part_of(draw: st.DrawFn, part: object) -> object:
    """A part of a move: often as it is, else a little wrong or altogether."""
    kind = draw(st.integers(0, 5))
    if kind <= 1:
        return part
    if kind == 2:
        return draw(JUNK)
    if isinstance(part, enum.Enum):
        return draw(st.sampled_from([*type(part), part.value]))
    if isinstance(part, tuple):
        if kind == 3 or not hasattr(part, "_make"):
            inner = [draw(part_of(item)) for item in part]
            return tuple(inner[: draw(st.integers(0, len(inner)))] if kind == 3 else inner)
        return draw(hand_made(part))
    if isinstance(part, int):
        return draw(st.sampled_from([part + 1, part - 1, -part, float(part)]) | st.integers(-5, 50))
    return draw(hand_made(part))


def check_hand_made(game: AnyGame, state: Hashable, seat: Seat, made: object) -> None:
    """What isn't a move is refused as such everywhere; what is one equals what was read."""
    after = state
    uses: list[Callable[[object], object]] = [
        lambda move: game.apply(state, seat, move),
        lambda move: game.apply(state, seat.other, move),
        lambda move: game.observe(state, seat, move, seat.other),
        lambda move: game.remark(state, seat, move, after),
        lambda move: game.reveals(state, seat, move),
    ]
    try:
        text = game.format_move(made)
    except IllegalMove as error:
        assert error.why == f"it is not a move of {game.title}; parse_move reads one from its text"
        for use in uses:
            with pytest.raises((IllegalMove, NotYourTurn)):
                use(made)
        return
    read = game.parse_move(text)
    assert read == made
    assert game.format_move(read) == text
    for use in uses:
        assert result(lambda: use(made)) == result(lambda: use(read))  # noqa: B023


# -- Spelling --------------------------------------------------------------------------------------


def _lookalikes() -> dict[str, str]:
    """The characters beyond ASCII that some folding makes ASCII, by that in small letters."""
    found: dict[str, str] = {}
    for code in range(0x80, 0x20000):
        char = chr(code)
        folds = {char.upper(), char.lower(), char.casefold(), unicodedata.normalize("NFKC", char)}
        folds |= {str(unicodedata.digit(char, ""))}
        for fold in folds:
            if len(fold) == 1 and fold.isascii():
                found[fold.lower()] = found.get(fold.lower(), "") + char
    return found


LOOKALIKES = _lookalikes()


def check_spelling(game: AnyGame, text: str, rng: random.Random) -> None:
    """Blanks around and between words and the case of ASCII letters don't matter, all else does."""
    move = game.parse_move(text)
    cases = "".join(rng.choice((c.lower(), c.upper())) if c.isascii() else c for c in text)
    wide = cases.replace(" ", rng.choice((" ", "  ", "\t", " \t ")))
    assert (
        game.parse_move(rng.choice((" ", "\t", "")) + wide + rng.choice((" ", "\t\t", ""))) == move
    )
    for blank in rng.sample(ODD_BLANKS, 4):
        for spoilt in (blank + text, text + blank, text.replace(" ", blank)):
            if spoilt != text:
                refuses(game, spoilt)
    for at in rng.sample(range(len(text)), min(3, len(text))):
        if alike := LOOKALIKES.get(text[at].lower()):
            refuses(game, text[:at] + rng.choice(alike) + text[at + 1 :])


def refuses(game: AnyGame, text: str) -> None:
    with pytest.raises(NotAMove):
        game.parse_move(text)

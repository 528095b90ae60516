"""Checks what callers hand to a game, in one place, before the game sees it.

`Game` puts these checks around the methods of every class derived from it, so that no game has to
remember them: a plain number becomes the seat it stands for (rules tell seats apart with ``is``),
anything that isn't a seat, a move of the game or a text is refused, and texts of moves are tidied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final, Protocol, TypeVar

from visavis.rules.errors import IllegalMove, NotAMove, NotAPosition, NotAView, TextError, spelled
from visavis.rules.seats import Seat, seat_of, viewer_of
from visavis.rules.spelling import LONGEST_MOVE, tidy

_MARK: Final = "checks_arguments"

T = TypeVar("T")
Method = Callable[..., T]


class _Moves(Protocol):
    """What a check of a move asks the game."""

    title: str

    def is_move(self, move: object) -> bool:
        """Whether a value is a move of the game."""


def check_arguments(game_class: type) -> None:
    """Put the checks around those methods of a game that have none yet, its own or mixed in."""
    for name, checked in _CHECKED.items():
        method = getattr(game_class, name)
        if not hasattr(method, _MARK):
            around = wraps(method)(checked(method))
            setattr(around, _MARK, True)
            setattr(game_class, name, around)


def are_among(numbers: range, *values: object) -> bool:
    """Whether all of these are plain whole numbers of a range: for games to say what a move is.

    >>> are_among(range(64), 0, 63), are_among(range(64), True), are_among(range(64), 5.0)
    (True, False, False)
    """
    return all(type(value) is int and value in numbers for value in values)


def _check_move(game: _Moves, move: object) -> None:
    if not game.is_move(move):
        raise IllegalMove(
            spelled(move), f"it is not a move of {game.title}; parse_move reads one from its text"
        )


# One function for each shape of arguments; parameters are called as in `Game`, so that callers may
# name them.


def _of_seat(method: Method[T]) -> Method[T]:
    def checked(self: object, state: object, seat: object) -> T:
        return method(self, state, seat if seat.__class__ is Seat else seat_of(seat))

    return checked


def _prompt(method: Method[T]) -> Method[T]:
    def checked(self: object, view: object, seat: object) -> T:
        return method(self, view, seat_of(seat))

    return checked


def _on_timeout(method: Method[T]) -> Method[T]:
    def checked(self: object, state: object, seat: object) -> T:
        return method(self, state, viewer_of(seat))

    return checked


def _view(method: Method[T]) -> Method[T]:
    def checked(self: object, state: object, viewer: object) -> T:
        return method(self, state, viewer_of(viewer))

    return checked


def _observe_roll(method: Method[T]) -> Method[T]:
    def checked(self: object, state: object, face: object, viewer: object) -> T:
        return method(self, state, face, viewer_of(viewer))

    return checked


def _of_move(method: Method[T]) -> Method[T]:
    def checked(self: _Moves, state: object, seat: object, move: object) -> T:
        known = seat_of(seat)
        _check_move(self, move)
        return method(self, state, known, move)

    return checked


def _observe(method: Method[T]) -> Method[T]:
    def checked(self: _Moves, state: object, seat: object, move: object, viewer: object) -> T:
        known, seer = seat_of(seat), viewer_of(viewer)
        _check_move(self, move)
        return method(self, state, known, move, seer)

    return checked


def _remark(method: Method[T]) -> Method[T]:
    def checked(self: _Moves, state: object, seat: object, move: object, after: object) -> T:
        known = seat_of(seat)
        _check_move(self, move)
        return method(self, state, known, move, after)

    return checked


def _format_move(method: Method[T]) -> Method[T]:
    def checked(self: _Moves, move: object) -> T:
        _check_move(self, move)
        return method(self, move)

    return checked


def _parse_move(method: Method[T]) -> Method[T]:
    def checked(self: object, text: object) -> T:
        given = _text(text, NotAMove)
        if len(given) > LONGEST_MOVE:
            raise NotAMove(given, f"it is longer than {LONGEST_MOVE} characters")
        return method(self, tidy(given))

    return checked


def _parse_position(method: Method[T]) -> Method[T]:
    return lambda self, text: method(self, _text(text, NotAPosition))


def _parse_view(method: Method[T]) -> Method[T]:
    return lambda self, text: method(self, _text(text, NotAView))


def _roll(method: Method[T]) -> Method[T]:
    def checked(self: object, state: object, face: object) -> T:
        if not isinstance(face, str):
            raise IllegalMove(spelled(face), "the face of a roll is a text")
        return method(self, state, face)

    return checked


def _text(value: object, refusal: type[TextError]) -> str:
    if not isinstance(value, str):
        raise refusal(spelled(value), "it is not a text")
    return value


_CHECKED: Final[Mapping[str, Callable[[Method[object]], Method[object]]]] = {
    "legal": _of_seat,
    "suggestions": _of_seat,
    "check_turn": _of_seat,
    "prompt": _prompt,
    "on_timeout": _on_timeout,
    "view": _view,
    "observe_roll": _observe_roll,
    "apply": _of_move,
    "reveals": _of_move,
    "observe": _observe,
    "remark": _remark,
    "format_move": _format_move,
    "roll": _roll,
    "parse_move": _parse_move,
    "parse_position": _parse_position,
    "parse_view": _parse_view,
}

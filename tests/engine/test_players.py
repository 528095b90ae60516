"""The one way to make a player."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from visavis.engine.native import Engine, NoEngine
from visavis.engine.player import Player, Question
from visavis.engine.players import NativePlayer, Roster, SimplePlayer, parse_player
from visavis.lab.conformance import has_kernel, native_kernel
from visavis.rules import game
from visavis.rules.errors import BadOption
from visavis.rules.protocol import AnyGame, Seat


def unheard_of(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return a game that is not known natively."""
    chosen = game("osakana")
    monkeypatch.setattr(chosen, "slug", "unheard-of")
    return chosen


def misunderstood(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return a game with an option that its rules allow and the native side does not."""
    chosen = game("osakana")
    monkeypatch.setattr(chosen, "kernel_options", lambda: [("fouls", "sometimes")])
    return chosen


def test_a_level_of_a_game_without_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = unheard_of(monkeypatch)
    assert isinstance(parse_player("3").open(chosen, may_stand_in=True), SimplePlayer)
    with pytest.raises(NoEngine):
        parse_player("3").open(chosen)
    assert not has_kernel(chosen)


def test_a_bad_option_is_no_lack_of_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = misunderstood(monkeypatch)
    for make in (
        lambda: parse_player("3").open(chosen, may_stand_in=True),
        lambda: Engine(chosen),
        lambda: native_kernel(chosen),
        lambda: has_kernel(chosen),
    ):
        with pytest.raises(BadOption, match=r"option 'fouls', value 'sometimes': must be"):
            make()


@pytest.mark.parametrize(
    ("own", "asked", "bound"), [("full:50ms", None, 50), ("full:50ms", 20, 20), ("3", 70, 70)]
)
def test_the_shorter_time_counts(own: str, asked: int | None, bound: int) -> None:
    engine, spec = Mock(), parse_player(own)
    player = NativePlayer(engine, spec.style, spec.limits)
    player.choose(Question("-", Seat.FIRST, None, 9, asked))
    limits = engine.think.call_args.args[2]
    assert (limits.millis, limits.seed) == (bound, 9)


class Counted(Player):
    """A player that is there once."""

    open = 0

    def __init__(self) -> None:
        Counted.open += 1

    def choose(self, question: Question) -> str:
        return ""

    def close(self) -> None:
        Counted.open -= 1


@pytest.fixture
def roster() -> Iterator[Roster]:
    kept = Roster()
    yield kept
    kept.dismiss()


def test_a_roster_keeps_players_until_they_are_dismissed(roster: Roster) -> None:
    one, other = roster.get(1, Counted), roster.get(2, Counted)
    assert roster.get(1, Counted) is one is not other
    assert Counted.open == 2
    roster.dismiss()
    assert Counted.open == 0

"""Rules that have changed: matches of before are upgraded by a named function, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from tests.session.driving import begin, play
from tests.toys import Nim, toy
from visavis.rules.protocol import AnyGame, Options
from visavis.session import Record, check, replay
from visavis.session.errors import OtherRules, WrongHeader
from visavis.session.versions import Terms, upgrade


class LaterNim(Nim):
    """Version 2 named the heap in its options, version 3 has it twice as high by default."""

    rules_version = 3

    @staticmethod
    def upgrade_rules_1(
        options: dict[str, str], start: str | None
    ) -> tuple[dict[str, str], str | None]:
        return {"heap": options["height"]}, start

    @staticmethod
    def upgrade_rules_2(
        options: dict[str, str], start: str | None
    ) -> tuple[dict[str, str], str | None]:
        return options, start or f"{options['heap']} 0 0 0 first"


class AbruptNim(LaterNim):
    """Nobody wrote how its second version becomes its third."""

    upgrade_rules_2 = None  # type: ignore[assignment]


def later(_slug: str, options: Options | None = None) -> AnyGame:
    return cast(AnyGame, LaterNim(options))


def abrupt(_slug: str, options: Options | None = None) -> AnyGame:
    return cast(AnyGame, AbruptNim(options))


def first_version() -> Record:
    """Return a record of version 1, in which the option had another name."""
    record = play(begin("nim"), "take 3", "take 2").record(None)
    return Record.parse(record.text.replace("[Option heap", "[Option height"))


def test_terms_go_through_every_version() -> None:
    kind = cast(type[AnyGame], LaterNim)
    assert upgrade(kind, Terms(1, {"height": "9"}, None)) == Terms(
        3, {"heap": "9"}, "9 0 0 0 first"
    )
    assert upgrade(kind, Terms(2, {"heap": "9"}, "x")) == Terms(3, {"heap": "9"}, "x")
    assert upgrade(kind, Terms(3, {"heap": "9"}, None)) == Terms(3, {"heap": "9"}, None)


def test_a_record_is_upgraded() -> None:
    played = replay(first_version(), later)
    assert played.record.rules_version == 3
    assert played.record.options == (("heap", "12"),)
    assert [step.item.text for step in played.steps] == ["take 3", "take 2"]
    assert check(first_version(), later).moves == 2


def test_without_a_way_to_the_current_version_it_is_refused() -> None:
    for version in (1, 2):
        with pytest.raises(OtherRules, match=f"under version {version} of the rules of nim"):
            upgrade(cast(type[AnyGame], AbruptNim), Terms(version, {"height": "9"}, None))
    with pytest.raises(WrongHeader, match="under version 1 of the rules of nim"):
        check(first_version(), abrupt)


def test_what_is_newer_than_the_rules_is_refused() -> None:
    with pytest.raises(WrongHeader, match="line 3: played under version 2"):
        check(replace(begin("nim").record(None), rules_version=2, places=()), toy)

"""Names: one form each, and nothing in them that can't be seen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from visavis.session.names import plain_name

HARD = "a\u0301\u0308 \t\n\u00ad\u034f\u061c\u094d\u0915\u0927\u0639\u0644\u0670\u115f\u180e"
HARD += "\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2028\u2060\u2066\u2069\u3000\u3164\ufe0f\ufeff"
HARD += "\U0001f468\U0001f3fd\U000e0061\U000e0101\u1100\u1161\u11a8\u0958\u2126\u0622\u0628\u064e"
TEXTS = st.text(st.one_of(st.sampled_from(HARD), st.characters()), max_size=30)


@pytest.mark.parametrize(
    ("given_", "name"),
    [
        ("Mio", "Mio"),
        ("", ""),
        ("\u200b\u2060\ufeff", ""),
        ("Анна  Каренина", "Анна Каренина"),
        ("Zoe\u0308", "Zoë"),
        ("\u1112\u1161\u11ab", "한"),
        ("ad\u200bmin", "admin"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\u2066b\u2069", "ab"),
        ("a\nb\x00c\x1b[31m", "a bc[31m"),
        ("a\u2028b", "a b"),
        ("a\u2065d\ufff0m\U000e0000i\U000e01f0n\U000e0fff", "admin"),
        ("\ufffea\uffffb\ufdd0\U0010ffff", "ab"),
        ("a\ufe0f", "a"),
        ("\U000e0041\U000e007f", ""),
        # Joiners where they are spelling: علی‌رضا, and a half form.
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("क्\u200dष", "क्\u200dष"),
        ("क्\u200cष", "क्\u200cष"),
        # And where they are nothing, or hold pictures together.
        ("a\u200cb\u200d", "ab"),
        ("علی\u200c", "علی"),
        ("علی\u200c\u200cرضا", "علیرضا"),
        ("علی\u200dرضا", "علیرضا"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("♥\ufe0f", "♥"),
    ],
)
def test_a_name(given_: str, name: str) -> None:
    assert plain_name(given_) == name


@settings(deadline=None)
@given(TEXTS)
@example("क्\u200d\u200cष")
@example("ع\u0670\u200cع")
@example("e\u200b\u0301")
@example("\u0622\u200c\u0628")
def test_a_name_has_one_form(text: str) -> None:
    name = plain_name(text)
    assert plain_name(name) == name
    assert unicodedata.is_normalized("NFC", name)
    assert plain_name(unicodedata.normalize("NFD", text)) == name
    assert name == " ".join(name.split())


@settings(deadline=None)
@given(TEXTS)
def test_a_name_shows_all_of_itself(text: str) -> None:
    name = plain_name(text)
    hidden = [char for char in name if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert set(hidden) <= {"\u200c", "\u200d"}
    for at, char in enumerate(name):
        if char in hidden:
            assert 0 < at < len(name) - 1
            assert name[at + 1].isalpha()

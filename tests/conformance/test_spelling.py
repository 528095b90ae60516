"""The native kernels read moves exactly as leniently as the Python rules do."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.test_conformance import WITH_KERNEL
from tests.laws.arguments import LOOKALIKES, ODD_BLANKS
from tests.laws.driver import walk
from visavis._core import Kernel
from visavis.lab.conformance import native_kernel
from visavis.rules import game
from visavis.rules.errors import NotAMove
from visavis.rules.protocol import AnyGame


def read(game: AnyGame, text: str) -> str | None:
    """The canonical text of what Python reads; None if it isn't a move."""
    try:
        return game.format_move(game.parse_move(text))
    except NotAMove:
        return None


def read_natively(kernel: Kernel, text: str) -> str | None:
    try:
        return kernel.reprint_move(text)
    except NotAMove:
        return None


@st.composite
def respelt(draw: st.DrawFn, text: str) -> str:
    """A move's text with a few characters put in, taken out, or written otherwise."""
    chars = list(text)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(chars)))
        was = "".join(chars[at : at + 1])
        alike = LOOKALIKES.get(was.lower(), "") + was.swapcase()
        anything = " \t 0123456789" + ODD_BLANKS + text + "+-xX@rRib=*★ABCabcPpＡ"
        new = draw(st.sampled_from(alike or " ") | st.text(st.sampled_from(anything), max_size=2))
        chars[at : at + draw(st.integers(0, 1))] = new
    spelt = "".join(chars)
    return draw(st.sampled_from([spelt, spelt.upper(), spelt.lower(), spelt.swapcase()]))


@cache
def both(chosen: int) -> tuple[AnyGame, Kernel, tuple[str, ...]]:
    """A game in both languages, and texts of its moves."""
    rules = game(*WITH_KERNEL[chosen])
    steps = [step for seed in range(3) for step in walk(rules, random.Random(seed), 40)]
    texts = {step.action for step in steps if step.actor is not None}
    return rules, native_kernel(rules), tuple(sorted(texts))


@pytest.mark.parametrize(
    "chosen", range(len(WITH_KERNEL)), ids=lambda at: f"{WITH_KERNEL[at][0]}-{at}"
)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_same_leniency(chosen: int, data: st.DataObject) -> None:
    rules, kernel, texts = both(chosen)
    text = data.draw(st.sampled_from(texts).flatmap(respelt) | st.text(max_size=8))
    ours, native = read(rules, text), read_natively(kernel, text)
    if ours is None:
        assert native is None
    else:  # a kernel may know only the cells of its board; how a move is spelt makes no difference
        assert native == read_natively(kernel, ours)
        assert native in (ours, None)


@pytest.mark.parametrize("chosen", range(len(WITH_KERNEL)))
def test_same_length(chosen: int) -> None:
    rules, kernel, texts = both(chosen)
    for width in (99, 100, 101):
        text = texts[0].rjust(width)
        assert (read(rules, text) is None) == (width > 100)
        assert read_natively(kernel, text) == read(rules, text)

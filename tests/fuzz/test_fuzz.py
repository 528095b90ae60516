"""A short run of the fuzzing, always the same; ``python -m tests.fuzz`` is the long one."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.__main__ import Slice, slices, targets, work_through
from tests.fuzz.target import Broken, Target, hold
from tests.fuzz.texts import Texts

INPUTS = 60
"""For each target."""


@pytest.mark.parametrize("name", targets())
def test_no_text_causes_an_undocumented_error(name: str) -> None:
    done = work_through(Slice(name, f"1/{name}", INPUTS))
    assert not done.finds, done.finds[0]
    known = targets()[name].known
    assert any(map(targets()[name].read, known[:20])), "known texts are accepted"


def test_a_find_is_kept_and_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(text: str) -> bool:
        hold("?" not in text, "a question mark")
        return True

    monkeypatch.setitem(targets(), "toy", Target("toy", ("what",), read))
    found = work_through(Slice("toy", "1", 10_000))
    assert found.finds
    assert all("?" in text and Broken.__name__ in trace for text, trace in found.finds)
    assert work_through(Slice("toy", "1", 10_000)) == found


def test_inputs_are_shared_out() -> None:
    todo = slices(["a", "b"], 25_000, 1)
    assert sum(slice.inputs for slice in todo) == 25_000
    assert len({slice.seed for slice in todo}) == len(todo)


def test_texts_depend_on_the_rng_alone() -> None:
    drawn = [[Texts(("a b", "c1"), random.Random(7)).draw() for _ in range(2)] for _ in range(2)]
    assert drawn[0] == drawn[1]

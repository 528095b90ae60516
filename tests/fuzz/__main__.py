"""Fuzz everything that reads texts: ``python -m tests.fuzz --inputs 10000000``.

Inputs are shared out among the targets, and worked through on all cores in slices that depend on
nothing but the seed and their number. A find is printed with its input, and with the command that
repeats it.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache

from tests.fuzz.target import Target
from tests.fuzz.targets import all_targets
from tests.fuzz.texts import Texts

SLICE = 5_000
SHOWN = 400
MOST_FINDS = 5
"""Of one target and slice no more finds are kept."""


@dataclass(frozen=True)
class Slice:
    """So many inputs for a target, drawn from a seed."""

    target: str
    seed: str
    inputs: int


@dataclass(frozen=True)
class Done:
    """What came of a slice."""

    slice: Slice
    accepted: int
    finds: tuple[tuple[str, str], ...]
    """Inputs, and what happened."""


@cache
def targets() -> dict[str, Target]:
    """Return all targets by name, made once in a process."""
    return {target.name: target for target in all_targets()}


def work_through(slice: Slice) -> Done:
    """Try all inputs of a slice."""
    target, finds = targets()[slice.target], list[tuple[str, str]]()
    texts, accepted = Texts(target.known, random.Random(slice.seed)), 0
    for _ in range(slice.inputs):
        text = texts.draw()
        try:
            accepted += target.read(text)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # whatever it is, a panic of the kernel's too
            finds.append((text, traceback.format_exc(limit=-4)))
            if len(finds) == MOST_FINDS:
                break
    return Done(slice, accepted, tuple(finds))


def slices(names: list[str], inputs: int, seed: int) -> list[Slice]:
    """Share inputs out among targets."""
    each, made = -(-inputs // len(names)), []
    for start in range(0, each, SLICE):
        size = min(SLICE, each - start)
        made += [Slice(name, f"{seed}/{name}/{start}", size) for name in names]
    return made


def tell(done: Done) -> None:
    """Print what was found."""
    for text, trace in done.finds:
        print(f"\n{done.slice.target}: {text[:SHOWN]!a}{' …' * (len(text) > SHOWN)}\n{trace}")
        if len(text) <= SHOWN:
            print(f"again: python -m tests.fuzz --only {done.slice.target} --text {text!a}")


def run(names: list[str], inputs: int, seed: int, jobs: int) -> bool:
    """Fuzz, and print a summary; return whether nothing was found."""
    todo = slices(names, inputs, seed)
    tried, accepted, finds = Counter[str](), Counter[str](), Counter[str]()
    began, told = time.monotonic(), time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        for future in as_completed([pool.submit(work_through, slice) for slice in todo]):
            done = future.result()
            name = done.slice.target
            tried[name] += done.slice.inputs
            accepted[name] += done.accepted
            finds[name] += len(done.finds)
            tell(done)
            if time.monotonic() - told > 10:
                told = time.monotonic()
                rate = tried.total() / (told - began)
                print(
                    f"{tried.total():,} inputs, {rate:,.0f} a second", file=sys.stderr, flush=True
                )
    for name in names:
        share = accepted[name] / max(1, tried[name])
        print(f"{name:24} {tried[name]:10,} inputs, {share:6.1%} accepted, {finds[name]} finds")
    seconds = time.monotonic() - began
    print(f"{tried.total():,} inputs in {seconds:,.0f} s, seed {seed}: {finds.total()} finds")
    return not finds.total()


def main() -> None:
    """Read the arguments and fuzz."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=200_000, help="over all targets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", action="append", help="a target, or how its name begins")
    parser.add_argument("--text", help="one input, as printed with a find")
    given = parser.parse_args()
    wanted = tuple(given.only or ("",))
    names = [name for name in targets() if name.startswith(wanted)]
    if not names:
        parser.error(f"the targets are: {', '.join(targets())}")
    if given.text is not None:
        accepted = [targets()[name].read(given.text) for name in names]
        print("accepted" if all(accepted) else "refused, as documented")
        return
    sys.exit(not run(names, given.inputs, given.seed, given.jobs))


if __name__ == "__main__":
    main()

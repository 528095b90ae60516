"""Prints how fast the native core is beside its peers, measured in one run.

    python -m bench.run [NAME …]

Each module of ``bench.rows`` is one comparison; names choose among them. The exit code is 1 if a
promised ratio is not reached.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import suppress

from bench import rows
from bench.measure import Result, Row, measure


def chosen_rows(names: list[str]) -> Iterator[Row]:
    """All rows of the comparisons with these names, or of all comparisons."""
    known = [module.name for module in pkgutil.iter_modules(rows.__path__)]
    if unknown := set(names) - set(known):
        sys.exit(f"no comparison is called {', '.join(unknown)}; there are: {', '.join(known)}")
    for name in names or known:
        yield from importlib.import_module(f"bench.rows.{name}").rows()


def line(result: Result) -> str:
    """A result as a line of the table."""
    row = result.row
    promise = "" if row.promise is None else f"{row.promise:,.0f}×"
    verdict = "" if result.kept else "  TOO LITTLE"
    return (
        f"{row.what:30} {row.peer:24} {result.ours:>14,.0f} {result.theirs:>12,.0f} {row.unit:8}"
        f" {result.ratio:>9,.0f}× {promise:>6}{verdict}"
    )


def main(names: list[str]) -> int:
    """Print the table row by row as they are measured, and the notes below it."""
    print(
        f"{'':30} {'against':24} {'ours a second':>14} {'theirs':>12} {'':8} {'ratio':>10} promise"
    )
    results = []
    for row in chosen_rows(names):
        results.append(measure(row))
        print(line(results[-1]), flush=True)
    for note in dict.fromkeys(result.row.note for result in results if result.row.note):
        print(f"* {note}")
    return 0 if all(result.kept for result in results) else 1


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))

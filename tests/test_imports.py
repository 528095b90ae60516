"""Imports point one way: rules → session → server → web, with the engine beside."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import visavis

SOURCE = Path(visavis.__file__).parent
ALLOWED = {
    "rules": {"rules"},
    "session": {"rules", "session"},
    "engine": {"rules", "session", "engine", "_core"},
    "lab": {"rules", "session", "engine", "lab", "_core"},
    "envs": {"rules", "session", "engine", "envs", "_core"},
    "server": {"rules", "session", "engine", "server"},
    "cli": {"rules", "session", "engine", "lab", "server", "cli", "_core"},
}
"""The parts of the house that each part may import."""
STANDARD_LIBRARY_ONLY = {"rules", "session"}


def imported(path: Path) -> Iterator[str]:
    """Name every module that a source file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            assert node.module is not None
            if node.module == "visavis":
                yield from (f"visavis.{alias.name}" for alias in node.names)
            else:
                yield node.module


def wrong(part: str, module: str) -> bool:
    """Say whether a part must not import a module."""
    top, *below = module.split(".")
    if top == "visavis":
        return not below or below[0] not in ALLOWED[part]
    return part in STANDARD_LIBRARY_ONLY and top not in sys.stdlib_module_names


def sources() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    part = path.relative_to(SOURCE).parts[0]
    assert part in ALLOWED, f"a new part of the house, {part}: say here what it may import"
    assert [module for module in imported(path) if wrong(part, module)] == []


def test_a_wrong_direction_is_noticed(tmp_path: Path) -> None:
    source = tmp_path / "game.py"
    source.write_text("def f():\n    import numpy\n    from visavis.session import Match\n")
    assert [wrong("rules", module) for module in imported(source)] == [True, True]
    assert [wrong("cli", module) for module in imported(source)] == [False, False]


def test_games_know_nothing_of_each_other() -> None:
    shared = {"protocol", "errors", "arguments", "reasons", "seats", "spelling"}
    for path in sources():
        part, name, *_ = path.relative_to(SOURCE).with_suffix("").parts
        if part != "rules" or name == "__init__":
            continue
        others = {m.split(".")[2] for m in imported(path) if m.startswith("visavis.rules.")}
        assert others <= shared | {name}, path

"""Every game's package has the same files for the same things; `docs/add-a-game.md` lists them."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from visavis import rules
from visavis.rules import games

DOCUMENT = Path(__file__).parents[2] / "docs" / "add-a-game.md"
SKELETON = {
    "__init__.py",
    "board.py",
    "drawing.py",
    "game.py",
    "play.py",
    "refusals.py",
    "rules.md",
    "state.py",
    "text.py",
}


def package(slug: str) -> Path:
    return Path(inspect.getfile(rules)).parent / slug


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name != "__pycache__"}


def extras_flaw(names: set[str], docstring: str) -> str:
    """Say what is wrong with the files of a package that are not in every package."""
    modules = {Path(name).stem for name in names if name.endswith(".py")}
    named = set(re.findall("`([a-z_]+)`", docstring))
    if modules != named:
        return f"the docstring of the package names {named}, and there are {modules}"
    data = {name for name in names if not name.endswith(".py")}
    stray = {name for name in data if not re.fullmatch(r"[a-z]+(\.schema)?\.json", name)}
    return f"what is {stray}?" if stray else ""


@pytest.mark.parametrize("slug", games())
def test_a_game_has_the_files_of_every_game_and_says_what_others_it_has(slug: str) -> None:
    found = files(package(slug))
    assert found >= SKELETON, f"{slug} lacks {SKELETON - found}"
    tree = ast.parse((package(slug) / "__init__.py").read_text("utf-8"))
    assert not extras_flaw(found - SKELETON, ast.get_docstring(tree) or "")


@pytest.mark.parametrize("slug", games())
def test_a_package_only_exports(slug: str) -> None:
    _docstring, *body = ast.parse((package(slug) / "__init__.py").read_text("utf-8")).body
    for node in body:
        if isinstance(node, ast.Assign):
            (target,) = node.targets
            assert isinstance(target, ast.Name)
            assert target.id in ("GAME", "__all__")
        else:
            assert isinstance(node, ast.ImportFrom), ast.unparse(node)


@pytest.mark.parametrize("slug", games())
def test_the_class_of_the_game_is_in_game(slug: str) -> None:
    assert games()[slug].__module__ == f"visavis.rules.{slug}.game"


def test_a_stray_file_is_noticed() -> None:
    assert not extras_flaw({"maps.py", "maps.json"}, "`maps` holds maps.")
    assert extras_flaw({"maps.py"}, "A game.")
    assert extras_flaw(set(), "`maps` holds maps.")
    assert extras_flaw({"notes.txt"}, "A game.")


def test_the_document_lists_them() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert {name for name in SKELETON if re.search(rf"^    {re.escape(name)} ", text, re.M)} == (
        SKELETON
    )

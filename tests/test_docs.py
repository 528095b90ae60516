"""What the docs point at exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from visavis.rules import games

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PLACE = re.compile(r"`((?:src|crates|web|tests|docs|bench|tools|vectors)/[^`\s]*)`")


def targets(page: Path) -> Iterator[Path]:
    """Return the files that a page links to, and the places in the sources that it names."""
    text = page.read_text("utf-8")
    for target in LINK.findall(text):
        if "://" not in target and not target.startswith("/"):
            yield page.parent / target
    for place in PLACE.findall(text):
        names = games() if "GAME" in place else [""]
        yield from (ROOT / place.replace("GAME", name) for name in names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_places_exist(page: Path) -> None:
    patterns = {path for path in targets(page) if not re.search(r"[*{…]|NAME|FILE", path.name)}
    built = ROOT / "src/visavis/page", ROOT / "web/test-results"
    missing = [
        str(path.relative_to(ROOT))
        for path in sorted(patterns)
        if not path.exists() and not any(path.is_relative_to(folder) for folder in built)
    ]
    assert missing == []

"""``visavis games``."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from visavis.rules import games as all_games


def games() -> None:
    """List all games, one line each."""
    known = all_games()
    console = Console(highlight=False)
    slugs = max(map(cell_len, known))
    titles = max(cell_len(game.title) for game in known.values())
    for slug, game in known.items():
        line = Text.assemble(
            (set_cell_size(slug, slugs + 2), "bold"),
            set_cell_size(game.title, titles + 2),
            game.summary,
        )
        if console.is_terminal:
            line.truncate(console.width, overflow="ellipsis")
        console.print(line, soft_wrap=True)

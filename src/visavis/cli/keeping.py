"""Keeping a match that is played at the terminal: saved on request, and when it breaks off."""

from __future__ import annotations

import itertools
import os
import shlex
import time
from pathlib import Path

import typer

from visavis.session import Match
from visavis.session.match import Decision


class Keeper:
    """Writes a match to files, and never over a file that it has not written itself."""

    def __init__(self, path: Path | None = None, *, is_own: bool = False) -> None:
        self.path = path
        self.last = path if is_own else None
        self.kept: Match | None = None

    def note(self, match: Match) -> None:
        """Write the match to the file that follows it move by move, if there is one."""
        if self.path is not None:
            self._write(match, self.path)

    def save(self, match: Match, path: Path) -> str:
        """Write the match to a file, and return a line that says so, or why not."""
        try:
            self._write(match, path)
        except typer.BadParameter as error:
            return f"! {error.message}"
        secrets = " (both players' secrets are in it)" if _has_secrets(match) else ""
        return f"Saved to {path}{secrets}."

    def rescue(self, match: Match) -> str:
        """Keep a match that breaks off; return a line that says where, empty if nothing is lost."""
        if match.is_over or not any(isinstance(entry, Decision) for entry in match.entries):
            return ""
        path = self.last
        if path is None or self.kept is not match:
            path = _unused_path(match.game.slug)
            said = self.save(match, path)
            if said.startswith("!"):
                return said
        return f"The game is kept: visavis play --resume {shlex.quote(str(path))}"

    def _write(self, match: Match, path: Path) -> None:
        if path.exists() and path != self.last:
            raise typer.BadParameter(f"{path}: there is such a file already", param_hint="file")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_name(path.name + ".new")
            unfinished.write_text(match.whole_record().text, encoding="utf-8")
            unfinished.replace(path)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise typer.BadParameter(f"{path}: {why}", param_hint="file") from None
        self.last, self.kept = path, match


def state_directory() -> Path:
    """Return where matches that broke off are kept."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "visavis"


def _unused_path(slug: str) -> Path:
    """Return a name for a game that breaks off now, which no other game has."""
    stem = f"{slug}-{time.strftime('%Y%m%d-%H%M%S')}"
    names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
    paths = (state_directory() / f"{name}.visavis" for name in names)
    return next(path for path in paths if not path.exists())


def _has_secrets(match: Match) -> bool:
    return match.game.hidden and not match.is_over

"""Keeping a match that is played at the terminal: saved on request, and when it breaks off."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shlex
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import platformdirs

from visavis.session import Match

PRIVATE: Final = 0o600
"""The mode of a file with the seed and the moves of a match that goes on."""
SHARED: Final = 0o666
"""That of any other file, less what the system takes off."""


class Keeper:
    """Writes a match to files, and never over a file that it has not written itself."""

    def __init__(self, path: Path | None = None, *, is_own: bool = False) -> None:
        self.path = path
        self.last = path if is_own else None
        self.kept: Match | None = None

    def note(self, match: Match) -> str:
        """Write the match to the file that follows it move by move; return why not, if it fails."""
        return "" if self.path is None else self._write(match, self.path)

    def save(self, match: Match, path: Path) -> str:
        """Write the match to a file, and return a line that says so, or why not."""
        if why := self._write(match, path):
            return f"! {why}"
        secrets = " (both players' secrets are in it)" if _has_secrets(match) else ""
        return f"Saved to {path}{secrets}."

    def rescue(self, match: Match) -> str:
        """Keep a match that breaks off; return a line that says where, empty if nothing is lost."""
        if match.is_over or not match.entries.decisions:
            return ""
        if self.kept is not match:
            failures = list(itertools.takewhile(bool, self._tries(match)))
            if self.kept is not match:
                return "\n".join(f"! {why}" for why in failures)
        return f"The game is kept: visavis play --resume {shlex.quote(str(self.last))}"

    def _tries(self, match: Match) -> Iterator[str]:
        return (self._write(match, path) for path in _refuges(match.game.slug))

    def _write(self, match: Match, path: Path) -> str:
        """Write the match to a file; return why that fails, empty if it does not."""
        try:
            if path.exists() and path != self.last:
                raise FileExistsError(errno.EEXIST, "there is such a file already")
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_name(path.name + ".new")
            unfinished.unlink(missing_ok=True)  # its mode would stay
            with open(unfinished, "x", encoding="utf-8", opener=_opener(match)) as file:
                file.write(match.whole_record().text)
            unfinished.replace(path)
        except (OSError, ValueError) as error:
            return f"{path}: {error.strerror if isinstance(error, OSError) else error}"
        self.last, self.kept = path, match
        return ""


def _opener(match: Match) -> Callable[[str, int], int]:
    """Return what opens a new file for a match: for nobody else while it has secrets."""
    mode = SHARED if match.is_over else PRIVATE
    return lambda path, flags: os.open(path, flags, mode)


def _refuges(slug: str) -> Iterator[Path]:
    """Give files for a game that breaks off now: where such games are kept, and if need be, where
    there is room. No other game has their names."""
    stem = f"{slug}-{time.strftime('%Y%m%d-%H%M%S')}"
    for folder in (platformdirs.user_state_path("visavis", appauthor=False), Path()):
        names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
        paths = (folder / f"{name}.visavis" for name in names)
        with contextlib.suppress(OSError):  # a folder that may not even be looked into
            yield next(path for path in paths if not path.exists())
    with contextlib.suppress(OSError):
        yield Path(tempfile.mkdtemp(prefix="visavis-")) / f"{stem}.visavis"


def _has_secrets(match: Match) -> bool:
    return match.game.hidden and not match.is_over

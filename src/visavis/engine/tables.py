"""Tables of solved games on disk: where they are, and what can be wrong with one.

::

    VisavisError
    └── TableError
        ├── MissingTable      the game has not been solved here
        ├── UnreadableTable   the system won't open, read or write it
        ├── ForeignTable      the file is something else
        ├── OldTable          it has another version of the format
        ├── OtherTable        it is of another game
        ├── UnfinishedTable   it is still being worked out
        └── DamagedTable      it is not as it was written
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import platformdirs

from visavis.rules.errors import VisavisError

DIRECTORY: Final = "VISAVIS_DATA"
"""The environment variable that names another place for tables."""


class TableError(VisavisError):
    """The base of failures with a table. Names the file and what is wrong with it."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


class MissingTable(TableError):
    """The game has not been solved here."""


class UnreadableTable(TableError):
    """The system won't open, read or write the file."""


class ForeignTable(TableError):
    """The file is something else."""


class OldTable(TableError):
    """The table has another version of the format."""


class OtherTable(TableError):
    """The table is of another game."""


class UnfinishedTable(TableError):
    """The table is still being worked out."""


class DamagedTable(TableError):
    """The table is not as it was written."""


def data_directory() -> Path:
    """Return the folder in which the user's tables are kept."""
    chosen = os.environ.get(DIRECTORY)
    return Path(chosen) if chosen else platformdirs.user_data_path("visavis", appauthor=False)


def table_path(slug: str) -> Path:
    """Return where the table of a game is kept."""
    return data_directory() / f"{slug}.table"


def unfinished_path(path: Path) -> Path:
    """Return where work on a table is kept while it is unfinished."""
    return path.with_name(path.name + ".unfinished")

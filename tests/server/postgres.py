"""A PostgreSQL for tests: the one named by VISAVIS_TEST_POSTGRES, or one started for the run."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@contextlib.contextmanager
def started() -> Iterator[str]:
    """Start a server of its own in a folder of its own; yield the folder of its socket."""
    programs = PROGRAMS[-1] if PROGRAMS else Path(shutil.which("initdb") or "/usr/bin").parent
    with tempfile.TemporaryDirectory(prefix="visavis-pg-") as folder:
        data = Path(folder) / "data"
        as_owner = []
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            shutil.chown(folder, "postgres", "postgres")
            as_owner = ["runuser", "-u", "postgres", "--"]
        run = [*as_owner, str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "visavis"]
        subprocess.run([*run, "--no-sync"], check=True, capture_output=True)
        options = f"-k {folder} -c listen_addresses='' -c max_connections=200"
        control = [*as_owner, str(programs / "pg_ctl"), "-D", str(data), "-w"]
        log = str(Path(folder) / "log")
        subprocess.run(
            [*control, "-l", log, "-o", options, "start"], check=True, stdout=subprocess.DEVNULL
        )
        try:
            yield folder
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True)

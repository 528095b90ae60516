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


class Cluster:
    """A PostgreSQL of one's own, in a folder of its own, that can be stopped and started."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        self.url = f"postgresql://visavis@/postgres?host={folder}"
        self._programs = (
            PROGRAMS[-1] if PROGRAMS else Path(shutil.which("initdb") or "/usr/bin").parent
        )
        self._as_owner: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            shutil.chown(folder, "postgres", "postgres")
            self._as_owner = ["runuser", "-u", "postgres", "--"]
        self._run("initdb", "-A", "trust", "-U", "visavis", "--no-sync", "--wal-segsize=1")

    def start(self) -> None:
        """Start it, and wait until it can be used."""
        options = (
            f"-k {self.folder} -c listen_addresses='' -c max_connections=200 -c autovacuum=off"
        )
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        """Stop it at once, as a crash would."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def limit(self, size: int | None) -> None:
        """Let it write files up to a size only, in bytes, as on a full disk; or as it likes."""
        parent = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        soft = f"--fsize={'unlimited' if size is None else size}:"  # the hard limit stays
        for pid in (str(parent), *children):
            command = [*self._as_owner, "prlimit", "--pid", pid, soft]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            assert done.returncode == 0 or not Path(f"/proc/{pid}").exists(), done.stderr

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_owner, str(self._programs / program), "-D", str(self.data)]
        # What it starts keeps standard output, so nothing may wait for the end of that.
        subprocess.run([*command, *arguments], check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def started() -> Iterator[Cluster]:
    """Start a server of its own."""
    with tempfile.TemporaryDirectory(prefix="visavis-pg-") as folder:
        cluster = Cluster(Path(folder))
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()

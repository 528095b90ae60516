from __future__ import annotations

import signal
from pathlib import Path

import pytest

# Tests started in the background of a shell are deaf to Ctrl-C, and so would be every program that
# they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that break off in a test are kept in its own directory."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

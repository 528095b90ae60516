from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that break off in a test are kept in its own directory."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

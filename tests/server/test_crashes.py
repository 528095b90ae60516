"""Kill −9: nothing acknowledged is lost, nothing is done twice. The long run is in `crashing`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.crashing import crash, free_ports

pytestmark = pytest.mark.anyio


async def test_killed_again_and_again(tmp_path: Path) -> None:
    database = str(tmp_path / "visavis.db")
    told = await crash(database, free_ports(1), kills=3, pairs=6, moves=30, seed=1)
    assert told.endswith("nothing lost, nothing twice")


async def test_two_processes_one_killed(postgres: str) -> None:
    told = await crash(postgres, free_ports(2), kills=2, pairs=6, moves=30, seed=2)
    assert told.endswith("nothing lost, nothing twice")

"""Things go wrong: nothing acknowledged is lost or done twice, and all is heard afterwards.

The long run is `tests.server.crashing`.
"""

from __future__ import annotations

import pytest

from tests.server.faults.trial import Plan, run

pytestmark = pytest.mark.anyio

ONE_PROCESS = [("kill", 1), ("term", 1), ("stop", 1), ("clock", 1), ("clock", 1), ("disk", 1)]
TWO_PROCESSES = [("kill", 1), ("kill", 2), ("database", 1), ("clock", 1), ("stop", 1), ("disk", 1)]


async def test_one_process_on_sqlite() -> None:
    plan = Plan(ONE_PROCESS, on_postgres=False, pairs=4, moves=20, is_strict=False)
    told = await run(plan)
    assert told.endswith("nothing lost, nothing twice, no time given or taken")


async def test_two_processes_on_postgres() -> None:
    plan = Plan(TWO_PROCESSES, on_postgres=True, pairs=4, moves=20, is_strict=False)
    told = await run(plan)
    assert told.endswith("nothing lost, nothing twice, no time given or taken")

"""Where other machines find the server, and who is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.serving import Served, database_in, quick, serving
from visavis.server.addresses import here, in_network

BOUND = (("127.0.0.1", 8000), ("192.0.2.5", 8000), ("2001:db8::5", 8000), ("::1", 8000))
FOUND = ["http://192.0.2.5:8000", "http://[2001:db8::5]:8000"]


async def told(served: Served, **headers: str) -> object:
    answer = await served.http.get("/api/addresses", headers=headers)
    assert answer.status_code == 200
    return answer.json()["addresses"]


@pytest.mark.anyio
async def test_a_server_on_loopback_has_no_address_elsewhere(served: Served) -> None:
    assert await told(served) == []


@pytest.mark.anyio
async def test_addresses_are_told_on_this_machine_only(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), hosts=("play.example.org",))
    async with serving(settings) as served:
        app = served.server.config.app
        app.state.bound = BOUND  # type: ignore[union-attr]
        assert await told(served) == FOUND
        assert await told(served, Host="play.example.org") == []


@pytest.mark.anyio
async def test_behind_a_proxy_they_are_not(tmp_path: Path) -> None:
    async with serving(quick(database_in(tmp_path), proxies=1)) as served:
        served.server.config.app.state.bound = BOUND  # type: ignore[union-attr]
        assert await told(served) == []


def test_every_address_stands_for_one_that_can_be_asked_for() -> None:
    """Whether there is one depends on the machine; none of them is where nobody could go."""
    assert here("0.0.0.0", 80) == "http://127.0.0.1:80"
    assert here("::", 80) == "http://[::1]:80"
    for address in in_network([("0.0.0.0", 80), ("::", 80)]):
        assert not address.startswith(("http://0.", "http://127.", "http://[::]", "http://[::1]"))

"""Who is who by address: what a client writes into its headers makes it nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.serving import database_in, quick, serving
from visavis.server.safety import client_of, network_of

PEER = "192.0.2.1"


def client(*lines: str, proxies: int, peer: str = PEER) -> str:
    """Return the client of a request that came with these lines of X-Forwarded-For."""
    headers = [(b"x-forwarded-for", line.encode("latin-1")) for line in lines]
    return client_of({"headers": headers, "client": (peer, 4711)}, proxies)


@pytest.mark.parametrize(
    ("lines", "proxies", "is_client"),
    [
        (("203.0.113.7",), 0, PEER),
        (("203.0.113.7",), 1, "203.0.113.7"),
        (("6.6.6.6, 203.0.113.7",), 1, "203.0.113.7"),
        (("6.6.6.6", "203.0.113.7"), 1, "203.0.113.7"),
        (("6.6.6.6", "203.0.113.7, 10.0.0.1"), 2, "203.0.113.7"),
        (("6.6.6.6", "203.0.113.7", "10.0.0.1"), 2, "203.0.113.7"),
        (("", "203.0.113.7"), 1, "203.0.113.7"),
        (("203.0.113.7:5678",), 1, "203.0.113.7"),
        (("[2001:db8:1:2:3::4]:443",), 1, "2001:db8:1:2::/64"),
        (("2001:db8:1:2:ffff::1",), 1, "2001:db8:1:2::/64"),
        # Nothing there that a proxy has written: who is on the line.
        ((), 1, PEER),
        (("",), 1, PEER),
        (("203.0.113.7",), 2, PEER),
        (("unknown",), 1, PEER),
        (("203.0.113.7,",), 1, PEER),
        (("\xff" * 500,), 1, PEER),
    ],
)
def test_the_client_is_counted_from_the_right(
    lines: tuple[str, ...], proxies: int, is_client: str
) -> None:
    assert client(*lines, proxies=proxies) == is_client


@settings(deadline=None)
@given(
    st.lists(st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"))),
    st.integers(1, 3),
)
def test_nobody_makes_itself_another(forged: list[str], proxies: int) -> None:
    """Whatever the client writes, its address is the one that the first proxy saw."""
    added = ["203.0.113.7", *(f"10.0.0.{n}" for n in range(1, proxies))]
    assert client(*forged, *added, proxies=proxies) == "203.0.113.7"
    assert client(",".join([*forged, *added]), proxies=proxies) == "203.0.113.7"


def test_addresses_of_one_network_are_one_client() -> None:
    assert client(proxies=0, peer="2001:db8::1") == client(proxies=0, peer="2001:db8::ffff:1")
    assert client(proxies=0, peer="2001:db8::1") != client(proxies=0, peer="2001:db8:0:1::1")
    assert client(proxies=0, peer="::ffff:192.0.2.1") == PEER
    assert client_of({"headers": [], "client": None}, 0) == "unknown"


@settings(deadline=None)
@given(st.text())
def test_texts_that_are_no_address(text: str) -> None:
    assert (network_of(text) is None) or text.strip()


@pytest.mark.anyio
async def test_a_second_line_does_not_double_the_limit(tmp_path: Path) -> None:
    limits = {"new_matches_per_minute": 2, "proxies": 1}
    async with serving(quick(database_in(tmp_path), **limits)) as served:
        body = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "me"}]}
        statuses = []
        for forged in ("6.6.6.6", "7.7.7.7", "8.8.8.8"):
            lines = [("X-Forwarded-For", forged), ("X-Forwarded-For", "203.0.113.7")]
            answer = await served.http.post("/api/matches", json=body, headers=lines)
            statuses.append(answer.status_code)
        assert statuses == [201, 201, 429]

"""Pages of other sites, and names that are not the server's, get nothing."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.server.serving import Client, Served, database_in, quick, serving
from visavis.cli.serve import serve
from visavis.server import run
from visavis.server.errors import Refusal
from visavis.server.settings import Settings
from visavis.server.sites import check_host

FOREIGN = ["https://elsewhere.example", "http://127.0.0.1:1", "null", "https://[", ""]
MATCH = {"game": "osakana", "seats": [{"kind": "me"}, {"kind": "me"}]}


async def handshake(served: Served, headers: dict[str, str]) -> int:
    """Return the status of the answer to the opening of a WebSocket."""
    try:
        async with connect(served.url, additional_headers=headers) as socket:
            client = Client(socket)
            await client.send(type="ping")
            await client.kind("pong")
            return 101
    except InvalidStatus as refused:
        assert refused.response.headers["content-type"] == "application/json"
        return refused.response.status_code


# -- Origins ---------------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("origin", FOREIGN)
async def test_pages_of_other_sites_can_not_connect(served: Served, origin: str) -> None:
    assert await handshake(served, {"Origin": origin}) == 403


@pytest.mark.anyio
@pytest.mark.parametrize("origin", FOREIGN)
async def test_pages_of_other_sites_change_nothing(served: Served, origin: str) -> None:
    answer = await served.http.post("/api/matches", json=MATCH, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "bad_origin")
    assert (await served.http.get("/api/lobby")).json()["running"] == []


@pytest.mark.anyio
async def test_the_own_page_and_named_ones_may(tmp_path: Path) -> None:
    named = "https://elsewhere.example"
    async with serving(quick(database_in(tmp_path), origins=(named,))) as served:
        own = f"http://127.0.0.1:{served.port}"
        for headers in ({"Origin": own}, {"Origin": named, "Sec-Fetch-Site": "cross-site"}, {}):
            assert await handshake(served, headers) == 101
            answer = await served.http.post("/api/matches", json=MATCH, headers=headers)
            assert answer.status_code == 201


@pytest.mark.anyio
async def test_nothing_is_loaded_into_other_pages(served: Served) -> None:
    """An image whose address is the API's costs the server nothing; a link is followed."""
    for mode, status in (("no-cors", 403), ("cors", 403), ("navigate", 200)):
        headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode}
        assert (await served.http.get("/api/lobby", headers=headers)).status_code == status
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = await served.http.post("/api/matches", json=MATCH, headers=headers)
    assert answer.json()["code"] == "bad_origin"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]
)
async def test_a_body_is_json(served: Served, kind: str) -> None:
    """What a form of another site can send without asking is refused whatever is in it."""
    text = '{"game": "osakana", "seats": [{"kind": "me"}, {"kind": "me"}]}'
    answer = await served.http.post("/api/matches", content=text, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (415, "bad_content_type")
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = await served.http.post("/api/matches", content=text, headers=headers)
    assert answer.status_code == 201


# -- Hosts -----------------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize(
    "host",
    ["elsewhere.example", "elsewhere.example:8000", "localhost.elsewhere.example", "10.1.2.3"],
)
async def test_names_that_are_not_the_servers(served: Served, host: str) -> None:
    """Not even to a page that comes from the same name, and so may read the answer."""
    headers = {"Host": host, "Origin": f"http://{host}"}
    for path in ("/", "/api/lobby", "/healthz", "/metrics"):
        answer = await served.http.get(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (421, "bad_host")
    assert (await served.http.post("/api/matches", json=MATCH, headers=headers)).status_code == 421
    # The client of websockets sends its own Host first; one too many is no better.
    assert await handshake(served, headers) == 421


@pytest.mark.anyio
async def test_names_that_are_the_servers(tmp_path: Path) -> None:
    settings = quick(database_in(tmp_path), hosts=("play.example.org",))
    async with serving(settings) as served:
        for host in ("localhost", f"LOCALHOST:{served.port}", "127.0.0.1", "[::1]:80"):
            assert (await served.http.get("/healthz", headers={"Host": host})).status_code == 200
        for host in ("play.example.org", "Play.Example.org.:443"):
            assert (await served.http.get("/healthz", headers={"Host": host})).status_code == 200
        assert (await served.http.get("/", headers={"Host": "example.org"})).status_code == 421


@pytest.mark.anyio
async def test_every_name(tmp_path: Path) -> None:
    async with serving(quick(database_in(tmp_path), hosts=("*",))) as served:
        assert (await served.http.get("/", headers={"Host": "any.example"})).status_code == 200


@pytest.mark.parametrize(
    ("server", "host", "is_own"),
    [
        (("192.0.2.5", 8000), "192.0.2.5:8000", True),
        (("::ffff:192.0.2.5", 8000), "192.0.2.5", True),
        (("2001:db8::5", 8000), "[2001:DB8:0::5]:8000", True),
        (("192.0.2.5", 8000), "192.0.2.6", False),
        (("/run/visavis.socket", None), "/run/visavis.socket", False),
        (None, "localhost", True),
    ],
)
def test_an_address_it_listens_on_is_its_own(
    server: tuple[str, int | None] | None, host: str, is_own: bool
) -> None:
    """Also of a server that listens on all of them: the one that a request came in at."""
    scope = {"type": "http", "server": server, "headers": [(b"host", host.encode())]}
    with nullcontext() if is_own else pytest.raises(Refusal):
        check_host(scope, ())


def settings_of(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Settings | str:
    """Return the settings that ``visavis serve`` makes of its arguments, or what it says."""
    made: list[Settings] = []
    monkeypatch.setattr(run, "run", lambda settings, **_: made.append(settings))
    app = typer.Typer()
    app.command()(serve)
    result = CliRunner().invoke(app, list(arguments))
    return made[0] if made else str(result.exception)


def test_options_set_what_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISAVIS_DATABASE", raising=False)
    defaults = replace(Settings(), hosts=("127.0.0.1",))
    assert settings_of(monkeypatch) == defaults
    given = ("--think", "3s", "--idle", "1500ms", "--credit", "5s", "--requests", "0.02")
    assert settings_of(monkeypatch, *given) == replace(
        defaults,
        think_ms=3_000,
        idle_seconds=1.5,
        most_credit_ms=1_000,
        requests_per_second=0.02,
        request_burst=1,
    )
    assert "write 250ms" in str(settings_of(monkeypatch, "--stall", "soon"))
    for name in ("--matches-in-memory", "--tables"):
        assert settings_of(monkeypatch, name, "7") == replace(defaults, matches_in_memory=7)
    monkeypatch.setenv("VISAVIS_OPEN_FOR", "2d")
    assert settings_of(monkeypatch) == replace(defaults, open_for_ms=2 * 86_400_000)


def test_hosts_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def hosts(*arguments: str) -> tuple[str, ...] | str:
        settings = settings_of(monkeypatch, *arguments)
        return settings if isinstance(settings, str) else settings.hosts

    assert hosts() == ("127.0.0.1",)
    assert hosts("--host", "games.local") == ("games.local",)
    assert hosts("--allowed-host", "Play.example.org", "--allowed-host", "[2001:DB8::1]") == (
        "127.0.0.1",
        "play.example.org",
        "2001:db8::1",
    )
    assert hosts("--allowed-host", "*") == ("127.0.0.1", "*")
    for bad in ("play.example.org:80", "https://play.example.org", "a b", ""):
        assert "is not a host" in hosts("--allowed-host", bad)
    monkeypatch.setenv("VISAVIS_ALLOWED_HOST", "one.example two.example")
    assert hosts() == ("127.0.0.1", "one.example", "two.example")


def test_proxies_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def proxies(*arguments: str) -> int:
        settings = settings_of(monkeypatch, *arguments)
        assert isinstance(settings, Settings)
        return settings.proxies

    assert [proxies(), proxies("--behind-proxy"), proxies("--proxies", "3")] == [0, 1, 3]
    assert proxies("--behind-proxy", "--proxies", "2") == 2

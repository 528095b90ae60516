"""Ids and names that can't be: refused as such, whatever the database thinks of them."""

from __future__ import annotations

import pytest

from tests.server.serving import Served

pytestmark = pytest.mark.anyio

IMPOSSIBLE = ["%00", "a%00b", "%0a", "a%0A", "%7f", "x" * 41]
PARTS = ["", "/record", "/replay", "/snapshot", "/stream"]


async def test_ids_that_can_not_be(either: Served) -> None:
    for id in IMPOSSIBLE:
        for part in PARTS:
            answer = await either.http.get(f"/api/matches/{id}{part}")
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
        for part, body in (("join", {}), ("orders", {"client": "x", "number": 1})):
            body |= {"command": {"type": "resign"}}
            answer = await either.http.post(f"/api/matches/{id}/{part}", json=body)
            assert answer.status_code in (400, 403), answer.text
    async with either.client() as client:
        for id in ("\0", "a\0b", "a\n", "", "x" * 41):
            await client.send(type="watch", match=id)
            assert (await client.kind("refused"))["code"] == "bad_message"


async def test_ids_of_nothing(either: Served) -> None:
    """What could be an id and is none: no such match, on either database."""
    for id in ("nothing", "%F0%9F%90%9F", "' OR 1=1 --", "%EF%BF%BD", "..%5C..", "%E2%80%AE"):
        answer = await either.http.get(f"/api/matches/{id}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_match")


async def test_names_and_secrets_that_can_not_be(either: Served) -> None:
    for name in ("an\0n", "ann\n", "\0", "A", "", "a" * 31):
        answer = await either.http.post("/api/bots", json={"name": name})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
        seats = [{"kind": "me"}, {"kind": "bot", "player": name}]
        answer = await either.http.post("/api/matches", json={"game": "osakana", "seats": seats})
        assert answer.status_code in (400, 404), answer.text
    made = await either.create("osakana", "me", "invited")
    path = f"/api/matches/{made['match']}/join"
    for secret in ("s" * 32 + "\n", "s" * 31 + "\0"):
        answer = await either.http.post(path, json={"secret": secret})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
    for guess in (b"\xff\xfe", b"a" * 5_000):
        headers = {b"Authorization": b"Bearer " + guess}
        answer = await either.http.get(f"/api/matches/{made['match']}/snapshot", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong_secret")


async def test_names_of_people_are_plain(either: Served) -> None:
    """In the match, in its record, in the lobby: one form, with nothing hidden in it."""
    written = "  A\u202eda\u200b\tLove\u0301lace\0 "
    made = await either.create("osakana", "me", "invited", name=written)
    body = {"invitation": made["invitations"]["second"], "name": "\u2066\u200b\u2069"}
    path = f"/api/matches/{made['match']}"
    seated = (await either.http.post(f"{path}/join", json=body)).json()
    info = (await either.http.get(path)).json()
    assert [player["name"] for player in info["players"]] == ["Ada Lov\u00e9lace", ""]
    headers = {"Authorization": f"Bearer {seated['secret']}"}
    text = (await either.http.get(f"{path}/record", headers=headers)).text
    assert '[First "Ada Lov\u00e9lace"]' in text


async def test_names_that_are_too_long(either: Served) -> None:
    """Counted as they are shown."""
    made = await either.create("osakana", "me", "me", name="e\u0301\u200b" * 40)
    info = (await either.http.get(f"/api/matches/{made['match']}")).json()
    assert info["players"][0]["name"] == "\u00e9" * 40
    seats = [{"kind": "me"}, {"kind": "me"}]
    for name in ("x" * 41, "x" * 201):
        body = {"game": "osakana", "seats": seats, "name": name}
        answer = await either.http.post("/api/matches", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")

"""Every command: out of turn, twice, stale, after the end, and with other people's secrets."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from tests.server.serving import Client, Json, Served, notice

pytestmark = pytest.mark.anyio

COMMANDS: list[Json] = [
    {"type": "resign"},
    {"type": "offer_draw"},
    {"type": "accept_draw"},
    {"type": "decline_draw"},
    {"type": "ask_takeback"},
    {"type": "accept_takeback"},
    {"type": "decline_takeback"},
    {"type": "claim"},
    {"type": "abort"},
    {"type": "say", "phrase": "hello"},
    {"type": "rematch"},
    {"type": "move", "text": "IB3B2"},
]


class Duel:
    """A match on one screen, and a socket for each seat."""

    def __init__(self, made: Json, first: Client, second: Client, start: Json) -> None:
        self.match, self.secrets = made["match"], made["secrets"]
        self.clients = {"first": first, "second": second}
        self.legal: list[str] = start["position"]["asked"]["legal"]
        self.turn = "first"

    async def move(self) -> Json:
        """Make the first legal move; both have seen it then."""
        mover, other = self.turn, "second" if self.turn == "first" else "first"
        update = await self.clients[mover].do(self.match, mover, type="move", text=self.legal[0])
        seen = await self.clients[other].until(lambda m: bool(m.get("seq") == update["seq"]))
        self.turn, self.legal = other, (seen["asked"] or {}).get("legal", [])
        return update


async def duel(served: Served, stack: AsyncExitStack, **more: object) -> Duel:
    made = await served.create("osakana", **more)
    first = await stack.enter_async_context(served.client())
    second = await stack.enter_async_context(served.client())
    start = await first.watch(made["match"], made["secrets"]["first"])
    await second.watch(made["match"], made["secrets"]["second"])
    return Duel(made, first, second, start)


async def test_draws_takebacks_and_phrases(served: Served) -> None:
    async with AsyncExitStack() as stack:
        hosted = await duel(served, stack)
        first, second, match = hosted.clients["first"], hosted.clients["second"], hosted.match
        await hosted.move()
        await first.do(match, "first", type="ask_takeback")
        assert notice(await second.kind("update"), "takeback_asked")["seat"] == "first"
        back = await second.do(match, "second", type="accept_takeback")
        assert notice(back, "took_back")["decisions"] == 1
        assert notice(back, "stands")["awaited"] == ["first"]
        said = await second.do(match, "second", type="say", phrase="oops")
        assert notice(said, "said") == {"type": "said", "seat": "second", "phrase": "oops"}
        await first.do(match, "first", type="offer_draw")
        assert (await first.do(match, "first", type="offer_draw"))["code"] == "already_offered"
        ended = await second.do(match, "second", type="accept_draw")
        assert notice(ended, "ended")["reason"] == "agreed"


async def test_no_takeback_unsays_what_was_shown(served: Served) -> None:
    """Five Elements: a plain step is taken back, the secret set-up and a battle are not."""
    async with AsyncExitStack() as stack:
        made = await served.create("elements")
        match, secrets = made["match"], made["secrets"]
        clients = {seat: await stack.enter_async_context(served.client()) for seat in secrets}
        asked = {}
        for seat, client in clients.items():
            shown = await client.watch(match, secrets[seat])
            asked[seat] = shown["position"]["asked"]

        async def both_hear(seq: int) -> Json:
            heard = {}
            for seat, client in clients.items():
                while client.seen[match, seat] < seq:
                    await client.next()
                heard[seat] = next(m for m in client.heard if m.get("seq") == seq)
            return heard

        async def move(seat: str, text: str) -> Json:
            done = await clients[seat].do(match, seat, type="move", text=text)
            assert done["type"] == "update", done
            heard = await both_hear(done["seq"])
            for name in clients:
                asked[name] = heard[name]["asked"]
            return done

        for seat in ("first", "second"):
            await move(seat, next(iter(asked[seat]["suggestions"].values())))
            refused = await clients[seat].do(match, seat, type="ask_takeback")
            assert refused["code"] == "takeback_refused"
        steps = [text for text in asked["first"]["legal"] if "-" in text]
        before = notice((await both_hear(3))["second"], "stands")["view"]
        await move("first", steps[0])
        await clients["first"].do(match, "first", type="ask_takeback")
        back = await clients["second"].do(match, "second", type="accept_takeback")
        assert notice(back, "took_back") == {"type": "took_back", "seat": "first", "decisions": 1}
        assert notice(back, "stands")["view"] == before
        heard = await both_hear(back["seq"])
        for name in clients:
            asked[name] = heard[name]["asked"]
        for _ in range(100):
            seat = "first" if asked["first"] else "second"
            battles = [text for text in asked[seat]["legal"] if "x" in text]
            await move(seat, (battles or asked[seat]["legal"])[0])
            if battles:
                break
        refused = await clients[seat].do(match, seat, type="ask_takeback")
        assert refused["code"] in ("takeback_refused", "match_over")
        assert battles


async def test_a_rematch_swaps_sides_and_keeps_secrets(served: Served) -> None:
    async with AsyncExitStack() as stack:
        hosted = await duel(served, stack, name="Mio")
        first, second, match = hosted.clients["first"], hosted.clients["second"], hosted.match
        assert (await first.do(match, "first", type="rematch"))["code"] == "not_over"
        await first.do(match, "first", type="abort")
        await second.do(match, "second", type="rematch")
        made = notice(await first.do(match, "first", type="rematch"), "rematch_made")["match"]
        again = await first.watch(made, hosted.secrets["first"])
        assert again["seat"] == "second"
        assert again["info"]["previous"] == match
        assert (await second.watch(made, hosted.secrets["second"]))["seat"] == "first"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["type"])
async def test_out_of_turn_or_for_nothing(served: Served, command: Json) -> None:
    """Second, to whom nothing was offered and whose turn it is not, does what anybody can."""
    async with AsyncExitStack() as stack:
        hosted = await duel(served, stack)
        answer = await hosted.clients["second"].do(hosted.match, "second", **command)
        free = {"resign", "offer_draw", "abort", "say"}
        if command["type"] in free:
            assert answer["type"] == "update"
        else:
            assert answer["type"] == "refused"
            assert answer["code"] in (
                "no_offer",
                "not_your_turn",
                "takeback_refused",
                "claim_refused",
                "not_over",
            )


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["type"])
async def test_on_a_finished_match(served: Served, command: Json) -> None:
    async with AsyncExitStack() as stack:
        hosted = await duel(served, stack)
        await hosted.clients["first"].do(hosted.match, "first", type="resign")
        await hosted.clients["second"].kind("update")
        answer = await hosted.clients["second"].do(hosted.match, "second", **command)
        if command["type"] in ("say", "rematch"):
            assert answer["type"] == "update"
        else:
            assert answer["code"] == "match_over"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["type"])
async def test_twice_is_once(served: Served, command: Json) -> None:
    """The same order again, on another socket and over HTTP, changes nothing more."""
    async with AsyncExitStack() as stack:
        hosted = await duel(served, stack)
        await hosted.move()
        await hosted.move()
        if command["type"] in ("accept_draw", "decline_draw"):
            await hosted.clients["second"].do(hosted.match, "second", type="offer_draw")
        if command["type"] in ("accept_takeback", "decline_takeback"):
            await hosted.clients["second"].do(hosted.match, "second", type="ask_takeback")
        if command["type"] == "rematch":
            await hosted.clients["second"].do(hosted.match, "second", type="resign")
        if command["type"] == "move":
            command = {"type": "move", "text": hosted.legal[0]}
        order = {"client": "me", "number": 7, "command": command}
        secret = {"Authorization": f"Bearer {hosted.secrets['first']}"}
        path = f"/api/matches/{hosted.match}/orders"
        once = await served.http.post(path, json=order, headers=secret)
        again = await served.http.post(path, json=order, headers=secret)
        refused = {"abort": "too_late", "claim": "claim_refused"}.get(command["type"])
        if refused is not None:
            assert once.json()["code"] == again.json()["code"] == refused
            return
        assert once.json()["type"] == "update"
        assert again.json() == {
            "type": "done",
            "match": hosted.match,
            "seat": "first",
            "client": "me",
            "number": 7,
            "seq": once.json()["seq"],
        }
        client = await stack.enter_async_context(served.client())
        await client.watch(hosted.match, hosted.secrets["first"])
        await client.send(type="do", match=hosted.match, seat="first", order=order)
        assert (await client.kind("done"))["seq"] == once.json()["seq"]
        older = await served.http.post(path, json=order | {"number": 3}, headers=secret)
        assert older.json()["code"] == "old_number"


async def test_stale_moves_get_the_position(served: Served) -> None:
    async with AsyncExitStack() as stack:
        hosted = await duel(served, stack)
        first, match, text = hosted.clients["first"], hosted.match, hosted.legal[0]
        before = first.seen[match, "first"]
        await hosted.move()
        first.seen[match, "first"] = before
        refused = await first.do(match, "first", type="move", text=text)
        assert refused["code"] == "stale"
        shown = await first.kind("snapshot")
        assert shown["position"]["awaited"] == ["second"]
        order = {
            "client": "x",
            "number": 1,
            "seen": before,
            "command": {"type": "move", "text": text},
        }
        secret = {"Authorization": f"Bearer {hosted.secrets['first']}"}
        answer = await served.http.post(f"/api/matches/{match}/orders", json=order, headers=secret)
        assert answer.status_code == 409
        assert answer.json()["position"]["view"] == shown["position"]["view"]


async def test_other_peoples_secrets(served: Served) -> None:
    mine = await served.create("osakana")
    other = await served.create("osakana")
    async with served.client() as client:
        refused = await client.watch(mine["match"], other["secrets"]["first"])
        assert refused["code"] == "wrong_secret"
        assert (await client.watch(mine["match"], "guess"))["code"] == "wrong_secret"
        assert (await client.watch("nothing"))["code"] == "unknown_match"
        await client.watch(mine["match"])
        for seat in ("first", "second"):
            for command in COMMANDS:
                answer = await client.do(mine["match"], seat, **command)
                assert answer["code"] == "not_watching"
        await client.watch(mine["match"], mine["secrets"]["first"])
        answer = await client.do(mine["match"], "second", type="resign")
        assert answer["code"] == "not_watching"
    path, order = f"/api/matches/{mine['match']}/orders", {"client": "x", "number": 1}
    for command in COMMANDS:
        body = order | {"command": command}
        assert (await served.http.post(path, json=body)).status_code == 403
        headers = {"Authorization": f"Bearer {other['secrets']['first']}"}
        assert (await served.http.post(path, json=body, headers=headers)).status_code == 403


async def test_joining_twice_is_joining_once(served: Served) -> None:
    """Who got no answer asks again with the same secret and has the same seat, on any process."""
    for kind in ("invited", "open"):
        made = await served.create("osakana", "me", kind)
        path, secret = f"/api/matches/{made['match']}/join", "s" * 32
        body = {"invitation": made["invitations"].get("second"), "secret": secret, "name": "Ren"}
        once = await served.http.post(path, json=body)
        served.process.matches._cached.clear()
        again = await served.http.post(path, json=body)
        assert once.json() == again.json()
        assert once.json() == {"match": made["match"], "seat": "second", "secret": secret}
        assert len(await served.process.store.rows(made["match"])) == 2
        other = await served.http.post(path, json=body | {"secret": "o" * 32})
        assert other.json()["code"] == "seat_taken"
        async with served.client() as client:
            assert (await client.watch(made["match"], secret))["seat"] == "second"
    short = await served.http.post(path, json={"secret": "guess me"})
    assert short.json()["code"] == "bad_message"


async def test_an_invitation_is_good_for_one(served: Served) -> None:
    made = await served.create("osakana", "me", "invited")
    path = f"/api/matches/{made['match']}/join"
    assert (await served.http.post(path, json={})).json()["code"] == "wrong_secret"
    wrong = {"invitation": made["secrets"]["first"]}
    assert (await served.http.post(path, json=wrong)).json()["code"] == "wrong_secret"
    right = {"invitation": made["invitations"]["second"]}
    seated = (await served.http.post(path, json=right)).json()
    assert seated["seat"] == "second"
    assert (await served.http.post(path, json=right)).status_code == 409
    async with served.client() as client:
        refused = await client.watch(made["match"], made["invitations"]["second"])
        assert refused["code"] == "wrong_secret"


async def test_an_open_challenge(served: Served) -> None:
    made = await served.create("osakana", "open", "me")
    async with served.client() as client, served.client() as watcher:
        await watcher.send(type="watch_lobby")
        assert [m["match"] for m in (await watcher.kind("lobby"))["open"]] == [made["match"]]
        waiting = await client.watch(made["match"], made["secrets"]["second"])
        assert waiting["position"] is None
        early = await client.do(made["match"], "second", type="offer_draw")
        assert early["code"] == "not_begun"
        joined = await served.http.post(f"/api/matches/{made['match']}/join", json={"name": "Ann"})
        assert joined.json()["seat"] == "first"
        began = await client.kind("update")
        assert notice(began, "joined")["player"]["name"] == "Ann"
        assert notice(began, "stands")["awaited"] == ["first"]
        lobby = await watcher.until(lambda m: bool(m["type"] == "lobby" and m["running"]))
        assert lobby["open"] == []


async def test_a_challenge_can_be_withdrawn(served: Served) -> None:
    made = await served.create("osakana", "open", "me")
    async with served.client() as client:
        await client.watch(made["match"], made["secrets"]["second"])
        closed = await client.do(made["match"], "second", type="abort")
        assert notice(closed, "closed")
        answer = await client.do(made["match"], "second", type="abort")
        assert answer["code"] == "match_over"
    joined = await served.http.post(f"/api/matches/{made['match']}/join", json={})
    assert joined.status_code == 409


async def test_private_matches(served: Served) -> None:
    made = await served.create("osakana", private=True)
    record = f"/api/matches/{made['match']}/record"
    async with served.client() as spectator, served.client() as player:
        assert (await spectator.watch(made["match"]))["code"] == "private"
        assert (await served.http.get(record)).status_code == 403
        assert (await served.http.get("/api/lobby")).json()["running"] == []
        await player.watch(made["match"], made["secrets"]["first"])
        await player.do(made["match"], "first", type="resign")
        assert (await spectator.watch(made["match"]))["type"] == "snapshot"
        assert (await served.http.get(record)).status_code == 200


async def test_coming_back_gives_exactly_what_was_missed(served: Served) -> None:
    async with AsyncExitStack() as stack:
        hosted = await duel(served, stack)
        watcher = await stack.enter_async_context(served.client())
        await watcher.watch(hosted.match, hosted.secrets["second"])
        for _ in range(12):
            if not hosted.legal:
                break
            await hosted.move()
        last = hosted.clients["second"].seen[hosted.match, "second"]
        while watcher.seen[hosted.match, "second"] < last:
            await watcher.next()
        cached = [text for text in watcher.texts if '"update"' in text]
        for seen in (1, 5, last - 1, last):
            back = await stack.enter_async_context(served.client())
            await back.watch(hosted.match, hosted.secrets["second"], seen=seen)
            missed = [text for text in back.texts if '"update"' in text]
            assert missed == cached[seen - 1 :]

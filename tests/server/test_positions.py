"""The engine says nothing about what people are playing; everything else may be asked."""

from __future__ import annotations

import random

import pytest

from tests.server.serving import Client, Json, Served
from visavis.rules import games
from visavis.rules.protocol import Seat
from visavis.server import match_log
from visavis.server.errors import Refusal
from visavis.server.hosted_match import HostedMatch
from visavis.server.positions import OPENING, RECENT, Positions
from visavis.server.vocabulary import Say
from visavis.session import VIEWERS, Move, Resign

pytestmark = pytest.mark.anyio

MOVES = ("い↑B3B2", "た↓C1B2", "か↑C4C3", "か↓A1A2", "た↑A4B3", "か↓A2A3", "ま↑B4A3")


# -- On a server -----------------------------------------------------------------------------------


async def ask(served: Served, view: str, seat: str, **more: object) -> Json:
    body = {"game": "osakana", "view": view, "seat": seat, "millis": 1} | more
    answer = await served.http.post("/api/analysis", json=body)
    assert answer.status_code == (200 if "lines" in answer.json() else 409)
    return dict(answer.json())


async def play(client: Client, made: Json) -> list[str]:
    """Play the moves; return all views, that of the start first."""
    for secret in made["secrets"].values():
        shown = await client.watch(made["match"], secret)
    views = [str(shown["position"]["view"])]
    for number, text in enumerate(MOVES):
        client.seen.clear()
        seat = ("first", "second")[number % 2]
        update = await client.do(made["match"], seat, type="move", text=text)
        views.append(update["notices"][-1]["view"])
    return views


async def test_positions_of_a_running_match_are_not_analysed(served: Served) -> None:
    made = await served.create("osakana")
    async with served.client() as client:
        views = await play(client, made)
        for number, view in enumerate(views):
            seat = ("first", "second")[number % 2]
            by_match = await ask(served, view, seat, match=made["match"])
            assert by_match["code"] == "running_match"
            answer = await ask(served, view, seat)
            assert ("lines" in answer) == (number < OPENING)
        other_options = await ask(served, views[-1], "second", options={"fouls": "refuse"})
        assert other_options["code"] == "running_match"
        await client.do(made["match"], "first", type="resign")
        assert (await ask(served, views[-1], "second", match=made["match"]))["lines"]


async def test_a_computer_is_not_set_before_a_position_of_a_running_match(served: Served) -> None:
    made = await served.create("osakana")
    async with served.client() as client:
        start = (await play(client, made))[-1]
        seats = [{"kind": "me"}, {"kind": "computer", "player": "8"}]
        body = {"game": "osakana", "seats": seats, "start": start}
        refused = await served.http.post("/api/matches", json=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "running_match")
        await served.create("osakana", "me", "invited", start=start)
        await client.do(made["match"], "first", type="resign")
        await served.create("osakana", "me", "computer:1", start=start)


async def test_a_guessed_position_of_a_private_match_is_not_confirmed(served: Served) -> None:
    """Who does not name it is answered as if it were not there."""
    made = await served.create("osakana", private=True)
    async with served.client() as client:
        view = (await play(client, made))[-1]
        assert "lines" in await ask(served, view, "second")
        assert (await ask(served, view, "second", match=made["match"]))["code"] == "running_match"


async def test_an_unknown_match_is_not_asked_about(served: Served) -> None:
    body = {"game": "osakana", "view": "kmt/1I1/3/TMK b I", "seat": "first", "match": "none"}
    answer = await served.http.post("/api/analysis", json=body)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_match")


# -- What is kept ----------------------------------------------------------------------------------


def opened(slug: str, *kinds: str) -> HostedMatch:
    chairs = tuple(match_log.Chair(kind=kind, player="1") for kind in kinds)  # type: ignore[arg-type]
    entry = match_log.Opened(
        game=slug,
        rules_version=1,
        options={name: str(value) for name, value in games()[slug].untimed.items()},
        clock=None,
        private=False,
        start=None,
        seed="00" * 32,
        created=0,
        chairs=(chairs[0], chairs[1]),
    )
    return HostedMatch.open("a", entry, 0)[0]


def moved(hosted: HostedMatch, rng: random.Random) -> HostedMatch:
    """Return the match after a random move."""
    assert hosted.match is not None
    seat = rng.choice(hosted.match.awaited)
    move = rng.choice(hosted.match.game.legal(hosted.match.state, seat))
    text = hosted.match.game.format_move(move)
    did = match_log.Did(Move(seat, text), client="a", number=hosted.seq)
    return hosted.after(did, 0)[0]


def is_kept(positions: Positions, hosted: HostedMatch, viewer: Seat | None = None) -> bool:
    """Whether a question is refused about a match as a viewer sees it."""
    assert hosted.match is not None
    chosen = hosted.match.game
    text = chosen.format_view(chosen.view(hosted.match.state, viewer))
    try:
        positions.check_view(chosen, chosen.parse_view(text))
    except Refusal as error:
        assert error.code == "running_match"
        return True
    return False


@pytest.mark.parametrize("slug", games())
def test_every_view_of_a_position_is_known(slug: str) -> None:
    """By what its owner sees, and also by what the owner may guess."""
    rng = random.Random(1)
    positions, hosted, refused = Positions(), opened(slug, "me", "me"), 0
    for _ in range(30):
        positions.note(hosted)
        match = hosted.match
        assert match is not None
        if match.is_over:
            break
        if len(match.entries) >= OPENING:
            chosen = match.game
            for viewer in VIEWERS:
                assert is_kept(positions, hosted, viewer)
                guess = chosen.determinize(chosen.view(match.state, viewer), rng)
                with pytest.raises(Refusal):
                    positions.check_view(chosen, chosen.reveal(guess))
                refused += 1
        else:
            assert not is_kept(positions, hosted)
        hosted = moved(hosted, rng)
    assert refused


@pytest.mark.parametrize(
    ("kinds", "kept"),
    [("me me", True), ("me bot", True), ("bot bot", True), ("me computer", False)],
)
def test_whose_matches_are_kept(kinds: str, kept: bool) -> None:
    rng = random.Random(2)
    positions, hosted = Positions(), opened("dande", *kinds.split())
    for _ in range(OPENING + 2):
        hosted = moved(hosted, rng)
        positions.note(hosted)
    assert is_kept(positions, hosted) is kept


def test_the_last_positions_are_kept_while_the_match_runs() -> None:
    rng = random.Random(3)
    positions, hosted = Positions(), opened("dande", "me", "me")
    matches = [hosted]
    for _ in range(OPENING + 2 * RECENT):
        matches.append(moved(matches[-1], rng))
        positions.note(matches[-1])
    assert [is_kept(positions, hosted) for hosted in matches[-RECENT - 1 :]] == [False] + [
        True
    ] * RECENT
    said = match_log.Did(Say(Seat.FIRST, "hello"), client="a", number=99)
    for _ in range(RECENT):
        positions.note(matches[-1].after(said, 0)[0])
    assert is_kept(positions, matches[-RECENT])
    resigned = match_log.Did(Resign(Seat.FIRST), client="a", number=100)
    positions.note(matches[-1].after(resigned, 0)[0])
    assert not any(is_kept(positions, hosted) for hosted in matches)


def test_a_position_of_two_matches_is_kept_until_neither_runs() -> None:
    rng = random.Random(4)
    positions, hosted = Positions(), opened("dande", "me", "me")
    for _ in range(OPENING):
        hosted = moved(hosted, rng)
    positions.note(hosted)
    other = HostedMatch(
        **{name: getattr(hosted, name) for name in hosted.__struct_fields__} | {"id": "b"}
    )
    positions.note(other)
    positions.forget("a")
    assert is_kept(positions, hosted)
    positions.forget("b")
    positions.forget("b")
    assert not is_kept(positions, hosted)

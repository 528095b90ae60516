"""A hosted match: what it remembers of orders, and how a match ends that has grown too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.serving import Json, Served, notice
from visavis.rules.protocol import Seat
from visavis.server import hosted_match, match_log
from visavis.server.errors import Refusal
from visavis.server.hosted_match import HostedMatch
from visavis.server.match_log import AnyEntry, Away, Chair, Did, Expired, Opened, Ticked
from visavis.server.vocabulary import Command, Rematch, Say
from visavis.session import commands
from visavis.session.asked import list_moves
from visavis.session.errors import MatchOver

FIRST, SECOND = Seat.FIRST, Seat.SECOND
Make = Callable[[Seat], Command]
"""What makes a command of a seat."""


def hello(seat: Seat) -> Command:
    return Say(seat, "hello")


def opened(clock: str | None = None) -> Opened:
    return Opened(
        game="osakana",
        rules_version=1,
        options={},
        clock=clock,
        private=False,
        start=None,
        seed=bytes(32).hex(),
        created=0,
        chairs=(Chair(kind="me"), Chair(kind="me")),
    )


def begun(clock: str | None = None) -> HostedMatch:
    return HostedMatch.open("m", opened(clock), 0)[0]


def did(seat: Seat, make: Make = hello, client: str = "c", number: int = 1) -> Did:
    return Did(make(seat), client=client, number=number)


def after(before: HostedMatch, *added: AnyEntry, at: int = 0) -> HostedMatch:
    """Fold entries as a log is read: encoded and decoded."""
    for entry in added:
        before, _ = before.after(match_log.decode(match_log.encode(entry)), max(at, before.at))
    return before


# Done once

orders = st.tuples(st.sampled_from(Seat), st.sampled_from("abc"), st.integers(0, 30))


@settings(max_examples=100, deadline=None)
@given(st.lists(orders, max_size=60))
def test_each_order_is_done_once(given: list[tuple[Seat, str, int]]) -> None:
    """Whatever both seats and all their clients do: compared with one that forgets nothing."""
    here, known = begun(), dict[tuple[Seat, str], dict[int, int]]()
    for seat, client, number in given:
        before = known.setdefault((seat, client), {})
        if number in before:
            assert here.done(seat, client, number) == before[number]
        elif before and number < max(before):
            with pytest.raises(Refusal, match=f"order {max(before)} since"):
                here.done(seat, client, number)
        else:
            assert here.done(seat, client, number) is None
            here = after(here, did(seat, client=client, number=number))
            before[number] = here.seq
    for (seat, client), numbers in known.items():
        for number, seq in numbers.items():
            assert here.done(seat, client, number) == seq
            assert here.done(seat, "another", number) is None


def test_nobody_else_makes_a_table_forget() -> None:
    mine = did(FIRST, client="mine", number=7)
    here = after(begun(), mine)
    others = (did(SECOND, client=f"c{n}", number=n) for n in range(1_000))
    own = (did(FIRST, client=f"own{n}", number=n) for n in range(1_000))
    here = after(after(here, *others), *own, at=10**9)
    assert here.done(FIRST, "mine", 7) == 2


@pytest.mark.anyio
async def test_an_order_stays_done_whatever_the_opponent_does(served: Served) -> None:
    """Also when the match is read from its log again."""
    made = await served.create("osakana")
    path = f"/api/matches/{made['match']}/orders"

    async def order(seat: str, client: str, **command: object) -> dict[str, object]:
        headers = {"Authorization": f"Bearer {made['secrets'][seat]}"}
        body = {"client": client, "number": 1, "command": command}
        return dict((await served.http.post(path, json=body, headers=headers)).json())

    once = await order("first", "mine", type="say", phrase="hello")
    for number in range(40):
        await order("second", f"theirs{number}", type="say", phrase="oops")
    again = await order("first", "mine", type="say", phrase="hello")
    assert (again["type"], again["seq"]) == ("done", once["seq"])
    served.process.matches._cached.clear()
    again = await order("first", "mine", type="say", phrase="hello")
    assert (again["type"], again["seq"]) == ("done", once["seq"])


# The last word


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> HostedMatch:
    """A match that has grown as long as it may."""
    monkeypatch.setattr(hosted_match, "MOST_ENTRIES", 6)
    here = begun("300+0")
    for _ in range(3):
        here = allowed(here, move(here))
    here = allowed(here, did(FIRST, commands.OfferDraw, number=8))
    here = allowed(here, did(SECOND, number=9))
    assert here.seq == hosted_match.MOST_ENTRIES
    return here


def move(here: HostedMatch) -> Did:
    """The last legal move of whose turn it is."""
    assert here.match is not None
    (seat,) = here.match.awaited
    legal, _ = list_moves(here.match.game, here.match.state, seat)
    assert legal
    return did(seat, partial(commands.Move, text=legal[-1]), number=here.seq + 10)


def allowed(here: HostedMatch, entry: AnyEntry) -> HostedMatch:
    here.check_room(entry)
    return after(here, entry)


def ways_to_end() -> Iterator[AnyEntry]:
    yield did(FIRST, commands.Resign)
    yield did(SECOND, commands.Resign)
    yield did(SECOND, commands.AcceptDraw)
    yield did(SECOND, commands.OfferDraw)
    yield Ticked()


@pytest.mark.parametrize("entry", [*ways_to_end()], ids=str)
@pytest.mark.parametrize("away", [0, 3])
def test_a_full_match_can_end(full: HostedMatch, entry: AnyEntry, away: int) -> None:
    """Also if the server was away meanwhile, which is in the log too."""
    for _ in range(away):
        full = allowed(full, Away(millis=5))
    full.check_room(entry)
    ended, _ = full.after(entry, 10**6 if isinstance(entry, Ticked) else full.at)
    assert ended.status == "over"
    again = allowed(ended, did(FIRST, Rematch, number=20))
    assert again.wants_rematch == (FIRST,)
    with pytest.raises(MatchOver):
        allowed(ended, move(full))


def test_a_full_match_can_be_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosted_match, "MOST_ENTRIES", 1)
    for entry in (did(SECOND, commands.Abort), Expired()):
        assert allowed(begun(), entry).status == "over"


@pytest.mark.parametrize(
    "command",
    [
        hello,
        commands.DeclineDraw,
        commands.AskTakeback,
        None,
    ],
    ids=lambda make: getattr(make, "__name__", "move"),
)
def test_a_full_match_goes_no_further(full: HostedMatch, command: Make | None) -> None:
    entry = move(full) if command is None else did(SECOND, command, number=20)
    with pytest.raises(Refusal, match="resign, or offer a draw") as refused:
        full.check_room(entry)
    assert refused.value.code == "match_full"


def test_a_draw_can_be_offered_and_accepted_in_a_full_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However much was said and offered before."""
    monkeypatch.setattr(hosted_match, "MOST_ENTRIES", 3)
    monkeypatch.setattr(hosted_match, "MOST_TALK", 2)
    here = allowed(begun(), did(FIRST, number=1))
    here = allowed(here, did(FIRST, number=2))
    here = allowed(here, did(FIRST, commands.OfferDraw, number=3))
    assert here.seq == 4
    assert allowed(here, did(SECOND, commands.AcceptDraw)).status == "over"


def test_enough_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosted_match, "MOST_TALK", 2)
    here = allowed(begun(), did(FIRST, number=1))
    here = allowed(here, did(FIRST, commands.OfferDraw, number=2))
    for command in (hello, commands.OfferDraw, commands.AskTakeback):
        with pytest.raises(Refusal) as refused:
            here.check_room(did(FIRST, command, number=3))
        assert refused.value.code == "enough_said"
    allowed(here, did(SECOND))


def test_a_log_that_is_longer_than_it_could_be_now_is_read(full: HostedMatch) -> None:
    """Limits are for what is appended; what is in a log has happened."""
    assert after(full, move(full), did(FIRST, number=30)).seq == 8


@pytest.mark.anyio
async def test_a_full_match_is_resigned_on_a_server(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted_match, "MOST_ENTRIES", 2)
    made = await served.create("osakana")
    async with served.client() as client:
        shown = await client.watch(made["match"], made["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        await client.do(made["match"], "first", type="move", text=legal[0])
        refused = await client.do(made["match"], "first", type="say", phrase="hello")
        assert refused["code"] == "match_full"
        ended = await client.do(made["match"], "first", type="resign")
        assert notice(ended, "ended")["reason"] == "resigned"


def tells(kind: str) -> Callable[[Json], bool]:
    """Return what finds the update that has a notice of a kind."""
    return lambda message: any(found["type"] == kind for found in message.get("notices", ()))


@pytest.mark.anyio
@pytest.mark.parametrize("who_offers", ["computer", "person"])
async def test_a_full_match_against_a_computer_can_be_drawn(
    served: Served, monkeypatch: pytest.MonkeyPatch, who_offers: str
) -> None:
    """It moves no more, and has nothing against a draw."""
    made = await served.create("osakana", "me", "computer:1")
    match = made["match"]
    async with served.client() as client:
        shown = await client.watch(match, made["secrets"]["first"])
        legal = shown["position"]["asked"]["legal"]
        if who_offers == "person":
            await client.do(match, "first", type="offer_draw")
        monkeypatch.setattr(hosted_match, "MOST_ENTRIES", 2)
        if who_offers == "computer":
            await client.do(match, "first", type="move", text=legal[0])
            await client.until(tells("draw_offered"))
            ended = await client.do(match, "first", type="accept_draw")
        else:
            await served.process.wakeups.look_after(match)
            ended = await client.until(tells("ended"))
        assert notice(ended, "ended")["reason"] == "agreed"


@pytest.mark.anyio
async def test_two_computers_agree_that_a_full_match_is_drawn(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted_match, "MOST_ENTRIES", 5)
    made = await served.create("osakana", "computer:1", "computer:1")
    async with served.client() as client:
        shown = await client.watch(made["match"])
        if shown["info"]["status"] == "running":
            await client.until(tells("ended"))
    info = (await served.http.get(f"/api/matches/{made['match']}")).json()
    assert (info["status"], info["ending"]["reason"]) == ("over", "agreed")

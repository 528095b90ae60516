"""The reception: what people ask of the house before and beside playing.

Creating matches, taking seats, the lobby, records and replays.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec

from visavis.rules import game
from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.server import messages
from visavis.server.computer import Computers
from visavis.server.entries import Chair, Opened, Sat
from visavis.server.errors import Refusal, refusal
from visavis.server.house import House
from visavis.server.hub import Live, Outbox
from visavis.server.messages import Lobby, Made, MatchInfo, NewMatch, Seated
from visavis.server.replaying import replayed
from visavis.server.seats import digest, matches, new_secret, new_seed
from visavis.server.table import Table
from visavis.server.telling import encode, seat_name

LISTED: Final = 50
"""So many matches of each kind the lobby shows."""
LOBBY_SECONDS: Final = 0.5
"""The lobby is told no more often than this."""


class Reception:
    """Where matches are made, found and read."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._store = house.store
        self._watchers: set[Outbox] = set()
        self._changed = asyncio.Event()

    # Making matches

    async def create(self, new: NewMatch, computers: Computers) -> Made:
        """Create a match and hand out its secrets."""
        try:
            chosen = game(new.game, new.options)
            names = computers.names(new.game)
            if new.start is not None and chosen.hidden:
                raise Refusal("bad_position", "a position of this game would tell all secrets")
            if new.seats[0].kind == "bot" and new.seats[0] == new.seats[1]:
                raise Refusal("bad_seats", "a bot has one token, and so one seat of a match")
            chairs, secrets_, invitations = [], {}, {}
            for seat, spec in zip(Seat, new.seats, strict=True):
                chair, secret, invitation = await self._chair(spec, new.name, names)
                chairs.append(chair)
                if secret:
                    secrets_[seat_name(seat)] = secret
                if invitation:
                    invitations[seat_name(seat)] = invitation
            opened = Opened(
                game=new.game,
                options={name: str(value) for name, value in chosen.options.items()},
                clock=new.clock,
                private=new.private,
                start=new.start,
                seed=new_seed(),
                created=time.time_ns() // 1_000_000,
                chairs=(chairs[0], chairs[1]),
            )
            table = await self._house.open(opened)
        except VisavisError as error:
            raise refusal(error) from None
        return Made(match=table.id, secrets=secrets_, invitations=invitations)

    async def _chair(
        self, spec: messages.SeatSpec, name: str, computers: tuple[str, ...]
    ) -> tuple[Chair, str, str]:
        """Return a seat's set-up, its secret and its invitation, where it has them."""
        match spec.kind:
            case "me":
                secret = new_secret()
                return Chair(kind="me", name=name, key=digest(secret)), secret, ""
            case "invited":
                invitation = new_secret()
                return Chair(kind="invited", invitation=digest(invitation)), "", invitation
            case "open":
                return Chair(kind="open"), "", ""
            case "computer":
                if spec.player not in computers:
                    raise Refusal("bad_seats", f"the computers are: {', '.join(computers)}")
                return Chair(kind="computer", player=spec.player, name=spec.player), "", ""
            case "bot":
                if not await self._store.has_bot(spec.player):
                    raise Refusal("unknown_bot", "no bot has that name")
                return Chair(kind="bot", player=spec.player, name=spec.player), "", ""

    async def join(self, live: Live, join: messages.Join, bot: str | None) -> Seated:
        """Take a free seat, as a person or as a bot; who asks again has it already."""
        secret = "" if bot else join.secret or new_secret()

        def taken(table: Table) -> Seat | None:
            return table.player_seat("bot", bot) if bot else table.seat_of(secret)

        def make(table: Table) -> Sat | None:
            if taken(table) is not None:
                return None
            return Sat(
                seat=_free_seat(table, join.invitation),
                name=join.name,
                key=digest(secret) if secret else "",
                player=bot or "",
            )

        await self._house.sit(live, make)
        seat = taken(live.table)
        assert seat is not None, "who was not refused has a seat"
        return Seated(match=live.id, seat=seat_name(seat), secret=secret or None)

    # Finding and reading

    async def info(self, id: str) -> MatchInfo:
        """Return what everybody may know of a match, also of one that was imported."""
        try:
            return (await self._house.live(id)).table.info()
        except Refusal:
            kept = await self._store.record(id)
            if kept is None:
                raise
            return msgspec.json.decode(kept.info, type=MatchInfo)

    async def record(self, id: str, secret: str | None) -> str:
        """Return the record of a match: open once it is over, else as the viewer may see it."""
        kept = await self._store.record(id)
        if kept is not None:
            return kept.text
        live = await self._house.live(id)
        viewer = live.table.seat_of(secret) if secret else None
        if secret and viewer is None:
            raise Refusal("wrong_secret", "the secret opens no seat of this match")
        if live.table.match is None:
            raise Refusal("not_begun", "a seat is still free")
        is_over = live.table.match.is_over
        if live.table.opened.private and viewer is None and not is_over:
            raise Refusal("private", "the match is private until it is over")
        return live.table.match.record(viewer).text

    async def replay(self, id: str, viewer: messages.ReplayViewer) -> messages.Replay:
        """Return a finished match as somebody knew it; refused until it is over."""
        kept = await self._store.record(id)
        if kept is not None:
            info = msgspec.json.decode(kept.info, type=MatchInfo)
            return await asyncio.to_thread(replayed, info, kept.text, viewer)
        table = (await self._house.live(id)).table
        if table.status != "over":
            raise Refusal("not_over", "a match is replayed when it is over")
        if table.match is None:
            raise Refusal("not_begun", "nobody has played here")
        text = table.match.record(None).text
        return await asyncio.to_thread(replayed, table.info(), text, viewer)

    async def lobby(self) -> Lobby:
        """Return what goes on."""
        return Lobby(
            open=_infos(await self._store.with_status("open", LISTED)),
            running=_infos(await self._store.with_status("running", LISTED)),
            over=_infos(await self._store.finished(LISTED)),
        )

    def changed(self, _table: Table) -> None:
        """Note that the lobby is not what it was."""
        self._changed.set()

    async def watch(self, outbox: Outbox) -> None:
        """Let somebody follow the lobby."""
        outbox.push(encode(await self.lobby()))
        self._watchers.add(outbox)

    def unwatch(self, outbox: Outbox) -> None:
        """Let somebody follow it no longer."""
        self._watchers.discard(outbox)

    async def keep_telling(self) -> None:
        """Tell of changes, for ever."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(LOBBY_SECONDS)
            self._changed.clear()
            if self._watchers:
                text = encode(await self.lobby())
                for outbox in self._watchers:
                    outbox.push(text)


def _infos(bodies: list[bytes]) -> tuple[MatchInfo, ...]:
    return tuple(msgspec.json.decode(body, type=MatchInfo) for body in bodies)


def _free_seat(table: Table, invitation: str | None) -> Seat:
    """Return the seat that somebody may take, or refuse."""
    free = table.free_seats()
    if not free:
        raise Refusal("seat_taken", "both seats are taken")
    for seat in free:
        chair = table.opened.chairs[seat]
        if invitation is None and chair.kind == "open":
            return seat
        if invitation is not None and matches(invitation, chair.invitation):
            return seat
    raise Refusal("wrong_secret", "the invitation is not for a seat that is free")

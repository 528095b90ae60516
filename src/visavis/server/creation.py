"""Making matches, and taking seats in them."""

from __future__ import annotations

import time
from typing import Final

from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat
from visavis.server import messages
from visavis.server.catalogue import choose_game
from visavis.server.codec import seat_name
from visavis.server.computer import Computers
from visavis.server.errors import Refusal, refusal
from visavis.server.fanout import CachedMatch
from visavis.server.hosted_match import HostedMatch
from visavis.server.longwork import LongWork
from visavis.server.match_log import Chair, Opened, Sat
from visavis.server.messages import Made, NewMatch, Seated
from visavis.server.orders import Orders
from visavis.server.positions import Positions
from visavis.server.secrets import digest, fits, new_secret, new_seed
from visavis.server.settings import Settings
from visavis.server.sources import Source
from visavis.server.store import Store
from visavis.session import ClockSpec
from visavis.session.clock import choose_clock
from visavis.session.names import MOST_CHARACTERS, plain_name

QUOTA_SECONDS: Final = 60.0
"""A client with too many matches may try again after this."""


class Creation:
    """Where matches are made, and seats taken."""

    def __init__(
        self,
        orders: Orders,
        store: Store,
        settings: Settings,
        work: LongWork,
        positions: Positions,
    ) -> None:
        self._orders = orders
        self._store = store
        self._settings = settings
        self._work = work
        self._positions = positions

    async def create(self, new: NewMatch, computers: Computers, source: Source) -> Made:
        """Create a match and hand out its secrets."""
        async with source.lock:
            await self._check_quota(new, source)
            return await self._create(new, computers, source)

    async def _check_quota(self, new: NewMatch, source: Source) -> None:
        """Refuse one more match that waits, or that computers play alone, if there are many."""
        settings, kinds = self._settings, {seat.kind for seat in new.seats}
        count = self._store.count_of
        if kinds & {"open", "invited"}:
            waiting = await count(source.name, "open", is_automatic=False)
            if waiting >= settings.open_per_client:
                why = "too many of your challenges are open; withdraw one, or wait"
                raise Refusal("too_many", why, wait=QUOTA_SECONDS)
        if "bot" in kinds:
            running = await count(source.name, "running", has_bot=True)
            if running >= settings.with_bots_per_client:
                why = "too many of your matches with bots run; end one, or wait"
                raise Refusal("too_many", why, wait=QUOTA_SECONDS)
        if kinds == {"computer"}:
            running = await count(source.name, "running", is_automatic=True)
            if running >= settings.automatic_per_client:
                why = "too many of your matches between computers run; wait for one to end"
                raise Refusal("too_many", why, wait=QUOTA_SECONDS)

    async def _create(self, new: NewMatch, computers: Computers, source: Source) -> Made:
        try:
            work = self._work
            chosen = await choose_game(work, source.client, new.game, new.options)
            names = computers.names(new.game)
            if new.start is not None and chosen.hidden:
                raise Refusal("bad_position", "a position of this game would tell all secrets")
            if new.start is not None and any(seat.kind == "computer" for seat in new.seats):
                # What the computer plays there would be an answer.
                self._positions.check_state(chosen, chosen.parse_position(new.start))
            if new.seats[0].kind == "bot" and new.seats[0] == new.seats[1]:
                raise Refusal("bad_seats", "a bot has one token, and so one seat of a match")
            name = _name(new.name)
            chairs, secrets_, invitations = [], {}, {}
            for seat, spec in zip(Seat, new.seats, strict=True):
                chair, secret, invitation = await self._chair(spec, name, names)
                chairs.append(chair)
                if secret:
                    secrets_[seat_name(seat)] = secret
                if invitation:
                    invitations[seat_name(seat)] = invitation
            choose_clock(chosen, None if new.clock is None else ClockSpec.parse(new.clock))
            opened = Opened(
                game=new.game,
                rules_version=chosen.rules_version,
                options={name: str(value) for name, value in chosen.options.items()},
                clock=new.clock,
                private=new.private,
                start=new.start,
                seed=new_seed(),
                created=time.time_ns() // 1_000_000,
                chairs=(chairs[0], chairs[1]),
                source=source.name,
            )
            hosted = await self._orders.open(opened)
        except VisavisError as error:
            raise refusal(error) from None
        return Made(match=hosted.id, secrets=secrets_, invitations=invitations)

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

    async def join(self, cached: CachedMatch, join: messages.Join, bot: str | None) -> Seated:
        """Take a free seat, as a person or as a bot; who asks again has it already."""
        secret, name = "" if bot else join.secret or new_secret(), _name(join.name)

        def taken(hosted: HostedMatch) -> Seat | None:
            return hosted.player_seat("bot", bot) if bot else hosted.seat_of(secret)

        def make(hosted: HostedMatch) -> Sat | None:
            if taken(hosted) is not None:
                return None
            return Sat(
                seat=_free_seat(hosted, join.invitation),
                name=name,
                key=digest(secret) if secret else "",
                player=bot or "",
            )

        await self._orders.sit(cached, make)
        seat = taken(cached.hosted)
        assert seat is not None, "who was not refused has a seat"
        return Seated(match=cached.id, seat=seat_name(seat), secret=secret or None)


def _name(text: str) -> str:
    """Return a name as it is shown, or refuse one that is too long."""
    name = plain_name(text)
    if len(name) > MOST_CHARACTERS:
        raise Refusal("bad_message", f"a name has at most {MOST_CHARACTERS} characters")
    return name


def _free_seat(hosted: HostedMatch, invitation: str | None) -> Seat:
    """Return the seat that somebody may take, or refuse."""
    free = hosted.free_seats()
    if not free:
        raise Refusal("seat_taken", "both seats are taken")
    for seat in free:
        chair = hosted.opened.chairs[seat]
        if invitation is None and chair.kind == "open":
            return seat
        if invitation is not None and fits(invitation, chair.invitation):
            return seat
    raise Refusal("wrong_secret", "the invitation is not for a seat that is free")

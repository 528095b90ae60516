"""The reception: what people ask of the house before and beside playing.

Creating matches, taking seats, records and replays.
"""

from __future__ import annotations

import time
from typing import Final

import msgspec

from visavis.rules.errors import VisavisError
from visavis.rules.protocol import Seat, Viewer
from visavis.server import messages
from visavis.server.catalogue import choose_game
from visavis.server.codec import seat_name
from visavis.server.computer import Computers
from visavis.server.errors import Refusal, refusal
from visavis.server.fanout import CachedMatch
from visavis.server.hosted_match import HostedMatch
from visavis.server.match_log import Chair, Opened, Sat
from visavis.server.matches import Matches
from visavis.server.messages import Made, MatchInfo, NewMatch, Seated
from visavis.server.replays import Replays
from visavis.server.secrets import digest, fits, new_secret, new_seed
from visavis.server.sources import Source
from visavis.session import ClockSpec, Match
from visavis.session.clock import choose_clock
from visavis.session.names import MOST_CHARACTERS, plain_name

QUOTA_SECONDS: Final = 60.0
"""After so long who has too many matches may ask again."""


class Creation:
    """Where matches are made, found and read."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._store = matches.store
        self._replays = Replays(matches.work, matches.settings.history_bytes)

    # Making matches

    async def create(self, new: NewMatch, computers: Computers, source: Source) -> Made:
        """Create a match and hand out its secrets."""
        async with source.lock:
            await self._check_quota(new, source)
            return await self._create(new, computers, source)

    async def _check_quota(self, new: NewMatch, source: Source) -> None:
        """Refuse one more match that waits, or that computers play alone, if there are many."""
        settings, kinds = self._matches.settings, {seat.kind for seat in new.seats}
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
            work = self._matches.work
            chosen = await choose_game(work, source.client, new.game, new.options)
            names = computers.names(new.game)
            if new.start is not None and chosen.hidden:
                raise Refusal("bad_position", "a position of this game would tell all secrets")
            if new.start is not None and any(seat.kind == "computer" for seat in new.seats):
                # What the computer plays there would be an answer.
                self._matches.positions.check_state(chosen, chosen.parse_position(new.start))
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
            hosted = await self._matches.open(opened)
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

        await self._matches.sit(cached, make)
        seat = taken(cached.hosted)
        assert seat is not None, "who was not refused has a seat"
        return Seated(match=cached.id, seat=seat_name(seat), secret=secret or None)

    # Finding and reading

    async def info(self, id: str, client: str) -> MatchInfo:
        """Return what everybody may know of a match, also of one that was imported."""
        try:
            return (await self._matches.get(id, client)).hosted.info()
        except Refusal:
            kept = await self._store.record(id)
            if kept is None:
                raise
            return msgspec.json.decode(kept.info, type=MatchInfo)

    async def record(self, id: str, secret: str | None, client: str) -> str:
        """Return the record of a match: open once it is over, else as the viewer may see it."""
        kept = await self._store.record(id)
        if kept is not None:
            return kept.text
        cached = await self._matches.get(id, client)
        viewer = cached.hosted.seat_of(secret) if secret else None
        if secret and viewer is None:
            raise Refusal("wrong_secret", "the secret opens no seat of this match")
        if cached.hosted.match is None:
            raise Refusal("not_begun", "a seat is still free")
        is_over = cached.hosted.match.is_over
        if cached.hosted.opened.private and viewer is None and not is_over:
            raise Refusal("private", "the match is private until it is over")
        return await self._written(cached.hosted.match, viewer, client)

    async def _written(self, match: Match, viewer: Viewer, client: str) -> str:
        write = self._matches.work.aside
        return await write(len(match.entries), client, lambda: match.record(viewer).text)

    async def replay(self, id: str, viewer: messages.ReplayViewer, client: str) -> bytes:
        """Return a finished match as somebody knew it, encoded; refused until it is over."""
        kept = await self._store.record(id)
        if kept is not None:
            info = msgspec.json.decode(kept.info, type=MatchInfo)
            return await self._replays.replay(info, kept.text, viewer, client)
        hosted = (await self._matches.get(id, client)).hosted
        if hosted.status != "over":
            raise Refusal("not_over", "a match is replayed when it is over")
        if hosted.match is None:
            raise Refusal("not_begun", "nobody has played here")
        text = await self._written(hosted.match, None, client)
        return await self._replays.replay(hosted.info(), text, viewer, client)


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

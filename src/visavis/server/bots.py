"""Outside bots: registered names with tokens, and a stream that tells of their matches."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from visavis.rules.protocol import Seat
from visavis.server.errors import Refusal
from visavis.server.house import House
from visavis.server.hub import Outbox
from visavis.server.messages import BotMatch, BotToken
from visavis.server.seats import digest, new_secret
from visavis.server.table import Table
from visavis.server.telling import encode, seat_name

LOOK_SECONDS: Final = 2.0
"""How often matches are looked for that began in another process."""


class Bots:
    """The bots that are connected here."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._streams: dict[Outbox, tuple[str, set[str]]] = {}

    async def register(self, name: str) -> BotToken:
        """Give a bot its token; the name is its own from then on."""
        token = new_secret()
        created = time.time_ns() // 1_000_000
        if not await self._house.store.add_bot(name, digest(token), created):
            raise Refusal("name_taken", "a bot of that name is registered")
        return BotToken(name=name, token=token)

    async def identify(self, token: str | None) -> str:
        """Return the bot's name, or refuse."""
        name = await self._house.store.bot_of(digest(token)) if token else None
        if name is None:
            raise Refusal("wrong_secret", "this is not a bot's token")
        return name

    async def watch(self, outbox: Outbox, name: str) -> None:
        """Tell a bot of its matches, those that run and those that will."""
        self._streams[outbox] = (name, set())
        await self._look(name)

    def unwatch(self, outbox: Outbox) -> None:
        """Tell it no longer."""
        self._streams.pop(outbox, None)

    def changed(self, table: Table) -> None:
        """Tell the bots at a table that it has begun."""
        if table.status != "running":
            return
        for seat in Seat:
            player = table.players[seat]
            if player is not None and player.kind == "bot":
                self._tell(player.player, table, seat)

    def _tell(self, name: str, table: Table, seat: Seat) -> None:
        for outbox, (known, told) in self._streams.items():
            if known == name and table.id not in told:
                told.add(table.id)
                news = BotMatch(
                    match=table.id,
                    seat=seat_name(seat),
                    game=table.opened.game,
                    options=table.opened.options,
                )
                outbox.push(encode(news))

    async def _look(self, name: str) -> None:
        for id in await self._house.store.of_bot(name):
            self.changed((await self._house.live(id)).table)

    async def keep_looking(self) -> None:
        """Look for matches that began elsewhere, for ever."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for name in {name for name, _ in self._streams.values()}:
                await self._look(name)

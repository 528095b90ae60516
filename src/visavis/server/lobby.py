"""The lobby: open challenges, public matches that run, and those that ended last.

There are more than can be shown. What is shown is chosen in rotation over those who made them, so
that nobody's many hide another's one; the rest is found page by page.
"""

from __future__ import annotations

import asyncio
import re
from typing import Final

import msgspec

from visavis.server.errors import Refusal
from visavis.server.fanout import Outbox
from visavis.server.fresh import Fresh
from visavis.server.messages import Listing, Lobby, LobbyPage, LobbyPageOf, MatchInfo
from visavis.server.store import Place, Store
from visavis.server.supervisor import Well
from visavis.server.updates import encode

PAGE_SIZE: Final = 50
"""How many matches of each kind the lobby shows, and a page holds."""
LOBBY_SECONDS: Final = 0.5
"""Updates of the lobby are sent no more often than this."""
SHARED_SECONDS: Final = 0.5
"""How long an answer is reused unless something has changed."""
TOLD_AT_ONCE: Final = 20
LONGEST: Final = 60
"""Values of options are cut to this many characters: maps may be long."""
_PLACE: Final = re.compile(r"([0-9]{1,15})-([^\x00-\x1f\x7f]{1,40})")


class Lobbies:
    """The lobby, and those who follow it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._watchers: set[Outbox] = set()
        self._changed = asyncio.Event()
        self._shared = Fresh(self._read, SHARED_SECONDS)

    async def text(self) -> str:
        """Return what goes on, as it is sent."""
        return await self._shared.get()

    async def _read(self) -> str:
        return encode(
            Lobby(
                open=_infos(await self._store.listed("open", PAGE_SIZE)),
                running=_infos(await self._store.listed("running", PAGE_SIZE)),
                over=_infos(await self._store.listed("over", PAGE_SIZE)),
            )
        )

    async def page(self, of: str, wanted: LobbyPageOf) -> LobbyPage:
        """Return all of a kind, page by page, the newest first."""
        try:
            kind = msgspec.convert(of, Listing)
        except msgspec.ValidationError:
            raise Refusal("not_found", "the lobby lists what is open, running or over") from None
        place = None
        if wanted.before is not None:
            found = _PLACE.fullmatch(wanted.before)
            if found is None:
                raise Refusal("bad_message", "`before` is what `next` of a page says")
            place = Place(int(found[1]), found[2])
        listed = await self._store.page(kind, place, PAGE_SIZE)
        last = listed[-1][0] if len(listed) == PAGE_SIZE else None
        return LobbyPage(
            matches=_infos([info for _, info in listed]),
            next=None if last is None else f"{last.at}-{last.match}",
        )

    def note_change(self) -> None:
        """Note that the lobby is not what it was."""
        self._shared.forget()
        self._changed.set()

    async def watch(self, outbox: Outbox) -> None:
        """Let somebody follow the lobby."""
        outbox.push(await self.text())
        self._watchers.add(outbox)

    def unwatch(self, outbox: Outbox) -> None:
        """Let somebody follow it no longer."""
        self._watchers.discard(outbox)

    async def keep_telling(self, well: Well) -> None:
        """Tell of changes, for ever; and first how things stand, as some may have been missed."""
        self._shared.forget()
        while True:
            if self._watchers:
                await self._tell(await self.text())
            well()
            await self._changed.wait()
            await asyncio.sleep(LOBBY_SECONDS)
            self._changed.clear()

    async def _tell(self, text: str) -> None:
        """Tell all who follow; they may be many, so others have their turn in between."""
        for number, outbox in enumerate(tuple(self._watchers), 1):
            if outbox in self._watchers:
                outbox.push(text)
            if number % TOLD_AT_ONCE == 0:
                await asyncio.sleep(0)


def _infos(bodies: list[bytes]) -> tuple[MatchInfo, ...]:
    return tuple(_brief(msgspec.json.decode(body, type=MatchInfo)) for body in bodies)


def _brief(info: MatchInfo) -> MatchInfo:
    options = {name: _cut(value) for name, value in info.options.items()}
    return msgspec.structs.replace(info, options=options)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

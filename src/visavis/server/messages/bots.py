"""Outside bots."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from visavis.server.words import END, MatchId, Message, SeatName


class NewBot(Struct, frozen=True, kw_only=True):
    """A bot to be registered."""

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,29}" + END)]


class BotToken(Struct, frozen=True, kw_only=True):
    """A bot's token, shown once."""

    name: str
    token: str


class BotMatch(Message, frozen=True, kw_only=True, tag="match"):
    """In a bot's stream of events: a match in which the bot has a seat and which is not over."""

    match: MatchId
    seat: SeatName
    game: str
    options: dict[str, str]

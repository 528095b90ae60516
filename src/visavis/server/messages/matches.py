"""Making matches and taking seats."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from visavis.server.words import (
    END,
    MatchId,
    Name,
    NewSecret,
    SeatName,
    Secret,
    Slug,
    Text,
)


class SeatSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to sit there.

    ``me``: who creates the match (both seats: one screen). ``invited``: whoever has the invitation.
    ``open``: whoever takes the challenge in the lobby first. ``computer``: ``player`` is a level or
    the name of an engine. ``bot``: ``player`` is the name of a bot.
    """

    kind: Literal["me", "invited", "open", "computer", "bot"]
    player: Annotated[str, Meta(pattern=r"^[a-z0-9-]{0,40}" + END)] = ""


class NewMatch(Struct, frozen=True, kw_only=True):
    """A match to be created. ``start`` is the text of a position to begin from."""

    game: Slug
    options: dict[Slug, Text | int] = {}
    clock: Annotated[str, Meta(max_length=60)] | None = None
    seats: tuple[SeatSpec, SeatSpec]
    name: Name = ""
    private: bool = False
    start: Text | None = None


class Made(Struct, frozen=True, kw_only=True):
    """A match that was created: the creator's own secrets, and the invitations, by seat.

    A secret stays with the browser. An invitation is good for one joining; put it in the fragment
    of a link, which browsers send to nobody.
    """

    match: MatchId
    secrets: dict[SeatName, str]
    invitations: dict[SeatName, str]


class Join(Struct, frozen=True, kw_only=True):
    """Take a free seat: an invited one with its invitation, an open one without.

    ``secret`` is to be the seat's: random and made up by the client, which then may ask again if
    no answer came, and is seated once. Without it the server makes one up.
    """

    invitation: Secret | None = None
    name: Name = ""
    secret: NewSecret | None = None


class Seated(Struct, frozen=True, kw_only=True):
    """A seat was taken; its secret. Bots have none: their token is enough."""

    match: MatchId
    seat: SeatName
    secret: str | None

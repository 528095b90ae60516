"""The words that all messages share."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

END = r"$(?!\n)"
"""The end of a text, and not before a last line break, where ``$`` alone matches too."""

SeatName = Literal["first", "second"]
Text = Annotated[str, Meta(max_length=8_000)]
Name = Annotated[str, Meta(max_length=200)]
"""What somebody calls themselves. It is shown as `plain_name` makes it, in 40 characters."""
Slug = Annotated[str, Meta(max_length=40)]
MatchId = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f]{1,40}" + END)]
Secret = Annotated[str, Meta(max_length=100)]
NewSecret = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{32,86}" + END)]
"""A secret that a client makes up: at least 192 bits in base64 for addresses."""
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}" + END)]
ClientId = Annotated[str, Meta(min_length=1, max_length=40)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Phrase = Literal[
    "hello",
    "good_luck",
    "well_played",
    "good_game",
    "thanks",
    "sorry",
    "oops",
    "interesting",
    "one_moment",
    "back_again",
    "goodbye",
]
"""Quick phrases, by id: the page says them in the reader's language."""


class Message(Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base of messages: told apart by ``type``."""

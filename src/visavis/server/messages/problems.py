"""What can be wrong: the codes of refusals, and how the server is."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Code = Literal[
    "bad_message",
    "too_big",
    "too_many",
    "unknown_match",
    "wrong_secret",
    "not_watching",
    "not_a_player",
    "seat_taken",
    "not_begun",
    "stale",
    "old_number",
    "not_a_move",
    "illegal_move",
    "not_your_turn",
    "match_over",
    "not_over",
    "no_offer",
    "already_offered",
    "already_ready",
    "not_ready",
    "takeback_refused",
    "claim_refused",
    "too_late",
    "enough_said",
    "unknown_game",
    "bad_option",
    "bad_clock",
    "bad_position",
    "bad_seats",
    "unknown_bot",
    "name_taken",
    "bad_record",
    "match_full",
    "busy",
    "bad_origin",
    "bad_host",
    "bad_content_type",
    "not_found",
    "not_allowed",
    "private",
    "no_puzzle",
    "running_match",
    "failed",
]
"""Why something was refused; ``message`` explains it in English."""


class Problem(Struct, frozen=True, kw_only=True):
    """The body of every HTTP answer that is an error."""

    code: Code
    message: str


class Health(Struct, frozen=True, kw_only=True):
    """Whether the server is well."""

    status: Literal["ok", "starting", "stopping", "no_database"]

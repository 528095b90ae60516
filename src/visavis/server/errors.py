"""What the server refuses. Every refusal has a code of `messages.Code` and an HTTP status.

::

    VisavisError
    └── Refusal     the code, the status and the words for whoever asked
"""

from __future__ import annotations

from typing import Final

from visavis.rules import errors as rules
from visavis.rules.errors import VisavisError
from visavis.server.messages import Code
from visavis.session import errors as session

STATUS: Final[dict[Code, int]] = {
    "too_big": 413,
    "too_many": 429,
    "unknown_match": 404,
    "not_found": 404,
    "unknown_game": 404,
    "unknown_bot": 404,
    "no_puzzle": 404,
    "wrong_secret": 403,
    "private": 403,
    "not_a_player": 403,
    "bad_origin": 403,
    "not_allowed": 405,
    "seat_taken": 409,
    "not_begun": 409,
    "not_over": 409,
    "stale": 409,
    "old_number": 409,
    "not_your_turn": 409,
    "match_over": 409,
    "no_offer": 409,
    "already_offered": 409,
    "already_ready": 409,
    "not_ready": 409,
    "takeback_refused": 409,
    "claim_refused": 409,
    "too_late": 409,
    "match_full": 409,
    "running_match": 409,
    "name_taken": 409,
    "bad_content_type": 415,
    "bad_host": 421,
    "failed": 500,
    "busy": 503,
}
"""The HTTP status of each code; of all others it is 400."""

RETRIED: Final = (429, 503)
"""Those that say when to ask again."""


class Refusal(VisavisError):
    """Something the server does not do."""

    def __init__(self, code: Code, message: str, *, wait: float = 1.0) -> None:
        super().__init__(message)
        self.code: Code = code
        self.wait = wait
        """After how many seconds it is worth asking again, where it is."""

    @property
    def status(self) -> int:
        """The HTTP status that says it."""
        return STATUS.get(self.code, 400)

    @property
    def retry_after(self) -> int | None:
        """After how many whole seconds to ask again, where that is worth it."""
        return int(self.wait) + 1 if self.status in RETRIED else None


_CODES: Final[tuple[tuple[type[VisavisError], Code], ...]] = (
    (rules.UnknownGame, "unknown_game"),
    (rules.BadOption, "bad_option"),
    (rules.NotAMove, "not_a_move"),
    (rules.IllegalMove, "illegal_move"),
    (rules.NotYourTurn, "not_your_turn"),
    (rules.NotAPosition, "bad_position"),
    (rules.NotAView, "bad_position"),
    (session.BadClock, "bad_clock"),
    (session.MatchOver, "match_over"),
    (session.NoOffer, "no_offer"),
    (session.AlreadyOffered, "already_offered"),
    (session.AlreadyReady, "already_ready"),
    (session.NotReady, "not_ready"),
    (session.TakebackRefused, "takeback_refused"),
    (session.ClaimRefused, "claim_refused"),
    (session.TooLate, "too_late"),
    (session.OtherRules, "failed"),
    (session.RecordError, "bad_record"),
    (session.Discrepancy, "bad_record"),
)


def refusal(error: VisavisError) -> Refusal:
    """Return the refusal that tells of an expected failure.

    >>> refusal(rules.NotYourTurn("first")).code
    'not_your_turn'
    """
    if isinstance(error, Refusal):
        return error
    for kind, code in _CODES:
        if isinstance(error, kind):
            return Refusal(code, str(error))
    return Refusal("bad_option", str(error))

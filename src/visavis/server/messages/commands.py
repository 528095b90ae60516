"""What a player can do."""

from __future__ import annotations

from msgspec import Struct

from visavis.server.messages.words import ClientId, Count, Message, Phrase, Text


class Ready(Message, frozen=True, kw_only=True, tag="ready"):
    """Be ready for a clock that waits for both, as ``unready`` says. A first move says so too."""


class Move(Message, frozen=True, kw_only=True, tag="move"):
    """Decide."""

    text: Text


class Resign(Message, frozen=True, kw_only=True, tag="resign"):
    """Give up."""


class OfferDraw(Message, frozen=True, kw_only=True, tag="offer_draw"):
    """Offer a draw; if the other has offered one, they agree."""


class AcceptDraw(Message, frozen=True, kw_only=True, tag="accept_draw"):
    """Accept the draw that the other has offered."""


class DeclineDraw(Message, frozen=True, kw_only=True, tag="decline_draw"):
    """Decline it."""


class AskTakeback(Message, frozen=True, kw_only=True, tag="ask_takeback"):
    """Ask to go back to before one's last decision."""


class AcceptTakeback(Message, frozen=True, kw_only=True, tag="accept_takeback"):
    """Let the other take back."""


class DeclineTakeback(Message, frozen=True, kw_only=True, tag="decline_takeback"):
    """Do not."""


class Claim(Message, frozen=True, kw_only=True, tag="claim"):
    """Claim the win, or a draw, in a live match that the other has left for long."""

    draw: bool = False


class Abort(Message, frozen=True, kw_only=True, tag="abort"):
    """Break off a match that has hardly begun, or a challenge that nobody has taken."""


class Say(Message, frozen=True, kw_only=True, tag="say"):
    """Say one of the quick phrases."""

    phrase: Phrase


class Rematch(Message, frozen=True, kw_only=True, tag="rematch"):
    """Ask for another match with sides swapped; when both have asked, it is there."""


Command = (
    Ready
    | Move
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | Claim
    | Abort
    | Say
    | Rematch
)


class Order(Struct, frozen=True, kw_only=True):
    """A command with what makes it safe to send again.

    ``client`` is any random id the client has made up for itself, ``number`` counts its commands
    upwards. ``seen`` is the last sequence number the client has seen of the match: a move meant for
    a position that is gone by is answered by how things stand, not carried out.
    """

    client: ClientId
    number: Count
    command: Command
    seen: Count | None = None

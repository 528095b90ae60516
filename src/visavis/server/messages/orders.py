"""What a player asks for, with what makes it safe to send again."""

from __future__ import annotations

from msgspec import Struct

from visavis.rules.protocol import Seat
from visavis.server import vocabulary
from visavis.server.codec import WireCommand, command_of
from visavis.server.words import ClientId, Count


class Order(Struct, frozen=True, kw_only=True):
    """A command with what makes it safe to send again.

    ``client`` is any random id the client has made up for itself, ``number`` counts its commands
    upwards. ``seen`` is the last sequence number the client has seen of the match: a move meant for
    a position that has changed since is answered with the current one, not carried out.
    """

    client: ClientId
    number: Count
    command: WireCommand
    seen: Count | None = None


def order_of(sent: Order, seat: Seat) -> vocabulary.Order:
    """Return the order that a seat has sent."""
    return vocabulary.Order(command_of(sent.command, seat), sent.client, sent.number, sent.seen)

"""Sealed randomness: what a match promises at its start and anyone can check at its end.

All secrets of a match come from one seed of 32 bytes. With numbers written in ASCII decimal,
counted from 1, and texts in UTF-8::

    promise        = SHA-256(seed)
    roll n         = HMAC-SHA-256(key=seed, "roll" + n), as a big-endian number, modulo the sum of
                     the weights; the face is the first whose cumulated weight exceeds it
    nonce of move n= HMAC-SHA-256(key=seed, "move" + n), 32 bytes
    seal of move n = SHA-256(nonce + text of the move)
    thought n      = HMAC-SHA-256(key=seed, "think" + n + " " + seat), its first 8 bytes as a
                     big-endian number: what chance in a computer's thinking starts from

The promise is shown before the first move and a seal with every move that somebody does not fully
see; the seed is in the finished record. Rolls and moves are counted over the whole match.
Each purpose has a label of its own, so that none tells anything of another.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from visavis.rules.protocol import Roll, Seat
from visavis.session.errors import BadSeed

SEED_BYTES: Final = 32
THOUGHT_BYTES: Final = 8
"""How many bytes of a seed an engine takes."""


def check_seed(seed: bytes) -> bytes:
    """Return the seed, or raise `BadSeed`."""
    if len(seed) != SEED_BYTES:
        raise BadSeed(len(seed), SEED_BYTES)
    return seed


def promise(seed: bytes) -> str:
    """Return the commitment to a seed, in hexadecimal.

    >>> promise(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def roll_face(seed: bytes, number: int, roll: Roll) -> str:
    """Return the face that roll ``number`` of a match shows.

    >>> roll_face(bytes(32), 1, Roll((("heads", 1), ("tails", 1))))
    'heads'
    """
    total = sum(weight for _, weight in roll.faces)
    # The sum of weights is so far below 2**256 that the bias of the modulus can't be observed.
    point = int.from_bytes(_derive(seed, f"roll{number}"), "big") % total
    for face, weight in roll.faces:
        point -= weight
        if point < 0:
            return face
    raise AssertionError("a roll has faces, and weights are positive")


def seal(seed: bytes, number: int, text: str) -> str:
    """Return the seal of move ``number`` of a match, in hexadecimal.

    >>> seal(bytes(32), 1, "rock") == seal(bytes(32), 2, "rock")
    False
    """
    return hashlib.sha256(_derive(seed, f"move{number}") + text.encode()).hexdigest()


def thinking_seed(seed: bytes, number: int, seat: Seat) -> int:
    """Return what a computer in a seat starts from when it thinks about a decision.

    A computer's secrets are worth as much as this is: nothing public may take its place. Different
    decisions of a match need different numbers.

    >>> thinking_seed(bytes(32), 1, Seat.FIRST) == thinking_seed(bytes(32), 1, Seat.SECOND)
    False
    """
    return int.from_bytes(_derive(seed, f"think{number} {seat}")[:THOUGHT_BYTES], "big")


def _derive(seed: bytes, purpose: str) -> bytes:
    return hmac.digest(seed, purpose.encode("ascii"), "sha256")

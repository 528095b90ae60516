"""Secrets of seats, invitations and bots: made here, kept as digests, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

SECRET_BYTES: Final = 24
"""192 bits; nobody guesses one, so a plain digest is all it takes to keep it."""
ID_BYTES: Final = 9


def new_secret() -> str:
    """Return a fresh secret, fit for the fragment of an address.

    >>> len(new_secret())
    32
    """
    return _new_text(SECRET_BYTES)


def new_id() -> str:
    """Return a fresh id of a match, which nobody comes upon by trying: private ones rely on it."""
    return _new_text(ID_BYTES)


def _new_text(size: int) -> str:
    # One that begins with a dash is taken for an option when it is typed as an argument.
    while (text := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return text


def new_seed() -> str:
    """Return a fresh seed of a match, in hexadecimal."""
    return secrets.token_hex(32)


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def fits(secret: str, kept: str) -> bool:
    """Whether a secret is the one that was kept; an empty digest matches nothing.

    >>> fits("a", digest("a")), fits("a", digest("b")), fits("", "")
    (True, False, False)
    """
    return hmac.compare_digest(digest(secret).encode(), kept.encode())

"""What keeps the server safe from its clients: who is who, limits, headers."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Final

from starlette.types import Scope

CLIENTS: Final = 20_000
"""How many clients' limits are remembered."""

UNKNOWN: Final = "unknown"
"""All whose address is not known are one client."""
_WITH_PORT: Final = re.compile(r"\[([^\]]*)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}")

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
        "worker-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Bucket:
    """A token bucket with a rate per second and a burst. A rate of 0 is no limit.

    >>> bucket = Bucket(1.0, 2, now=0.0)
    >>> [bucket.take(0.0) for _ in range(3)], bucket.take(1.0)
    ([True, True, False], True)
    """

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take one, if there is one."""
        if not self._rate:
            return True
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def wait(self) -> float:
        """Return the seconds until there is one."""
        return max(0.0, (1 - self._left) / self._rate) if self._rate else 0.0


class Rates:
    """A bucket for each client."""

    def __init__(
        self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def check(self, client: str) -> float:
        """Return 0 if the client may go on, else after how many seconds."""
        now = self._clock()
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self._rate, self._burst, now)
            if len(self._buckets) > CLIENTS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return 0.0 if bucket.take(now) else max(0.001, bucket.wait())


def client_of(scope: Scope, proxies: int) -> str:
    """Return what tells clients apart: an IPv4 address, or the first 64 bits of an IPv6 one.

    Behind proxies each of them has added to X-Forwarded-For who asked it, so that the client is as
    many from the right as there are proxies; all to the left may be made up. A request that has
    not come through all of them counts as its sender's on the line.
    """
    if proxies:
        lines = [bytes(value) for name, value in scope["headers"] if name == b"x-forwarded-for"]
        forwarded = b",".join(lines).decode("latin-1").split(",")
        if len(forwarded) >= proxies and (client := network_of(forwarded[-proxies].strip())):
            return client
    address = scope.get("client")
    return network_of(str(address[0])) or UNKNOWN if address else UNKNOWN


def network_of(address: str) -> str | None:
    """Return the network that an address stands for, with or without a port; None if it is none.

    A client with one IPv6 address usually has 2**64 of them.

    >>> [network_of(text) for text in ("203.0.113.7:4711", "[2001:db8::1]:443", "::ffff:1.2.3.4")]
    ['203.0.113.7', '2001:db8::/64', '1.2.3.4']
    """
    with_port = _WITH_PORT.fullmatch(address)
    try:
        known = ip_address((with_port[1] or with_port[2]) if with_port else address)
    except ValueError:
        return None
    if isinstance(known, IPv4Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(IPv6Network((int(known), 64), strict=False))

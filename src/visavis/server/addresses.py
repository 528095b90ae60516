"""Where the server can be reached, on this machine and from others of its network."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.requests import Request

from visavis.server.sites import LOCAL, host_of

_ELSEWHERE: Final = {4: "192.0.2.1", 6: "2001:db8::1"}
"""Addresses of other networks, which stand for all of them; nothing is sent there."""
_LOOPBACK: Final = {4: "127.0.0.1", 6: "::1"}


def url(host: str, port: int) -> str:
    """Return the address of the page at a host.

    >>> url("127.0.0.1", 8000), url("::1", 8000)
    ('http://127.0.0.1:8000', 'http://[::1]:8000')
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def here(host: str, port: int) -> str:
    """Return where a browser on this machine finds a server that listens on a host.

    >>> here("0.0.0.0", 8000), here("play.example.org", 80)
    ('http://127.0.0.1:8000', 'http://play.example.org:80')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return url(host, port)
    return url(_LOOPBACK[address.version] if address.is_unspecified else host, port)


def in_network(bound: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Return where other machines of the network find a server bound to these addresses.

    >>> in_network([("127.0.0.1", 8000), ("192.0.2.5", 8000)])
    ('http://192.0.2.5:8000',)
    """
    found = ((_outward(host), port) for host, port in bound)
    return tuple(dict.fromkeys(url(host, port) for host, port in found if host is not None))


def _outward(host: str) -> str | None:
    """Return the address that others reach a bound one by; None if there is none."""
    address = ip_address(host)
    if not address.is_unspecified:
        return None if address.is_loopback else host
    family = socket.AF_INET6 if isinstance(address, IPv6Address) else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE[address.version], 9))
        except OSError:
            return None
        own = str(probe.getsockname()[0])
    return None if ip_address(own).is_loopback else own


def asks_from_here(request: Request) -> bool:
    """Whether a browser on this machine asks, for a local name: no proxy brings it from outside."""
    client = request.client
    try:
        is_near = client is not None and ip_address(client.host).is_loopback
    except ValueError:
        return False
    return is_near and host_of(request.headers.get("host", "")) in LOCAL

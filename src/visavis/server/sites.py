"""Names that the server goes by, and pages that may talk to it.

A browser sends along which name it asked for (``Host``) and which page asks (``Origin``). A page of
another site can send requests here, and one whose name its owner points at this machine can even
read the answers; neither gets anything.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from visavis.server.errors import Refusal

ANY: Final = "*"
"""Among the allowed hosts: every name is the server's."""
LOCAL: Final = frozenset(("localhost", "127.0.0.1", "::1"))
SAFE: Final = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:/?#@\s]+))(?::[0-9]{1,5})?")


def host_of(text: str) -> str | None:
    """Return the host of a ``Host`` header in canonical form, without its port; None if none is.

    >>> [host_of(text) for text in ("Example.org:8000", "[0::1]:80", "127.0.0.1", "a b", "")]
    ['example.org', '::1', '127.0.0.1', None, None]
    """
    found = _HOST.fullmatch(text)
    if found is None:
        return None
    try:
        return str(ip_address(found[1] or found[2]))
    except ValueError:
        return None if found[1] else found[2].lower().removesuffix(".") or None


def check_host(scope: Scope, allowed: tuple[str, ...]) -> None:
    """Refuse a request for a name that is not the server's.

    Its own are the local ones, the address that the request came in at, and those allowed.
    """
    if ANY in allowed:
        return
    sent = Headers(scope=scope).getlist("host")
    host = host_of(sent[0]) if len(sent) == 1 else None
    at = scope.get("server")
    if host is None or (host not in LOCAL and host not in allowed and host != _plain(at)):
        raise Refusal("bad_host", "this server does not go by that name (see --allowed-host)")


def _plain(at: tuple[str, int | None] | None) -> str | None:
    """Return the address of a socket as a host would be written; an IPv4 one may be mapped."""
    if at is None:
        return None
    try:
        address = ip_address(at[0])
    except ValueError:
        return None
    return str(getattr(address, "ipv4_mapped", None) or address)


def check_site(scope: Scope, allowed: tuple[str, ...]) -> None:
    """Refuse what a page of another site asks for; programs send neither header.

    What changes nothing may come from a link elsewhere, but is not loaded into another site's page.
    """
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is not None and origin in allowed:
        return
    is_safe = scope["type"] == "http" and scope["method"] in SAFE
    is_link = is_safe and headers.get("sec-fetch-mode") == "navigate"
    is_foreign = not is_safe and origin is not None and not _is_own(origin, headers)
    if is_foreign or (headers.get("sec-fetch-site") == "cross-site" and not is_link):
        raise Refusal("bad_origin", "this page may not talk to this server (see --origin)")


def _is_own(origin: str, headers: Headers) -> bool:
    try:
        site = urlsplit(origin).netloc
    except ValueError:
        return False
    return bool(site) and site.lower() == headers.get("host", "").lower()

"""How a setting is given to ``visavis serve``: its name there, its help, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field
from typing import Any, Final

from visavis.rules.errors import VisavisError

Read = Callable[[Any], object]
"""Makes what was typed into the value of a setting, or raises `BadSetting`."""

_KEY: Final = "option"
_ENGINE: Final = re.compile(r"([a-z][a-z0-9-]{0,29})=(.+)")
_TAKEN: Final = ("perfect", "simple")
_ORIGIN: Final = re.compile(r"https?://[^/\s]+")
_UNITS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SPAN: Final = re.compile(r"([0-9]{1,9})(ms|s|m|h|d)")


class BadSetting(VisavisError):
    """A setting that makes no sense."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the command line; typer checks its type and range."""

    help: str
    type: Any
    default: object
    name: str | None
    """The option without its dashes; None if it is has the setting's name."""
    formerly: str | None = None
    """A name that it had, and still goes by."""
    low: float | None = None
    high: float | None = None
    metavar: str | None = None
    from_environment: bool = True
    read: Read | None = None


def option_of(setting: Field[Any]) -> Option | None:
    """Return the option that sets a field of the settings; None if there is none."""
    found = setting.metadata.get(_KEY)
    return found if isinstance(found, Option) else None


def number(
    default: float,
    help: str,
    *,
    name: str | None = None,
    formerly: str | None = None,
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Return a field for a number, whole or not like its default."""
    option = Option(help, type(default), default, name, formerly, low, high)
    return field(default=default, metadata=_known_as(option))


def text(default: str, help: str) -> Any:
    """Return a field for a text that is taken as it is."""
    return field(default=default, metadata=_known_as(Option(help, str, default, None)))


def duration(default: str, help: str, *, name: str | None = None, read: Read | None = None) -> Any:
    """Return a field for a span of time, by default in milliseconds."""
    read = read or span
    option = Option(help, str, default, name, read=read)
    return field(default=read(default), metadata=_known_as(option))


def several(
    read: Read,
    help: str,
    *,
    name: str,
    metavar: str | None = None,
    from_environment: bool = True,
) -> Any:
    """Return a field for an option that can be repeated."""
    option = Option(
        help,
        list[str],
        [],
        name,
        metavar=metavar,
        from_environment=from_environment,
        read=read,
    )
    return field(default=(), metadata=_known_as(option))


def _known_as(option: Option) -> Mapping[str, Option]:
    return {_KEY: option}


def span(text: str) -> int:
    """Read a span of time, in milliseconds.

    >>> span("15m")
    900000
    """
    found = _SPAN.fullmatch(text)
    if found is None:
        raise BadSetting(f"{text!r} is not a time; write 250ms, 5s, 15m, 24h or 3d")
    return int(found[1]) * _UNITS[found[2]]


def seconds(text: str) -> float:
    """Read a span of time, in seconds."""
    return span(text) / 1_000


def read_engines(texts: list[str]) -> tuple[tuple[str, str], ...]:
    """Read names and commands of outside engines, ``name=command`` each."""
    engines: dict[str, str] = {}
    for text in filter(None, map(str.strip, texts)):
        found = _ENGINE.fullmatch(text)
        if found is None:
            raise BadSetting(f"{text!r} is not an engine; write NAME='command'")
        if found[1] in engines or found[1] in _TAKEN:
            raise BadSetting(f"{found[1]!r} is taken; give the engine another name")
        engines[found[1]] = found[2]
    return tuple(engines.items())


def read_origins(texts: list[str]) -> tuple[str, ...]:
    """Read sites, ``https://host`` each."""
    for text in texts:
        if _ORIGIN.fullmatch(text) is None:
            raise BadSetting(f"{text!r} is not a site; write https://host or https://host:port")
    return tuple(texts)


def read_hosts(texts: list[str]) -> tuple[str, ...]:
    """Read names and addresses of hosts, without ports."""
    return tuple(map(read_host, texts))


def read_host(text: str) -> str:
    """Read the name or address of a host and return it in canonical form."""
    from visavis.server.sites import ANY, host_of  # starlette, which other commands do not need

    bare = text.strip("[]")
    host = text if text == ANY else host_of(f"[{bare}]" if ":" in bare else text)
    if host is None:
        raise BadSetting(f"{text!r} is not a host; write a name or an address, without a port")
    return host

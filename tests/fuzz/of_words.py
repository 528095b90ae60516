"""The small readers: clocks, players, engines, the command line, addresses."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from tests.fuzz.target import Target, hold, refusing
from visavis.cli import arguments
from visavis.cli.play import _read_seed
from visavis.engine import players, program, wire
from visavis.rules import game, games
from visavis.rules.errors import VisavisError
from visavis.server.options import BadSetting, read_engines, read_host, read_origins, span
from visavis.server.safety import network_of
from visavis.server.sites import host_of
from visavis.session import ClockSpec
from visavis.session.errors import BadClock


def read_clock(text: str) -> bool:
    try:
        spec = ClockSpec.parse(text)
    except BadClock:
        return False
    hold(ClockSpec.parse(spec.text) == spec, "a clock's text is not that clock")
    return True


def other_targets() -> Iterator[Target]:
    """Return the small readers: clocks, players, engines, the command line, addresses."""
    clocks = ("none", "300+5", "5m+3", "30/move", "3d/move", "600/game+90/move", "1h", "0.5+0")
    yield Target("clock", clocks, read_clock)
    names = ("3", "level:8", "full:200ms", "mcts:1000", "perfect", "simple", "cmd:python a.py")
    yield Target("player", names, refusing(players.parse_player, players.BadPlayer))
    goes = ("go", "go style 3 nodes 500", "go millis 200 threads 2 seed 7", "go depth 9 lines 3")
    yield Target("engine.go", goes, refusing(wire.parse_go, wire.WireError))
    infos = ("info line 1 depth 3 nodes 90 score 0.75 pv take 4; skip", "info score 1 mate -3 pv a")
    yield Target("engine.info", infos, refusing(wire.parse_info))
    named = tuple(program.format_game(game(slug)).removeprefix("game ") for slug in games())
    yield Target("engine.game", named, refusing(program.parse_game, VisavisError))
    options = ("a=b", "field=square6", "fouls=refuse", "x=@/nowhere", "a==b")
    read = refusing(lambda text: arguments.chosen_options([text]), typer.BadParameter)
    yield Target("cli.option", options, read)
    yield Target("cli.seed", ("1f", "ff" * 32, "0"), refusing(_read_seed, typer.BadParameter))
    yield Target("cli.span", ("250ms", "5s", "15m", "24h", "3d"), refusing(span, BadSetting))
    engines = ("mine='python a.py'", "a=b c d")
    read = refusing(lambda text: read_engines([text]), BadSetting)
    yield Target("cli.engine", engines, read)
    sites = ("https://host", "http://host:80", "host", "[::1]", "127.0.0.1", "example.org", "*")
    yield Target("cli.origin", sites, refusing(lambda text: read_origins([text]), BadSetting))
    yield Target("cli.host", sites, refusing(read_host, BadSetting))
    addresses = (
        "203.0.113.7:4711",
        "[2001:db8::1]:443",
        "::ffff:1.2.3.4",
        "10.0.0.1",
        "fe80::1%eth0",
    )
    yield Target("address", addresses, refusing(network_of))
    yield Target("host", ("Example.org:8000", "[0::1]:80", "127.0.0.1", "a b"), refusing(host_of))

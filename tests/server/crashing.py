"""Matches under load while something goes wrong again and again.

``python -m tests.server.crashing`` lets each of these go wrong thirty times, on SQLite with one
process and on PostgreSQL with two, one of them or both at a time:

    kill      a process is killed
    term      a process is asked to end
    stop      a process hangs for some seconds
    database  PostgreSQL is stopped at once, and started again
    disk      nothing more can be written, and then it can again
    clock     the clock on the wall is set by an hour, while all, some or none are up

What must hold: no acknowledged move is lost, none is done twice, every client has seen every number
once and in order; whoever follows a match, the lobby or a bot's matches hears of all that happens
afterwards, a move on another process within two seconds; clocks add up, and the server's time
neither goes back nor gains or loses on real time while it is up.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator

from tests.server.faults.injection import FAULTS
from tests.server.faults.servers import Server, free_ports
from tests.server.faults.trial import Plan, run

__all__ = ["Server", "free_ports"]

ONE_OR_BOTH = ("kill", "term", "stop")
"""Modes that are tried on one of two processes, and then on both."""


def plans(
    modes: list[str], databases: list[str], given: argparse.Namespace
) -> Iterator[tuple[str, Plan]]:
    """Return each run and its name."""
    for database in databases:
        for mode in modes:
            if mode == "database" and database == "sqlite":
                continue
            on_postgres = database == "postgresql"
            for victims in (1, 2) if on_postgres and mode in ONE_OR_BOTH else (1,):
                named = f"{mode} on {database}"
                if on_postgres and mode in ONE_OR_BOTH:
                    named += ", one of two" if victims == 1 else ", both"
                faults = [(mode, victims)] * given.faults
                yield named, Plan(faults, on_postgres, given.pairs, given.moves, given.seed)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mode", choices=["all", *FAULTS], default="all")
    parser.add_argument("--database", choices=["both", "sqlite", "postgresql"], default="both")
    parser.add_argument("--faults", type=int, default=30, help="of each mode")
    parser.add_argument("--pairs", type=int, default=20, help="that play at the same time")
    parser.add_argument("--moves", type=int, default=100, help="acknowledged between two faults")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    modes = list(FAULTS) if given.mode == "all" else [given.mode]
    databases = ["sqlite", "postgresql"] if given.database == "both" else [given.database]
    for named, plan in plans(modes, databases, given):
        print(f"{named}: {asyncio.run(run(plan))}", flush=True)


if __name__ == "__main__":
    main()

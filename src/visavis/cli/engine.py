"""``visavis engine``."""

from __future__ import annotations

import sys
import threading
from typing import Annotated

import typer

from visavis.engine.native import DEFAULT_TABLE_MIB
from visavis.engine.program import Program


def engine(
    table: Annotated[
        int, typer.Option(min=1, max=16_384, help="Memory for positions seen, in MiB.")
    ] = DEFAULT_TABLE_MIB,
) -> None:
    """Speak the engine protocol on standard input and output, for other programs.

    The protocol is described in docs/engine-protocol.md. Try it by hand:

    `printf 'game GAME\\nview first VIEW\\ngo depth 8\\n' | visavis engine`
    """
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    Program(say, table_mib=table).run(sys.stdin)

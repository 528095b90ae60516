"""``visavis engine``."""

from __future__ import annotations

import sys
import threading

from visavis.engine.program import Program


def engine() -> None:
    """Speak the engine protocol on standard input and output, for other programs.

    The protocol is described in docs/engine-protocol.md. Try it by hand:

    `printf 'game osakana\\nview first kmt/1i1/1I1/TMK b -\\ngo depth 8\\n' | visavis engine`
    """
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    Program(say).run(sys.stdin)

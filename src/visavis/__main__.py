"""The command ``visavis``, which is ``python -m visavis`` too."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run the command line.

    Loading it takes a moment, and so does leaving: Ctrl-C then just ends the process, for there is
    nothing to put away. In between, the commands hear it.
    """
    heard = signal.getsignal(signal.SIGINT)
    listens = heard is signal.default_int_handler
    if listens:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from visavis.cli import main as run

    if listens:
        signal.signal(signal.SIGINT, heard)
    code = run()
    if listens:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return code


if __name__ == "__main__":
    sys.exit(main())

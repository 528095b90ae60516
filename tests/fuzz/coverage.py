"""One target, led by coverage: ``python -m tests.fuzz.coverage elements.view -runs=1000000``.

For this Atheris is needed (``pip install --group fuzz``); what follows the target's name are
options of libFuzzer. ``python -m tests.fuzz --only TARGET --text …`` repeats what it comes upon.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["visavis"]):
    from tests.fuzz.targets import all_targets


def main() -> None:
    """Fuzz one target, from the texts that it knows."""
    targets = {target.name: target for target in all_targets()}
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in targets:
        sys.exit(f"the targets are: {', '.join(targets)}")
    target = targets[name]

    def read(data: bytes) -> None:
        target.read(data.decode("utf-8", "replace"))

    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(target.known):
            (Path(folder) / str(number)).write_bytes(text.encode("utf-8", "replace"))
        atheris.Setup([sys.argv[0], *sys.argv[2:], folder], read)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

"""What the pages show is true."""

from __future__ import annotations

import re
from pathlib import Path

from visavis.session import Checked, Record, check

RECORDS = Path(__file__).parents[2] / "docs" / "records.md"


def test_the_example_record_is_canonical_and_holds() -> None:
    page = RECORDS.read_text(encoding="utf-8")
    found = re.search(r"```record\n(.*?)```", page, re.DOTALL)
    assert found is not None
    record = Record.parse(found[1])
    assert record.text == found[1]
    assert check(record) == Checked(moves=5, rolls=0, seals=2, has_seed=True)

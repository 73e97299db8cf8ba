"""Tables of facts in `tests/data`: of records, and of identifiers that other programs have written."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table, with tabs between its columns."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

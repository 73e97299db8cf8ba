"""Real records, each read once: records are values, so what one test has read, another may use."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path

from gammonrules.records import load, referee

loaded = cache(load)
refereed = cache(referee)


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table of facts about records, with tabs between its columns."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

"""Real records, each read once: records are values, so what one test has read, another may use."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path

import pytest

from gammonrules.records import load, loads_all, referee
from gammonrules.records.archive import scanning

loaded = cache(load)
refereed = cache(referee)


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table of facts about records, with tabs between its columns."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def contents_read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is read of the files of archives in this process, from now on, each time that it is."""
    read: list[bytes] = []

    def reading(content: bytes) -> object:
        read.append(content)
        return loads_all(content)

    monkeypatch.setattr(scanning, "read_all", reading)
    return read

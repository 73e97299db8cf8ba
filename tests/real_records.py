"""Real records, each read once: records are values, so what one test has read, another may use."""

from __future__ import annotations

from functools import cache

import pytest

from gammonrules.records import load, loads_all, referee
from gammonrules.records.archive import scanning

loaded = cache(load)
refereed = cache(referee)


def contents_read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is read of the files of archives in this process, from now on, each time that it is."""
    read: list[bytes] = []

    def reading(content: bytes) -> object:
        read.append(content)
        return loads_all(content)

    monkeypatch.setattr(scanning, "read_all", reading)
    return read

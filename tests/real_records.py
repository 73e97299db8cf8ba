"""Real records, each read once: records are values, so what one test has read, another may use."""

from __future__ import annotations

from functools import cache

import attrs
import pytest

from gammonrules.records import Match, load, loads_all, referee
from gammonrules.records.archive import scanning
from gammonrules.records.transcript.matches import with_decoded

loaded = cache(load)
refereed = cache(referee)


def decoded(match: Match) -> Match:
    """The same match with its analyses decoded, which each page of it would do again."""
    return attrs.evolve(match, games=tuple(with_decoded(game, tuple(game.states())) for game in match.games))


def contents_read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is read of the files of archives in this process, from now on, each time that it is."""
    read: list[bytes] = []

    def reading(content: bytes) -> object:
        read.append(content)
        return loads_all(content)

    monkeypatch.setattr(scanning, "read_all", reading)
    return read

"""An arena is the same in any number of processes."""

from __future__ import annotations

import pytest
from test_arena_laws import SHORT

from arena_bots import HITTING, RACER
from bots import wild
from gammonrules import arena


def test_the_same_however_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process and in two, in other blocks, with a map of one's own, and as the beginning of a longer arena."""
    players = {"wild": wild(), "racer": RACER, "hitting": HITTING}
    expected = arena.play(players, games=4, rules=SHORT, workers=1)
    assert len({pairing.interval.mean for pairing in expected.pairings}) == 3
    assert arena.play(players, games=4, rules=SHORT, workers=2) == expected
    assert arena.play(players, games=4, rules=SHORT, workers=map) == expected
    monkeypatch.setattr("gammonrules.arena._schedule.pairs_at_once", lambda first, **_: min(max(1, first), 2))
    longer = arena.play(players, games=6, rules=SHORT, workers=1)
    for few, other in zip(expected.pairings, longer.pairings, strict=True):
        assert few.values == other.values[:2]
    assert arena.play(players, games=4, rules=SHORT, seed=2, workers=1) != expected

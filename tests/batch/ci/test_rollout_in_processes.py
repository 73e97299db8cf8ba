"""Rollouts in several processes."""

from __future__ import annotations

import numpy as np
import pytest

from bear_off_boards import bear_offs, by_pips, rng
from gammonrules import batch


class TestGames:
    def test_processes(self, monkeypatch):
        """They change nothing; nor does what plays the parts."""
        pytest.importorskip("cloudpickle")
        boards, seen = np.concatenate([bear_offs(40, by_pips)] * 20), []

        def run(function, parts):
            for part in parts:
                seen.append(part)
                yield function(part)

        some = [
            batch.rollout(boards, 3, lambda turns, rng: turns.best(rng.random(len(turns.points))), rng=rng(), **ways)
            for ways in ({}, {"workers": 2}, {"workers": run})
        ]
        for result in some[1:]:
            for name in ("mean", "standard_error", "chances"):
                assert getattr(result, name).tobytes() == getattr(some[0], name).tobytes()
        assert len(seen) == 3

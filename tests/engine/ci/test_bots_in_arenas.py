"""A bot may return the play itself: in arenas it is the decision to play it."""

from __future__ import annotations

from typing import Any

import bots
from gammonrules import Rules, arena


def test_in_arenas() -> None:
    settings: dict[str, Any] = {"games": 8, "seed": 1, "workers": 1, "rules": Rules(start="hypergammon")}
    told = arena.play({"a": bots.first, "b": bots.by_chance}, **settings)
    again = arena.play({"a": bots.plain, "b": bots.by_chance}, **settings)
    assert told.pairings[0].values == again.pairings[0].values
    apart = arena.play({"a": bots.plain, "b": bots.by_chance}, **{**settings, "workers": 2})
    assert apart.pairings[0].values == told.pairings[0].values

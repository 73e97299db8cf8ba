"""Hypothesis strategies for the values of the library: positions, plays, match states, whole matches and records.

They need the extra `hypothesis`.
"""

from gammonrules._shared.extras import importing

with importing("Hypothesis", "gammonrules.strategies", "hypothesis"):
    import hypothesis  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules.strategies._game_strategies import events, games, matches
from gammonrules.strategies._position_strategies import (
    PositionKind,
    dice,
    legal_plays,
    moves,
    plays,
    positions,
    reachable_positions,
)
from gammonrules.strategies._record_strategies import chances, cube_analyses, play_analyses, records
from gammonrules.strategies._state_strategies import match_states, rules

__all__ = [
    "PositionKind",
    "chances",
    "cube_analyses",
    "dice",
    "events",
    "games",
    "legal_plays",
    "match_states",
]
__all__ += [
    "matches",
    "moves",
    "play_analyses",
    "plays",
    "positions",
    "reachable_positions",
    "records",
    "rules",
]
__dir__ = __all__.copy

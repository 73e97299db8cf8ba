"""Hypothesis strategies for the values of the library: positions, plays, match states, whole matches and records.

They need the extra `hypothesis`.
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import importing

with importing("Hypothesis", "gammonrules.strategies", "hypothesis"):
    import hypothesis  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules.strategies._chances_strategies import chances
from gammonrules.strategies._event_strategies import events
from gammonrules.strategies._position_strategies import (
    PositionKind,
    dice,
    legal_plays,
    moves,
    plays,
    positions,
    reachable_positions,
)
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

if TYPE_CHECKING:
    from gammonrules.records.strategies import cube_analyses, games, matches, play_analyses, records
else:

    def __getattr__(name: str) -> object:
        """The strategies of records, which the core does without."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from gammonrules.records import strategies  # noqa: PLC0415

        return getattr(strategies, name)


__dir__ = __all__.copy

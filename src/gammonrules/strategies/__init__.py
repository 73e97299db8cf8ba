"""Hypothesis strategies for the values of the library: positions, plays, match states, whole matches and records.

They need the extra `hypothesis`.
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import importing, importing_package

with importing("Hypothesis", "gammonrules.strategies", "hypothesis"):
    import hypothesis  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

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
    from gammonrules.analysis.strategies import chances, cube_analyses, play_analyses
    from gammonrules.records.strategies import games, matches, records
else:

    def __getattr__(name: str) -> object:
        """The strategies of analyses and of records, without which those of rules and positions work too."""
        if name in {"chances", "cube_analyses", "play_analyses"}:
            with importing_package("analysis", f"strategies.{name}"):
                from gammonrules.analysis import strategies  # noqa: PLC0415
        elif name in {"games", "matches", "records"}:
            with importing_package("records", f"strategies.{name}"):
                from gammonrules.records import strategies  # noqa: PLC0415
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(strategies, name)


__dir__ = __all__.copy

"""Positions and plays: the board, legal plays and how they are generated, and plays as text."""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named as _when_named
from gammonrules.board.board_setup import START_NAMES, StartName
from gammonrules.board.moves import Move, MoveLike
from gammonrules.board.position import (
    AmbiguousPlayError,
    Counts,
    IllegalPlayError,
    Outcome,
    Play,
    PlayLike,
    Plays,
    Position,
    TurnTree,
    Win,
)
from gammonrules.board.position_kinds import PositionKind
from gammonrules.board.refusals import IllegalPlayReason

if TYPE_CHECKING:
    from gammonrules.board.perft_counts import PerftCount, perft
else:
    __getattr__ = _when_named(__name__, perft_counts=("PerftCount", "perft"))

__all__ = [
    "START_NAMES",
    "AmbiguousPlayError",
    "Counts",
    "IllegalPlayError",
    "IllegalPlayReason",
    "Move",
    "MoveLike",
]
__all__ += [
    "Outcome",
    "PerftCount",
    "Play",
    "PlayLike",
    "Plays",
    "Position",
    "PositionKind",
    "StartName",
    "TurnTree",
]
__all__ += ["Win", "perft"]
__dir__ = __all__.copy

"""What can stand on a board and where it can go: positions, plays, their texts, and how they are generated."""

from gammonrules.board.counts import PerftCount, perft
from gammonrules.board.position import (
    START_NAMES,
    Counts,
    Move,
    Outcome,
    Play,
    Plays,
    Position,
    StartName,
    Win,
)

__all__ = [
    "START_NAMES",
    "Counts",
    "Move",
    "Outcome",
    "PerftCount",
    "Play",
    "Plays",
    "Position",
    "StartName",
    "Win",
    "perft",
]

"""Positions and plays: the board, legal plays and how they are generated, and plays as text."""

from gammonrules.board.board_setup import START_NAMES, StartName
from gammonrules.board.moves import Move, MoveLike
from gammonrules.board.perft_counts import PerftCount, perft
from gammonrules.board.plays import AmbiguousPlayError, IllegalPlayError, Play, PlayLike, Plays
from gammonrules.board.position import Counts, Outcome, Position, Win
from gammonrules.board.refusals import BrokenRule
from gammonrules.board.turn import TurnTree

__all__ = [
    "START_NAMES",
    "AmbiguousPlayError",
    "BrokenRule",
    "Counts",
    "IllegalPlayError",
    "Move",
    "MoveLike",
    "Outcome",
    "PerftCount",
    "Play",
    "PlayLike",
    "Plays",
    "Position",
    "StartName",
    "TurnTree",
    "Win",
    "perft",
]
__dir__ = __all__.copy

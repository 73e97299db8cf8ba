"""The rules of backgammon: positions, legal plays, the cube, matches and their records.

Examples:
    >>> from gammonrules import Position
    >>> len(Position.start().legal_plays("31"))
    16
"""

from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import (
    AmbiguousPlayError,
    BrokenRule,
    DiceError,
    GammonError,
    IdentifierError,
    IllegalActionError,
    IllegalPlayError,
    MatchStateError,
    MatchStateProblem,
    ParseError,
    PositionError,
    PositionProblem,
    RulesError,
    RulesProblem,
)
from gammonrules.match import (
    Action,
    Cube,
    Double,
    End,
    Event,
    MatchState,
    Phase,
    Player,
    Resignation,
    Result,
)
from gammonrules.movegen import KERNEL
from gammonrules.position import Move, Outcome, Play, Plays, Position, Win
from gammonrules.reading import read
from gammonrules.rules import Rules

__all__ = [
    "KERNEL",
    "ROLLS",
    "Action",
    "AmbiguousPlayError",
    "BrokenRule",
    "Cube",
    "Dice",
    "DiceError",
    "Double",
    "End",
    "Event",
    "GammonError",
    "IdentifierError",
    "IllegalActionError",
    "IllegalPlayError",
    "MatchState",
    "MatchStateError",
    "MatchStateProblem",
    "Move",
    "Outcome",
    "ParseError",
    "Phase",
    "Play",
    "Player",
    "Plays",
    "Position",
    "PositionError",
    "PositionProblem",
    "Resignation",
    "Result",
    "Rules",
    "RulesError",
    "RulesProblem",
    "Win",
    "read",
]

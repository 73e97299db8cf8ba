"""The rules of backgammon: positions, legal plays, the cube, matches and their records.

Examples:
    >>> from gammonrules import Position
    >>> len(Position.start().legal_plays("31"))
    16
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import (
    AmbiguousPlayError,
    BrokenRule,
    DiceError,
    DiceProblem,
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
from gammonrules.rules import MONEY, TOURNAMENT, Rules

__all__ = [
    "KERNEL",
    "MONEY",
    "ROLLS",
    "TOURNAMENT",
    "Action",
    "AmbiguousPlayError",
    "BrokenRule",
    "Cube",
    "Dice",
    "DiceError",
    "DiceProblem",
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
    "draw",
    "read",
    "records",
]


if TYPE_CHECKING:
    from gammonrules import draw, records


def __getattr__(name: str) -> Any:
    """Load `gammonrules.draw` and `gammonrules.records` at their first use."""
    if name in {"draw", "records"}:
        return import_module(f"gammonrules.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

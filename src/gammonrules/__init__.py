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
    IdentifierWarning,
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
    "IdentifierWarning",
    "IllegalActionError",
    "IllegalPlayError",
    "MatchState",
    "MatchStateError",
    "MatchStateProblem",
    "Move",
    "Outcome",
    "ParseError",
    "PerftCount",
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
    "lost_in_gnubg_id",
    "lost_in_xgid",
    "perft",
    "read",
    "records",
]


if TYPE_CHECKING:
    from gammonrules import draw, records
    from gammonrules._perft import PerftCount, perft
    from gammonrules.identifiers import lost_in_gnubg_id, lost_in_xgid, read

_ROOMS = frozenset({"draw", "identifiers", "json", "records", "strategies"})
_LATER = {
    "PerftCount": "_perft",
    "lost_in_gnubg_id": "identifiers",
    "lost_in_xgid": "identifiers",
    "perft": "_perft",
    "read": "identifiers",
}


def __getattr__(name: str) -> Any:
    """Load what not every program needs at its first use."""
    if name in _ROOMS:
        return import_module(f"gammonrules.{name}")
    if name in _LATER:
        return getattr(import_module(f"gammonrules.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

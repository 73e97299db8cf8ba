"""The rules of backgammon: positions, legal plays, the cube, matches and their records.

Examples:
    >>> from gammonrules import Position
    >>> len(Position.start().legal_plays("31"))
    16
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gammonrules import draw, records
    from gammonrules._perft import PerftCount, perft
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
    from gammonrules.identifiers import lost_in_gnubg_id, lost_in_xgid, read
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

_ROOMS = frozenset(
    {"batch", "dice", "draw", "errors", "identifiers", "json", "match", "position", "records", "rules", "strategies"}
)
_NAMES = {
    "dice": ("ROLLS", "Dice"),
    "errors": (
        "AmbiguousPlayError",
        "BrokenRule",
        "DiceError",
        "DiceProblem",
        "GammonError",
        "IdentifierError",
        "IdentifierWarning",
        "IllegalActionError",
        "IllegalPlayError",
        "MatchStateError",
        "MatchStateProblem",
        "ParseError",
        "PositionError",
        "PositionProblem",
        "RulesError",
        "RulesProblem",
    ),
    "identifiers": ("lost_in_gnubg_id", "lost_in_xgid", "read"),
    "match": (
        "Action",
        "Cube",
        "Double",
        "End",
        "Event",
        "MatchState",
        "Phase",
        "Player",
        "Resignation",
        "Result",
    ),
    "_perft": ("PerftCount", "perft"),
    "movegen": ("KERNEL",),
    "position": ("Move", "Outcome", "Play", "Plays", "Position", "Win"),
    "rules": ("MONEY", "TOURNAMENT", "Rules"),
}
_ROOM_OF_NAME = {name: room for room, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a room when it is first named, or something in it: what a program does not use costs it no time."""
    if name in _ROOMS:
        return import_module(f"gammonrules.{name}")
    if name in _ROOM_OF_NAME:
        value = getattr(import_module(f"gammonrules.{_ROOM_OF_NAME[name]}"), name)
        globals()[name] = value  # found without this function from now on
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})

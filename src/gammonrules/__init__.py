"""The rules of backgammon: positions, legal plays, the cube, matches and their records.

The core is `board`, `match`, `rules`, `dice`, `values`, `errors` and `limits`. Read `board/pure.py` (the plays of a
roll), `match/state.py` (a match in progress) and `tests/test_laws.py` (the proof); everything else uses them.

Examples:
    >>> from gammonrules import Position
    >>> len(Position.start().legal_plays("31"))
    16
"""

import typing as _typing
from types import ModuleType as _ModuleType

from gammonrules._shared.extras import when_named as _when_named
from gammonrules.board import (
    AmbiguousPlayError as AmbiguousPlayError,
    IllegalPlayError as IllegalPlayError,
    IllegalPlayReason as IllegalPlayReason,
    Move as Move,
    Outcome as Outcome,
    Play as Play,
    Plays as Plays,
    Position as Position,
    PositionKind as PositionKind,
    Win as Win,
)
from gammonrules.board.generator import KERNEL as KERNEL
from gammonrules.dice import OPENING_ROLLS as OPENING_ROLLS, ROLLS as ROLLS, Dice as Dice
from gammonrules.errors import (
    ArgumentError as ArgumentError,
    DiceError as DiceError,
    DiceProblem as DiceProblem,
    GammonError as GammonError,
    IdentifierError as IdentifierError,
    IdentifierWarning as IdentifierWarning,
    IllegalActionError as IllegalActionError,
    IllegalActionReason as IllegalActionReason,
    MatchStateError as MatchStateError,
    MatchStateProblem as MatchStateProblem,
    ParseError as ParseError,
    PositionError as PositionError,
    PositionProblem as PositionProblem,
    RulesError as RulesError,
    RulesProblem as RulesProblem,
)
from gammonrules.match import (
    TO_ACT as TO_ACT,
    Action as Action,
    Cube as Cube,
    Double as Double,
    End as End,
    Event as Event,
    Forfeit as Forfeit,
    MatchState as MatchState,
    Phase as Phase,
    Player as Player,
    RecordEvent as RecordEvent,
    Resignation as Resignation,
    Result as Result,
    SetPosition as SetPosition,
)
from gammonrules.rules import MONEY as MONEY, TOURNAMENT as TOURNAMENT, Rules as Rules

__version__ = "0.1.0"

# A traceback names an error as it is imported: `gammonrules.IllegalPlayError`.
for _value in [*globals().values()]:
    if isinstance(_value, type) and issubclass(_value, Exception):
        _value.__module__ = __name__

# Modules that most programs do not use, or that need an extra, are imported when first named. Type checkers must not
# see `__getattr__`, since they would then accept every misspelled name as Any.
if _typing.TYPE_CHECKING:
    from gammonrules import (
        analysis as analysis,
        arena as arena,
        batch as batch,
        bearoff as bearoff,
        conformance as conformance,
        draw as draw,
        engine as engine,
        environments as environments,
        equity as equity,
        hypergammon as hypergammon,
        identifiers as identifiers,
        json as json,
        notebook as notebook,
        records as records,
        strategies as strategies,
    )
else:
    __all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
        name
        for name, value in globals().items()
        if not name.startswith("_") and not isinstance(value, _ModuleType)
    ]
    _WHEN_USED = (
        *("analysis", "arena", "batch", "bearoff", "conformance", "draw", "engine"),
        *("environments", "equity", "hypergammon", "identifiers", "json", "notebook", "records"),
        "strategies",
    )
    __getattr__ = _when_named(__name__, *_WHEN_USED)

    def __dir__() -> list[str]:
        return [*__all__, "__version__", "board", "dice", "errors", "match", "rules", *_WHEN_USED]

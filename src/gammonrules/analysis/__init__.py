"""How an engine evaluates a decision: the analysis of a play or of a double, the five chances and the search level.

`gammonrules.records` exports these names too, and `gammonrules.equity` exports `Chances`. `gammonrules.engine` returns
such values, and `Decision.analysis` in a match record is one of them.

Examples:
    >>> from gammonrules.analysis import CubeAnalysis, Level
    >>> analysis = CubeAnalysis(no_double=0.8, double_take=1.25, level="2-ply")
    >>> analysis.best, analysis.best_answer, analysis.level == Level.read("2-ply")
    (<Action.DOUBLE: 'double'>, <Action.DROP: 'drop'>, True)
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named as _when_named

__all__ = [
    "Analysis",
    "Candidate",
    "Chances",
    "ChancesLike",
    "CubeAnalysis",
    "Level",
    "PlayAnalysis",
]
__dir__ = __all__.copy

if TYPE_CHECKING:
    from gammonrules.analysis.analyses import Analysis, Candidate, CubeAnalysis, PlayAnalysis
    from gammonrules.analysis.chances import Chances, ChancesLike
    from gammonrules.analysis.levels import Level
else:
    # match equity tables and arrays need chances, and load no more
    __getattr__ = _when_named(
        __name__,
        analyses=("Analysis", "Candidate", "CubeAnalysis", "PlayAnalysis"),
        chances=("Chances", "ChancesLike"),
        levels=("Level",),
    )

"""Bear-offs solved: exact tables of the rolls that a side needs, and of what a race of both sides is worth.

They need NumPy (extra `numpy`) and are computed when you ask for them, in seconds, from the legal plays alone.

Examples:
    >>> from gammonrules import Position, bearoff
    >>> table = bearoff.one_sided(checkers=4)
    >>> mine, theirs = {6: 2, 4: 1, "off": 12}, {1: 4, "off": 11}
    >>> position = Position.of(mine=mine, theirs=theirs)
    >>> round(table[position].epc, 2)
    21.81
"""

from gammonrules._shared.extras import importing

with importing("NumPy", "gammonrules.bearoff", "numpy"):
    import numpy as np  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules.bearoff._coverage import NotInTableError
from gammonrules.bearoff._make import one_sided, open, two_sided  # noqa: A004
from gammonrules.bearoff._one_sided import OneSided, RollDistribution
from gammonrules.bearoff._solved_race import NotSolvedError, SolvedRace, solve
from gammonrules.bearoff._two_sided import Equities, TwoSided, Verdict

__all__ = [
    "Equities",
    "NotInTableError",
    "NotSolvedError",
    "OneSided",
    "RollDistribution",
    "SolvedRace",
    "TwoSided",
    "Verdict",
]
__all__ += ["one_sided", "open", "solve", "two_sided"]
__dir__ = __all__.copy

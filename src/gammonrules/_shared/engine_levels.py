"""The levels of engines unless another one is chosen, the same everywhere; and the strengths of players who err."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

USUAL_LEVEL: Final = 2
"""A match to 7 takes bgsage 40 s of a processor, 15 s at level 1; level 3 takes minutes (`benchmarks/analyses.py`)."""
RACE_PLAYS: Final = 3
RACE_CUBES: Final = 4
"""Of bgsage in races that are not solved: what measures best against exact values (`benchmarks/races.py`)."""
CLOSE_DOUBLE: Final = 0.1
"""Where the verdict of bgsage on a double in contact is closer, the next level mends it (`benchmarks/doubles.py`)."""
TEMPERATURES: Final[Mapping[str, float]] = {
    "beginner": 0.08,
    "casual": 0.05,
    "club": 0.03,
    "strong": 0.0,
}
"""How much a player of a strength errs, by `engine/_strengths.py`, the weakest first."""

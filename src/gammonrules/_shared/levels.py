"""How deep engines look unless another level is chosen: the same everywhere, so that all judge alike."""

from __future__ import annotations

from typing import Final

USUAL_LEVEL: Final = 2
"""A match to 7 takes bgsage 40 s of a processor, 15 s at level 1; level 3 takes minutes (`benchmarks/analyses.py`)."""
RACE_LEVEL: Final = 3
"""Of bgsage in races that are not solved: level 2 misjudges them (`benchmarks/races.py`)."""

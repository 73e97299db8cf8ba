"""Bots and engines play each other, for a result with an interval that can be believed (extra `arena`)."""

from gammonrules._shared.extras import importing

with importing("NumPy", "gammonrules.arena", "arena"):
    import numpy as np  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules.arena._intervals import Interval
from gammonrules.arena._losses import Loss
from gammonrules.arena._players import EngineMaker
from gammonrules.arena._policies import Policy
from gammonrules.arena._results import Pairing, Results
from gammonrules.arena._run import Running, play

__all__ = ["EngineMaker", "Interval", "Loss", "Pairing", "Policy", "Results", "Running", "play"]
__dir__ = __all__.copy

"""Bots and engines play each other, for a result with an interval that can be believed (extra `arena`)."""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import importing, when_named as _when_named

with importing("NumPy", "gammonrules.arena", "arena"):
    import numpy as np  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules.arena._intervals import Interval
from gammonrules.arena._losses import Loss
from gammonrules.arena._options import Options
from gammonrules.arena._players import EnginePlayer
from gammonrules.arena._policies import Policy
from gammonrules.arena._progress import Progress
from gammonrules.arena._results import Pairing, Results
from gammonrules.arena._run import play

if TYPE_CHECKING:
    from gammonrules.arena._bench import BenchAnswer, BenchLosses, BenchResults, bench
    from gammonrules.arena._mean_losses import MeanLoss
else:
    # It needs the extra `json`, too.
    __getattr__ = _when_named(
        __name__,
        _bench=("BenchAnswer", "BenchLosses", "BenchResults", "bench"),
        _mean_losses=("MeanLoss",),
    )

__all__ = [
    "BenchAnswer",
    "BenchLosses",
    "BenchResults",
    "EnginePlayer",
    "Interval",
    "Loss",
    "MeanLoss",
    "Options",
    "Pairing",
    "Policy",
    "Results",
]
__all__ += ["Progress", "bench", "play"]
__dir__ = __all__.copy

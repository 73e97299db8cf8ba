"""`Rollout`: how positions are played out."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from gammonrules.values import Bounds, Checked


@frozen
class Rollout(Checked):
    """How an engine rolls out: it plays games from a position on, and takes the mean of what they bring.

    The standard error is the engine's own.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        trials: how many games for each play and each cube, from 36 to 100,000: of fewer, not every first throw would
            come up, and no error can be told.
        truncate: after how many turns a game is evaluated instead of played on, up to 1,000; 0 (the default) for never.
        seed: what the dice are made from.
        plays: how many of the plays that seem best are rolled out, at most, beside those that are asked for by name; 5
            by default. bgsage rolls out at least two.

    Raises:
        ArgumentError: an attribute is not a whole number, or out of bounds.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import Rollout, SimpleEngine
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> with SimpleEngine.bgsage(rollout=Rollout(36, truncate=2)) as bgsage:
        ...     best = bgsage.candidates(state, 1)[0]
        >>> best.play, 0 < best.standard_error < 0.1, best.level
        ('8/5 6/5', True, 'rollout, 36 trials of 1-ply, truncated at 2, seed 1')
    """

    trials: Annotated[int, Bounds(36, 100_000)] = 1296
    truncate: Annotated[int, Bounds(0, 1_000)] = 0
    seed: Annotated[int, Bounds(0, (1 << 31) - 1)] = 1
    plays: Annotated[int, Bounds(1, 100)] = 5

    def level(self, depth: int) -> str:
        """What its numbers are called if each decision of a game is made at this level."""
        truncated = f", truncated at {self.truncate}" if self.truncate else ""
        return f"rollout, {self.trials} trials of {depth}-ply{truncated}, seed {self.seed}"

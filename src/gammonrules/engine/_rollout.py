"""`Rollout`: how positions are played out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal

from attrs import frozen

from gammonrules._shared.checked_fields import Bounds, Checked, wrong_fields
from gammonrules.analysis import Level
from gammonrules.analysis.internals import rollout_level

TRIALS: Final = 36
"""How many an engine is asked for at once, if there is `until`."""

_TRIALS_BEFORE_FIRST_LOOK: Final = 4 * TRIALS


@frozen
class Rollout(Checked):
    """How an engine rolls out: it plays games from a position on, and takes the mean of what they bring.

    The standard error is the engine's own.

    With `until`, it rolls out in chunks of 36 trials, the first throw of each being each of the 36, with the seeds
    `seed`, `seed` + 1, and so on. All plays, or both sides of a cube, have the same dice in a chunk. No engine states
    the error of a difference between two of them, so it is that of the mean over the chunks, as the difference scatters
    from one to the next; and so are the standard errors then. It looks after 4, 8, 16, ... chunks: at the k-th look it
    ends if an error of that size has at most the probability a / (k (k + 1)), by Student's t. Over all looks these add
    up to a, however many there are. (Error spending, as of Lan and DeMets, "Discrete sequential boundaries for
    clinical trials", Biometrika 70, 1983; to stop when something is so many standard errors ahead, which is looked at
    again and again, is wrong far more often than one look is.) What chunks do not show, such as a throw that is rare
    and costs much, no such rule knows.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        trials: how many games for each play and each cube, from 36 to 100,000, at most if `until` is given: of fewer,
            not every first throw would come up, and no error can be told.
        truncate: after how many turns a game is evaluated instead of played on, up to 1,000; 0 (the default) for never.
        seed: what the dice are made from.
        plays: how many of the plays that seem best are rolled out, at most, beside those that are asked for by name; 5
            by default. bgsage rolls out at least two.
        until: ends it early, after 144, 288, 576, ... trials. A number of points, from 0.0001 to 10: as soon as the
            95% interval of the difference of the best play from each other one, or of doubling from rolling and of
            taking from dropping, is no wider to either side; of a position alone, that of its equity. "decided": as
            soon as it is clear which play is the best, or whether to double and to take, or of a position alone who is
            better off, so that this is wrong in at most 5% of rollouts. None (the default): never.

    Raises:
        ArgumentError: an attribute is of another kind, or out of bounds.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import Rollout, SimpleEngine
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> with SimpleEngine.bgsage(rollout=Rollout(36, truncate=2)) as bgsage:
        ...     best = bgsage.candidates(state, 1)[0]
        >>> best.play, 0 < best.standard_error < 0.1
        ('8/5 6/5', True)
        >>> print(best.level)
        rollout, 36 trials of 1-ply, truncated at 2, seed 1
    """

    trials: Annotated[int, Bounds(36, 100_000)] = 1296
    truncate: Annotated[int, Bounds(0, 1_000)] = 0
    seed: Annotated[int, Bounds(0, (1 << 31) - 1)] = 1
    plays: Annotated[int, Bounds(1, 100)] = 5
    until: Annotated[float, Bounds(0.0001, 10)] | Literal["decided"] | None = None

    def _problems(self) -> Iterator[str]:
        wrong = wrong_fields(self)
        yield from wrong
        if wrong or self.until is None:
            return
        if self.trials < _TRIALS_BEFORE_FIRST_LOOK:
            yield f"until looks after {_TRIALS_BEFORE_FIRST_LOOK} trials first, more than {self.trials}"


def level_of_rollout(rollout: Rollout, depth: int) -> Level:
    """The level of a rollout in which each decision of a game is made at this depth."""
    return rollout_level(
        rollout.trials,
        depth=depth,
        truncate=rollout.truncate,
        until=rollout.until,
        seed=rollout.seed,
    )


def trials_at_once(rollout: Rollout) -> int:
    """The number of trials asked for at once: all, or those of a chunk, after which it may be clear."""
    return rollout.trials if rollout.until is None else TRIALS

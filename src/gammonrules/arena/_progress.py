"""`Progress`: an arena while it is played."""

from __future__ import annotations

from attrs import define

from gammonrules.arena._intervals import ArenaUntil, Interval
from gammonrules.arena._results import Results
from gammonrules.arena._roster import Roster
from gammonrules.arena._tallies import PairingTally
from gammonrules.arena._work_units import Plan


@define(eq=False)
class Progress:
    """An arena while it is played; `arena.play` passes it to `progress`.

    *Equality*: identity.
    """

    _plan: Plan
    _pairs: int
    _until: ArenaUntil
    _tallies: list[PairingTally]
    _roster: Roster

    @property
    def _pairings(self) -> list[PairingTally]:
        """The pairings of players who have not left."""
        return [tally for tally in self._tallies if not tally.has_left]

    @property
    def finished(self) -> int:
        """How many games have been played."""
        return 2 * sum(len(tally.values) for tally in self._pairings)

    @property
    def total(self) -> int:
        """How many games there are to be, unless `until` ends more pairings early.

        In "ranked", which gives out time, as if all took equally long.
        """
        pairs = 0
        for tally in self._pairings:
            pairs += len(tally.values) if tally.is_over else self._pairs
        return max(2 * pairs, self.finished)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The result of each pairing so far, with how far it can be trusted."""
        return tuple(tally.interval for tally in self._pairings)

    def results(self) -> Results:
        """The results of the games so far, with all values."""
        plan = self._plan
        return Results(
            tuple(plan.names[number] for number in self._roster.present),
            length=plan.length,
            seed=plan.seed,
            pairings=tuple(tally.pairing(plan.names) for tally in self._pairings),
            until=self._until,
            dropped=self._roster.reasons,
        )

"""What the games of each two players have brought so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf
from typing import Final

from attrs import define, field

from gammonrules._shared.debug_checks import RECHECK
from gammonrules.arena._intervals import ArenaUntil, Interval, Scores
from gammonrules.arena._losses import Loss
from gammonrules.arena._players import Entrant, may_remember
from gammonrules.arena._policies import Policy
from gammonrules.arena._results import Pairing
from gammonrules.arena._saved_games import PlainPairs
from gammonrules.arena._work_units import BlockResults, Values
from gammonrules.match import MatchState
from gammonrules.match.internals import CENTERED, highest_win, win_points

_MAX_PIPS: Final = 15 * 25


@define(eq=False)
class PairingTally:
    """The results of two players so far.

    Attributes:
        player: the number of the first of them.
        opponent: the number of the second.
        are_policies: whether both are policies, which play many pairs at once.
        have_program: whether one is a program, which is started anew where it would meet the same dice again.
        until: by what rule the pairing may end early.
        values: of each pair of games, in their order.
        seconds: how long they took.
        has_left: whether one of the two has left, so that these games count no longer.
    """

    player: int
    opponent: int
    are_policies: bool
    have_program: bool
    until: ArenaUntil
    _scores: Scores
    values: list[Values] = field(factory=list, init=False)
    seconds: float = field(default=0, init=False)
    _losses: tuple[Loss, Loss] | None = field(default=None, init=False)
    _forfeits: tuple[int, int] = field(default=(0, 0), init=False)
    has_left: bool = field(default=False, init=False)

    @property
    def is_over(self) -> bool:
        """Whether the pairing ends early, after the pairs so far."""
        return self.has_left or self._scores.is_enough(self.until)

    @property
    def interval(self) -> Interval:
        """The result so far, with how far it can be trusted."""
        return self._scores.interval(self.until)

    def add(self, played: BlockResults) -> None:
        """Count a block, which begins with the pair after those that were counted."""
        if RECHECK:
            assert played.block.first == len(self.values), played.block
            assert played.block.number == len(played.values), played.block
        self._scores.seen.update(played.values)
        self.values += played.values
        self.seconds += played.seconds
        if played.losses is not None:
            first, second = self._losses or (Loss(), Loss())
            self._losses = (first + played.losses[0], second + played.losses[1])
        forfeits, of_opponent = played.forfeits
        self._forfeits = (self._forfeits[0] + forfeits, self._forfeits[1] + of_opponent)

    def add_plain_pairs(self, pairs: PlainPairs) -> None:
        """Count pairs of which nothing else is known, the next ones."""
        self._scores.seen.update(pairs.values.values())
        self.values += pairs.values.values()
        for seconds in pairs.seconds.values():  # one by one, for exactly the sum of the first run
            self.seconds += seconds

    def pairing(self, names: Sequence[str]) -> Pairing:
        """The result as users see it, of the players with these names."""
        return Pairing(
            (names[self.player], names[self.opponent]),
            interval=self.interval,
            variance_ratio=self._scores.variance_ratio,
            losses=self._losses,
            seconds=self.seconds,
            forfeits=self._forfeits,
            values=tuple(self.values),
        )


def empty_tallies(
    players: Sequence[Entrant | None], present: Sequence[int], start: MatchState, until: ArenaUntil
) -> list[PairingTally]:
    """A tally for each pairing of the players whose numbers are `present`."""
    # what equal players get on average, and how far from that a result may be
    if start.length is None:
        even = 0.0
        limit = _most_points_of_game(start)
    else:  # 0 or 1 for a match
        even = 0.5
        limit = 0.5
    tallies = list[PairingTally]()
    for first, second in combinations(present, 2):
        player = players[first]
        opponent = players[second]
        are_policies = isinstance(player, Policy) and isinstance(opponent, Policy)
        scores = Scores(even, limit, are_same=player is opponent)
        have_program = any(map(may_remember, (player, opponent)))
        tallies.append(PairingTally(first, second, are_policies, have_program, until, scores))
    return tallies


def _most_points_of_game(start: MatchState) -> float:
    """The most points of a money game; infinite with a cube, which has no limit that matters."""
    rules = start.rules
    if rules.cube:
        return inf
    win = highest_win(rules, None, CENTERED)
    points: int = win_points(rules, cube=1, win=win, loser_pips=_MAX_PIPS)
    return points

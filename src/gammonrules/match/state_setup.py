"""`Setup`, the unchecked fields of a match state, which `checks` validates before a `MatchState` is made."""

from __future__ import annotations

from typing import Annotated

import attrs
from attrs import field

from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.limits import MOST_POINTS
from gammonrules.match import scoring
from gammonrules.match.cube import Cube, Double, Resignation
from gammonrules.match.players import Pair, Player, to_player_or_none
from gammonrules.match.results import Result
from gammonrules.problems import Bounds
from gammonrules.rules import Rules


@attrs.define(eq=False, repr=False)
class Setup:
    """The fields of a match state, not yet checked. If `crawford` is None, the score decides it."""

    position: Position
    on_roll: Player | None = field(converter=to_player_or_none)
    dice: Dice | None
    cube: Cube
    offer: Double | Resignation | None
    score: Pair[int]
    length: Annotated[int, Bounds(1, MOST_POINTS)] | None
    crawford: bool | None
    rules: Rules
    result: Result | None

    @property
    def score_before(self) -> Pair[int]:
        """See `MatchState.score_before`."""
        return scoring.before(self.score, self.result)

    @property
    def pending_double(self) -> Double | None:
        """See `MatchState.pending_double`."""
        return self.offer.double if isinstance(self.offer, Resignation) else self.offer

    def find_crawford(self) -> None:
        """If `crawford` is None, find out from the score whether this is the Crawford game."""
        if self.crawford is None:
            self.crawford = scoring.crawford_if_first(self.rules, self.length, self.score_before)

    def pips_of(self, player: Player) -> int:
        """The pip count of a player; before the opening roll, the board is seen by White."""
        seen_by = self.on_roll or Player.WHITE
        return self.position.pip_count if player is seen_by else self.position.opponent_pip_count

"""What players lose by decisions whose worth an exact table knows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, cast

from attrs import frozen

from gammonrules._shared.disk_files import path_text
from gammonrules.errors import ArgumentError
from gammonrules.limits import LARGEST_JSON_NUMBER
from gammonrules.match import MatchState, Player
from gammonrules.match.internals import place_for
from gammonrules.records.transcript import Decision, DecisionKind, Match
from gammonrules.rules import unknown_options
from gammonrules.values import Bounds, Checked, shown

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.bearoff import Equities, TwoSided
    from gammonrules.dice import Dice

_Cube: TypeAlias = Literal["none", "centered", "owned", "opponent_owns"]


@frozen
class Loss(Checked):
    """What a player lost, compared with perfect play.

    *Equality*: two are equal if both numbers are.

    Attributes:
        decisions: how many decisions with a choice the table knows.
        equity: what they lost in all, in points per unit of the cube.

    Raises:
        ArgumentError: an attribute is not a number from 0 up.
    """

    decisions: Annotated[int, Bounds(0, LARGEST_JSON_NUMBER)] = 0
    equity: Annotated[float, Bounds(0)] = 0.0

    @property
    def rate(self) -> float | None:
        """The equity lost per decision; None without a decision."""
        return self.equity / self.decisions if self.decisions else None

    def __add__(self, other: Loss) -> Loss:
        return Loss(self.decisions + other.decisions, self.equity + other.equity)


def table_of(table: object) -> TwoSided | None:
    """A table, from one or from the path of its file. Raises ArgumentError, ParseError and OSError."""
    if table is None:
        return None
    from gammonrules import bearoff  # noqa: PLC0415

    opened = (
        table
        if isinstance(table, (bearoff.OneSided, bearoff.TwoSided))
        else bearoff.open(path_text(table))
    )
    if not isinstance(opened, bearoff.TwoSided):
        raise ArgumentError(
            f"table must be a two-sided one: {shown(opened, 60)} is not exact about both sides"
        )
    return opened


def losses_in(
    matches: Sequence[Match], table: TwoSided, seats: Sequence[int] = (0, 1)
) -> tuple[Loss, Loss]:
    """What both players lost in matches in which the first player has these seats in turn: 0 for White."""
    totals = [Loss(), Loss()]
    for seat, match in zip(cycle(seats), matches, strict=False):
        for decision in match.decisions():
            lost = _lost_by(decision, table)
            if lost is not None:
                totals[(decision.player is Player.WHITE) == bool(seat)] += Loss(1, lost)
    return totals[0], totals[1]


def _lost_by(decision: Decision, table: TwoSided) -> float | None:
    """What a decision lost; None if there was no choice, or the table does not know."""
    state = decision.state
    position = decision.state.position
    cube = _place_of_cube(state)
    if cube is None or decision.is_forced or position not in table:
        return None
    if decision.kind is DecisionKind.PLAY:
        plays = table.plays(position, cast("Dice", state.dice), cube)
        made = next(equity for play, equity in plays if play.position == decision.after.position)
        return plays[0][1] - made
    double = state.pending_double
    if decision.kind is DecisionKind.DOUBLE:
        at = table[position]
        rolling = at.owned if cube == "owned" else at.centered
        doubling = _worth_doubled(at)
        return max(rolling, doubling) - (doubling if decision.action == "double" else rolling)
    if (
        decision.kind is DecisionKind.ANSWER
        and double
        and not double.beavers
        and decision.action != "beaver"
    ):
        at = table[position]
        return (2 * at.opponent_owns if decision.action == "take" else 1.0) - _worth_doubled(at)
    return None


def _worth_doubled(at: Equities) -> float:
    return min(2 * at.opponent_owns, 1.0)


_KNOWN = {
    *("crawford", "jacoby", "beavers", "auto_doubles", "opening", "start"),
    *("cube", "gammons", "backgammons"),
}
"""The options with which a table is exact, whatever they are."""


def _place_of_cube(state: MatchState) -> _Cube | None:
    """Where the cube is for the player on roll; None where points are not those of the table, as in matches."""
    unknown = set(unknown_options(state.rules, _KNOWN))
    # any win is enough, and nobody may double
    is_last = state.away is not None and state.cube.value >= max(state.away)
    if is_last or not state.rules.cube:
        return "none" if (is_last or state.length is None) and unknown <= {"max_cube"} else None
    if unknown or state.length is not None:
        return None
    return place_for(state.cube, state.on_roll)

"""What players lose by decisions whose worth an exact table knows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from attrs import frozen

from gammonrules._shared.checked_fields import Bounds, Checked
from gammonrules._shared.disk_files import path_text
from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_JSON_NUMBER
from gammonrules.match import MatchState, Player
from gammonrules.match.internals import place_for
from gammonrules.rules import unknown_options
from gammonrules.values import shown

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.bearoff import TwoSided
    from gammonrules.records.transcript import Decision, Match

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

    decisions: Annotated[int, Bounds(0, MAX_JSON_NUMBER)] = 0
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

    if not isinstance(table, (bearoff.OneSided, bearoff.TwoSided)):
        table = bearoff.open(path_text(table))
    if not isinstance(table, bearoff.TwoSided):
        raise ArgumentError(
            f"table must be a two-sided one: {shown(table, 60)} is not exact about both sides"
        )
    return table


def losses_in(
    matches: Sequence[Match], table: TwoSided, seats: Sequence[int] = (0, 1)
) -> tuple[Loss, Loss]:
    """The losses of the first and the second player of a pairing.

    From match to match the first one changes between these seats, of which 0 is White.
    """
    first_loss = Loss()
    second_loss = Loss()
    for seat, match in zip(cycle(seats), matches, strict=False):
        color_of_first = Player.WHITE if seat == 0 else Player.BLACK
        for decision in match.decisions():
            equity = _equity_lost_by(decision, table)
            if equity is None:
                continue
            if decision.player is color_of_first:
                first_loss += Loss(1, equity)
            else:
                second_loss += Loss(1, equity)
    return first_loss, second_loss


def _equity_lost_by(decision: Decision, table: TwoSided) -> float | None:
    """The loss of a decision, 0 or more, per unit of the cube; None without a choice, or if the table does not know."""
    from gammonrules.records.transcript import DecisionKind  # noqa: PLC0415 - you can remove records

    state = decision.state
    cube = _place_of_cube(state)
    if cube is None or decision.is_forced or state.position not in table:
        return None
    if decision.kind is DecisionKind.PLAY:
        return _lost_by_play(decision, table, cube)
    # equities as the player sees them who may double, or has doubled
    equities = table[state.position]
    taken = 2 * equities.opponent_owns
    dropped = 1.0
    doubled = min(taken, dropped)  # after the best answer
    if decision.kind is DecisionKind.DOUBLE:
        rolling = equities.owned if cube == "owned" else equities.centered
        chosen = doubled if decision.action == "double" else rolling
        return max(rolling, doubled) - chosen
    double = state.pending_double
    if decision.kind is not DecisionKind.ANSWER or double is None:
        return None
    if double.beavers or decision.action == "beaver":  # of beavers the table knows nothing
        return None
    answered = taken if decision.action == "take" else dropped
    return answered - doubled  # the doubler gains what the answerer loses


def _lost_by_play(decision: Decision, table: TwoSided, cube: _Cube) -> float:
    state = decision.state
    assert state.dice is not None
    plays = table.plays(state.position, state.dice, cube)
    equities = {play.position: equity for play, equity in plays}
    return max(equities.values()) - equities[decision.after.position]


_KNOWN = {
    "crawford",
    "jacoby",
    "beavers",
    "auto_doubles",
    "opening",
    "start",
    "cube",
    "gammons",
    "backgammons",
}
"""The options with which a table is exact, whatever they are."""


def _place_of_cube(state: MatchState) -> _Cube | None:
    """The place of the cube for the player on roll; None where points are not those of the table, as in matches."""
    unknown = set(unknown_options(state.rules, _KNOWN))
    is_money = state.length is None
    any_win_decides = state.away is not None and state.cube.value >= max(state.away)
    nobody_doubles = any_win_decides or not state.rules.cube
    if nobody_doubles:
        unknown.discard("max_cube")  # a limit of a cube that nobody turns
        is_exact = (is_money or any_win_decides) and not unknown
        return "none" if is_exact else None
    if unknown or not is_money:
        return None
    return place_for(state.cube, state.on_roll)

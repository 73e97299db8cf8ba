"""Who may turn the cube, and who owns it afterward."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gammonrules.errors import IllegalActionReason as Reason
from gammonrules.limits import LARGEST_CUBE
from gammonrules.match.cube import Cube, Double
from gammonrules.match.players import Player
from gammonrules.rules import Rules
from gammonrules.values import counted

if TYPE_CHECKING:
    from gammonrules.match.state import MatchState
    from gammonrules.match.state_setup import Setup

Refusal: TypeAlias = tuple[Reason, str]
"""The rule that forbids something, and a sentence that says so."""


def why_not_double(state: Setup | MatchState, player: Player) -> Refusal | None:
    """Why this player may not double, or None if they may."""
    rules, cube, length = state.rules, state.cube, state.length
    if not rules.cube:
        return Reason.NO_CUBE, "this game is played without a cube"
    if state.crawford:
        return Reason.CRAWFORD_GAME, "the Crawford game is played without doubling"
    if cube.owner is player.opponent:
        return Reason.OPPONENT_OWNS_CUBE, f"{player.opponent.title()} owns the cube"
    if length is not None:
        points = state.score_before[player]
        if points + cube.value >= length:
            reached = (
                f"{counted(points, 'point')} and a cube of {cube.value} already reach the match length of {length}"
            )
            return Reason.DEAD_CUBE, f"the cube is dead, {reached}"
    return why_not_value(rules, 2 * cube.value)


def why_not_beaver(state: MatchState, double: Double) -> Refusal | None:
    """Why this pending double may not be redoubled at once, or None if it may."""
    if state.length is not None:
        return Reason.NO_BEAVERS_IN_MATCH, "beavers are for money play only"
    if double.beavers >= state.rules.beavers:
        allowed = counted(state.rules.beavers, "beaver") if state.rules.beavers else "no beavers"
        return Reason.TOO_MANY_BEAVERS, f"the rules allow {allowed} in a row"
    return why_not_value(state.rules, 2 * double.value)


def why_not_value(rules: Rules, value: int) -> Refusal | None:
    """Why the cube may not show this value, or None if it may."""
    most = highest_cube(rules)
    return (Reason.CUBE_LIMIT, f"the cube ends at {most:,}") if value > most else None


def highest_cube(rules: Rules) -> int:
    """The highest value that the cube may show."""
    return LARGEST_CUBE if rules.max_cube is None else rules.max_cube


def doubles_automatically(state: MatchState) -> bool:
    """Whether a tied opening roll doubles the cube.

    Before the opening roll only automatic doubles have turned the cube, so its value counts them.
    """
    so_far = state.cube.value.bit_length() - 1
    return (
        state.length is None
        and state.rules.cube
        and so_far < state.rules.auto_doubles
        and why_not_value(state.rules, 2 * state.cube.value) is None
    )


def cube_that_counts(cube: Cube, double: Double | None) -> Cube:
    """The cube that counts if the game ends now by a drop or a resignation.

    A plain double changes nothing until it is taken. A player who redoubles at once has accepted the offer, and owns
    the cube at that value.
    """
    if double is None or not double.beavers:
        return cube
    return Cube(double.value // 2, double.by.opponent)

"""The rules of the table, each stated once: who may double, what a win counts, when the Crawford game is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from gammonrules.board import Win
from gammonrules.errors import IllegalActionReason as Reason
from gammonrules.limits import LARGEST_CUBE, MOST_POINTS
from gammonrules.match.table import Cube, Double, Player
from gammonrules.rules import Rules
from gammonrules.values import counted, shown

if TYPE_CHECKING:
    from gammonrules.match import MatchState


Refusal: TypeAlias = tuple[Reason, str]
"""The rule that forbids something, and a sentence that says so."""


def why_not_double(state: MatchState, player: Player) -> Refusal | None:
    """Why this player may not turn the cube, or None if they may."""
    rules, cube = state.rules, state.cube
    if not rules.cube:
        return Reason.NO_CUBE, "this game is played without a cube"
    if state.crawford:
        return Reason.CRAWFORD_GAME, "the Crawford game is played without doubling"
    if cube.owner is player.opponent:
        return Reason.OPPONENT_OWNS_CUBE, f"{player.opponent.title()} owns the cube"
    points = state.score_before[player]
    if state.length is not None and points + cube.value >= state.length:
        reach = (
            f"{counted(points, 'point')} and a cube of {cube.value} already reach the match length of {state.length}"
        )
        return Reason.DEAD_CUBE, f"the cube is dead, {reach}"
    return why_not_value(rules, 2 * cube.value)


def why_not_beaver(state: MatchState, double: Double) -> Refusal | None:
    """Why this pending double may not be redoubled at once, or None if it may."""
    if state.length is not None:
        return Reason.NO_BEAVERS_IN_MATCH, "beavers belong to money play"
    if double.beavers >= state.rules.beavers:
        allowed = counted(state.rules.beavers, "beaver") if state.rules.beavers else "no beavers"
        return Reason.TOO_MANY_BEAVERS, f"the rules allow {allowed} in a row"
    return why_not_value(state.rules, 2 * double.value)


def why_not_value(rules: Rules, value: int) -> Refusal | None:
    """Why the cube may not show this value, or None if it may."""
    most = LARGEST_CUBE if rules.max_cube is None else rules.max_cube
    return (Reason.CUBE_LIMIT, f"the cube ends at {most}") if value > most else None


def doubles_automatically(state: MatchState) -> bool:
    """Whether a tied opening roll doubles the cube.

    Before the opening roll each turn of the centred cube was one automatic double, so the cube itself counts them.
    """
    so_far = state.cube.value.bit_length() - 1
    return (
        state.length is None
        and state.rules.cube
        and so_far < state.rules.auto_doubles
        and why_not_value(state.rules, 2 * state.cube.value) is None
    )


def cube_that_counts(cube: Cube, double: Double | None) -> Cube:
    """The cube if the game ends now by a drop or a resignation.

    A plain double has changed nothing before it is taken. Whoever redoubles at once has accepted first what he was
    offered, and owns the cube at that value.
    """
    if double is None or not double.beavers:
        return cube
    return Cube(double.value // 2, double.by.opponent)


def highest_win(rules: Rules, length: int | None, cube: Cube) -> Win:
    """The highest level that counts."""
    if rules.scoring == "pips" or not rules.gammons:
        return Win.SINGLE
    if rules.jacoby and length is None and cube.owner is None:
        return Win.SINGLE
    return Win.BACKGAMMON if rules.backgammons else Win.GAMMON


def points_of(rules: Rules, cube: Cube, win: Win, loser_pips: int) -> int:
    """The points of a win at a level that counts; `loser_pips` is the pip count of the loser."""
    return loser_pips if rules.scoring == "pips" else win * cube.value


def why_not_award(length: int | None, points: int) -> str | None:
    """Why an arbiter may not award so many points for a forfeited game, or None if they may."""
    if not 1 <= points <= MOST_POINTS:
        return f"a win counts 1 to {MOST_POINTS} points, not {shown(points)}"
    if length is not None and points > length:
        return f"a match to {length} is won with {counted(length, 'point')}, not {points}"
    return None


def one_away(length: int | None, score: Sequence[int]) -> int:
    """How many sides are exactly one point from winning the match."""
    return 0 if length is None else sum(points == length - 1 for points in score)


def crawford_if_first(rules: Rules, length: int | None, score: Sequence[int]) -> bool:
    """Whether a game at this score is the Crawford game, unless the match has had it already.

    A match to 1 has none: both sides are one point from winning from the start.
    """
    return rules.crawford and one_away(length, score) == 1


def add_points(score: tuple[int, int], winner: Player, points: int) -> tuple[int, int]:
    """The score of (White, Black) with points added for a player."""
    white, black = score
    return (white + points, black) if winner is Player.WHITE else (white, black + points)

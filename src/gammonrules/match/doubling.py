"""Who may turn the cube, and who owns it afterward.

`against_...` takes the `Values` of one state or of many tables; `why_not_...` says for one state what forbids it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from gammonrules.errors import IllegalActionReason as Reason
from gammonrules.limits import LARGEST_CUBE
from gammonrules.match.cube import Cube, Double
from gammonrules.match.players import Pair, Player
from gammonrules.rules import Rules
from gammonrules.values import counted

Refusal: TypeAlias = tuple[Reason, str]
"""The rule that forbids something, and a sentence that says so."""

Values: TypeAlias = Any
"""A number or a truth value, or for `batch` a NumPy array of them with one for each table.

So use comparisons, arithmetic, `&` and `|` on these, which work for both. `if`, `and` and `not` are for the rules and
the length, which all tables share.
"""


def against_double(
    rules: Rules, length: int | None, crawford: Values, opponent_owns: Values, cube: Values, points: Values
) -> tuple[Values, ...]:
    """Whether each rule that can forbid a double does; `why_not_double` names them. `points` are the player's."""
    return (
        not rules.cube,
        crawford,
        opponent_owns,
        length is not None and points + cube >= length,
        2 * cube > highest_cube(rules),
    )


def highest_turn(rules: Rules, length: int | None, crawford: Values, points: int) -> int:
    """The highest value at which a player with so many points may double a cube that is not the opponent's."""
    if not rules.cube or crawford:
        return 0
    highest = highest_cube(rules) // 2
    return highest if length is None else min(highest, length - points - 1)


def against_beaver(rules: Rules, length: int | None, offered: Values, beavers: Values) -> tuple[Values, ...]:
    """Whether each rule that can forbid redoubling a pending double does; `why_not_beaver` names them."""
    return length is not None, beavers >= rules.beavers, 2 * offered > highest_cube(rules)


def doubles_automatically(rules: Rules, length: int | None, cube: Values) -> Values:
    """Whether a tied opening roll doubles the cube.

    Before the opening roll only automatic doubles have turned the cube, so its value counts them.
    """
    return length is None and rules.cube and cube < min(1 << rules.auto_doubles, highest_cube(rules))


def why_not_double(
    rules: Rules, length: int | None, crawford: Values, cube: Cube, score: Pair[int], player: Player
) -> Refusal | None:
    """Why this player may not double in a game that began at this score, or None if they may."""
    opponent, points = player.opponent, score[player]
    no_cube, in_crawford, opponent_owns, dead, limit = against_double(
        rules, length, crawford, cube.owner is opponent, cube.value, points
    )
    if no_cube:
        return Reason.NO_CUBE, "this game is played without a cube"
    if in_crawford:
        return Reason.CRAWFORD_GAME, "the Crawford game is played without doubling"
    if opponent_owns:
        return Reason.OPPONENT_OWNS_CUBE, f"{opponent.title()} owns the cube"
    if dead:
        reached = f"{counted(points, 'point')} and a cube of {cube.value} already reach the match length of {length}"
        return Reason.DEAD_CUBE, f"the cube is dead, {reached}"
    return _cube_limit(rules) if limit else None


def why_not_beaver(rules: Rules, length: int | None, double: Double) -> Refusal | None:
    """Why this pending double may not be redoubled at once, or None if it may."""
    in_match, too_many, limit = against_beaver(rules, length, double.value, double.beavers)
    if in_match:
        return Reason.NO_BEAVERS_IN_MATCH, "beavers are for money play only"
    if too_many:
        allowed = counted(rules.beavers, "beaver") if rules.beavers else "no beavers"
        return Reason.TOO_MANY_BEAVERS, f"the rules allow {allowed} in a row"
    return _cube_limit(rules) if limit else None


def why_not_value(rules: Rules, value: int) -> Refusal | None:
    """Why the cube may not show this value, or None if it may."""
    return _cube_limit(rules) if value > highest_cube(rules) else None


def _cube_limit(rules: Rules) -> Refusal:
    return Reason.CUBE_LIMIT, f"the cube ends at {highest_cube(rules):,}"


def highest_cube(rules: Rules) -> int:
    """The highest value that the cube may show."""
    return LARGEST_CUBE if rules.max_cube is None else rules.max_cube


def cube_that_counts(cube: Cube, double: Double | None) -> Cube:
    """The cube that counts if the game ends now by a drop or a resignation.

    A plain double changes nothing until it is taken. A player who redoubles at once has accepted the offer, and owns
    the cube at that value.
    """
    if double is None or not double.beavers:
        return cube
    return Cube(double.value // 2, double.by.opponent)

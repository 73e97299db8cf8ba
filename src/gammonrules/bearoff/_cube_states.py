"""The cubes that a game can still come to, and what it is worth to end it with each of them."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from gammonrules._arrays.checks import Floats
from gammonrules.board import Win
from gammonrules.equity import MatchEquityTable
from gammonrules.match import Cube, MatchState, Player
from gammonrules.match.internals import against_double, highest_win, win_points

NOW = 0
"""The column of the present cube."""


@frozen(eq=False)
class CubeStates:
    """The cubes that a game can come to, a column each.

    Worths are twice the chance of winning the match, less 1. In money play they are points for a present cube of 1, or
    where cubes have no limit, for a cube of 1 in each column. So for the opponent they have the opposite sign.

    Attributes:
        number: how many columns there are.
        dead: a column whose cube nobody turns anymore; if gammons are possible, it has the present value.
        doubles: for each player the columns in which they may double, with that of the cube once it is taken.
        factor: by how much the unit of worths grows with each double.
        won: for each player `(number, 3)`, the worths of a single game, a gammon and a backgammon.
    """

    number: int
    dead: int
    doubles: dict[Player, dict[int, int]]
    factor: int
    won: dict[Player, Floats]


def cube_states(state: MatchState, table: MatchEquityTable, *, gammons: bool) -> CubeStates:
    """The cubes that the game of this state can come to; `table` must know what it leads to.

    `gammons`: whether gammons are possible, so that the value of a dead cube matters.
    """
    endless = state.length is None and state.rules.max_cube is None
    cubes = [state.cube]
    doubles = {player: dict[int, int]() for player in Player}
    column = NOW
    while column < len(cubes):  # each double may add a cube at the end
        cube = cubes[column]
        for player in Player:
            if _may_turn(state, cube, player):
                turned = Cube(2 * cube.value, player.opponent)
                column_after = _column_like(turned, cubes, state, endless=endless)
                if column_after is None:
                    column_after = len(cubes)
                    cubes.append(turned)
                doubles[player][column] = column_after
        column += 1
    # with gammons the value matters, so it must be the present one
    may_be_dead = [NOW] if gammons else range(len(cubes))
    turned_by_somebody = {*doubles[Player.WHITE], *doubles[Player.BLACK]}
    dead_columns = [column for column in may_be_dead if column not in turned_by_somebody]
    if dead_columns:
        dead = dead_columns[0]
    else:  # the present cube once more, in a column that has no double
        dead = len(cubes)
        cubes.append(state.cube)
    won = {player: _worths(cubes, state, player, table, endless=endless) for player in Player}
    # without a limit, all cubes of an owner share a column, in units of their own value
    factor = 2 if endless else 1
    return CubeStates(len(cubes), dead=dead, doubles=doubles, factor=factor, won=won)


def _may_turn(state: MatchState, cube: Cube, player: Player) -> bool:
    opponent_owns = cube.owner is player.opponent
    against = against_double(
        state.rules,
        state.length,
        state.crawford,
        opponent_owns,
        cube=cube.value,
        points=state.score[player],
    )
    return not any(against)


def _column_like(
    turned: Cube, cubes: list[Cube], state: MatchState, *, endless: bool
) -> int | None:
    for column, cube in enumerate(cubes):
        if _are_alike(state, cube, turned, endless=endless):
            return column
    return None


def _are_alike(state: MatchState, cube: Cube, other: Cube, *, endless: bool) -> bool:
    """Whether two cubes have one column: if `endless`, values are only a unit, and a dead cube is nobody's."""
    if cube.owner is other.owner:
        return endless or cube.value == other.value
    return cube.value == other.value and _is_dead(state, cube) and _is_dead(state, other)


def _is_dead(state: MatchState, cube: Cube) -> bool:
    return not any(_may_turn(state, cube, player) for player in Player)


def _worths(
    cubes: list[Cube], state: MatchState, player: Player, table: MatchEquityTable, *, endless: bool
) -> Floats:
    """The worth of single games, gammons and backgammons to a player who wins with each cube."""
    worths = np.empty((len(cubes), len(Win)))
    for column, cube in enumerate(cubes):
        for win in Win:
            worth = _worth(cube, win, state, player, table, endless=endless)
            worths[column, win - 1] = worth
    return worths


def _worth(
    cube: Cube,
    win: Win,
    state: MatchState,
    player: Player,
    table: MatchEquityTable,
    *,
    endless: bool,
) -> float:
    """The worth of a win with a cube to a player, in the unit of `CubeStates`.

    `endless`: whether the cube has no limit, so that its own value is the unit.
    """
    win_that_counts = min(win, highest_win(state.rules, state.length, cube))
    points: int = win_points(state.rules, cube=cube.value, win=win_that_counts, loser_pips=0)
    if state.length is None:
        unit = cube if endless else state.cube
        return points / unit.value
    chance = table.chance_after(state, player, points)
    assert chance is not None, points  # `why_not_solved` has asked
    return 2 * chance - 1

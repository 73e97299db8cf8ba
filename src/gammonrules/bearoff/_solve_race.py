"""Races solved: what all pairs of a layout of each side are worth, with all cubes that the game can come to.

Without contact neither side's plays depend on the other side. Pairs are computed in blocks of a level of each, after
those that they lead to: a player on roll has the mean over the rolls of the best that a play leaves them, which is
minus what it leaves to the opponent. Where they may double, they have the better of that and of the double, which is
the worse of a take and a drop.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from attrs import frozen

from gammonrules._arrays.checks import Floats
from gammonrules.bearoff._cube_states import CubeStates
from gammonrules.bearoff._layouts import ROLLS, WEIGHTS
from gammonrules.bearoff._reach import OFF, WIDEST, Reach
from gammonrules.bearoff._solve_two_sided import AT_ONCE, PlaysOfPart
from gammonrules.match import Player

OUTCOMES = 6
"""The columns of chances."""
_WEIGHTS = WEIGHTS.astype(np.float64)


@frozen(eq=False)
class RacePairs:
    """What each pair of layouts is worth to the player on roll.

    Attributes:
        states: the cubes.
        reach: what each player can reach.
        left: for each player on roll, for each of their levels: `(layouts of the opponent, columns, layouts of the
            level)`, what is left to them before they double or roll. The columns are the worths with each cube, and,
            if a gammon can be lost, six chances: of White winning a single game, a gammon, a backgammon, and of Black.
    """

    states: CubeStates
    reach: dict[Player, Reach]
    left: dict[Player, list[Floats]]


def solve_race(reach: dict[Player, Reach], states: CubeStates, *, gammons: bool) -> RacePairs:
    """Solve all pairs; with `gammons` there are chances of each way to end the game."""
    columns = states.number + (OUTCOMES if gammons else 0)
    left = {player: _known_ends(reach, states, player, columns) for player in Player}
    # once: new memory takes as long as the work in it
    memory = np.empty((2, AT_ONCE * ROLLS * columns * WIDEST))
    # level 0 has everything off, so the game is over there
    white_levels = range(1, len(reach[Player.WHITE].levels))
    black_levels = range(1, len(reach[Player.BLACK].levels))
    # a play lowers the level of its side, so pairs are computed in the order of the sum of their levels
    for white_level, black_level in sorted(product(white_levels, black_levels), key=sum):
        levels = {Player.WHITE: white_level, Player.BLACK: black_level}
        for player in Player:
            opponent = player.opponent
            level = levels[player]
            opponent_level = levels[opponent]
            plays = reach[player].plays[level]
            left_to_opponent = left[opponent][opponent_level]
            rolling = _rolling(plays, left_to_opponent, states, memory)
            best = _rolling_or_doubling(rolling, states, player)
            # `best` has the layouts of the level first, and those of the opponent last; `left` has it the other way
            rows_of_opponent = reach[opponent].levels[opponent_level]
            left[player][level][rows_of_opponent] = best.swapaxes(0, 2)
    return RacePairs(states, reach, left)


def _known_ends(
    reach: dict[Player, Reach], states: CubeStates, player: Player, columns: int
) -> list[Floats]:
    """The memory for what is left to a player, in which only the ends are known: the opponent has everything off."""
    mine = reach[player]
    layouts_of_opponent = len(reach[player.opponent].numbers)
    left = [np.zeros((layouts_of_opponent, columns, len(rows))) for rows in mine.levels]
    for rows, values in zip(mine.levels[1:], left[1:], strict=True):
        # for each layout of the level, whether a single game, a gammon or a backgammon is lost: 0, 1 or 2
        loss = mine.lost[rows] - 1
        ends = values[OFF]
        ends[: states.number] = -states.won[player.opponent][:, loss]
        has_chances = columns > states.number
        if has_chances:
            first_of_winner = states.number
            if player is Player.WHITE:  # then Black has won, whose chances come after White's
                first_of_winner += OUTCOMES // 2
            ends[first_of_winner + loss, np.arange(len(rows))] = 1
    return left


def _rolling(plays: list[PlaysOfPart], known: Floats, states: CubeStates, memory: Floats) -> Floats:
    """The worth of rolling: `(layouts of the level, columns, layouts of the opponent)`."""
    _, columns, width = known.shape
    # a worth changes its sign with the player on roll, a chance does not; the sum of the rolls is 36 times their mean
    of_columns = np.repeat([-1 / 36, 1 / 36], [states.number, columns - states.number])
    parts = list[Floats]()
    for part in plays:
        rolls = len(part.order)
        memory_of_part = memory[:, : rolls * columns * width]
        best, spare = memory_of_part.reshape(2, rolls, columns, width)
        first_plays, *further_plays = part.successors
        known.take(first_plays, axis=0, out=best, mode="clip")
        for plays_of_rolls in further_plays:
            # rolls with more plays come first, so these are the second, third, ... plays of the first rolls
            reached = spare[: len(plays_of_rolls)]
            known.take(plays_of_rolls, axis=0, out=reached, mode="clip")
            _keep_least(best[: len(reached)], reached, states)
        rolls_in_order = spare  # its memory is free again
        rolls_in_order[part.order] = best
        sums = np.matmul(_WEIGHTS, rolls_in_order.reshape(-1, ROLLS, columns * width))
        parts.append(sums.reshape(-1, columns, width))
    worths: Floats = np.concatenate(parts) * of_columns[:, np.newaxis]
    return worths


def _keep_least(best: Floats, reached: Floats, states: CubeStates) -> None:
    """Keep what leaves the opponent least with each cube; chances are those after the best play with a dead cube."""
    number = states.number
    dead = states.dead
    has_chances = best.shape[1] > number
    if has_chances:
        # before the worths in `best` change, with which they are compared
        is_better = reached[:, dead, None] < best[:, dead, None]
        np.copyto(best[:, number:], reached[:, number:], where=is_better)
    np.minimum(best[:, :number], reached[:, :number], out=best[:, :number])


def _rolling_or_doubling(rolling: Floats, states: CubeStates, player: Player) -> Floats:
    """The better of rolling and doubling, where the player may double."""
    best = rolling.copy()
    for column, taken in states.doubles[player].items():
        doubled = np.minimum(states.factor * rolling[:, taken], states.won[player][column, 0])
        np.maximum(best[:, column], doubled, out=best[:, column])
    return best

"""Match equity tables that are computed from a few assumptions instead of being played out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import frozen

_ChanceAt: TypeAlias = Callable[[int, int], float]
"""The chance of a player, by the points that they and their opponent need."""


def chances_after_crawford(
    gammon_rate: float, size: int, drops: dict[int, float], exact: Sequence[float]
) -> list[float]:
    """The chances of a trailer, who doubles at once, so that each game counts 2 points, and a gammon 4."""
    # by the points that the trailer needs, from 1 on; if that is one, as for the leader, the chances are even
    chances = [0.5, *exact[1:]]
    first_unknown = len(chances) + 1
    for away in range(first_unknown, size + 1):
        after_single = _trailer_chance(chances, away - 2)
        after_gammon = _trailer_chance(chances, away - 4)
        after_win = _single_or_gammon(after_single, after_gammon, gammon_rate)
        chances.append(after_win / 2 - drops.get(away, 0))
    return chances[:size]


def _trailer_chance(chances: list[float], away: int) -> float:
    """The chance of a trailer who needs so many points after the Crawford game; the first is for one point."""
    return 1.0 if away <= 0 else chances[away - 1]


def chances_before_crawford(
    after: list[float], gammon_rate: float, exact: Sequence[Sequence[float]]
) -> tuple[tuple[float, ...], ...]:
    """The chances at each score, from those where the players need fewer points."""
    chances = dict[tuple[int, int], float]()

    def chance_at(away: int, opponent_away: int) -> float:
        if away <= 0:
            return 1.0
        if opponent_away <= 0:
            return 0.0
        return chances[away, opponent_away]

    points = range(1, len(after) + 1)
    for away in points:
        # of a trailer, or at an equal score; the leader has the rest
        for opponent_away in range(1, away + 1):
            is_known = away <= len(exact)
            if is_known:
                chance = exact[away - 1][opponent_away - 1]
            elif away == opponent_away:
                chance = 0.5
            elif opponent_away == 1:
                chance = _crawford_chance(after, gammon_rate, away)
            else:
                chance = _cubeful_chance(chance_at, gammon_rate, away, opponent_away)
            chances[away, opponent_away] = chance
            chances[opponent_away, away] = 1 - chance
    return tuple(tuple(chances[away, opponent_away] for opponent_away in points) for away in points)


def _crawford_chance(after: list[float], gammon_rate: float, away: int) -> float:
    """The chance before the Crawford game of a trailer, who has to win this game, without the cube."""
    after_single = _trailer_chance(after, away - 1)
    after_gammon = _trailer_chance(after, away - 2)
    return _single_or_gammon(after_single, after_gammon, gammon_rate) / 2


def _cubeful_chance(
    chance_at: _ChanceAt, gammon_rate: float, away: int, opponent_away: int
) -> float:
    """The chance of the match where that of the game is 0.5: it is linear between the cash points of both sides.

    In the player's chances of the game and of the match, the line goes from the opponent's cash point, at `1 -
    theirs.win` and `1 - theirs.match_chance`, to their own, at `mine.win` and `mine.match_chance`.
    """
    mine = _cash_point(chance_at, gammon_rate, away, opponent_away, cube=2)
    theirs = _cash_point(chance_at, gammon_rate, opponent_away, away, cube=2)
    lowest = 1 - theirs.match_chance
    part_of_line = (theirs.win - 0.5) / (mine.win + theirs.win - 1)
    return lowest + part_of_line * (mine.match_chance - lowest)


@frozen
class _CashPoint:
    """Where the opponent just takes a cube.

    Attributes:
        win: the chance of winning the game.
        match_chance: that of winning the match.
    """

    win: float
    match_chance: float


def _cash_point(
    chance_at: _ChanceAt, gammon_rate: float, away: int, opponent_away: int, cube: int
) -> _CashPoint:
    """The cash point of a player who turns the cube to this value; the opponent may turn it on.

    If they take, their chance of the match is linear in that of the game: from what a lost game leaves them, up to
    their own cash point with twice this cube. They just take where it is what a drop leaves them.
    """
    cube_before = cube // 2
    if away <= cube_before:  # which wins the match, so the player never turns it
        return _CashPoint(win=1.0, match_chance=1.0)
    theirs = _cash_point(chance_at, gammon_rate, opponent_away, away, cube=2 * cube)
    # the opponent's chances of the match: after a lost game, and after a drop
    lost = _single_or_gammon(
        chance_at(opponent_away, away - cube),
        chance_at(opponent_away, away - 2 * cube),
        gammon_rate,
    )
    dropped = chance_at(opponent_away, away - cube_before)
    # on the line from (0, lost) to (theirs.win, theirs.match_chance), where it reaches what a drop leaves
    their_win = (dropped - lost) * theirs.win / (theirs.match_chance - lost)
    return _CashPoint(win=1 - their_win, match_chance=1 - dropped)


def _single_or_gammon(single: float, gammon: float, gammon_rate: float) -> float:
    """The mean over won games, from what a single game and a gammon lead to."""
    return (1 - gammon_rate) * single + gammon_rate * gammon

"""What a resignation gives, and which level gives the points that a record states."""

from __future__ import annotations

from itertools import chain

from gammonrules.board import Win
from gammonrules.match import Cube, MatchState, Phase, Player
from gammonrules.match.internals import cube_that_counts, highest_win, points_of, why_not_award

WINS_BY_FORFEIT = " wins by forfeit"
"""The end of a comment that says that the game was awarded to the player it names."""


def is_award(state: MatchState, loser: Player, points: int) -> bool:
    """Whether these points must have been awarded.

    Points that win the match exactly, or are its length, and that no level of resignation reaches are those of a match
    that was forfeited as a whole. Before the opening roll nobody can resign.
    """
    length = state.length
    needed = points_needed(state, loser.opponent)
    if length is None or points not in (length, needed) or why_not_award(length, points):
        return False
    return state.phase is Phase.OPENING or points_if_resigned(state, Win.BACKGAMMON) < points


def level_for(state: MatchState, stated: list[int]) -> Win:
    """The level of resignation that gives one of the stated points.

    Points that no level gives mean the lowest level that gives more; so Galaxy's, which are capped in the last game
    at those still needed, are understood too. Points beyond a backgammon are nonsense and mean a single game.
    """
    values = {level: points_if_resigned(state, level) for level in Win}
    exact = (level for points in stated for level, value in values.items() if value == points)
    at_least = (level for points in stated for level, value in values.items() if value >= points)
    return next(chain(exact, at_least), Win.SINGLE)


def points_needed(state: MatchState, winner: Player) -> int | None:
    """The points that a player still needs to win the match; None in money play."""
    return None if state.length is None else state.length - state.score[winner]


def points_if_resigned(state: MatchState, level: Win) -> int:
    """What the winner scores if this level is resigned now, and accepted."""
    points: int = points_of(state.rules, _cube_now(state).value, min(level, highest_win_now(state)), 0)
    return points


def highest_win_now(state: MatchState) -> Win:
    """The highest level that counts if the player resigns now."""
    return highest_win(state.rules, state.length, _cube_now(state))


def _cube_now(state: MatchState) -> Cube:
    return cube_that_counts(state.cube, state.pending_double)


def points_gained(before: tuple[int, int], after: tuple[int, int] | None) -> tuple[Player, int] | None:
    """Who won how much, if exactly one side's score grew."""
    if after is None:
        return None
    white, black = after[0] - before[0], after[1] - before[1]
    if white > 0 and black == 0:
        return Player.WHITE, white
    if black > 0 and white == 0:
        return Player.BLACK, black
    return None

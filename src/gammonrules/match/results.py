"""How a game ended, and what it counted."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import attrs
from attrs import field

from gammonrules.board import Win
from gammonrules.errors import MatchStateError, MatchStateProblem as Problem
from gammonrules.limits import MOST_POINTS
from gammonrules.match.players import Player, to_player
from gammonrules.problems import flagged, refuse_flagged, wrong_fields
from gammonrules.values import shown


class End(StrEnum):
    """How a game ended (`Result.end`).

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> from gammonrules import MatchState
        >>> over = MatchState.new(7).opening_roll(3, 1).resign().accept()
        >>> over.result.end is End.RESIGNED
        True
    """

    PLAYED = "played"
    """The winner bore off the last checker."""
    DROPPED = "dropped"
    """The loser dropped a double."""
    RESIGNED = "resigned"
    """The loser resigned."""
    FORFEITED = "forfeited"
    """An arbiter awarded the game: the loser ran out of time, disconnected or was absent, for example."""


@attrs.frozen
class Result:
    """The result of a game.

    *Equality*: two results are equal if winner, level, points and end are equal.

    Attributes:
        winner: the player who won.
        win: the level that counts under the rules (always single with Jacoby and a centered cube); None if the game was
            forfeited.
        points: the points that the winner scores, up to 1,000,000,000: level times cube, the loser's pip count with pip
            scoring, or as awarded.
        end: how the game ended.

    Raises:
        MatchStateError: a field has the wrong type, `points` is below 1 or above 1,000,000,000, or a forfeited game has
            a level.

    Examples:
        >>> result = Result(Player.BLACK, Win.SINGLE, 2, End.DROPPED)
        >>> result.winner, result.win.name, result.points, str(result.end)
        (Player.BLACK, 'SINGLE', 2, 'dropped')
    """

    winner: Player = field(converter=to_player)
    win: Win | None
    points: int
    end: End

    def __attrs_post_init__(self) -> None:
        refuse_flagged(MatchStateError, "result", self._problems())

    def _problems(self) -> Iterator[tuple[Problem, str]]:
        yield from flagged(Problem.WRONG_TYPE, wrong_fields(self, "winner", "win", "end"))
        if self.end is End.FORFEITED and self.win is not None:
            yield Problem.WRONG_RESULT, f"a forfeited game has no level, so win must be None, not {shown(self.win)}"
        if self.end is not End.FORFEITED and self.win is None:
            yield Problem.WRONG_TYPE, "win must be a Win, not None"
        why_not = why_not_points(self.points)
        if why_not:
            yield Problem.WRONG_RESULT, why_not


def why_not_points(points: object) -> str | None:
    """Why no win can count this many points, or None if one can."""
    if type(points) is int and 1 <= points <= MOST_POINTS:
        return None
    return f"a win counts 1 to {MOST_POINTS:,} points, not {shown(points)}"


def level_name(win: Win) -> str:
    """The level of a win in words."""
    return "single game" if win is Win.SINGLE else win.name.lower()

"""What a win counts, and which game of a match is the Crawford game."""

from __future__ import annotations

from collections.abc import Iterable

from gammonrules.board import Win
from gammonrules.errors import ArgumentError, IllegalActionReason as Reason
from gammonrules.match.cube import Cube
from gammonrules.match.doubling import Refusal, Values
from gammonrules.match.players import Pair, Player
from gammonrules.match.results import Result, why_not_points
from gammonrules.rules import Rules
from gammonrules.values import counted, shown, whole_number


def highest_win(rules: Rules, length: int | None, cube: Cube) -> Win:
    """The highest level that counts."""
    if rules.scoring == "pips" or not rules.gammons:
        return Win.SINGLE
    if rules.jacoby and length is None and cube.owner is None:
        return Win.SINGLE
    return Win.BACKGAMMON if rules.backgammons else Win.GAMMON


def points_of(rules: Rules, cube: Values, win: Values, loser_pips: Values) -> Values:
    """The points of a win at a level that counts, with a cube of this value; `loser_pips` is the loser's pip count."""
    return loser_pips if rules.scoring == "pips" else win * cube


def why_not_resign(rules: Rules, win: Win) -> Refusal | None:
    """Why this level may not be offered, or None if it may. Players may offer any level, whatever the board."""
    if rules.scoring == "pips" and win is not Win.SINGLE:
        return Reason.PIPS_ARE_SINGLE, "only a single game can be resigned with pip scoring"
    return None


def why_not_award(length: int | None, points: int) -> str | None:
    """Why an arbiter may not award this many points for a forfeited game, or None if they may."""
    if length is not None and points > length:
        return why_not_points(points) or f"a match to {length} is won with {counted(length, 'point')}, not {points}"
    return why_not_points(points)


def points_awarded(length: int | None, winner_has: int, points: object) -> int:
    """The points of a forfeited game as a plain int; None for as many as the winner still needs.

    Raises:
        ArgumentError: they cannot be awarded.
    """
    if points is None:
        if length is None:
            raise ArgumentError("in money play a forfeit needs the points that are awarded")
        return length - winner_has
    number = whole_number(points)
    if number is None:
        raise ArgumentError(f"points must be a whole number or None, not {shown(points)}")
    why_not = why_not_award(length, number)
    if why_not:
        raise ArgumentError(f"no such forfeit: {why_not}")
    return number


def add_points(score: tuple[int, int], winner: Player, points: int) -> Pair[int]:
    """The score of (White, Black) with points added for a player."""
    white, black = score
    return Pair((white + points, black) if winner is Player.WHITE else (white, black + points))


def before(score: Pair[int], result: Result | None) -> Pair[int]:
    """The score when the game began, from the score now and the result of the game, if it has one."""
    return score if result is None else add_points(score, result.winner, -result.points)


def has_won(length: int | None, points: Values) -> Values:
    """Whether a player with so many points has won the match."""
    return length is not None and points >= length


def one_away(length: int | None, score: Iterable[Values]) -> Values:
    """How many sides are exactly one point from winning the match."""
    return 0 if length is None else sum(points == length - 1 for points in score)


def crawford_if_first(rules: Rules, length: int | None, score: Iterable[Values]) -> Values:
    """Whether a game at this score is the Crawford game, if the match has not had one yet.

    A match to 1 has none, since both sides are one point from winning from the start.
    """
    return rules.crawford and one_away(length, score) == 1


def crawford_after(rules: Rules, length: int | None, score: Iterable[Values], game_before: Iterable[Values]) -> Values:
    """Whether a game at this score is the Crawford game, after one that began at the score `game_before`.

    A match has only one: if a side was one point from winning before, it has been played.
    """
    return crawford_if_first(rules, length, score) & (one_away(length, game_before) == 0)


def is_past_crawford(rules: Rules, length: int | None, score: Iterable[Values]) -> Values:
    """Whether the Crawford game has been played before a game at this score, which is not the Crawford game."""
    return rules.crawford and length != 1 and one_away(length, score) > 0

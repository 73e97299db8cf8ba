"""How a game ended or can still end, what a win counts, and which game of a match is the Crawford game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

import attrs
from attrs import field

from gammonrules._shared.checked_fields import wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.board import Position, Win
from gammonrules.dice import Dice
from gammonrules.errors import (
    ArgumentError,
    IllegalActionReason as Reason,
    MatchStateError,
    MatchStateProblem as Problem,
)
from gammonrules.limits import MAX_POINTS
from gammonrules.match.cube import Cube, ForbiddenBy, Values
from gammonrules.match.players import Pair, Player, to_player
from gammonrules.rules import Rules
from gammonrules.values import counted, flagged, refuse_flagged, shown, whole_number


class End(JsonField, StrEnum):
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
class Result(JsonField):
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
        >>> print(result)
        Black wins a single game (double dropped): 2 points
    """

    winner: Player = field(converter=to_player)
    win: Win | None
    points: int
    end: End

    def __attrs_post_init__(self) -> None:
        refuse_flagged(MatchStateError, "result", self._problems())

    def __str__(self) -> str:
        from gammonrules.draw.internals import result_message  # noqa: PLC0415 - one of the imports that go up

        return result_message(self)

    def _problems(self) -> Iterator[tuple[Problem, str]]:
        yield from flagged(Problem.WRONG_TYPE, wrong_fields(self, "winner", "win", "end"))
        if self.end is End.FORFEITED and self.win is not None:
            yield (
                Problem.IMPOSSIBLE_RESULT,
                f"a forfeited game has no level, so win must be None, not {shown(self.win)}",
            )
        if self.end is not End.FORFEITED and self.win is None:
            yield Problem.WRONG_TYPE, "win must be a Win, not None"
        why_not = why_not_points(self.points)
        if why_not is not None:
            yield Problem.IMPOSSIBLE_RESULT, why_not


def why_not_points(points: object) -> str | None:
    """Why no win can count this many points, or None if one can."""
    if type(points) is int and 1 <= points <= MAX_POINTS:
        return None
    return f"a win counts 1 to {MAX_POINTS:,} points, not {shown(points)}"


def level_name(win: Win) -> str:
    """The level of a win in words."""
    return "single game" if win is Win.SINGLE else win.name.lower()


def highest_win(rules: Rules, length: int | None, cube: Cube) -> Win:
    """The highest level that counts."""
    if rules.scoring == "pips" or not rules.gammons:
        return Win.SINGLE
    if rules.jacoby and length is None and cube.owner is None:
        return Win.SINGLE
    return Win.BACKGAMMON if rules.backgammons else Win.GAMMON


def win_points(rules: Rules, cube: Values, win: Values, loser_pips: Values) -> Values:
    """The points of a win at a level that counts, with a cube of this value; `loser_pips` is the loser's pip count."""
    return loser_pips if rules.scoring == "pips" else win * cube


def wins_that_differ(
    rules: Rules, length: int | None, cube: Cube, winner_has: int, wins: Iterable[Win]
) -> frozenset[Win]:
    """Of these levels, as they count, those that give a player different points; of the same points, the lowest.

    A match ends with its last point, so all levels that reach its length are worth the same.
    """
    highest = highest_win(rules, length, cube)
    lowest: dict[int, Win] = {}
    for win in sorted(wins):
        counted_win = min(win, highest)
        worth = counted_win * cube.value
        if length is not None:
            worth = min(worth, length - winner_has)
        lowest.setdefault(worth, counted_win)
    return frozenset(lowest.values())


def why_not_resign(rules: Rules, win: Win) -> ForbiddenBy | None:
    """Why this level may not be offered, or None if it may. Players may offer any level, whatever the board."""
    if rules.scoring == "pips" and win is not Win.SINGLE:
        sentence = "only a single game can be resigned with pip scoring"
        return ForbiddenBy(Reason.PIPS_ARE_SINGLE, sentence)
    return None


def why_not_award(length: int | None, points: int) -> str | None:
    """Why an arbiter may not award this many points for a forfeited game, or None if they may."""
    why_not = why_not_points(points)
    if why_not is None and length is not None and points > length:
        return f"a match to {length} is won with {counted(length, 'point')}, not {points}"
    return why_not


def points_awarded(length: int | None, winner_has: int, points: object) -> int:
    """The points of a forfeited game as a plain int; None for as many as the winner still needs.

    Raises:
        ArgumentError: they cannot be awarded.
    """
    if points is None:
        if length is None:
            raise ArgumentError("in money play a forfeit needs the points that are awarded")
        return length - winner_has  # enough to win the match
    number = whole_number(points)
    if number is None:
        raise ArgumentError(f"points must be a whole number or None, not {shown(points)}")
    why_not = why_not_award(length, number)
    if why_not is not None:
        raise ArgumentError(f"no such forfeit: {why_not}")
    return number


def add_points(score: tuple[int, int], winner: Player, points: int) -> Pair[int]:
    """The score of (White, Black) with points added for a player."""
    white, black = score
    if winner is Player.WHITE:
        return Pair((white + points, black))
    return Pair((white, black + points))


def score_with_away(player: Player, mine: int, theirs: int, length: int) -> Pair[int]:
    """The score of (White, Black) at which a player, and the opponent, need so many points."""
    won, won_by_opponent = length - mine, length - theirs
    if player is Player.WHITE:
        return Pair((won, won_by_opponent))
    return Pair((won_by_opponent, won))


def before(score: Pair[int], result: Result | None) -> Pair[int]:
    """The score when the game began, from the score now and the result of the game, if it has one."""
    return score if result is None else add_points(score, result.winner, -result.points)


def has_won(length: int | None, points: Values) -> Values:
    """Whether a player with so many points has won the match."""
    return length is not None and points >= length


def one_away(length: int | None, score: Iterable[Values]) -> Values:
    """The number of sides that are exactly one point from winning the match."""
    return 0 if length is None else sum(points == length - 1 for points in score)


def crawford_if_first(rules: Rules, length: int | None, score: Iterable[Values]) -> Values:
    """Whether a game at this score is the Crawford game, if the match has not had one yet.

    A match to 1 has none, since both sides are one point from winning from the start.
    """
    return rules.crawford and one_away(length, score) == 1


def crawford_after(
    rules: Rules, length: int | None, score: Iterable[Values], game_before: Iterable[Values]
) -> Values:
    """Whether a game at this score is the Crawford game, after one that began at the score `game_before`.

    A match has only one: if a side was one point from winning before, it has been played.
    """
    return crawford_if_first(rules, length, score) & (one_away(length, game_before) == 0)


def is_past_crawford(rules: Rules, length: int | None, score: Iterable[Values]) -> Values:
    """Whether the Crawford game has been played before a game at this score, which is not the Crawford game."""
    return rules.crawford and length != 1 and one_away(length, score) > 0


def wins_by_plays(
    position: Position, rolls: Sequence[Dice] | None, *, is_on_roll: bool
) -> frozenset[Win]:
    """The levels at which the player on roll, or else their opponent, can win after one of these rolls, or after any.

    A roll is followed over all its legal plays.
    """
    before = _wins_on(position, is_on_roll=is_on_roll)
    if rolls is None:
        return before
    reached: frozenset[Win] = frozenset()
    for dice in rolls:
        for play in position.legal_plays(dice):
            # after the play the opponent is on roll
            reached |= _wins_on(play.position, is_on_roll=not is_on_roll)
            if reached >= before:  # no play makes more possible
                return before
    return reached & before


def _wins_on(position: Position, *, is_on_roll: bool) -> frozenset[Win]:
    """The levels at which the player on roll, or else their opponent, can win when any roll may follow."""
    outcomes = position.possible_outcomes
    return frozenset([outcome.win for outcome in outcomes if outcome.won is is_on_roll])

"""`Setup`, the fields of a match state, and everything that makes them impossible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

import attrs
from attrs import field

from gammonrules._shared.checked_fields import Bounds, wrong_fields
from gammonrules.board import Position, Win
from gammonrules.dice import Dice
from gammonrules.errors import MatchStateError, MatchStateProblem as Problem
from gammonrules.limits import MAX_POINTS
from gammonrules.match.cube import (
    CENTERED,
    Cube,
    Double,
    ForbiddenBy,
    Resignation,
    pending_double,
    why_not_double,
    why_not_value,
)
from gammonrules.match.players import Pair, Player, to_player_or_none
from gammonrules.match.scoring import (
    End,
    Result,
    before,
    crawford_if_first,
    has_won,
    highest_win,
    level_name,
    one_away,
    why_not_award,
    why_not_resign,
    win_points,
)
from gammonrules.rules import Rules
from gammonrules.values import counted, flagged, is_pair_of, refuse_flagged, shown


@attrs.frozen(init=False)
class Setup:
    """The fields of a match state, and what alone follows from them before they are checked."""

    position: Position
    on_roll: Player | None = field(converter=to_player_or_none)
    dice: Dice | None
    cube: Cube
    offer: Double | Resignation | None
    score: Pair[int]
    length: Annotated[int, Bounds(1, MAX_POINTS)] | None
    crawford: Annotated[bool, "True, False or None"]
    rules: Rules
    result: Result | None

    @property
    def pending_double(self) -> Double | None:
        """The double that must be answered, even while a resignation interrupts it, or None."""
        return pending_double(self.offer)

    @property
    def score_before(self) -> Pair[int]:
        """The score when this game began; the same as `score` until the game is over."""
        return before(self.score, self.result)


_Problems: TypeAlias = Iterator[tuple[Problem, str]]
"""Problems, each with a sentence."""


def check_setup(setup: Setup, *, crawford: bool | None) -> None:
    """Check the fields of a setup, and find out whether it is the Crawford game if that was not said.

    Raises:
        MatchStateError: something is wrong with it.
    """
    refuse_flagged(MatchStateError, "match state", _wrong_types(setup))
    if crawford is None:
        is_crawford = crawford_if_first(setup.rules, setup.length, setup.score_before)
        object.__setattr__(setup, "crawford", is_crawford)  # since the class is frozen
    refuse_flagged(MatchStateError, "match state", _problems_of_setup(setup))


def _problems_of_setup(setup: Setup) -> _Problems:
    """The problems of fields of the right types, which contradict each other or the rules."""
    yield from _wrong_score(setup)
    yield from _wrong_crawford(setup)
    yield from _wrong_cube(setup)
    yield from _wrong_turn(setup)
    if setup.offer is not None:
        yield from _wrong_double(setup)
        yield from _wrong_resignation(setup)
    if setup.result is not None:
        yield from _wrong_result(setup, setup.result)


_FIELDS = ("position", "on_roll", "dice", "cube", "offer", "crawford", "rules", "result")


def _wrong_types(setup: Setup) -> _Problems:
    """Fields of wrong types, and scores that are too large for any other check."""
    if not wrong_fields(setup):  # the usual case
        yield from _beyond(setup.score_before)
        return
    # the score and the length last, since they have sentences or flags of their own
    yield from flagged(Problem.WRONG_TYPE, wrong_fields(setup, *_FIELDS))
    if not is_pair_of(setup.score, int):
        what = "score must be a pair of whole numbers, White's and Black's"
        yield Problem.WRONG_TYPE, f"{what}, not {shown(setup.score)}"
    elif not wrong_fields(setup, "result"):  # `score_before` needs the result
        yield from _beyond(setup.score_before)
    yield from flagged(Problem.LENGTH_OUT_OF_RANGE, wrong_fields(setup, "length"))


def _beyond(score: tuple[int, int]) -> _Problems:
    """Scores beyond the limit, of either sign; nothing else can be checked with them."""
    for player, points in zip(Player, score, strict=True):
        if abs(points) > MAX_POINTS:
            sentence = f"{player.title()} has {shown(points)} points before this game"
            yield (
                Problem.SCORE_TOO_HIGH,
                f"{sentence}, but a game begins with {MAX_POINTS:,} at most",
            )


def _wrong_score(setup: Setup) -> _Problems:
    for player, points in zip(Player, setup.score_before, strict=True):
        if points < 0:
            what = "score" if setup.score_before == setup.score else "score before this game"
            yield Problem.NEGATIVE_SCORE, f"{player.title()}'s {what} is {points}"
        elif has_won(setup.length, points):
            won = f"{player.title()} had won the match to {setup.length} before this game"
            yield Problem.MATCH_OVER, f"{won}, with {counted(points, 'point')}"
    if setup.length is not None and setup.rules.scoring == "pips":
        yield Problem.PIPS_IN_MATCH, "pip scoring belongs to single games, not to a match"


def _wrong_crawford(setup: Setup) -> _Problems:
    if not setup.crawford:
        return
    if not setup.rules.crawford:
        yield (
            Problem.IMPOSSIBLE_CRAWFORD_GAME,
            "a Crawford game under rules without the Crawford rule",
        )
    elif setup.length is None:
        yield Problem.IMPOSSIBLE_CRAWFORD_GAME, "a Crawford game in money play"
    elif not crawford_if_first(setup.rules, setup.length, setup.score_before):
        sides_one_away = one_away(setup.length, setup.score_before)
        sides = "both" if sides_one_away == 2 else "none"
        yield (
            Problem.IMPOSSIBLE_CRAWFORD_GAME,
            f"a Crawford game needs exactly one side one point from winning, not {sides}",
        )
    if setup.cube != CENTERED:
        yield (
            Problem.IMPOSSIBLE_CRAWFORD_GAME,
            "a turned cube in the Crawford game (set crawford=False if that game is past)",
        )


def _wrong_cube(setup: Setup) -> _Problems:
    cube = setup.cube
    rules = setup.rules
    if not rules.cube and cube != CENTERED:
        yield Problem.IMPOSSIBLE_CUBE, "a turned cube in a game without a cube"
    if rules.max_cube is not None and cube.value > rules.max_cube:
        yield Problem.IMPOSSIBLE_CUBE, f"a cube of {cube.value}, though it ends at {rules.max_cube}"
    # Only automatic doubles turn a centered cube. How many there were is not checked, nor whether the cube was dead
    # before: a state may come from an identifier, which does not have the rules, and programs write these states.
    if setup.length is not None and cube.owner is None and cube.value > 1:
        yield Problem.IMPOSSIBLE_CUBE, f"a centered cube of {cube.value} in a match"


def _wrong_turn(setup: Setup) -> _Problems:
    if setup.on_roll is None:
        has_played_result = setup.result is not None and setup.result.end is not End.FORFEITED
        fields = {
            "dice": setup.dice is not None,
            "an offer": setup.offer is not None,
            "an owned cube": setup.cube.owner is not None,
            "a result": has_played_result,
        }
        for what, is_set in fields.items():
            if is_set:
                yield Problem.NOBODY_ON_ROLL, f"{what} before the opening roll"
    if setup.dice is not None and setup.pending_double is not None:
        yield Problem.IMPOSSIBLE_DICE, "dice while a double is pending"
    if setup.dice is not None and setup.result is not None:
        yield Problem.IMPOSSIBLE_DICE, "dice after the end of the game"
    if setup.position.outcome is not None and setup.result is None:
        yield Problem.GAME_OVER, "one side has borne off everything, but there is no result"


def _wrong_double(setup: Setup) -> _Problems:
    double = setup.pending_double
    if double is None:
        return
    if setup.on_roll is not None and double.by is not setup.on_roll:
        yield Problem.IMPOSSIBLE_OFFER, f"a double by {double.by.title()}, who is not on roll"
    turns_of_cube = 1 + double.beavers  # each doubles it; `setup.cube` is that before all of them
    if setup.cube.value * 2**turns_of_cube != double.value:
        offered = f"a cube of {setup.cube.value} cannot be offered at {double.value}"
        yield Problem.IMPOSSIBLE_OFFER, f"{offered} after {counted(double.beavers, 'beaver')}"
    why_not = _why_not_doubled(setup, double.by)
    if why_not is None:
        why_not = why_not_value(setup.rules, double.value)
    if why_not is not None:
        yield (
            Problem.IMPOSSIBLE_OFFER,
            f"a double by {double.by.title()}, though {why_not.sentence}",
        )
    if double.beavers and setup.length is not None:
        yield Problem.IMPOSSIBLE_BEAVER, "a beaver in a match"
    elif double.beavers > setup.rules.beavers:
        yield (
            Problem.IMPOSSIBLE_BEAVER,
            f"{counted(double.beavers, 'beaver')}, but the rules allow {setup.rules.beavers}",
        )


def _why_not_doubled(setup: Setup, player: Player) -> ForbiddenBy | None:
    """Why this player cannot have doubled in this game."""
    return why_not_double(
        setup.rules,
        setup.length,
        setup.crawford,
        setup.cube,
        score=setup.score_before,
        player=player,
    )


def _wrong_resignation(setup: Setup) -> _Problems:
    if not isinstance(setup.offer, Resignation):
        return
    why_not = why_not_resign(setup.rules, setup.offer.win)
    if why_not is not None:
        yield Problem.IMPOSSIBLE_OFFER, why_not.sentence


def _wrong_result(setup: Setup, result: Result) -> _Problems:
    if setup.offer is not None:
        yield Problem.IMPOSSIBLE_OFFER, "an offer after the end of the game"
    yield from _wrong_end(setup, result)
    if result.win is None:
        why_not = why_not_award(setup.length, result.points)
        if why_not is not None:
            yield Problem.IMPOSSIBLE_RESULT, why_not
        return
    if result.win > highest_win(setup.rules, setup.length, setup.cube):
        yield Problem.IMPOSSIBLE_RESULT, f"a {level_name(result.win)} where it does not count"
    points = win_points(
        setup.rules,
        cube=setup.cube.value,
        win=result.win,
        loser_pips=_pips_left(setup, result.winner.opponent),
    )
    if result.points != points:
        yield (
            Problem.IMPOSSIBLE_RESULT,
            f"{counted(result.points, 'point')} where the win counts {points}",
        )


def _pips_left(setup: Setup, player: Player) -> int:
    """The pip count of a player; before the opening roll, the board is seen by White."""
    seen_by = Player.WHITE if setup.on_roll is None else setup.on_roll
    return setup.position.pip_count if player is seen_by else setup.position.opponent_pip_count


def _wrong_end(setup: Setup, result: Result) -> _Problems:
    """Whether the game can have ended this way."""
    outcome = setup.position.outcome
    is_played = result.end is End.PLAYED
    if is_played and outcome is None:
        yield Problem.IMPOSSIBLE_RESULT, "a game played, though nobody has borne off everything"
    elif not is_played and outcome is not None:
        sentence = f"a game {result.end}, though one side has borne off everything"
        yield Problem.IMPOSSIBLE_RESULT, sentence
    elif outcome is not None and result.win is not None:  # played to the end
        # the loser is on roll, so the outcome as they see it is a loss
        if outcome.won or result.winner is setup.on_roll:
            yield (
                Problem.IMPOSSIBLE_RESULT,
                "after the last play the loser is on roll, but here it is the winner",
            )
        highest = highest_win(setup.rules, setup.length, setup.cube)
        if result.win is not min(outcome.win, highest):
            yield (
                Problem.IMPOSSIBLE_RESULT,
                f"a {level_name(result.win)} on a board that shows another win",
            )
    if result.end is End.DROPPED:
        yield from _wrong_drop(setup, result)


def _wrong_drop(setup: Setup, result: Result) -> _Problems:
    """Whether the loser can have dropped a double."""
    if result.win is not Win.SINGLE:
        yield Problem.IMPOSSIBLE_RESULT, "a drop loses a single game"
    if setup.on_roll is None:  # a problem of its own, see `_wrong_turn`
        return
    why_not = _why_no_drop(setup, setup.on_roll, result.winner)
    if why_not is not None:
        yield Problem.IMPOSSIBLE_RESULT, f"a drop, though {why_not}"


def _why_no_drop(setup: Setup, on_roll: Player, winner: Player) -> str | None:
    """Why no double by the player on roll can have been dropped with this winner, or None if one can."""
    cube = setup.cube
    rules = setup.rules
    may_have_beavered = setup.length is None and rules.beavers > 0
    if may_have_beavered and cube.owner is on_roll.opponent:
        return _why_no_drop_after_beaver(rules, cube, on_roll, winner)
    # a plain double, which the opponent of the player on roll dropped
    why_not = _why_not_doubled(setup, on_roll)
    if why_not is not None:
        return why_not.sentence
    return None if winner is on_roll else "the player on roll has doubled"


def _why_no_drop_after_beaver(
    rules: Rules, cube: Cube, on_roll: Player, winner: Player
) -> str | None:
    """The same where the opponent of the player on roll owns the cube, which they can have taken only by a beaver.

    The player on roll has dropped that beaver, or has answered it by a raccoon, and their opponent has dropped that.
    """
    is_raccoon_dropped = winner is on_roll
    allows_raccoon = rules.beavers >= 2 and cube.value >= _AFTER_A_BEAVER
    if is_raccoon_dropped and not allows_raccoon:
        return f"{on_roll.title()} cannot have answered a beaver with a raccoon"
    dropped_value = 2 * cube.value
    too_high = why_not_value(rules, dropped_value)
    return None if too_high is None else too_high.sentence


_AFTER_A_BEAVER = 4
"""The least value that a cube counts after a double, a beaver and a raccoon that is dropped."""

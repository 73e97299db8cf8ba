"""What a `MatchState` must be: every rule of a valid table, and all of its problems at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from gammonrules.board import Position, Win
from gammonrules.dice import Dice
from gammonrules.errors import MatchStateProblem as Problem
from gammonrules.limits import MOST_POINTS
from gammonrules.match.table import (
    Cube,
    Double,
    End,
    Found,
    Player,
    Resignation,
    Result,
    level_name,
    raise_problems,
)
from gammonrules.match.table_rules import (
    crawford_if_first,
    highest_win,
    one_away,
    points_of,
    why_not_award,
    why_not_double,
    why_not_value,
)
from gammonrules.rules import Rules
from gammonrules.values import counted, is_pair_of, shown

if TYPE_CHECKING:
    from gammonrules.match import MatchState


def refuse_wrong_types(state: MatchState) -> None:
    """Raise MatchStateError for fields of a wrong type, or numbers out of bounds: `refuse_problems` relies on them."""
    raise_problems("impossible table", _wrong_types(state))


def refuse_problems(state: MatchState) -> None:
    """Raise MatchStateError with everything that is wrong with this table."""
    raise_problems("impossible table", (found for check in _CHECKS for found in check(state)))


_NONE = type(None)
_TYPES: tuple[tuple[str, tuple[type, ...], str], ...] = (
    ("position", (Position,), "a Position"),
    ("on_roll", (Player, _NONE), "a Player or None"),
    ("dice", (Dice, _NONE), "Dice or None"),
    ("cube", (Cube,), "a Cube"),
    ("offer", (Double, Resignation, _NONE), "a Double, a Resignation or None"),
    ("crawford", (bool, _NONE), "True, False or None"),
    ("rules", (Rules,), "Rules or None"),
    ("result", (Result, _NONE), "a Result or None"),
)


def _wrong_types(state: MatchState) -> Found:
    value: object
    for name, kinds, what in _TYPES:
        value = cast("object", getattr(state, name))
        if not isinstance(value, kinds):
            yield Problem.WRONG_TYPE, f"{name} is {what}, not {shown(value)}"
    value = state.score
    if not is_pair_of(value, int):
        yield Problem.WRONG_TYPE, f"score is a pair of whole numbers, White's and Black's, not {shown(value)}"
    elif isinstance(cast("object", state.result), (Result, _NONE)):
        yield from _beyond(state.score_before)
    value = state.length
    if value is not None and (type(value) is not int or not 1 <= value <= MOST_POINTS):
        what = f"a whole number from 1 to {MOST_POINTS}, or None for money play"
        yield Problem.WRONG_LENGTH, f"length is {what}, not {shown(value)}"


def _beyond(score: tuple[int, int]) -> Found:
    """Points beyond the bound, so many of them that they could not even be shown."""
    for player in Player:
        if abs(score[player]) > MOST_POINTS:
            points = f"{player.title()} has {shown(score[player])} points before this game"
            yield Problem.TOO_MANY_POINTS, f"{points}, a game begins with {MOST_POINTS} at most"


def _score(state: MatchState) -> Found:
    before = state.score_before
    for player in Player:
        if before[player] < 0:
            what = "score" if before == state.score else "score before this game"
            yield Problem.NEGATIVE_SCORE, f"{player.title()}'s {what} is {before[player]}"
        elif state.length is not None and before[player] >= state.length:
            yield (
                Problem.MATCH_OVER,
                (
                    f"{player.title()} had won the match to {state.length} before this game, "
                    f"with {counted(before[player], 'point')}"
                ),
            )
    if state.length is not None and state.rules.scoring == "pips":
        yield Problem.PIPS_IN_MATCH, "pip scoring belongs to single games, not to a match"


def _crawford(state: MatchState) -> Found:
    if not state.crawford:
        return
    if not state.rules.crawford:
        yield Problem.WRONG_CRAWFORD, "a Crawford game under rules without the Crawford rule"
    elif state.length is None:
        yield Problem.WRONG_CRAWFORD, "a Crawford game in money play"
    elif not crawford_if_first(state.rules, state.length, state.score_before):
        sides = one_away(state.length, state.score_before)
        yield (
            Problem.WRONG_CRAWFORD,
            f"a Crawford game needs exactly one side one point from winning, not {'both' if sides else 'none'}",
        )
    if state.cube != Cube():
        yield Problem.WRONG_CRAWFORD, "a turned cube in the Crawford game (say crawford=False if it is past)"


def _cube(state: MatchState) -> Found:
    cube, rules = state.cube, state.rules
    if not rules.cube and cube != Cube():
        yield Problem.WRONG_CUBE, "a turned cube in a game without a cube"
    if rules.max_cube is not None and cube.value > rules.max_cube:
        yield Problem.WRONG_CUBE, f"a cube of {cube.value}, though it ends at {rules.max_cube}"
    # Only automatic doubles turn a centred cube. How many is not checked, nor whether the cube was dead before it was
    # turned so far: a table may come from a text without rules, and programs write such tables.
    if state.length is not None and cube.owner is None and cube.value > 1:
        yield Problem.WRONG_CUBE, f"a centred cube of {cube.value} in a match"


def _turn(state: MatchState) -> Found:
    if state.on_roll is None:
        later = {
            "dice": state.dice is not None,
            "an offer": state.offer is not None,
            "an owned cube": state.cube.owner is not None,
            "a result": state.result is not None and state.result.end is not End.FORFEITED,
        }
        for what, there in later.items():
            if there:
                yield Problem.NOBODY_ON_ROLL, f"{what} before the opening roll"
    if state.dice is not None and state.pending_double is not None:
        yield Problem.WRONG_DICE, "dice while a double is pending"
    if state.dice is not None and state.result is not None:
        yield Problem.WRONG_DICE, "dice after the end of the game"
    if state.position.outcome is not None and state.result is None:
        yield Problem.GAME_OVER, "one side has borne off everything, and there is no result"


def _double(state: MatchState) -> Found:
    double = state.pending_double
    if double is None:
        return
    if state.on_roll is not None and double.by is not state.on_roll:
        yield Problem.WRONG_OFFER, f"a double by {double.by.title()}, who is not on roll"
    if double.value >> (double.beavers + 1) != state.cube.value:
        yield (
            Problem.WRONG_OFFER,
            (
                f"a cube of {state.cube.value} cannot be offered at {double.value} "
                f"after {counted(double.beavers, 'beaver')}"
            ),
        )
    why_not = why_not_double(state, double.by) or why_not_value(state.rules, double.value)
    if why_not:
        yield Problem.WRONG_OFFER, f"a double by {double.by.title()}, though {why_not[1]}"
    if double.beavers and state.length is not None:
        yield Problem.WRONG_BEAVER, "a beaver in a match"
    elif double.beavers > state.rules.beavers:
        yield Problem.WRONG_BEAVER, f"{counted(double.beavers, 'beaver')}, though the rules allow {state.rules.beavers}"


def _resignation(state: MatchState) -> Found:
    offer = state.offer
    if isinstance(offer, Resignation) and state.rules.scoring == "pips" and offer.win is not Win.SINGLE:
        yield Problem.WRONG_OFFER, "with pip scoring only a single game can be resigned"


def _result(state: MatchState) -> Found:
    result = state.result
    if result is None:
        return
    if state.offer is not None:
        yield Problem.WRONG_OFFER, "an offer after the end of the game"
    yield from _end(state, result)
    if result.win is None:
        why_not = why_not_award(state.length, result.points)
        if why_not:
            yield Problem.WRONG_RESULT, why_not
        return
    if result.win > highest_win(state.rules, state.length, state.cube):
        yield Problem.WRONG_RESULT, f"a {level_name(result.win)} where none counts"
    points = points_of(state.rules, state.cube, result.win, state.view(result.winner.opponent).pip_count)
    if result.points != points:
        yield Problem.WRONG_RESULT, f"{counted(result.points, 'point')} where the win counts {points}"


def _end(state: MatchState, result: Result) -> Found:
    """Whether the game can have ended so."""
    outcome = state.position.outcome
    if (result.end is End.PLAYED) != (outcome is not None):
        borne_off = "nobody has" if outcome is None else "one side has"
        yield Problem.WRONG_RESULT, f"a game {result.end}, though {borne_off} borne off everything"
    elif outcome is not None and result.win is not None:
        if outcome.won or result.winner is state.on_roll:
            yield Problem.WRONG_RESULT, "after the last play the loser is on roll, and here it is the winner"
        if result.win is not min(outcome.win, highest_win(state.rules, state.length, state.cube)):
            yield Problem.WRONG_RESULT, f"a {level_name(result.win)} on a board that shows another win"
    if result.end is End.DROPPED:
        yield from _drop(state, result)


def _drop(state: MatchState, result: Result) -> Found:
    """Whether the loser can have dropped a double."""
    if result.win is not Win.SINGLE:
        yield Problem.WRONG_RESULT, "a drop loses a single game"
    if state.on_roll is None:
        return
    why_not = _why_no_drop(state, state.on_roll, result.winner)
    if why_not:
        yield Problem.WRONG_RESULT, f"a drop, though {why_not}"


def _why_no_drop(state: MatchState, on_roll: Player, winner: Player) -> str | None:
    """Why no double by the player on roll can have ended in a drop that this player won, or None if one can."""
    cube, rules = state.cube, state.rules
    if state.length is None and rules.beavers and cube.owner is on_roll.opponent:
        # After a beaver the cube is theirs already: the doubler has dropped, or after another redouble they have.
        if winner is on_roll and (rules.beavers < 2 or cube.value < _AFTER_A_BEAVER):
            return f"{on_roll.title()} cannot have answered a beaver with a raccoon"
        why_not = why_not_value(rules, 2 * cube.value)
    else:
        why_not = why_not_double(state, on_roll)
    if why_not is None:
        return None if winner is on_roll or cube.owner is on_roll.opponent else "the player on roll has doubled"
    return why_not[1]


_AFTER_A_BEAVER = 4
"""What a cube shows at least that has been doubled and beavered."""


_CHECKS: tuple[Callable[[MatchState], Found], ...] = (
    _score,
    _crawford,
    _cube,
    _turn,
    _double,
    _resignation,
    _result,
)

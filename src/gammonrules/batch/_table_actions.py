"""What each action changes at the tables where it is done.

The methods of `MatchState` say it too, but make objects (`Cube`, `Double`, `Result`) of what is here numbers in arrays.
What follows from the rules, the cube and the score comes from `match/`.
"""

from __future__ import annotations

from collections.abc import Callable, Set as AbstractSet
from functools import cached_property
from typing import Any, cast

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules.batch._board_arrays import from_positions, outcomes, pip_counts
from gammonrules.batch._plays import LegalPlays
from gammonrules.batch._table_rules import (
    ACTIONS,
    BY_ANYBODY,
    NO_ACTION,
    Points,
    are_allowed,
    players_to_act,
    scores_before,
)
from gammonrules.batch._table_states import COLUMNS, NOBODY, SEATS, Arrays, at_table, number_of, states_of
from gammonrules.board import Position, Win
from gammonrules.board.array_checks import Bools, Ints, Rows, first, plain_array, rows_of, what
from gammonrules.board.internals import SLOTS
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import TO_ACT, Action, Cube, End, MatchState, Player
from gammonrules.match.internals import CENTERED, crawford_after, doubles_automatically, highest_win, points_of
from gammonrules.rules import Rules
from gammonrules.values import shown


@attrs.frozen(eq=False)
class Arguments:
    """What the actions need to know, as passed to `Tables.apply`."""

    dice: npt.ArrayLike | None
    rows: npt.ArrayLike | None
    wins: npt.ArrayLike | None
    by: npt.ArrayLike | None
    starters: npt.ArrayLike | None
    starts: npt.ArrayLike | None


@attrs.define(eq=False, slots=False)
class Draft:
    """The new tables: each array is the old one, copied when it is first written into."""

    old: Arrays
    length: int | None
    rules: Rules
    checkers: int
    phase_numbers: Ints
    legal_plays: LegalPlays | None
    """Needed where a roll is played."""
    arguments: Arguments
    changed: Arrays = attrs.field(init=False, factory=dict)

    @cached_property
    def to_act(self) -> Rows:
        return players_to_act(self.old)

    @cached_property
    def actors(self) -> Rows:
        """Who acts at each table: the player who is to act, unless `by` names another."""
        if self.arguments.by is None:
            return self.to_act
        by = self.numbers("by", self.arguments.by, np.arange(len(self)), NOBODY, 1)
        return np.where(by == NOBODY, self.to_act, by).astype(np.int8)

    def __len__(self) -> int:
        return len(self.old["points"])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.changed[name] if name in self.changed else self.old[name]

    def put(self, at: Ints, **values: object) -> None:
        """Write values into the arrays of these names, at these tables."""
        for name, value in values.items():
            if name not in self.changed:
                self.changed[name] = self.old[name].copy()
            self.changed[name][at] = value

    def numbers(self, name: str, argument: npt.ArrayLike, at: Ints, least: int, most: int) -> Ints:
        """The numbers for these tables, from an argument with one for each table or one for all."""
        return numbers_of(name, argument, len(self), at, least, most)

    def refuse_at(self, index: int, act: Callable[[MatchState], object]) -> None:
        """Raise the error that the old state of this table has for an action."""
        row = {name: self.old[name][index : index + 1] for name in COLUMNS}
        try:
            act(*states_of(row, self.length, self.rules, self.checkers))
        except GammonError as error:
            at_table(index, error)


def acted(draft: Draft, codes: Ints, kinds: AbstractSet[int]) -> Arrays:
    """The arrays that these actions, of these kinds, change.

    Raises:
        GammonError: an action is not allowed, or its argument is wrong; the message names the first such table.
    """
    _refuse_illegal(draft, codes, kinds)
    for code in kinds - {NO_ACTION}:
        _DOING[ACTIONS[code]](draft, np.flatnonzero(codes == code))
    return draft.changed


# What the caller passes -------------------------------------------------------------------------------------------


_NAMES = np.array(["", *ACTIONS])
"""In the order of the codes; the first, -1, means no action."""
_SORTED = np.argsort(_NAMES)


def codes_of(actions: npt.ArrayLike, number: int, name: str) -> Ints:
    """The actions as numbers, from names or numbers."""
    array = _for_each(plain_array(actions, name), number, name, "iuU")
    if array.dtype.kind == "U":
        indices = _SORTED[np.searchsorted(_NAMES, array, sorter=_SORTED).clip(max=len(ACTIONS))]
        unknown = first(_NAMES[indices] != array)
        codes: Ints = indices - 1
    else:
        unknown = first((array < -1) | (array >= len(ACTIONS)))
        codes = array.astype(np.int64)
    if unknown is not None:
        raise ArgumentError(f"{name}, table {unknown}: there is no action {shown(array[unknown].item())}")
    return codes


def _for_each(array: npt.NDArray[Any], number: int, name: str, kinds: str = "iu") -> npt.NDArray[Any]:
    """An argument with a value for each table, or one for all."""
    if array.dtype.kind in kinds and array.shape == ():
        return np.broadcast_to(array, number)
    if array.shape == (0,) == (number,):  # an empty list, which NumPy reads as floats
        return array.astype(np.int64)
    if array.dtype.kind not in kinds or array.shape != (number,):
        names = " or names" if "U" in kinds else ""
        raise ArgumentError(f"{name}: expected whole numbers{names} of shape ({number},), not {what(array)}")
    return array


def numbers_of(name: str, argument: npt.ArrayLike, count: int, at: Ints, least: int, most: int) -> Ints:
    """The numbers for some of these tables, from an argument with one for each table or one for all."""
    numbers = _for_each(plain_array(argument, name), count, name)[at]
    wrong = first((numbers < least) | (numbers > most))
    if wrong is not None:
        raise ArgumentError(f"{name}, table {at[wrong]}: {numbers[wrong]} is not from {least} to {most}")
    return numbers.astype(np.int64)


def _refuse_illegal(draft: Draft, codes: Ints, kinds: AbstractSet[int]) -> None:
    legal = are_allowed(codes, kinds, draft.phase_numbers, draft.old, draft.length, draft.rules)
    if draft.arguments.by is not None:
        legal &= BY_ANYBODY[codes] | (draft.actors == draft.to_act) | (codes == NO_ACTION)
    wrong = first(~legal)
    if wrong is not None:
        action, player = ACTIONS[int(codes[wrong])], SEATS[int(draft.actors[wrong])]
        draft.refuse_at(wrong, lambda state: state._allow(action, player or TO_ACT))  # noqa: SLF001


def _dice(draft: Draft, at: Ints, act: Callable[[MatchState, list[int]], object]) -> Rows:
    """The rolls of these tables."""
    if draft.arguments.dice is None:
        raise ArgumentError(f"table {at[0]} needs a roll: pass dice=..., of shape ({len(draft)}, 2)")
    rolls = rows_of(draft.arguments.dice, 2, "dice")
    if len(rolls) != len(draft):
        raise ArgumentError(f"dice: expected the shape ({len(draft)}, 2), not {rolls.shape}")
    dice = rolls[at]
    wrong = first((dice < 1) | (dice > 6))
    if wrong is not None:
        row = wrong // 2
        draft.refuse_at(int(at[row]), lambda state: act(state, dice[row].tolist()))
    return dice


def flipped(points: Rows, where: Bools) -> Rows:
    """These boards, some of them seen by the other side."""
    return np.where(where[:, np.newaxis], -points[:, ::-1], points)


# The actions ------------------------------------------------------------------------------------------------------
# Each is written as the method of `MatchState` with its name.


def _opening_roll(draft: Draft, at: Ints) -> None:
    dice = _dice(draft, at, lambda state, dice: state.opening_roll(*dice))
    tied = dice[:, 0] == dice[:, 1]
    ties, starts, dice = at[tied], at[~tied], dice[~tied]
    if len(ties):
        cube = draft["cube"][ties]
        draft.put(ties, cube=np.where(doubles_automatically(draft.rules, draft.length, cube), 2 * cube, cube))
    starters = (dice[:, 1] > dice[:, 0]).astype(np.int8)
    draft.put(starts, on_roll=starters, points=flipped(draft["points"][starts], starters == 1))
    if draft.rules.opening == "shared":
        draft.put(starts, dice=_high_first(dice))


def _high_first(dice: Rows) -> Rows:
    return np.stack([np.maximum(*dice.T), np.minimum(*dice.T)], axis=1)


def _roll(draft: Draft, at: Ints) -> None:
    draft.put(at, dice=_high_first(_dice(draft, at, lambda state, dice: state.roll((dice[0], dice[1])))))


def _play(draft: Draft, at: Ints) -> None:
    winners = draft["on_roll"][at]
    plays = cast("LegalPlays", draft.legal_plays)
    after = plays.points[_rows(draft, at, plays.offsets)]
    draft.put(at, points=after, on_roll=1 - winners, dice=0)
    losses = outcomes(after, checkers=draft.checkers)  # the loser is on roll now
    over = np.flatnonzero(losses)
    if len(over):
        _decide(draft, at[over], winners[over], -losses[over], End.PLAYED)


def _rows(draft: Draft, at: Ints, offsets: Ints) -> Ints:
    """The rows of the legal plays that are played at these tables."""
    rows = draft.arguments.rows
    if rows is None:
        raise ArgumentError(f"table {at[0]} needs a play: pass rows=..., of shape ({len(draft)},)")
    chosen = _for_each(plain_array(rows, "rows"), len(draft), "rows")[at].astype(np.int64)
    wrong = first((chosen < offsets[at]) | (chosen >= offsets[at + 1]))
    if wrong is not None:
        raise ArgumentError(f"rows, table {at[wrong]}: row {chosen[wrong]} is not a play of this table")
    return chosen


def _double(draft: Draft, at: Ints) -> None:
    draft.put(at, offered=2 * draft["cube"][at])


def _take(draft: Draft, at: Ints) -> None:
    draft.put(at, cube=draft["offered"][at], owners=1 - draft["on_roll"][at], offered=0, beavers=0)


def _drop(draft: Draft, at: Ints) -> None:
    _turn_cube_that_counts(draft, at)
    _decide(draft, at, 1 - draft.actors[at], np.ones(len(at), np.int8), End.DROPPED)


def _turn_cube_that_counts(draft: Draft, at: Ints) -> None:
    """`doubling.cube_that_counts`, before a game is lost while a double is pending."""
    beavered = at[draft["beavers"][at] > 0]
    if len(beavered):
        draft.put(beavered, cube=draft["offered"][beavered] // 2, owners=1 - draft["on_roll"][beavered])


def _beaver(draft: Draft, at: Ints) -> None:
    draft.put(at, offered=2 * draft["offered"][at], beavers=draft["beavers"][at] + 1)


def _resign(draft: Draft, at: Ints) -> None:
    wins = draft.arguments.wins
    levels = draft.numbers("wins", 1 if wins is None else wins, at, min(Win), max(Win))
    if draft.rules.scoring == "pips":
        wrong = first(levels > 1)
        if wrong is not None:
            index = int(at[wrong])
            player, win = SEATS[draft.actors[index]], Win(levels[wrong])
            draft.refuse_at(index, lambda state: state.resign(win, by=player or TO_ACT))
    draft.put(at, resigned_by=draft.actors[at], resigned=levels)


def _accept(draft: Draft, at: Ints) -> None:
    _turn_cube_that_counts(draft, at)
    _decide(draft, at, 1 - draft["resigned_by"][at], draft["resigned"][at], End.RESIGNED)


def _decline(draft: Draft, at: Ints) -> None:
    draft.put(at, resigned_by=NOBODY, resigned=0)


def _decide(draft: Draft, at: Ints, winners: Rows, levels: Rows, end: End) -> None:
    """The games at these tables are over."""
    cubes = CENTERED, Cube(2, Player.WHITE)
    centered, owned = (np.int8(highest_win(draft.rules, draft.length, cube)) for cube in cubes)
    wins = np.minimum(levels, np.where(draft["owners"][at] == NOBODY, centered, owned))
    won = points_of(draft.rules, draft["cube"][at], wins, _pips_of(draft, at, 1 - winners))
    scores = draft["scores"][at]
    scores[np.arange(len(at)), winners] += won
    draft.put(at, won_by=winners, wins=wins, won=won, ends=number_of(end), scores=scores)
    draft.put(at, dice=0, offered=0, beavers=0, resigned_by=NOBODY, resigned=0)


def _pips_of(draft: Draft, at: Ints, losers: Rows) -> Points:
    """The pip counts of the losers; only pip scoring needs them."""
    if draft.rules.scoring != "pips":
        return np.zeros(len(at), np.int32)
    seen_by_the_other = losers != draft["on_roll"][at]
    pips: Points = pip_counts(draft["points"][at])[np.arange(len(at)), seen_by_the_other.astype(np.int64)]
    return pips


def _next_game(draft: Draft, at: Ints) -> None:
    starters = draft.arguments.starters
    players = draft.numbers("starters", NOBODY if starters is None else starters, at, NOBODY, 1)
    scores, before = draft.old["scores"][at].T, scores_before(draft.old)[at].T
    draft.put(at, points=flipped(_starts(draft, at), players == 1), on_roll=players, cube=1, owners=NOBODY)
    draft.put(at, won_by=NOBODY, wins=0, won=0, ends=-1)
    draft.put(at, crawford=crawford_after(draft.rules, draft.length, scores, before))


def _starts(draft: Draft, at: Ints) -> Rows:
    """The first boards of the next games, as White sees them."""
    starts = draft.arguments.starts
    if starts is None:
        start = Position.start(draft.rules.start)
        if start.checkers != draft.checkers:
            draft.refuse_at(int(at[0]), MatchState.next_game)
        return np.repeat(from_positions([start]), len(at), axis=0)
    boards = rows_of(starts, SLOTS, "points")
    if len(boards) != len(draft):
        raise ArgumentError(f"starts: expected the shape ({len(draft)}, {SLOTS}), not {boards.shape}")
    _check_starts(draft, at, boards[at])
    return boards[at]


def _check_starts(draft: Draft, at: Ints, boards: Rows) -> None:
    """Let `MatchState` refuse the first board with which no game can start."""
    for index, row in zip(at.tolist(), boards.tolist(), strict=True):
        try:
            MatchState.new(draft.length, rules=draft.rules, position=Position(row, checkers=draft.checkers))
        except GammonError as error:
            at_table(index, error)


_DOING: dict[Action, Callable[[Draft, Ints], None]] = {
    Action.OPENING_ROLL: _opening_roll,
    Action.ROLL: _roll,
    Action.PLAY: _play,
    Action.DOUBLE: _double,
    Action.TAKE: _take,
    Action.DROP: _drop,
    Action.BEAVER: _beaver,
    Action.RESIGN: _resign,
    Action.ACCEPT: _accept,
    Action.DECLINE: _decline,
    Action.NEXT_GAME: _next_game,
}

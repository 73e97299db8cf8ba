"""What each action changes in the states where it is done.

The methods of `MatchState` say it too, but make objects (`Cube`, `Double`, `Result`) of what is here numbers in arrays.
What follows from the rules, the cube and the score comes from `match/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set as AbstractSet
from functools import cached_property
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import (
    Bools,
    Ints,
    Rows,
    first,
    plain_array,
    refuse_first,
    rows_of,
    what,
)
from gammonrules.batch._board_arrays import from_positions, outcomes, pip_counts
from gammonrules.batch._legal_plays import LegalPlays
from gammonrules.batch._state_columns import (
    COLUMNS,
    NOBODY,
    NUMBERS_OF_ENDS,
    SEATS,
    Arrays,
    states_of,
)
from gammonrules.batch._state_rules import (
    ACTIONS,
    BY_ANYBODY,
    CODES,
    NO_ACTION,
    Points,
    allowed,
    may,
    phases,
    players_to_act,
    scores_before,
)
from gammonrules.board import Position, Win
from gammonrules.board.internals import SLOTS
from gammonrules.errors import ArgumentError
from gammonrules.match import TO_ACT, Action, Cube, End, MatchState, Player
from gammonrules.match.internals import (
    CENTERED,
    crawford_after,
    doubles_automatically,
    highest_win,
    no_action,
    win_points,
)
from gammonrules.rules import Rules
from gammonrules.values import saying_where

_NOTHING: Mapping[str, None] = dict.fromkeys(("dice", "rows", "wins", "by", "starters", "starts"))


@attrs.define(eq=False)
class Draft:
    """The new states: each array is the old one, copied when it is first written into.

    Each action has a method with its name, as in `MatchState`, which does it in some of the states; `act` calls them.
    If `changed` is `old`, actions are done in place, for a loop that knows which are legal.
    """

    old: Arrays
    length: int | None
    rules: Rules
    checkers: int
    legal_plays: LegalPlays | None = None
    """Needed where `act` plays a roll."""
    passed: Mapping[str, npt.ArrayLike | None] = _NOTHING
    """The arguments of `MatchStates.apply`, by name."""
    changed: Arrays = attrs.field(factory=dict)

    @property
    def phase_numbers(self) -> Ints:
        return phases(self.old)

    @property
    def to_act(self) -> Rows:
        return players_to_act(self.old)

    @property
    def may_double(self) -> Bools:
        """Where the player on roll may double, if they have not rolled."""
        return may(CODES[Action.DOUBLE], arrays=self.old, length=self.length, rules=self.rules)

    @property
    def legal_actions(self) -> Bools:
        """As in `MatchStates`."""
        return allowed(self.phase_numbers, arrays=self.old, length=self.length, rules=self.rules)

    def __copy__(self) -> Draft:
        arrays = {name: array.copy() for name, array in self.old.items()}
        return attrs.evolve(self, old=arrays, changed=arrays)

    @property
    def actors(self) -> Rows:
        """The player who acts in each state: the one who is to act, unless `by` names another."""
        if self.passed["by"] is None:
            return self.to_act
        by = self._numbers("by", default=NOBODY, at=np.arange(len(self)), minimum=NOBODY, maximum=1)
        return np.where(by == NOBODY, self.to_act, by).astype(np.int8)

    def __len__(self) -> int:
        return len(self.old["points"])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.changed[name] if name in self.changed else self.old[name]

    def put(self, at: Ints, **values: object) -> None:
        """Write values into the arrays of these names, for these states."""
        for name, value in values.items():
            if name not in self.changed:
                self.changed[name] = self.old[name].copy()
            _write(self.changed[name], at, value)

    def act(self, codes: Ints, kinds: AbstractSet[int], phase_numbers: Ints) -> Arrays:
        """Do these actions, which are of these kinds, and return the arrays that they change.

        Raises:
            GammonError: an action is not allowed, or its argument is wrong; the message names the first such state.
        """
        self._refuse_illegal(codes, kinds, phase_numbers)
        for code in kinds - {NO_ACTION}:
            act_at = getattr(self, ACTIONS[code])
            act_at(np.flatnonzero(codes == code))
        return self.changed

    # What the caller passes -------------------------------------------------------------------------------------------

    def _numbers(self, name: str, default: int, at: Ints, minimum: int, maximum: int) -> Ints:
        """The numbers for these states, from the argument with this name; the default for all if it is None."""
        argument = self.passed[name]
        return numbers_for_states(
            name,
            argument=default if argument is None else argument,
            count=len(self),
            at=at,
            minimum=minimum,
            maximum=maximum,
        )

    def _refuse_at(self, index: int, act: Callable[[MatchState], object]) -> None:
        """Raise the error of `MatchState` for an action in this state, before the actions."""
        row = {name: self.old[name][index : index + 1] for name in COLUMNS}
        with saying_where(f"state {index}"):
            (state,) = states_of(row, self.length, self.rules, self.checkers)
            act(state)

    def _refuse_illegal(self, codes: Ints, kinds: AbstractSet[int], phase_numbers: Ints) -> None:
        allowed_here = allowed(
            phase_numbers, arrays=self.old, length=self.length, rules=self.rules, kinds=kinds
        )
        # `NO_ACTION` reads the last column, but is no action that could be illegal
        is_legal = allowed_here[np.arange(len(codes)), codes]
        if self.passed["by"] is not None:
            is_legal &= BY_ANYBODY[codes] | (self.actors == self.to_act)
        wrong = first(~is_legal & (codes != NO_ACTION))
        if wrong is not None:
            action = ACTIONS[int(codes[wrong])]
            player = SEATS[int(self.actors[wrong])]
            self._refuse_at(wrong, lambda state: state._allow(action, player or TO_ACT))  # noqa: SLF001

    def _rolls(self, at: Ints, act: Callable[[MatchState, list[int]], object]) -> Rows:
        if self.passed["dice"] is None:
            raise ArgumentError(
                f"state {at[0]} needs a roll: pass dice=..., of shape ({len(self)}, 2)"
            )
        rolls = rows_of(self.passed["dice"], 2, "dice")
        if len(rolls) != len(self):
            raise ArgumentError(f"dice: expected the shape ({len(self)}, 2), not {rolls.shape}")
        dice = rolls[at]
        wrong_die = first((dice < 1) | (dice > 6))
        if wrong_die is not None:
            row = wrong_die // 2  # each row has two dice
            self._refuse_at(int(at[row]), lambda state: act(state, dice[row].tolist()))
        return dice

    # The actions ------------------------------------------------------------------------------------------------------

    def opening_roll(self, at: Ints) -> None:
        rolls = self._rolls(at, lambda state, dice: state.opening_roll(dice[0], dice[1]))
        self.open(at, rolls)

    def open(self, at: Ints, dice: Rows) -> None:
        """The opening rolls: White's die and Black's. After a tie, which may double the cube, they are thrown again."""
        tied = dice[:, 0] == dice[:, 1]
        if tied.any():
            ties = at[tied]
            at = at[~tied]
            dice = dice[~tied]
            cube = self["cube"][ties]
            are_doubled = doubles_automatically(self.rules, self.length, cube)
            self.put(ties, cube=np.where(are_doubled, 2 * cube, cube))
        is_black_first = dice[:, 1] > dice[:, 0]
        # before the opening roll, boards are seen by White
        boards = flipped_where(self["points"][at], is_black_first)
        self.put(at, on_roll=is_black_first.astype(np.int8), points=boards)
        if self.rules.opening == "shared":
            self.put(at, dice=_high_first(dice))

    def roll(self, at: Ints) -> None:
        rolls = self._rolls(at, lambda state, dice: state.roll((dice[0], dice[1])))
        self.put(at, dice=_high_first(rolls))

    def play(self, at: Ints) -> None:
        plays = self.legal_plays
        assert plays is not None  # where somebody plays, it is passed
        rows = self._chosen_rows(at, plays.offsets)
        self.advance(at, plays.points[rows])

    def advance(self, at: Ints, after: Rows) -> None:
        """Go on to the boards after plays."""
        players = self["on_roll"][at]
        self.put(at, points=after, on_roll=1 - players, dice=0)
        results = outcomes(after, checkers=self.checkers)  # for the opponent, who is on roll now
        over = results.nonzero()[0]
        if len(over):
            # only who has just played can have won, so the results are below 0
            self._decide(at[over], winners=players[over], levels=-results[over], end=End.PLAYED)

    def _chosen_rows(self, at: Ints, offsets: Ints) -> Ints:
        """The rows of the legal plays that are played in these states."""
        if self.passed["rows"] is None:
            raise ArgumentError(
                f"state {at[0]} needs a play: pass rows=..., of shape ({len(self)},)"
            )
        rows = _of_each_state(plain_array(self.passed["rows"], "rows"), len(self), "rows")
        chosen = rows[at].astype(np.int64)
        wrong = (chosen < offsets[at]) | (chosen >= offsets[at + 1])
        refuse_first(
            wrong,
            lambda row: f"rows, state {at[row]}: row {chosen[row]} is not a play of this state",
        )
        return chosen

    def double(self, at: Ints) -> None:
        self.put(at, offered=2 * self["cube"][at])

    def take(self, at: Ints) -> None:
        self.put(at, cube=self["offered"][at], owners=1 - self["on_roll"][at], offered=0, beavers=0)

    def drop(self, at: Ints) -> None:
        self._turn_cube_that_counts(at)
        single_wins = np.full(len(at), Win.SINGLE, np.int8)
        self._decide(at, winners=1 - self.actors[at], levels=single_wins, end=End.DROPPED)

    def beaver(self, at: Ints) -> None:
        self.put(at, offered=2 * self["offered"][at], beavers=self["beavers"][at] + 1)

    def resign(self, at: Ints) -> None:
        levels = self._numbers("wins", default=1, at=at, minimum=min(Win), maximum=max(Win))
        if self.rules.scoring == "pips":  # which knows no gammons
            self._refuse_levels(at, levels)
        self.put(at, resigned_by=self.actors[at], resigned=levels)

    def _refuse_levels(self, at: Ints, levels: Ints) -> None:
        """Raise the error of `MatchState` if a player resigns more than a single game."""
        wrong = first(levels > Win.SINGLE)
        if wrong is not None:
            index = int(at[wrong])
            player = SEATS[self.actors[index]]
            win = Win(levels[wrong])
            self._refuse_at(index, lambda state: state.resign(win, by=player or TO_ACT))

    def accept(self, at: Ints) -> None:
        self._turn_cube_that_counts(at)
        self._decide(
            at, winners=1 - self["resigned_by"][at], levels=self["resigned"][at], end=End.RESIGNED
        )

    def decline(self, at: Ints) -> None:
        self.put(at, resigned_by=NOBODY, resigned=0)

    def next_game(self, at: Ints) -> None:
        starters = self._numbers("starters", default=NOBODY, at=at, minimum=NOBODY, maximum=1)
        crawford = crawford_after(
            self.rules,
            self.length,
            score=self.old["scores"][at].T,
            game_before=scores_before(self.old)[at].T,
        )
        is_black_first = starters == 1
        boards = flipped_where(self._first_boards(at), is_black_first)
        self.put(at, points=boards, on_roll=starters, cube=1, owners=NOBODY, crawford=crawford)
        self.put(at, won_by=NOBODY, wins=0, won=0, ends=NUMBERS_OF_ENDS[None])

    def _first_boards(self, at: Ints) -> Rows:
        """The first boards of the next games, as White sees them."""
        if self.passed["starts"] is None:
            start = Position.start(self.rules.start)
            if start.checkers != self.checkers:
                self._refuse_at(int(at[0]), MatchState.next_game)  # whose error says why
            return np.repeat(from_positions([start]), len(at), axis=0)
        boards = rows_of(self.passed["starts"], SLOTS, "points")
        if len(boards) != len(self):
            raise ArgumentError(
                f"starts: expected the shape ({len(self)}, {SLOTS}), not {boards.shape}"
            )
        for index, row in zip(at.tolist(), boards[at].tolist(), strict=True):
            # made only for the errors about a board with which no game can start
            with saying_where(f"state {index}"):
                board = Position.from_points(row, checkers=self.checkers)
                MatchState.new(self.length, rules=self.rules, position=board)
        return boards[at]

    def forfeit(self, at: Ints, loser: int) -> None:
        """One player loses: the match, or the value of the cube."""
        winner = 1 - loser
        winners = np.full(len(at), winner, np.int8)
        wins = np.zeros(len(at), np.int8)  # a forfeit is no single game, gammon or backgammon
        won: Points = self["cube"][at]
        if self.length is not None:
            won = self.length - self["scores"][at, winner]
        self._end(at, winners, wins=wins, won=won, end=End.FORFEITED)

    # What several actions do ------------------------------------------------------------------------------------------

    def _turn_cube_that_counts(self, at: Ints) -> None:
        """`match/cube.py:cube_that_counts`, before a game is lost while a double is pending.

        A beaver has taken the double, at half of the value that is offered now.
        """
        beavered = at[self["beavers"][at] > 0]
        if len(beavered):
            self.put(
                beavered, cube=self["offered"][beavered] // 2, owners=1 - self["on_roll"][beavered]
            )

    @cached_property
    def _highest_by_owner(self) -> Rows:
        """The highest level that counts, by the owner of the cube: nobody, White, Black."""
        cubes = [CENTERED, Cube(2, Player.WHITE), Cube(2, Player.BLACK)]
        return np.array([highest_win(self.rules, self.length, cube) for cube in cubes], np.int8)

    def _decide(self, at: Ints, winners: Rows, levels: Rows, end: End) -> None:
        """End the games of these states."""
        owners = self["owners"][at]
        highest = self._highest_by_owner.take(owners - NOBODY)  # nobody comes first
        wins = np.minimum(levels, highest)
        won = win_points(
            self.rules, cube=self["cube"][at], win=wins, loser_pips=self._pips_of(at, 1 - winners)
        )
        self._end(at, winners, wins, won, end)

    def _end(self, at: Ints, winners: Rows, wins: Rows, won: Points, end: End) -> None:
        scores = self["scores"][at]
        scores[np.arange(len(at)), winners] += won
        self.put(
            at, won_by=winners, wins=wins, won=won, ends=NUMBERS_OF_ENDS[end], scores=scores, dice=0
        )
        if end is not End.PLAYED:  # a game that is played to its end has no offer left
            self.put(at, offered=0, beavers=0, resigned_by=NOBODY, resigned=0)

    def _pips_of(self, at: Ints, losers: Rows) -> Points:
        """The pip counts of the losers; only pip scoring needs them."""
        if self.rules.scoring != "pips":
            return np.zeros(len(at), np.int32)
        is_opponent = losers != self["on_roll"][at]
        pips = pip_counts(self["points"][at])  # of the player on roll, and of the opponent
        return np.where(is_opponent, pips[:, 1], pips[:, 0])


def _high_first(dice: Rows) -> Rows:
    return np.sort(dice, axis=1)[:, ::-1]


def _write(array: npt.NDArray[Any], at: Ints, value: object) -> None:
    """`array[at] = value`, with each row as one item, which takes NumPy a fraction of the time."""
    if array.ndim == 1 or not array.flags.c_contiguous:
        array[at] = value
        return
    rows: npt.NDArray[Any] = np.empty((len(at), *array.shape[1:]), array.dtype)
    rows[:] = value
    row = np.dtype((np.void, array.itemsize * array.shape[1]))
    array.view(row)[:, 0][at] = rows.view(row)[:, 0]


def flipped_where(points: Rows, where: Bools) -> Rows:
    """The boards, turned around where they are to be seen by the other side."""
    boards = points.copy()
    boards[where] = -points[where, ::-1]
    return boards


_NAMES = np.array(["", *ACTIONS])
"""In the order of the codes; the first, -1, means no action."""
_SORTED = np.argsort(_NAMES)


def codes_of(actions: npt.ArrayLike, number: int, name: str) -> Ints:
    """The actions as numbers, from names or numbers."""
    passed = plain_array(actions, name)
    array = _of_each_state(passed, number=number, name=name, kinds="iuU")
    if passed.shape == ():
        array = array[:1]  # one for all is looked up once
    codes, unknown = _looked_up(array)
    if unknown is not None:
        why_not = no_action(array[unknown].item())
        raise ArgumentError(f"{name}, state {unknown}: {why_not}")
    return np.broadcast_to(codes, number)


def _looked_up(actions: npt.NDArray[Any]) -> tuple[Ints, int | None]:
    """The numbers of actions, and the index of the first that is none."""
    if actions.dtype.kind != "U":
        unknown = first((actions < NO_ACTION) | (actions >= len(ACTIONS)))
        return actions.astype(np.int64), unknown
    # where each name is, or would be, among all names in alphabetical order
    places = np.searchsorted(_NAMES, actions, sorter=_SORTED)
    last_place = len(_NAMES) - 1
    indices = _SORTED[places.clip(max=last_place)]
    # the first name is that of `NO_ACTION`, which is -1
    return indices - 1, first(_NAMES[indices] != actions)


def _of_each_state(
    array: npt.NDArray[Any], number: int, name: str, kinds: str = "iu"
) -> npt.NDArray[Any]:
    """An argument with a value for each state, or one for all."""
    if array.dtype.kind in kinds and array.shape == ():
        return np.broadcast_to(array, number)
    if number == 0 and array.shape == (0,):  # an empty list, which NumPy reads as floats
        return array.astype(np.int64)
    if array.dtype.kind not in kinds or array.shape != (number,):
        names = " or names" if "U" in kinds else ""
        raise ArgumentError(
            f"{name}: expected whole numbers{names} of shape ({number},), not {what(array)}"
        )
    return array


def numbers_for_states(
    name: str, argument: npt.ArrayLike, count: int, at: Ints, minimum: int, maximum: int
) -> Ints:
    """The numbers for some of these states, from an argument with one for each state or one for all."""
    numbers = _of_each_state(plain_array(argument, name), count, name)[at]
    wrong = (numbers < minimum) | (numbers > maximum)
    refuse_first(
        wrong,
        lambda row: f"{name}, state {at[row]}: {numbers[row]} is not from {minimum} to {maximum}",
    )
    return numbers.astype(np.int64)

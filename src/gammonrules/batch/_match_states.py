"""N matches or money games at once, each at one moment: `MatchState` as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, overload

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import (
    MAX_ROWS,
    Bools,
    Ints,
    Rows,
    number_of_checkers,
    plain_array,
    rows_of,
    what,
)
from gammonrules._arrays.frozen_arrays import locked, read_only, refused_as_fault, unchecked
from gammonrules._shared.checked_fields import check_kind, each_of
from gammonrules._shared.debug_checks import RECHECK
from gammonrules._shared.forks import cached_property
from gammonrules.batch._legal_plays import LegalPlays, legal_plays
from gammonrules.batch._state_actions import Draft, codes_of, flipped_where, numbers_for_states
from gammonrules.batch._state_columns import (
    COLUMNS,
    NOBODY,
    Arrays,
    arrays_of,
    refuse_unknown,
    same_for_all,
    states_of,
)
from gammonrules.batch._state_rules import (
    CODES,
    PHASES,
    TO_PLAY,
    Points,
    allowed,
    phases,
    players_to_act,
    scores_before,
)
from gammonrules.board import Position
from gammonrules.board.internals import SLOTS, STANDARD_CHECKERS
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, MatchState
from gammonrules.match.internals import ActionName, action_named, has_won, is_past_crawford
from gammonrules.rules import Rules
from gammonrules.values import counted, whole_argument

Index: TypeAlias = slice | npt.NDArray[Any] | Sequence[int]
"""Some of the states: a slice, numbers, or a bool for each."""


@attrs.frozen(eq=False, repr=False, slots=False)
class MatchStates:
    """N matches or money games, each at one moment: `MatchState` as arrays, with a row for each.

    All have the same rules, the same length and the same number of checkers. Players are numbers: 0 is White, 1 is
    Black, -1 nobody. `apply` does an action in each state and returns the new states. Each is equal to what the method
    of `MatchState` returns.

    `MatchStates.new` and `MatchStates.from_states` make values of this class. The constructor accepts any arrays. It
    checks them by making every `MatchState`, which takes about 20 microseconds each. `attrs.evolve(states, points=...)`
    does the same. The arrays are read-only and cannot be made writable.

    `states[i]` is the `MatchState` with number i. A slice, an array of numbers or one of bools gives some of them, as
    `MatchStates`. Iterating gives each `MatchState`.

    *Equality*: identity.

    Attributes:
        points: `(N, 26) int8`, the boards as the player on roll sees them; before the opening roll, as White does.
        on_roll: `(N,) int8`, whose turn it is; -1 before the opening roll.
        dice: `(N, 2) int8`, the roll to be played, the larger face first; 0, 0 if there is none.
        cube: `(N,) int32`, the values of the cubes; while a double is pending, those before the first offer.
        owners: `(N,) int8`, the owners of the cubes; -1 while they are centered.
        offered: `(N,) int32`, the values of pending doubles, even while a resignation interrupts them; 0 if there is
            none. The player on roll has doubled.
        beavers: `(N,) int8`, how many times a pending double has been redoubled at once.
        resigned_by: `(N,) int8`, who offers to resign; -1 if nobody does.
        resigned: `(N,) int8`, the level offered, 1 to 3; 0 if nobody offers to resign.
        scores: `(N, 2) int32`, the points of White (column 0) and Black (1), with those of this game when it is over.
        crawford: `(N,) bool`, whether this is the Crawford game.
        won_by: `(N,) int8`, who has won this game; -1 while it goes on.
        wins: `(N,) int8`, the level of the win, 1 to 3; 0 while the game goes on and for a forfeit.
        won: `(N,) int32`, the points that it counts; 0 while the game goes on.
        ends: `(N,) int8`, how it ended: 0 played, 1 dropped, 2 resigned, 3 forfeited (the order of `End`); -1 while the
            game goes on.
        length: the points that win a match, or None for money play.
        rules: the options.
        checkers: how many checkers each side has, 15 by default.

    Raises:
        GammonError: a state is impossible; the message names the first, and is that of `MatchState` or `Position`.
        ArgumentError: the arrays do not have the same length, or one has the wrong shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Action, batch
        >>> states = batch.MatchStates.new(3, length=7)
        >>> states = states.apply(
        ...     Action.OPENING_ROLL, dice=[(3, 1), (2, 2), (4, 6)]
        ... )
        >>> states.on_roll.tolist(), states.phase.tolist()
        ([0, -1, 1], ['to_play', 'opening', 'to_play'])
        >>> plays = states.legal_plays
        >>> plays.counts.tolist()
        [16, 0, 14]
        >>> first_play = np.where(plays.counts > 0, Action.PLAY, "")
        >>> states = states.apply(first_play, rows=plays.offsets[:-1])
        >>> states = states.apply([Action.DOUBLE, "", Action.DOUBLE])
        >>> states[0].offer, len(states[1:]), list(states)[1] == states[1]
        (Double(by=Player.BLACK, value=2, beavers=0), 2, True)
        >>> states.to_act.tolist(), states.may("take").tolist()
        ([0, -1, 1], [True, False, True])
        >>> [*Action][states.legal_actions[1].argmax()]
        <Action.OPENING_ROLL: 'opening_roll'>
        >>> bool((states.view(0)[0] == -states.points[0, ::-1]).all())
        True
        >>> over = states.apply(["drop", "", "drop"])
        >>> over.scores.tolist(), over.scores_before[0].tolist()
        ([[0, 1], [0, 0], [1, 0]], [0, 0])
        >>> over.away[0].tolist(), over.winner.tolist(), over.post_crawford.tolist()
        ([7, 6], [-1, -1, -1], [False, False, False])
    """

    points: Rows
    on_roll: Rows
    dice: Rows
    cube: Points
    owners: Rows
    offered: Points
    beavers: Rows
    resigned_by: Rows
    resigned: Rows
    scores: Points
    crawford: Bools
    won_by: Rows
    wins: Rows
    won: Points
    ends: Rows
    length: int | None
    rules: Rules
    checkers: int = STANDARD_CHECKERS

    def __attrs_post_init__(self) -> None:
        check_kind("rules", self.rules, Rules)
        refuse_unknown(self.rules)
        length = MatchState.new(self.length, rules=self.rules).length  # checked, as a plain int
        number = len(rows_of(self.points, SLOTS, "points"))
        for name in COLUMNS:
            self.__dict__[name] = _own_column(name, getattr(self, name), number)
        self.__dict__["length"] = length
        self.__dict__["checkers"] = number_of_checkers(self.checkers)
        # the states are checked as they are made; what has no place in a state differs in the arrays made of them
        for name, array in arrays_of(self).items():
            wrong = np.argwhere(array != getattr(self, name))
            if len(wrong):
                index = int(wrong[0, 0])
                value = getattr(self, name)[index].tolist()
                raise ArgumentError(f"state {index}: {name} cannot be {value} here")

    @classmethod
    def new(
        cls,
        n: int,
        length: int | None,
        *,
        rules: Rules | None = None,
        position: Position | None = None,
        score: Sequence[int] = (0, 0),
        crawford: bool | None = None,
    ) -> MatchStates:
        """`n` new games, before their opening rolls.

        Arguments and errors are those of `MatchState.new`, apart from `n`.

        Raises:
            ArgumentError: `n` is not a whole number from 0 to 2**48.

        Examples:
            >>> from gammonrules import batch
            >>> states = batch.MatchStates.new(1000, length=5, score=(4, 2))
            >>> len(states), bool(states.crawford.all())
            (1000, True)
        """
        number = whole_argument("n", value=n, minimum=0, maximum=MAX_ROWS)
        state = MatchState.new(
            length, rules=rules, position=position, score=score, crawford=crawford
        )
        return cls.from_states([state])[np.zeros(number, np.int64)]

    @classmethod
    def from_states(cls, states: Iterable[MatchState]) -> MatchStates:
        """These states as arrays.

        Raises:
            ArgumentError: an item is not a `MatchState`, there are none, or their rules, lengths or numbers of checkers
                differ.

        Examples:
            >>> from gammonrules import MatchState, batch
            >>> state = MatchState.new(7).opening_roll(3, 1)
            >>> states = batch.MatchStates.from_states([state, state.resign()])
            >>> states.phase.tolist(), list(states) == [state, state.resign()]
            (['to_play', 'resigned'], True)
        """
        items = list(each_of(MatchState, "states", states))
        shared = same_for_all(items)
        arrays = arrays_of(items)
        common = {
            "length": shared.length,
            "rules": shared.rules,
            "checkers": shared.position.checkers,
        }
        return _made(common, arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: self.__dict__[name] for name in _FIELDS}
        return _made, (fields, {name: fields[name] for name in COLUMNS})

    def __repr__(self) -> str:
        form = "money play" if self.length is None else f"a match to {self.length:,}"
        return f"<MatchStates: {counted(len(self), 'state', ',')} of {form}>"

    def __len__(self) -> int:
        """N, the number of states."""
        return len(self.points)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> MatchState: ...
    @overload
    def __getitem__(self, index: Index) -> MatchStates: ...
    def __getitem__(self, index: int | np.integer[Any] | Index) -> MatchState | MatchStates:
        """One `MatchState`, or some of the states as `MatchStates`.

        Raises:
            IndexError: there is no such state.
        """
        numbers = np.arange(len(self))[index]
        if numbers.ndim > 1:
            raise IndexError(
                f"match states are one-dimensional, so an index cannot have {numbers.ndim} dimensions"
            )
        is_single = numbers.ndim == 0  # of an index that is a number
        at = np.atleast_1d(numbers)
        states = self._with({name: getattr(self, name).take(at, axis=0) for name in COLUMNS})
        if is_single:
            (state,) = states
            return state
        return states

    def __contains__(self, state: MatchState) -> bool:
        """Whether one of the states is equal to this one.

        Raises:
            ArgumentError: `state` is not a MatchState.
        """
        check_kind("state", state, MatchState)
        return any(state == own_state for own_state in self)

    def __iter__(self) -> Iterator[MatchState]:
        """Each `MatchState` in turn."""
        return states_of(
            self.__dict__, length=self.length, rules=self.rules, checkers=self.checkers
        )

    # What follows from the arrays -------------------------------------------------------------------------------------

    @cached_property
    def _phase_numbers(self) -> npt.NDArray[np.intp]:
        """`(N,)`: what each state is waiting for, as a number in the order of `Phase`."""
        return locked(phases(self.__dict__))

    @cached_property
    def phase(self) -> npt.NDArray[np.str_]:
        """`(N,)`: what each state is waiting for, the texts of `Phase`."""
        return locked(_PHASE_NAMES[self._phase_numbers])

    @cached_property
    def to_act(self) -> Rows:
        """`(N,) int8`: who must act, by rolling, playing or answering an offer; -1 before and after a game."""
        return locked(players_to_act(self.__dict__))

    @cached_property
    def legal_actions(self) -> Bools:
        """`(N, 11) bool`: what `to_act` may do now (as `MatchState.legal_actions`), a column for each `Action`.

        The columns are in the order of `Action`: 0 opening_roll, 1 roll, 2 play, 3 double, 4 take, 5 drop, 6 beaver, 7
        resign, 8 accept, 9 decline, 10 next_game. These numbers are also the codes of the actions. `may` has a column
        by name.
        """
        return locked(
            allowed(self._phase_numbers, arrays=self.__dict__, length=self.length, rules=self.rules)
        )

    def may(self, action: Action | ActionName) -> Bools:
        """`(N,) bool`: where `to_act` may do this now, a column of `legal_actions`.

        Raises:
            ArgumentError: there is no such action.
        """
        return self.legal_actions[:, CODES[action_named(action)]]

    @cached_property
    def legal_plays(self) -> LegalPlays:
        """The legal plays of the dice; none for states where nobody has a play to make.

        They are found once, and the arrays are read-only.
        """
        return read_only(legal_plays_where(self._phase_numbers == TO_PLAY, self.points, self.dice))

    def view(self, players: npt.ArrayLike) -> Rows:
        """`(N, 26) int8`: the boards as these players see them.

        Args:
            players: `(N,)`, 0 for White and 1 for Black, or one number for all; such as `states.to_act`.

        Raises:
            ArgumentError: `players` has another shape or dtype, or a number that is not a player's.
        """
        seats = numbers_for_states(
            "players",
            argument=players,
            count=len(self),
            at=np.arange(len(self)),
            minimum=0,
            maximum=1,
        )
        return flipped_where(self.points, seats != np.maximum(self.on_roll, 0))

    @property
    def scores_before(self) -> Points:
        """`(N, 2) int32`: the scores when these games began; the same as `scores` until a game is over."""
        return scores_before(self.__dict__)

    @property
    def away(self) -> Points | None:
        """`(N, 2) int32`: the points that White and Black still need, 0 for the winner; None in money play."""
        return None if self.length is None else np.maximum(0, self.length - self.scores)

    @property
    def post_crawford(self) -> Bools:
        """`(N,) bool`: whether the Crawford game was played before this game."""
        past: Bools = ~self.crawford & is_past_crawford(
            self.rules, self.length, self.scores_before.T
        )
        return past

    @property
    def winner(self) -> Rows:
        """`(N,) int8`: the winners of the matches; -1 while a match goes on, and always in money play."""
        # in money play the answer is one False for all
        have_won = np.broadcast_to(has_won(self.length, self.scores), self.scores.shape)
        is_won = have_won.any(axis=1)
        winners = have_won.argmax(axis=1)
        return np.where(is_won, winners, NOBODY).astype(np.int8)

    # The actions ------------------------------------------------------------------------------------------------------

    def apply(
        self,
        actions: npt.ArrayLike,
        *,
        dice: npt.ArrayLike | None = None,
        rows: npt.ArrayLike | None = None,
        wins: npt.ArrayLike | None = None,
        by: npt.ArrayLike | None = None,
        starters: npt.ArrayLike | None = None,
        starts: npt.ArrayLike | None = None,
    ) -> MatchStates:
        """Do an action in each state, as the method of `MatchState` with its name does, and return the new states.

        Arguments that an action does not need are ignored, so the arrays may have any numbers for other states.

        Args:
            actions: `(N,)`, an action for each state, or one for all: texts of `Action`, where "" leaves a state as it
                is, or numbers in the order of `Action` (see `legal_actions`), where -1 does.
            dice: `(N, 2)`, the rolls: for an opening roll White's die and Black's, for a roll either die first.
            rows: `(N,)`, for a play its row of `legal_plays.points`.
            wins: `(N,)` or one for all, for a resignation the level offered, 1 to 3; a single game by default.
            by: `(N,)` or one for all, who acts; -1 (the default) is whoever is to act. Either player may resign.
            starters: `(N,)` or one for all, for a next game the player who starts; -1 (the default) is an opening roll.
            starts: `(N, 26)`, for a next game the first board, seen by White; by default the start of the rules.

        Raises:
            IllegalActionError: an action is not allowed; the message and `reason` are those of `MatchState`, with the
                number of the first such state before it. Nothing is done then.
            ArgumentError: an argument is missing, or has another shape, dtype or number.
            DiceError: a roll is impossible.
            PositionError: a board of `starts` is impossible.
            MatchStateError: as for `MatchState.next_game`.

        Examples:
            >>> from gammonrules import Action, IllegalActionError, batch
            >>> states = batch.MatchStates.new(2, length=1)
            >>> states = states.apply(Action.OPENING_ROLL, dice=[(3, 1), (1, 3)])
            >>> rows = states.legal_plays.offsets[:-1]
            >>> states = states.apply(Action.PLAY, rows=rows)
            >>> try:
            ...     states.apply(["roll", "double"], dice=[(6, 6), (0, 0)])
            ... except IllegalActionError as error:
            ...     print(error.reason, str(error)[:21])
            dead_cube state 1: White cannot
        """
        codes = codes_of(actions, len(self), "actions")
        kinds = set(codes.tolist())
        plays = self.legal_plays if _PLAY in kinds else None
        passed = {
            "dice": dice,
            "rows": rows,
            "wins": wins,
            "by": by,
            "starters": starters,
            "starts": starts,
        }
        draft = Draft(
            self.__dict__,
            length=self.length,
            rules=self.rules,
            checkers=self.checkers,
            legal_plays=plays,
            passed=passed,
        )
        return self._with(draft.act(codes, kinds, self._phase_numbers))

    def _with(self, changes: Arrays) -> MatchStates:
        """These states with other arrays, which are not checked, since legal actions lead to them."""
        return _made(self.__dict__, changes)


_PHASE_NAMES = np.array(PHASES)
_PLAY = CODES[Action.PLAY]
_FIELDS = tuple(field.name for field in attrs.fields(MatchStates))
_MAX_RECHECKED = 20


def _made(fields: Mapping[str, Any], arrays: Arrays) -> MatchStates:
    """Match states with these fields, and these arrays in place of some; they must be those of possible states."""
    values = {name: fields[name] for name in _FIELDS if name not in arrays}
    values |= {name: locked(array) for name, array in arrays.items()}
    if RECHECK:  # only the first states: to check all would take long
        first_states = {name: values[name][:_MAX_RECHECKED] for name in COLUMNS}
        with refused_as_fault():
            MatchStates(**{**values, **first_states})
    made = object.__new__(MatchStates)
    made.__dict__.update(values)
    return made


def legal_plays_where(playing: Bools, points: Rows, dice: Rows) -> LegalPlays:
    """The legal plays on some of these boards."""
    if playing.all():
        return legal_plays(points, dice)
    at = playing.nonzero()[0]
    plays = legal_plays(points.take(at, axis=0), dice.take(at, axis=0))
    # for each board and after the last one, how many boards before it have plays: the number of an offset
    boards_before = np.zeros(len(points) + 1, np.int64)
    playing.cumsum(out=boards_before[1:])
    offsets = plays.offsets.take(boards_before)
    return unchecked(LegalPlays, offsets=offsets, points=plays.points, moves=plays.moves)


def drafted(states: MatchStates) -> Draft:
    """The same states, whose arrays can be written into."""
    arrays = {name: getattr(states, name).copy() for name in COLUMNS}
    return Draft(
        arrays, length=states.length, rules=states.rules, checkers=states.checkers, changed=arrays
    )


def states_at(draft: Draft, at: Ints) -> MatchStates:
    """Some of these states as they are now."""
    arrays = {name: array.take(at, axis=0) for name, array in draft.old.items()}
    common = {"length": draft.length, "rules": draft.rules, "checkers": draft.checkers}
    return _made(common, arrays)


def _own_column(name: str, argument: npt.ArrayLike, count: int) -> npt.NDArray[Any]:
    """An array for the constructor: a read-only copy with its dtype."""
    dtype, width = COLUMNS[name]
    array = plain_array(argument, name)
    # letters of NumPy for truth values, and for whole numbers
    kinds = "b" if dtype is np.bool_ else "iu"
    shape = (count, width) if width else (count,)
    if array.dtype.kind not in kinds or array.shape != shape:
        raise ArgumentError(
            f"{name}: expected {np.dtype(dtype)} of shape {shape}, not {what(array)}"
        )
    column = array.astype(dtype)
    wrong = np.argwhere(column != array)
    if len(wrong):
        raise ArgumentError(
            f"{name}, state {wrong[0, 0]}: {array[tuple(wrong[0])]} is beyond {np.dtype(dtype)}"
        )
    return locked(column)

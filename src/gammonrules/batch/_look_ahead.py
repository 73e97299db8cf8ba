"""The values of boards after the next rolls, which are played well."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs
import numpy as np

from gammonrules._arrays.checks import Boards, Floats, Ints, Rows, rows_and_checkers
from gammonrules._arrays.frozen_arrays import unchecked
from gammonrules.batch._board_arrays import AT_ONCE, outcomes
from gammonrules.batch._evaluators import Evaluate, cubeless_equity, evaluated, finished, flipped
from gammonrules.batch._legal_plays import LegalPlays, legal_plays
from gammonrules.board.internals import SLOTS
from gammonrules.dice import ROLLS
from gammonrules.errors import ArgumentError
from gammonrules.values import check_function, items_of_pair, real_argument, shown, whole_argument

Keep: TypeAlias = tuple[int, float] | None
"""How many plays of a roll are looked deeper into at most, and how many points worse than the best they may be."""

_DICE = np.array([(roll.high, roll.low) for roll in ROLLS], np.int8)
_WEIGHTS = np.array([float(roll.weight) for roll in ROLLS])
NUMBER_OF_ROLL = np.zeros((7, 7), np.int64)
"""By both dice, in any order, the number of a roll in `ROLLS`."""
for _number, _roll in enumerate(ROLLS):
    NUMBER_OF_ROLL[_roll.high, _roll.low] = _number
    NUMBER_OF_ROLL[_roll.low, _roll.high] = _number
# to find out what `evaluate` returns where all games are over: each side has a checker left
_EXAMPLE = np.eye(26, dtype=np.int8)[[1]] - np.eye(26, dtype=np.int8)[[24]]
# with all rolls they have some 25,000 plays: enough for a network to be fast, in little memory
_ROLLED_AT_ONCE = 64
_EVALUATED_AT_ONCE = 4 * AT_ONCE
_MAX_PLIES = 3


def next_rolls(boards: Boards, evaluate: Evaluate, *, checkers: int | None = None) -> Floats:
    """What each of the 21 rolls is worth to the player on roll, who plays it as `evaluate` says is best.

    The mean of a row with the weights of `ROLLS` is what `look_ahead` returns; the luck of a roll is its value less
    this mean. Arguments and errors are those of `batch.look_ahead`, which has `plies` and `keep` besides.

    Returns:
        `(N, 21) float64`, in the order of `ROLLS`, in points; or `(N, 21, 5)`, if `evaluate` returns five chances.

    Examples:
        >>> from gammonrules import ROLLS, Position, batch
        >>> def ahead(boards):  # by 100 pips is worth a point
        ...     mine, theirs = batch.pip_counts(boards).T
        ...     return (theirs - mine) / 100
        >>> values = batch.next_rolls(Position.start(), ahead)
        >>> values.shape, str(ROLLS[values[0].argmax()])
        ((1, 21), '66')
    """
    return _values_of_all(boards, evaluate, plies=1, keep=None, checkers=checkers, by_roll=True)


def look_ahead(
    boards: Boards,
    evaluate: Evaluate,
    *,
    plies: int = 1,
    keep: Keep = None,
    checkers: int | None = None,
) -> Floats:
    """What boards are worth to the player on roll, before the roll, by looking ahead at the next rolls.

    With `plies=1` it is the mean over the 21 rolls of the best play's value, as `evaluate` says. With `plies=2` each
    play is worth what `look_ahead` with `plies=1` says, seen from the other side, and so on. With 0 it is what
    `evaluate` says. Of several equal plays, the first of `legal_plays` is played; with `keep`, the one that `evaluate`
    itself prefers.

    Boards of finished games are worth their result, wherever they occur; `evaluate` never sees them (if no other is
    left, it is asked about a board with one checker a side, to know whether it returns one number or five). Of equal
    boards it sees one. It gets thousands at a time: more boards need no more memory than that of the result.

    Args:
        boards: in any form of `Boards`.
        evaluate: called with boards, `(M, 26) int8`, read-only, as the player on roll sees them before the roll. It
            returns what they are worth to that player: equities in points, `(M,)`, or five chances in the order of
            `Chances`, `(M, 5)`, of a float dtype, as an array of NumPy, PyTorch or JAX. Plays are chosen by the
            equities of money play without a cube.
        plies: how many rolls to look ahead, from 0 to 3. Each takes some 400 times as long as the last.
        keep: `(count, margin)`, to look deeper only into so many plays of a roll, the best by `evaluate`, and only if
            they are at most so many points worse than the best; the others are left out. None for all plays. Where one
            roll is left to look ahead, it makes no difference.
        checkers: how many each side has, on the board and off, 1 to 15. None (the default) for the number that
            positions have, or 15.

    Returns:
        `(N,) float64`, in points; or `(N, 5)`, the chances, if `evaluate` returns these.

    Raises:
        PositionError: `boards` are not boards, or a board is impossible.
        ArgumentError: `evaluate` is not a function, or returned anything but a finite float or five possible chances
            for each board, or another argument is none of those above. `equity.nested` cuts chances that do not fit
            together. `equity.flip` returns them for the other side, and `equity.cubeless_equities` in points.

    Examples:
        >>> from gammonrules import Position, batch
        >>> def even(boards):
        ...     return boards[:, 0] * 0.0
        >>> last_rolls = Position.of(mine={6: 1}, theirs={1: 1})
        >>> value = batch.look_ahead(last_rolls, even)
        >>> round(36 * float(value[0]))  # 27 rolls win, with the others it is even
        27
        >>> value = batch.look_ahead(last_rolls, even, plies=2)
        >>> round(36 * float(value[0]))  # with the others the opponent wins
        18
    """
    return _values_of_all(
        boards,
        evaluate,
        plies=whole_argument("plies", value=plies, minimum=0, maximum=_MAX_PLIES),
        keep=_checked_keep(keep),
        checkers=checkers,
    )


def _values_of_all(
    boards: Boards,
    evaluate: Evaluate,
    plies: int,
    keep: Keep,
    checkers: int | None,
    *,
    by_roll: bool = False,
) -> Floats:
    """Check the other arguments, and value some thousands of boards at a time."""
    check_function("evaluate", evaluate)
    rows, of_each_side = rows_and_checkers(boards, checkers)
    outcomes(rows, checkers=of_each_side)  # to refuse boards before any is evaluated
    search = Search(evaluate, keep, of_each_side)
    return _in_parts(rows, AT_ONCE, lambda part: search.values(part, plies, by_roll=by_roll))


def _checked_keep(keep: object) -> Keep:
    if keep is None:
        return None
    pair = items_of_pair(keep)
    if pair is None:
        raise ArgumentError(
            f"keep must be a pair of a count and a margin, or None, not {shown(keep)}"
        )
    count, margin = pair
    needed = "a number of points from 0 on"
    most_worse = real_argument(
        "the margin of keep", margin, needed, fits=lambda number: number >= 0
    )
    most_plays = whole_argument("the count of keep", value=count, minimum=1, maximum=None)
    return most_plays, most_worse


def _in_parts(rows: Rows, size: int, of_part: Callable[[Rows], Floats]) -> Floats:
    """The values that a function has for all rows, asked about so many at a time."""
    first_part = of_part(rows[:size])  # also of no rows, since it has the shape of a value
    whole = np.empty((len(rows), *first_part.shape[1:]))
    whole[:size] = first_part
    for start in range(size, len(rows), size):
        whole[start : start + size] = of_part(rows[start : start + size])
    return whole


def mean_of_rolls(values: Floats) -> Floats:
    """The mean over the rolls of `(N, 21, *width)`."""
    # weights of 1/36 may add up to more than 1
    means: Floats = np.einsum("nr...,r->n...", values, _WEIGHTS) / 36
    return means


@attrs.define(eq=False)
class Search:
    """Values of boards by an evaluator, at any depth."""

    evaluate: Evaluate
    keep: Keep
    checkers: int
    width: tuple[int, ...] | None = None  # the shape of a value, once it is known

    def values(self, boards: Rows, plies: int, *, by_roll: bool = False) -> Floats:
        """`(N, *width)`, or with `by_roll` `(N, 21, *width)`. Equal boards are evaluated once."""
        results = outcomes(boards, checkers=self.checkers)
        live = np.flatnonzero(results == 0)
        over = np.flatnonzero(results)
        live_boards = boards.take(live, axis=0)
        different = distinct(live_boards)
        different_values = self._values_of_live(
            live_boards.take(different.rows, axis=0), plies, by_roll=by_roll
        )
        values = np.empty((len(boards), *different_values.shape[1:]))
        values[live] = different_values.take(different.numbers, axis=0)
        assert self.width is not None  # `_values_of_live` has found it out
        over_values = finished(results[over], self.width)
        values[over] = over_values[:, np.newaxis] if by_roll else over_values
        return values

    def _values_of_live(self, boards: Rows, plies: int, *, by_roll: bool) -> Floats:
        if plies == 0:
            return _in_parts(boards, _EVALUATED_AT_ONCE, self._evaluated)
        return _in_parts(
            boards, _ROLLED_AT_ONCE, lambda part: self._after_rolls(part, plies, by_roll=by_roll)
        )

    def _after_rolls(self, boards: Rows, plies: int, *, by_roll: bool) -> Floats:
        """The values after each of the 21 rolls, played best, or their means."""
        boards_by_roll = np.repeat(boards, len(_DICE), axis=0)
        dice = np.tile(_DICE, (len(boards), 1))
        plays = legal_plays(boards_by_roll, dice)
        if plies > 1 and self.keep is not None:
            plays = self._plays_to_keep(plays, self.keep)
        values = flipped(self.values(plays.points, plies - 1))
        best_rows = plays.best(cubeless_equity(values))
        values_of_rolls = values[best_rows].reshape((len(boards), len(_DICE), *values.shape[1:]))
        return values_of_rolls if by_roll else mean_of_rolls(values_of_rolls)

    def _plays_to_keep(self, plays: LegalPlays, keep: tuple[int, float]) -> LegalPlays:
        """The best plays of each board as the evaluator itself values them."""
        scores = cubeless_equity(flipped(self.values(plays.points, plies=0)))
        most_plays, most_worse = keep
        rows = plays.top(scores, most_plays, most_worse)
        # where the rows of each board begin among those kept: all before are below its offset so far, and no others
        offsets = np.searchsorted(rows, plays.offsets)
        return unchecked(
            LegalPlays, offsets=offsets, points=plays.points[rows], moves=plays.moves[rows]
        )

    def _evaluated(self, boards: Rows) -> Floats:
        """The values by the evaluator, which never gets an empty array."""
        if not len(boards):
            if self.width is None:
                self.width = evaluated(self.evaluate, _EXAMPLE).shape[1:]
            return np.empty((0, *self.width))
        values = evaluated(self.evaluate, boards, self.width)
        self.width = values.shape[1:]
        return values


@attrs.frozen(eq=False)
class DistinctBoards:
    """Which of some boards differ.

    Attributes:
        rows: one row of each of the boards that differ.
        numbers: for each of all boards, the number of its equal in `rows`.
    """

    rows: Ints
    numbers: Ints


def distinct(boards: Rows) -> DistinctBoards:
    """The boards that differ.

    The row of each board is written into a table, at a place that the bytes of the board choose. Whoever reads the row
    of another board there writes again, until all read a row of an equal one. Boards are told apart by 64 bits made of
    all bytes; where these do not suffice, by sorting, which takes ten times as long.
    """
    count = len(boards)
    padded = np.zeros((count, _PADDED_SLOTS), np.int8)
    padded[:, :SLOTS] = boards
    words = padded.view(np.uint64)
    hashes = words @ _FACTORS
    bits_of_place = max(count, 1).bit_length() + 2  # at least four places for each board
    places = (hashes >> np.uint64(64 - bits_of_place)).astype(np.int64)
    table = np.empty(1 << bits_of_place, np.int64)
    # for each board the row of an equal one, which is the same for all that are equal
    equal_rows = np.empty(count, np.int64)
    waiting = np.arange(count)
    while len(waiting):
        their_places = places.take(waiting)  # `take` is faster than []
        table[their_places] = waiting
        written = table.take(their_places)  # of several boards with one place, the last
        equal_rows[waiting] = written
        waiting = waiting[hashes.take(written) != hashes.take(waiting)]
    hashes_suffice = (words.take(equal_rows, axis=0) == words).all()
    if not hashes_suffice:
        _, rows, numbers = np.unique(words, axis=0, return_index=True, return_inverse=True)
        return DistinctBoards(rows, numbers.ravel())
    stands_for_all_equals = equal_rows == np.arange(count)
    number_by_row = np.cumsum(stands_for_all_equals) - 1
    return DistinctBoards(np.flatnonzero(stands_for_all_equals), number_by_row[equal_rows])


_PADDED_SLOTS = 32
"""A board and zeros: four words of 64 bits."""
_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64
)

"""Functions on many boards: flipping, counting, network inputs, chances, and conversion from and to `Position`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import (
    Boards,
    Rows,
    check_boards,
    first,
    memory_of,
    refuse_board,
    rows_and_checkers,
    rows_of_boards,
    rows_of_positions,
)
from gammonrules._arrays.dispatch import of_many
from gammonrules._network import network
from gammonrules.board import Position
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.errors import ArgumentError, PositionError
from gammonrules.values import iterator_of, shown

Inputs: TypeAlias = npt.NDArray[np.float32]
INPUTS = 198
CHANCES = 5
AT_ONCE = 1 << 14
"""Rows to work on at a time where more would need much memory besides that of the result."""


class _HasMemory(Protocol):
    """A NumPy array, or one of a library that shares its memory with others."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


Out = TypeVar("Out", bound=_HasMemory)


def flip(points: Boards) -> Rows:
    """The same boards seen by the other side, as in `Position.flip`.

    Args:
        points: the boards, in any form of `Boards`.

    Returns:
        `(N, 26) int8`.

    Raises:
        PositionError: `points` are not boards, or a board is impossible.

    Examples:
        >>> from gammonrules import Position, batch
        >>> board = Position.of(mine={1: 2}, theirs={"bar": 1})
        >>> flipped = batch.flip(batch.from_positions([board]))
        >>> flipped[0, [0, 24, 25]].tolist()
        [0, -2, 1]
    """
    rows = rows_of_boards(points)
    flipped = np.empty(rows.shape, np.int8)
    of_many("flip", lambda: check_boards(rows), rows, flipped, STANDARD_CHECKERS)
    return flipped


def pip_counts(points: Boards) -> npt.NDArray[np.int32]:
    """The pips that each side needs to bear off all checkers; a checker on the bar counts 25.

    Args:
        points: the boards, in any form of `Boards`.

    Returns:
        `(N, 2) int32`: those of the player on roll, those of the opponent.

    Raises:
        PositionError: `points` are not boards, or a board is impossible.

    Examples:
        >>> from gammonrules import Position, batch
        >>> after = Position.start().play("8/5 6/5", "31")
        >>> batch.pip_counts(batch.from_positions([after])).tolist()
        [[167, 163]]
    """
    rows = rows_of_boards(points)
    pips = np.empty((len(rows), 2), np.int32)
    of_many("pip_counts", lambda: check_boards(rows), rows, pips, STANDARD_CHECKERS)
    return pips


def outcomes(points: Boards, *, checkers: int | None = None) -> Rows:
    """Who has won, and how much, as in `Position.outcome`.

    Args:
        points: the boards, in any form of `Boards`.
        checkers: how many each side has, on the board and off, 1 to 15. None (the default) for the number that
            positions have, or 15. A gammon means that the loser has borne off none of them.

    Returns:
        `(N,) int8`: 0 while both sides have checkers left; 1, 2, 3 (single, gammon, backgammon) if the player on roll
        has won, -1, -2, -3 if they have lost (after the last play of a game, the loser is on roll).

    Raises:
        PositionError: `points` are not boards, or a board is impossible.
        ArgumentError: `checkers` is not from 1 to 15.

    Examples:
        >>> from gammonrules import Position, batch
        >>> lost, won = Position.of(mine={6: 15}), Position.of(theirs={6: 3})
        >>> batch.outcomes(batch.from_positions([Position.start(), lost, won])).tolist()
        [0, -2, 1]
    """
    rows, number = rows_and_checkers(points, checkers)
    results = np.empty(len(rows), np.int8)
    of_many("outcomes", lambda: check_one_is_left(rows, number), rows, results, number)
    return results


def check_one_is_left(rows: Rows, checkers: int, first_row: int = 0) -> None:
    """Check boards on which at most one side has borne off everything."""
    mine, theirs = check_boards(rows, checkers, first_row)
    both_off = first((mine == 0) & (theirs == 0))
    if both_off is not None:
        refuse_board(rows, row=both_off, checkers=checkers, first_row=first_row)


@overload
def features(points: Boards, out: None = None, *, checkers: int | None = None) -> Inputs: ...
@overload
def features(points: Boards, out: Out, *, checkers: int | None = None) -> Out: ...
def features(
    points: Boards, out: Out | None = None, *, checkers: int | None = None
) -> Inputs | Out:
    """The 198 inputs of TD-Gammon as they were published, from the point of view of the player on roll.

    After a play the opponent is on roll. A network's value of `features(plays.points)` is therefore the opponent's, and
    `plays.best` needs it with the sign changed.

    | columns | meaning |
    |---|---|
    | 0 to 95 | four for each point p, from 4 (p - 1) on, for n checkers of the player on roll |
    | 96 to 191 | four for each point p, from 96 + 4 (p - 1) on, for n checkers of the opponent |
    | 192, 193 | n / 2 for n checkers on the bar, of the player on roll and of the opponent |
    | 194, 195 | n / 15 for n checkers borne off (n / `checkers` in variants), in the same order |
    | 196, 197 | whose turn it is: always 1, 0, since it is the turn of the player on roll |

    The four are 1 if n >= 1, 1 if n >= 2, 1 if n >= 3, and (n - 3) / 2 if n > 3; otherwise 0. Points are numbered as
    the player on roll numbers them, for both sides.

    Source: G. Tesauro, Practical Issues in Temporal Difference Learning, Machine Learning 8 (1992), for the four units
    of a point; R. Sutton and A. Barto, Reinforcement Learning: An Introduction, section TD-Gammon, list all 198.
    Descriptions differ in whether a lower unit stays 1 when there are more checkers; here it does.

    Args:
        points: the boards, in any form of `Boards`.
        out: an array to write into instead of a new one: `(N, 198) float32`, C-contiguous, in other memory than
            `points`; a NumPy array, or a PyTorch CPU tensor. A loop that passes the same array each time need not
            wait for fresh memory. If a board is impossible, nothing is written.
        checkers: how many each side has, on the board and off, 1 to 15. None (the default) for the number that
            positions have, or 15.

    Returns:
        `(N, 198) float32`; `out` if that was given.

    Raises:
        PositionError: `points` are not boards, or a board is impossible.
        ArgumentError: `checkers` is not from 1 to 15, or `out` has another shape or dtype, is read-only, is not
            contiguous or shares memory with `points`.

    Examples:
        >>> from gammonrules import Position, batch
        >>> start = batch.features(batch.from_positions([Position.start()]))[0]
        >>> start[20:24].tolist(), start[192:].tolist()  # the 6 point; bar, off, turn
        ([1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0])

        Many rows in turn, in the same memory:

        >>> import numpy as np
        >>> games = batch.random_games(4, rng=np.random.default_rng(1))
        >>> inputs = np.empty((5, 198), np.float32)
        >>> batch.features(games.points[:5], inputs) is inputs
        True
    """
    rows, number = rows_and_checkers(points, checkers)
    shape = len(rows), INPUTS
    memory: npt.NDArray[Any] = (
        np.empty(shape, np.float32)
        if out is None
        else memory_of(out, shape, np.float32, points, rows)
    )
    # C may write floats into aligned memory only
    inputs = memory if memory.flags.aligned else np.empty(shape, np.float32)
    of_many("features", lambda: check_boards(rows, number), rows, inputs, number)
    if inputs is not memory:
        memory[...] = inputs
    return memory if out is None else out


def chances(points: Boards, *, checkers: int | None = None) -> Inputs:
    """How the games may end, as selftaught estimates: a network of the library that taught itself backgammon.

    Games that are over have their result, and outcomes that `Position.possible_outcomes` leaves out have no chance.
    Once contact is over and both sides have borne off a checker, the chances follow from a table. With up to six
    checkers a side, all at home, they are wrong by 0.014 at most. With three checkers outside they may be wrong by
    0.10. The first such board takes about 50 ms more.
    As `evaluate` of `look_ahead` it is looked ahead with. `engine.SimpleEngine` has the same network for single states.

    Args:
        points: the boards, in any form of `Boards`.
        checkers: how many each side has, on the board and off: 15, since the network knows no other games. None (the
            default) for the number that positions have, or 15.

    Returns:
        `(N, 5) float32`, for the player on roll, before the roll, in the order of `analysis.Chances`.

    Raises:
        PositionError: `points` are not boards, or a board is impossible.
        ArgumentError: `checkers` is not 15.
        EngineStartError: the compiled kernel is missing, or the file of the network is damaged.
    """
    rows, number = rows_and_checkers(points, checkers)
    if number != STANDARD_CHECKERS:
        raise ArgumentError(f"checkers: the network knows sides of 15 checkers, not of {number}")
    estimates = np.empty((len(rows), CHANCES), np.float32)
    try:
        network().write_chances(rows, estimates)
    except ValueError:
        check_one_is_left(rows, number)
        raise
    return estimates


def from_positions(positions: Iterable[Position]) -> Rows:
    """Convert positions to boards.

    Returns:
        `(N, 26) int8`. The number of checkers a side is not part of a board, so it must be the same for all.

    Raises:
        ArgumentError: an item is not a `Position`, or the numbers of checkers a side differ.

    Examples:
        >>> from gammonrules import Position, batch
        >>> batch.from_positions([Position.start()])[0, [24, 19]].tolist()
        [2, -5]
    """
    items = iterator_of(positions)
    if items is None:
        raise ArgumentError(f"positions must be a list of Position, not {shown(positions)}")
    rows, _ = rows_of_positions(items, "positions")
    return rows


def to_positions(points: Boards, *, checkers: int | None = None) -> list[Position]:
    """Convert boards to positions.

    Args:
        points: the boards, in any form of `Boards`.
        checkers: how many each side has, on the board and off, 1 to 15. None (the default) for the number that
            positions have, or 15.

    Raises:
        PositionError: `points` are not boards, or `Position.from_points` refuses a board.
        ArgumentError: `checkers` is not from 1 to 15.

    Examples:
        >>> from gammonrules import Position, batch
        >>> boards = [Position.start(), Position.start().play("8/5 6/5", "31")]
        >>> batch.to_positions(batch.from_positions(boards)) == boards
        True
    """
    rows, number = rows_and_checkers(points, checkers)
    positions: list[Position] = []
    for index, row in enumerate(rows.tolist()):
        try:
            positions.append(Position.from_points(row, checkers=number))
        except PositionError as error:
            raise PositionError(f"points, row {index}: {error}", error.problems) from None
    return positions

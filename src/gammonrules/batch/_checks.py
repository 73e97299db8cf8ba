"""Arrays as users give them: boards and rolls as rows of int8, or an error that names what is wrong, and where."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules.board.encoding import BAR, SLOTS
from gammonrules.board.setup import STANDARD_CHECKERS, board_of_points
from gammonrules.dice import Dice
from gammonrules.errors import DiceError, DiceProblem, GammonError, PositionError, PositionProblem
from gammonrules.values import shown, whole_number

Bools: TypeAlias = npt.NDArray[np.bool_]
Counts: TypeAlias = npt.NDArray[np.int64]
Rows: TypeAlias = npt.NDArray[np.int8]


def plain_array(given: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """An array of whatever NumPy finds in what was given; the given one if it is one."""
    try:
        array = np.asarray(given)
    except ValueError:  # NumPy's own sentence is about sequences
        raise _wrong(name, "rows of different lengths are no array") from None
    if isinstance(given, np.ma.MaskedArray):
        raise _wrong(name, "a masked array does not have a number in every place")
    return array


def array_of(given: npt.ArrayLike, width: int, name: str) -> npt.NDArray[np.integer[Any]]:
    """An array of whole numbers, N rows of this width; the given one if it is that."""
    array = plain_array(given, name)
    if array.shape == (0,) and not isinstance(given, np.ndarray):  # an empty list, which NumPy takes for floats
        return np.zeros((0, width), np.int8)
    if array.dtype.kind not in "iu":
        kind = f"{array.dtype!s:.40}"
        raise _wrong(name, f"whole numbers that fit an integer dtype are needed, NumPy reads {kind} here")
    if array.ndim != 2 or array.shape[1] != width:
        raise _wrong(name, f"the shape (N, {width}) is needed, not {array.shape!s:.40}")
    return array


def rows_of(given: npt.ArrayLike, width: int, name: str, first_row: int = 0) -> Rows:
    """Rows of int8 in one piece of memory, the given ones if they are that already."""
    array = array_of(given, width, name)
    rows = np.ascontiguousarray(array, np.int8)
    if array.dtype != np.int8:
        at = first((rows != array).ravel())
        if at is not None:
            raise _wrong(f"{name}, row {first_row + at // width}", f"{array.flat[at]} is beyond int8")
    return rows


def what(array: npt.NDArray[Any]) -> str:
    """Dtype and shape of an array, in an error message."""
    return f"{array.dtype!s:.40} of shape {array.shape!s:.40}"


def first(wrong: Bools) -> int | None:
    """The flat index of the first that is true."""
    return int(np.argmax(wrong)) if np.any(wrong) else None


def boards_of(given: npt.ArrayLike) -> Rows:
    """Checked boards: the bars hold their own side's checkers, and no side has more than 15."""
    rows = rows_of(given, SLOTS, "points")
    check_boards(rows)
    return rows


def check_boards(rows: Rows, checkers: int = STANDARD_CHECKERS, first_row: int = 0) -> tuple[Counts, Counts]:
    """PositionError for the first board that cannot be; else the checkers on it and its bar, of both sides.

    Those of the player on roll come first.
    """
    mine = np.maximum(rows, 0).sum(axis=1, dtype=np.int64)
    theirs = mine - rows.sum(axis=1, dtype=np.int64)
    row = first((mine > checkers) | (theirs > checkers) | (rows[:, 0] > 0) | (rows[:, BAR] < 0))
    if row is not None:
        refuse_board(rows, row, checkers, first_row)
    return mine, theirs


def refuse_board(rows: Rows, row: int, checkers: int, first_row: int = 0) -> None:
    """The error that `Position` has for this board."""
    try:
        board_of_points(rows[row].tolist(), checkers)
    except PositionError as error:
        raise PositionError(f"points, row {first_row + row}: {error}", error.problems) from None


def check_dice(rows: Rows, first_row: int) -> None:
    """DiceError for the first roll that cannot be."""
    row = first((rows.min(axis=1) < 1) | (rows.max(axis=1) > 6))
    if row is not None:
        try:
            Dice(*rows[row].tolist())
        except DiceError as error:
            raise DiceError(f"dice, row {first_row + row}: {error}", error.problems) from None


def number_of_checkers(given: object) -> int:
    """The checkers of a side, 1 to 15."""
    checkers = whole_number(given)
    if checkers is None or not 1 <= checkers <= STANDARD_CHECKERS:
        sentence = f"a side has 1 to {STANDARD_CHECKERS} checkers, not {shown(given)}"
        raise PositionError(sentence, PositionProblem.WRONG_CHECKER_COUNT)
    return checkers


def _wrong(where: str, sentence: str) -> GammonError:
    if where.startswith("dice"):
        return DiceError(f"{where}: {sentence}", DiceProblem.NO_PAIR)
    if where.startswith("points"):
        return PositionError(f"{where}: {sentence}", PositionProblem.WRONG_SHAPE)
    return GammonError(f"{where}: {sentence}")

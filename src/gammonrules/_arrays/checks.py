"""Checks of arrays from callers: boards and rolls as rows of int8, or an error that says what is wrong and where."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, SupportsIndex, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from gammonrules.board import Position
from gammonrules.board.internals import BAR, SLOTS, STANDARD_CHECKERS, board_in
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError, GammonError, PositionError, PositionProblem
from gammonrules.values import not_a_pair, saying_where, shown, whole_argument

MAX_ROWS = 2**48
"""More than fits into memory; for even larger numbers NumPy raises errors of its own."""

Bools: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.int64]
"""Numbers of rows, one for each board."""
Rows: TypeAlias = npt.NDArray[np.int8]
"""Boards, dice, moves or results, a row for each."""
Floats: TypeAlias = npt.NDArray[np.float64]
Boards: TypeAlias = Position | Sequence[Position] | npt.ArrayLike
"""One board or many: a `Position`, a list of positions, or whole numbers of shape `(26,)` or `(N, 26)`.

A row of numbers is a board as in `Position.points`. One board is a batch of one, so results have one row.
"""


def plain_array(argument: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """An argument as an array of any dtype; arrays are returned unchanged, those of other libraries without copying."""
    # the usual case; a subclass is not taken as it is, since it may be masked
    if _is_array(argument) and type(argument) is np.ndarray:
        return argument
    try:
        array: npt.NDArray[Any] = np.asarray(argument)
        is_one_object = array.dtype == object
        if is_one_object and _offers_dlpack(argument):  # it shares its memory in no other way
            array = np.from_dlpack(argument)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  the arrays of other libraries may raise anything
        # the error of another library says more than our sentence, but NumPy's about sequences does not
        cause = error if _is_foreign(argument) else None
        raise _wrong(name, _why_not_read(argument, error)) from cause
    if isinstance(argument, np.ma.MaskedArray):
        raise _wrong(name, "a masked array does not have a number in every place")
    return array


def _is_array(argument: object) -> TypeGuard[npt.NDArray[Any]]:
    return isinstance(argument, np.ndarray)


def _offers_dlpack(argument: object) -> TypeGuard[Any]:
    """Whether this can share its memory by the protocol DLPack."""
    return hasattr(type(argument), "__dlpack__")


def _is_foreign(argument: object) -> bool:
    """Whether this is an array of another library."""
    kind = type(argument)
    is_array = hasattr(kind, "__array__") or hasattr(kind, "__array_interface__")
    return is_array or _offers_dlpack(argument)


def _why_not_read(argument: object, error: Exception) -> str:
    # NumPy's message is about sequences
    if isinstance(error, ValueError) and not _is_foreign(argument):
        return "rows of different lengths are not an array"
    return f"NumPy cannot read {type(argument).__name__:.40}: {shown(error, 150)}"


def array_of(argument: npt.ArrayLike, width: int, name: str) -> npt.NDArray[np.integer[Any]]:
    """N rows of whole numbers of this width; suitable arrays are returned unchanged."""
    array = plain_array(argument, name)
    is_empty_list = array.shape == (0,) and not isinstance(argument, np.ndarray)
    if is_empty_list:  # NumPy reads it as floats
        return np.zeros((0, width), np.int8)
    if array.dtype.kind not in "iu":
        expected = "whole numbers that fit an integer dtype"
        raise _wrong(name, f"expected {expected}, not {_misfit_in(array)}")
    if array.ndim != 2 or array.shape[1] != width:
        raise _wrong(name, f"expected the shape (N, {width}), not {array.shape!s:.40}")
    return array


def _misfit_in(array: npt.NDArray[Any]) -> str:
    """The words for an array that holds something in the place of whole numbers."""
    return f"{array.dtype!s:.40}" if array.ndim else shown(array.item())


def rows_of(argument: npt.ArrayLike, width: int, name: str) -> Rows:
    """Contiguous rows of int8; suitable arrays are returned unchanged."""
    if are_rows(argument, width):  # usual
        return argument
    return _contiguous_rows(array_of(argument, width, name), name)


def _contiguous_rows(array: npt.NDArray[np.integer[Any]], name: str) -> Rows:
    rows = np.ascontiguousarray(array, np.int8)
    if array.dtype == np.int8:
        return rows
    # a number beyond int8 has become another one
    wrong = first((rows != array).ravel())
    if wrong is not None:
        row = wrong // array.shape[1]
        raise _wrong(f"{name}, row {row}", f"{array.flat[wrong]} is beyond int8")
    return rows


def are_rows(array: object, width: int) -> TypeGuard[Rows]:
    """Whether this is a plain array of contiguous rows of int8 of this width."""
    if (
        not _is_array(array)
        or type(array) is not np.ndarray
        or array.dtype != np.int8
        or not array.flags.c_contiguous
    ):
        return False
    return array.ndim == 2 and array.shape[1] == width


def rows_of_boards(boards: Boards) -> Rows:
    """Boards in any form as contiguous rows of int8; suitable arrays are returned unchanged.

    Raises:
        PositionError: these are no boards; the message has what is accepted and the next step.
        ArgumentError: these are positions with different numbers of checkers a side.
    """
    rows, _ = read_boards(boards)
    return rows


def rows_and_checkers(boards: Boards, checkers: object) -> tuple[Rows, int]:
    """The same, and how many checkers each side has: as positions have, or as the caller says, or 15.

    Raises:
        PositionError: as above.
        ArgumentError: as above, or `checkers` is not from 1 to 15, or the positions have another number.
    """
    rows, of_positions = read_boards(boards)
    if checkers is None:
        return rows, of_positions or STANDARD_CHECKERS
    number = number_of_checkers(checkers)
    if of_positions not in {None, number}:
        raise ArgumentError(
            f"checkers: these positions have {of_positions} a side, not {number}; leave out checkers"
        )
    return rows, number


def read_boards(boards: Boards) -> tuple[Rows, int | None]:
    """Boards in any form as rows, and how many checkers each side has; None if these are no positions."""
    if are_rows(boards, SLOTS):  # usual
        return boards, None
    if isinstance(boards, Position):
        return rows_of_positions([boards], "points")
    argument: Any = boards
    array = plain_array(argument, "points")
    if array.ndim == 1 and array.size and isinstance(array[0], Position):
        return rows_of_positions(array, "points")
    if array.shape == (0,) and not isinstance(
        boards, np.ndarray
    ):  # NumPy reads an empty list as floats
        return np.zeros((0, SLOTS), np.int8), None
    is_board = array.shape == (SLOTS,)
    if array.dtype.kind not in "iu" or not (is_board or array.shape[1:] == (SLOTS,)):
        raise _no_boards(array)
    return _contiguous_rows(array[np.newaxis] if is_board else array, "points"), None


def rows_of_positions(positions: Iterable[object], name: str) -> tuple[Rows, int | None]:
    """Positions as rows, and how many checkers each side has; None of no positions. Raises ArgumentError."""
    boards = bytearray()
    checkers: int | None = None
    for index, position in enumerate(positions):
        if not isinstance(position, Position):
            raise ArgumentError(
                f"{name}, index {index}: expected a Position, not {shown(position)}"
            )
        if checkers is None:
            checkers = position.checkers
        if position.checkers != checkers:
            sentence = f"{position.checkers} checkers a side, but {checkers} at index 0"
            raise ArgumentError(f"{name}, index {index}: {sentence}")
        boards += board_in(position)
    return np.frombuffer(boards, np.int8).reshape(-1, SLOTS), checkers


def _no_boards(array: npt.NDArray[Any]) -> PositionError:
    """The error for an argument that is none of the forms of `Boards`, with the next step."""
    value: object = array.flat[0] if array.size else None
    if array.dtype.kind in "USO" and isinstance(value, (str, bytes)):
        step = "; read Position IDs with batch.from_ids"
    elif isinstance(getattr(value, "position", None), Position):
        step = "; pass the position of the state"
    elif array.dtype.kind == "f":
        step = "; convert whole numbers with astype(numpy.int8)"
    else:
        step = "; Position.points is such a board"
    forms = f"a Position, a list of positions, or whole numbers of shape ({SLOTS},) or (N, {SLOTS})"
    value = what(array) if array.ndim else shown(array.item())
    return PositionError(
        f"points: expected {forms}, not {value}{step}", PositionProblem.NOT_A_BOARD
    )


def what(array: npt.NDArray[Any]) -> str:
    """Dtype and shape of an array, for a message."""
    return f"{array.dtype!s:.40} of shape {array.shape!s:.40}"


def first(wrong: Bools) -> int | None:
    """The flat index of the first element that is true."""
    return int(wrong.argmax()) if wrong.any() else None


def refuse_first(wrong: Bools, sentence: Callable[[int], str]) -> None:
    """Raise ArgumentError with a sentence about the first element that is true, if any is."""
    at = first(wrong)
    if at is not None:
        raise ArgumentError(sentence(at))


def numbers_for(
    argument: npt.ArrayLike,
    name: str,
    number: int,
    kinds: str,
    expected: str,
    *widths: tuple[int, ...],
) -> npt.NDArray[Any]:
    """So many numbers, or rows of one of these widths if any are named, of these kinds of dtypes (as in NumPy).

    Raises ArgumentError, which says what is `expected`, for others.
    """
    array = plain_array(argument, name)
    shapes = [(number, *width) for width in widths] if widths else [(number,)]
    if array.dtype.kind not in kinds or array.shape not in shapes:
        raise ArgumentError(f"{expected}, not {what(array)}")
    return array


def number_of_parts(offsets: object) -> int:
    """How many boards or games these offsets separate.

    Raises:
        ArgumentError: they are not a row of whole numbers, or there are none, or they do not rise from 0.
    """
    if (
        not _is_array(offsets)
        or offsets.ndim != 1
        or offsets.dtype.kind not in "iu"
        or not len(offsets)
    ):
        raise ArgumentError(
            f"offsets: expected an array of N + 1 whole numbers, not {_argument_words(offsets)}"
        )
    if offsets[0] != 0 or (offsets[1:] < offsets[:-1]).any():
        raise ArgumentError("offsets: expected numbers that rise from 0")
    return len(offsets) - 1


def check_arrays(
    of: object, rows: object, kinds: str = "iu", **row_shapes: tuple[int, ...]
) -> None:
    """Check that attributes are arrays of whole numbers, or with "f" as `kinds` of floats, of the right shapes.

    Args:
        of: the object with the attributes.
        rows: how many rows each attribute must have: a number, or an array with as many rows.
        kinds: the kinds of dtypes, as NumPy abbreviates them.
        row_shapes: the shape of a row of each attribute, by its name.

    Raises:
        ArgumentError: an attribute is something else; the message names the first.
    """
    row_count = 0  # if `rows` is something else, which is refused where it is checked itself
    if isinstance(rows, int):
        row_count = rows
    elif _is_array(rows) and rows.ndim:
        row_count = len(rows)
    for name, row_shape in row_shapes.items():
        array: object = getattr(of, name)
        shape = (row_count, *row_shape)
        if not _is_array(array) or array.dtype.kind not in kinds or array.shape != shape:
            noun = "floats" if kinds == "f" else "whole numbers"
            raise ArgumentError(
                f"{name}: expected {noun} in an array of shape {shape}, not {_argument_words(array)}"
            )


def _argument_words(argument: object) -> str:
    return what(argument) if _is_array(argument) else shown(argument, 60)


def memory_of(
    out: object, shape: tuple[int, ...], dtype: type[np.generic], *points: object
) -> npt.NDArray[Any]:
    """The memory of the caller's array for results, as a NumPy array.

    Raises:
        ArgumentError: it has another shape or dtype, is read-only, is not contiguous or shares memory with `points`.
    """
    array = _memory_of(out)
    if array is None or array.dtype != dtype or array.shape != shape:
        instead = shown(out) if array is None else what(array)
        raise ArgumentError(
            f"out: expected an array, {np.dtype(dtype)} of shape {shape}, not {instead}"
        )
    if not array.flags.c_contiguous:
        raise ArgumentError("out: its rows must follow each other in memory (C-contiguous)")
    if not array.flags.writeable:
        raise ArgumentError("out: the array is read-only")
    for other in points:
        if _is_array(other) and np.may_share_memory(array, other):
            raise ArgumentError("out: it shares memory with points")
    return array


def _memory_of(out: object) -> npt.NDArray[Any] | None:
    """The memory of an array, a tensor or the like, as an array; None if NumPy cannot write into it."""
    if isinstance(out, np.ma.MaskedArray):
        return None
    if _is_array(out):
        return out
    if not _offers_dlpack(out):
        return None
    array = plain_array(out, "out")  # may be a copy
    try:
        # always the memory itself, but older versions of NumPy make this array read-only
        memory = np.from_dlpack(out)
    except Exception as error:  # the arrays of other libraries may raise anything
        raise ArgumentError(f"out: {_why_not_read(out, error)}") from error
    is_shared = not array.size or array.ctypes.data == memory.ctypes.data
    return array if is_shared else None


def checkers_of(points: Rows) -> tuple[Ints, Ints]:
    """The checkers of the player on roll, and of the opponent, on each board and its bar."""
    # sums of long columns take a third of the time of those of short rows
    columns = np.ascontiguousarray(points.T)
    mine: Ints = np.maximum(columns, 0).sum(axis=0, dtype=np.int64)
    return mine, mine - columns.sum(axis=0, dtype=np.int64)


def check_boards(
    rows: Rows, checkers: int = STANDARD_CHECKERS, first_row: int = 0
) -> tuple[Ints, Ints]:
    """The checkers of the player on roll, and of the opponent, on each board and its bar.

    Raises:
        PositionError: a board is impossible; the message names the first.
    """
    mine, theirs = checkers_of(rows)
    too_many = (mine > checkers) | (theirs > checkers)
    # place 0 is the opponent's bar, and their counts are negative; place 25 is that of the player on roll
    on_wrong_bar = (rows[:, 0] > 0) | (rows[:, BAR] < 0)
    row = first(too_many | on_wrong_bar)
    if row is not None:
        refuse_board(rows, row, checkers, first_row)
    return mine, theirs


def refuse_board(rows: Rows, row: int, checkers: int, first_row: int = 0) -> None:
    """Raise the error that `Position` raises for this board."""
    with saying_where(f"points, row {first_row + row}"):
        _ = Position.from_points(rows[row].tolist(), checkers=checkers)


def check_dice(rows: npt.NDArray[Any], label: Callable[[int], str]) -> None:
    """Check every roll.

    Raises:
        DiceError: a roll is impossible; the message begins with the label of the first.
    """
    row = first((rows.min(axis=1) < 1) | (rows.max(axis=1) > 6))
    if row is not None:
        high, low = rows[row].tolist()
        with saying_where(label(row)):
            _ = Dice(high, low)


def number_of_checkers(argument: object) -> int:
    """Check the argument `checkers`, the number a side.

    Raises:
        ArgumentError: `checkers` is not from 1 to 15.
    """
    return whole_argument("checkers", argument, minimum=1, maximum=STANDARD_CHECKERS)


def numbered(index: SupportsIndex, offsets: Ints, noun: str) -> slice:
    """The rows of the board or game with this number.

    Raises:
        TypeError: the index is not a whole number.
        IndexError: there are not that many.
    """
    try:
        number = operator.index(index)
    except TypeError:
        raise TypeError(f"the index of a {noun} is a whole number, not {shown(index)}") from None
    length = len(offsets) - 1
    if not -length <= number < length:
        raise IndexError(f"there is no {noun} {shown(number)}, only {length}")
    number %= length  # -1 is the last
    return slice(int(offsets[number]), int(offsets[number + 1]))


def _wrong(where: str, sentence: str) -> GammonError:
    if where.startswith("dice"):
        return not_a_pair(f"{where}: {sentence}")
    if where.startswith("points"):
        return PositionError(f"{where}: {sentence}", PositionProblem.NOT_A_BOARD)
    return ArgumentError(f"{where}: {sentence}")

"""Position IDs of many boards, read and written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Boards, Rows, number_of_checkers, rows_of_boards
from gammonrules._arrays.dispatch import of_many
from gammonrules.batch._board_arrays import AT_ONCE, check_one_is_left
from gammonrules.batch._legal_plays import is_list
from gammonrules.board import Position
from gammonrules.board.internals import LENGTH as ID_LENGTH, SLOTS, STANDARD_CHECKERS
from gammonrules.errors import ArgumentError
from gammonrules.values import iterator_of, saying_where, shown

_BYTES = np.dtype(f"S{ID_LENGTH}")
_CHARACTERS = np.dtype(f"U{ID_LENGTH}")

_Texts: TypeAlias = Sequence[object] | npt.NDArray[Any]


def from_ids(ids: Iterable[str | bytes], *, checkers: int = STANDARD_CHECKERS) -> Rows:
    """Read Position IDs, as `Position.from_id` does, as boards.

    Little memory is needed besides the 26 bytes of each board.

    Args:
        ids: a list or another iterable of texts, an array of texts or bytes (fastest as `U14` or `S14`), or a column of
            pandas, Polars or PyArrow.
        checkers: how many each side has, on the board and off, 1 to 15 (the default).

    Returns:
        `(N, 26) int8`, each as the player on roll sees it.

    Raises:
        IdentifierError: a text is not a Position ID; the message names the first row that cannot be read.
        PositionError: a text describes an impossible board; likewise.
        ArgumentError: `ids` is not one row of texts, or `checkers` is not from 1 to 15.

    Examples:
        >>> from gammonrules import batch
        >>> points = batch.from_ids(["4HPwATDgc/ABMA", "sGfwATDgc/ABMA"])
        >>> points[:, [24, 20, 19]].tolist()
        [[2, 0, -5], [2, -2, -4]]
    """
    number = number_of_checkers(checkers)
    texts = _texts_of(ids)
    points = np.empty((len(texts), SLOTS), np.int8)
    for start in range(0, len(texts), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        _read_ids(texts[part], points=points[part], checkers=number, first_row=start)
    return points


def _texts_of(ids: object) -> _Texts:
    """The argument as a list or an array of one dimension, whose items are still to be read."""
    if is_list(ids):
        return ids
    if hasattr(type(ids), "__array__"):
        array: npt.NDArray[Any] = np.asarray(ids)
        if array.ndim != 1 or isinstance(ids, np.ma.MaskedArray):
            raise _no_row_of_ids(ids)
        return array
    items = iterator_of(ids)
    if items is None:
        raise _no_row_of_ids(ids)
    return list(items)


def _no_row_of_ids(ids: object) -> ArgumentError:
    return ArgumentError(f"ids must be a list or one row of Position IDs, not {shown(ids)}")


def _read_ids(texts: _Texts, points: Rows, checkers: int, first_row: int) -> None:
    """Write the boards of these texts into `points`."""
    is_read = np.empty(len(points), np.bool_)
    # the kernel refuses no text, so there is no error to look for; it leaves out all that is not a plain ID
    of_many("from_ids", lambda: None, _character_rows(texts), points, is_read, checkers)
    # what it left out may still be read with more effort, or else this says what is wrong
    for row in np.flatnonzero(~is_read).tolist():
        text: Any = texts[row]
        if isinstance(text, bytes):
            text = text.decode("latin-1")  # which takes any bytes
        with saying_where(f"ids, row {first_row + row}"):
            points[row] = Position.from_id(text, checkers=checkers).points


def _character_rows(texts: _Texts) -> npt.NDArray[np.uint8]:
    """A row for each text, of its 14 characters; a line break may follow.

    What is no text of 14 ASCII characters has at least one there that no ID has, so that the kernel leaves it out.
    """
    if isinstance(texts, np.ndarray) and texts.dtype in {_BYTES, _CHARACTERS}:
        dtype_of_character = np.uint8 if texts.dtype == _BYTES else np.uint32
        characters: npt.NDArray[Any] = np.ascontiguousarray(texts).view(dtype_of_character)
        is_ascii = characters < 128
        return np.where(is_ascii, characters, 0).astype(np.uint8).reshape(-1, ID_LENGTH)
    items: Sequence[Any] = texts.tolist() if isinstance(texts, np.ndarray) else texts
    lines = _lines_of_same_length(items)
    if lines is None:
        lines = "".join(f"{_text_of_length(item)}\n" for item in items)
    only_ascii = lines.encode("ascii", "replace")  # with "?", which no ID has
    return np.frombuffer(only_ascii, np.uint8).reshape(-1, ID_LENGTH + 1)


def _lines_of_same_length(items: Sequence[Any]) -> str | None:
    """All texts, each with a line break after it; None if one is no text, or has another length than an ID."""
    try:
        lines = "\n".join(items) + "\n"
    except TypeError:
        return None
    # all texts have the length of an ID if a break follows after each such length, and there are no other breaks
    breaks = "\n" * len(items)
    are_breaks_in_place = lines[ID_LENGTH :: ID_LENGTH + 1] == breaks
    are_no_others = lines.count("\n") == len(breaks)
    return lines if are_breaks_in_place and are_no_others else None


def _text_of_length(item: object) -> str:
    """A text that is as long as an ID, or blanks."""
    if isinstance(item, str) and len(item) == ID_LENGTH:
        return item
    return " " * ID_LENGTH


def to_ids(points: Boards) -> npt.NDArray[np.str_]:
    """The Position IDs of boards, as in `Position.id`.

    Args:
        points: the boards, in any form of `Boards`.

    Returns:
        `(N,) U14`, 56 bytes for each; `.tolist()` makes a list of them, `.astype("S14")` takes 14 bytes for each.

    Raises:
        PositionError: `points` are not boards, or a board is impossible.

    Examples:
        >>> from gammonrules import Position, batch
        >>> plays = batch.legal_plays([Position.start().points], [(3, 1)])
        >>> batch.to_ids(plays.points[:2]).tolist()
        ['4HPwARLgc/ABMA', '4HPwASHgc/ABMA']
    """
    rows = rows_of_boards(points)
    ids = np.empty(len(rows), _CHARACTERS)
    characters = ids.view(np.uint32).reshape(-1, ID_LENGTH)
    for start in range(0, len(rows), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        check = partial(check_one_is_left, rows[part], STANDARD_CHECKERS, start)
        of_many("to_ids", check, rows[part], characters[part], STANDARD_CHECKERS)
    return ids

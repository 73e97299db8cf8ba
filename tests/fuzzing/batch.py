"""Arrays of every dtype, shape and layout for `gammonrules.batch`.

What is a board and a roll for the single calls is one for the batch, with the same plays in the same order; all else is
an error of the library.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from boards import position_of, random_board
from fuzzing.harness import attempt
from fuzzing.kernel import inputs_of, is_board
from gammonrules import GammonError, Position, batch

DTYPES = "i1 i1 i1 <i2 >i2 <i4 >i4 <i8 >i8 u1 <u8 >u2 <f8 <f2 ? <c8 O S3 U2 M8[s] V4".split()
LAYOUTS = (
    "C C F reversed columns wider read-only unaligned list tuple masked subclass one-row flat deeper memoryview"
    " iterator repeated"
).split()
FUNCTIONS = (
    "legal_plays legal_plays legal_plays flip pip_counts outcomes features features_into best to_positions to_ids"
).split()
ODD = (-129, -128, -16, -1, 0, 1, 2, 7, 15, 16, 127, 128, 255, 256, 259)
"""Ends of the ranges of boards, rolls and dtypes."""

Case = tuple[Any, ...]
"""(function, boards, dtype, layout, rolls, dtype, layout)."""


def case(rng: random.Random) -> Case:
    """A call of a function."""
    boards = [_board(rng) for _ in range(rng.choice((0, 1, 1, 2, 3, 8)))]
    rolls = [[rng.randint(1, 6), rng.randint(1, 6)] for _ in boards]
    if rng.random() < 0.3:  # something wrong
        for _ in range(rng.choice((1, 2))):
            rows = rng.choice((boards, rolls, rolls))
            row = rng.choice(rows or [[]])
            if row:
                row[rng.randrange(len(row))] = rng.choice(ODD)
        if rng.random() < 0.2 and rolls:
            rolls.pop()
    usual = rng.random() < 0.5
    styles = [
        ("i1", "C") if usual and rng.random() < 0.7 else (rng.choice(DTYPES), rng.choice(LAYOUTS)) for _ in range(2)
    ]
    return rng.choice(FUNCTIONS), boards, *styles[0], rolls, *styles[1]


def _board(rng: random.Random) -> list[int]:
    """A board; at times noise that may be one."""
    chance = rng.random()
    if chance < 0.8:
        return list(position_of(random_board(rng)).points)
    if chance < 0.9:
        return [rng.choice((0, 0, 0, 0, 1, 2, -1, -2)) for _ in range(26)]
    return [rng.randrange(-128, 128) for _ in range(rng.choice((26, 26, 25, 0)))]


def check(case: Case) -> int:
    """Make the call."""
    name, boards, *style, rolls, dtype, layout = case
    points = _array(boards, *style)
    if points is None:
        return 1
    if name == "legal_plays":
        _check_plays(
            boards, rolls, points, _array(rolls, dtype, layout), usual=_usual(*style) and _usual(dtype, layout)
        )
    elif name == "best":
        _check_best(
            [number for row in boards for number in row], points.ravel() if isinstance(points, np.ndarray) else points
        )
    elif name == "features_into":
        _check_rows(name, boards, points, usual=_usual(*style), call=_features_into)
    else:
        _check_rows(name, boards, points, usual=_usual(*style))
    return 1


def _usual(dtype: str, layout: str) -> bool:
    """Whether an array of whole numbers with the rows as given must be taken."""
    return np.dtype(dtype).kind in "iu" and layout not in {
        "masked",
        "one-row",
        "flat",
        "deeper",
        "iterator",
        "repeated",
    }


def _array(rows: list[list[int]], dtype: str, layout: str) -> Any:
    """The rows as an array of this dtype, lying in memory like this; None if there is no such array."""
    width = max(map(len, rows), default=26)
    try:
        plain = np.array(rows, dtype=object).reshape(-1, width).astype(dtype)
        if np.dtype(dtype).kind in "iu" and not np.array_equal(
            plain.astype(object), np.array(rows, object).reshape(-1, width)
        ):
            return None  # a number that this dtype cannot hold
    except (ValueError, TypeError, OverflowError):
        return None
    return _laid_out(plain, layout)


def _laid_out(plain: Any, layout: str) -> Any:
    """The same numbers, lying in memory like this or in other objects; as they are where that cannot be."""
    width = plain.shape[1]
    if (plain.dtype.hasobject and layout in {"unaligned", "read-only"}) or (
        plain.dtype.kind not in "iu" and layout == "memoryview"
    ):
        return plain
    lay: dict[str, Callable[[], Any]] = {
        "F": lambda: np.asfortranarray(plain),
        "reversed": lambda: np.ascontiguousarray(plain[::-1, ::-1])[::-1, ::-1],
        "columns": lambda: np.repeat(plain, 2, axis=1)[:, ::2],
        "wider": lambda: np.concatenate([plain, plain], axis=1)[:, :width],
        "read-only": lambda: np.frombuffer(plain.tobytes(), plain.dtype).reshape(plain.shape),
        "unaligned": lambda: np.frombuffer(b"\0" + plain.tobytes(), plain.dtype, offset=1).reshape(plain.shape),
        "list": plain.tolist,
        "tuple": lambda: tuple(map(tuple, plain.tolist())),
        "masked": lambda: np.ma.masked_array(plain, mask=plain == plain[:1]),
        "subclass": lambda: plain.view(_Rows),
        "one-row": lambda: plain[0],
        "flat": plain.ravel,
        "deeper": lambda: plain[None],
        "memoryview": lambda: memoryview(plain),
        "iterator": lambda: iter(plain.tolist()),
        "repeated": lambda: np.broadcast_to(plain[:1], plain.shape),  # every row in the same memory
    }
    return lay[layout]() if layout in lay and plain.size else plain


class _Rows(np.ndarray[Any, Any]):
    """An array class from elsewhere."""


def _check_plays(boards: list[list[int]], rolls: list[list[int]], points: Any, dice: Any, *, usual: bool) -> None:
    """The plays of each board and roll are those of the single calls."""
    if dice is None:
        return
    right = all(map(is_board, boards)) and all(1 <= die <= 6 for roll in rolls for die in roll)
    right = right and len(boards) == len(rolls)
    before = np.array(points, copy=True) if isinstance(points, np.ndarray) and usual else None
    plays, error = attempt(lambda: batch.legal_plays(points, dice))
    if usual and boards:
        assert (error is None) == right, (error, right)
    if error is not None or not usual:
        return
    assert before is None or np.array_equal(before, points)
    for board, roll, (results, moves) in zip(boards, rolls, plays, strict=True):
        try:
            singles = Position.from_points(board).legal_plays(roll)
        except GammonError:  # a board that only the single calls refuse: both off, or both shut out
            continue
        assert results.tolist() == [list(play.position.points) for play in singles]
        expected = [[[move.from_point, move.to_point] for move in play.moves] for play in singles]
        assert [[move for move in moves_of_play if move != [-1, -1]] for moves_of_play in moves.tolist()] == expected


def _features_into(points: Any) -> Any:
    """The inputs, in memory where something else was before."""
    try:
        out = np.full((len(points), 198), np.nan, np.float32)
    except TypeError:  # without a length
        out = np.full((1, 198), np.nan, np.float32)
    try:
        return batch.features(points, out)
    except GammonError:
        assert np.isnan(out).all(), "something was written"
        raise


def _check_best(numbers: list[int], scores: Any) -> None:
    """The first of the highest scores, of boards with one play, two, three, and so on."""
    offsets = [0]
    while offsets[-1] < len(numbers):
        offsets.append(min(offsets[-1] + len(offsets), len(numbers)))
    rows = np.zeros((len(numbers), 26), np.int8)
    plays = batch.LegalPlays(np.array(offsets), rows, np.zeros((len(rows), 4, 2), np.int8))
    best, error = attempt(lambda: plays.best(scores))
    if error is None and isinstance(scores, np.ndarray):
        flat = np.asarray(scores).tolist()
        assert best.tolist() == [flat.index(max(flat[start:end]), start) for start, end in pairwise(offsets)]


def _check_rows(name: str, boards: list[list[int]], points: Any, *, usual: bool, call: Any = None) -> None:
    """The results for each board are those of its position."""
    result, error = attempt(lambda: (call or getattr(batch, name))(points))
    right = all(map(is_board, boards))
    if usual and boards and name != "to_positions":
        assert (error is None) == right, (error, right)
    if error is not None or not usual:
        return
    if name.startswith("features"):
        assert np.array_equal(result, np.array([inputs_of(board) for board in boards], np.float32).reshape(-1, 198))
        return
    for board, value in zip(boards, result, strict=True):
        try:
            position = Position.from_points(board)
        except GammonError:
            continue
        match name:
            case "flip":
                assert tuple(value.tolist()) == position.flip().points
            case "pip_counts":
                assert tuple(value.tolist()) == (position.pip_count, position.opponent_pip_count)
            case "to_ids":
                assert value == position.id
                assert batch.from_ids([value]).tolist() == [board]
            case "outcomes":
                outcome = position.outcome
                assert value == (0 if outcome is None else outcome.win if outcome.won else -outcome.win)
            case _:
                assert value == position

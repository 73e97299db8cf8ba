"""`evaluate_batch`: many boards by an engine, on all processors; the only file of this package that needs NumPy."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import Any, Final

from gammonrules._shared.extras import importing

with importing("NumPy", "engine.evaluate_batch", "numpy"):
    import numpy as np
    import numpy.typing as npt

from gammonrules._arrays.checks import (
    Boards,
    Rows,
    check_boards,
    number_of_checkers,
    read_boards,
    rows_and_checkers,
)
from gammonrules._shared.work import CacheOfOne, checked_workers, in_order
from gammonrules.analysis.internals import five_of
from gammonrules.batch import to_positions
from gammonrules.batch.internals import check_starts
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.engine._named_engines import driver_named
from gammonrules.engine._simple_engine import SimpleEngine
from gammonrules.errors import ArgumentError, EngineTerminatedError, GammonError, PositionError
from gammonrules.match import MatchState, Player
from gammonrules.rules import Rules
from gammonrules.values import saying_where

_NO_CUBE: Final = Rules(cube=False)
_HYPERGAMMON: Final = 3
"""Checkers a side of the usual game with few."""
_AT_ONCE: Final = 128
"""Boards that a process is given: some 15 ms of work at least, some seconds where the engine looks ahead."""


def evaluate_batch(
    boards: Boards,
    level: int = 1,
    *,
    engine: str = "bgsage",
    workers: int | None = None,
    checkers: int | None = None,
) -> npt.NDArray[np.float32]:
    """How games may end from many boards, as an engine says: what a network can be trained with.

    The chances are those that `SimpleEngine.evaluate` gives in money play without a cube. They do not depend on the
    number of processes.

    Args:
        boards: as the player on roll sees them, before the roll, in any form of `batch.Boards`, such as
            `batch.Games.points`. Checkers that a side lacks to 15 are off. No game may be over.
        level: how deep the engine looks, as for `SimpleEngine.open`: 1 (the default) judges each board as it is.
        engine: "bgsage" (the default), "gnubg" or "selftaught".
        workers: the number of processes, each with its own engine: None (the default) for one per processor, 1 for only
            the caller's.
        checkers: how many each side has, on the board and off: engines know games with 15 alone. None (the default)
            for the number that positions have, or 15. Arrays that look like boards of Hypergammon are then rejected:
            nobody has more than three checkers on one, and some have contact.

    Returns:
        `(N, 5) float32`, for the player on roll, in the order of `Chances`.

    Raises:
        PositionError: `boards` are not boards, or a board is impossible.
        ArgumentError: there is no board, or the game is over on one; there is no such engine or level; `workers` is not
            a number of processes; or `checkers` is not 15, or not stated where boards may be of Hypergammon.
        EngineError: the engine does not start, or failed; see its subclasses.
        ImportError: NumPy is not installed.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch, engine
        >>> games = batch.random_games(2, rng=np.random.default_rng(1))
        >>> chances = engine.evaluate_batch(games.points[:100])
        >>> chances.shape, chances.dtype, bool((chances[:, 0] >= chances[:, 1]).all())
        ((100, 5), dtype('float32'), True)
    """
    with saying_where("boards", PositionError):
        rows, of_positions = read_boards(boards)
        check_starts(rows, STANDARD_CHECKERS, "boards")
    if not len(rows):
        raise ArgumentError("boards: there are none")
    if of_positions is not None:
        _, checkers = rows_and_checkers(boards, checkers)
    _check_checkers(rows, checkers)
    driver_named(engine, level, None)  # refuses what there is not before anything starts
    parts = [rows[first : first + _AT_ONCE] for first in range(0, len(rows), _AT_ONCE)]
    processes = min(checked_workers(workers), len(parts))
    engines = CacheOfOne(partial(SimpleEngine.open, engine))
    work = partial(_chances_of_part, engines, level)

    def process_ended(_part: object, why: str) -> EngineTerminatedError:
        return EngineTerminatedError(f"evaluate_batch: {why}")

    results = in_order(work, parts, process_ended, workers=processes)
    chances = list[npt.NDArray[np.float32]]()
    with closing(engines), closing(results):
        for chances_of_part in results:
            if isinstance(chances_of_part, GammonError):
                raise chances_of_part
            chances.append(chances_of_part)
    return np.concatenate(chances)


def _check_checkers(rows: Rows, checkers: int | None) -> None:
    """Raise ArgumentError for games with fewer checkers than engines know, also where boards look like these."""
    stated = number_of_checkers(STANDARD_CHECKERS if checkers is None else checkers)
    if stated != STANDARD_CHECKERS:
        raise ArgumentError(
            f"checkers: engines know games with {STANDARD_CHECKERS} a side alone, not with {stated}"
        )
    if checkers is not None:
        return
    most_on_board = np.max(check_boards(rows))
    if most_on_board > _HYPERGAMMON:
        return
    for row, position in enumerate(to_positions(rows)):
        if not position.is_race:  # with so few checkers, a game with 15 is seldom more than a race
            raise ArgumentError(
                f"boards, row {row}: contact with {_HYPERGAMMON} checkers a side at most, "
                "as in Hypergammon, which engines do not know; "
                f"if each has {STANDARD_CHECKERS}, say checkers=15"
            )


def _chances_of_part(
    engines: CacheOfOne[Any, SimpleEngine], level: int, rows: Rows
) -> npt.NDArray[np.float32] | GammonError:
    """In each process: the chances of some boards, or why there are none."""
    try:
        evaluate = engines.get(level).evaluate
        states = (
            MatchState(position, Player.WHITE, rules=_NO_CUBE) for position in to_positions(rows)
        )
        return np.array([five_of(evaluate(state).chances) for state in states], np.float32)
    except GammonError as error:
        return error

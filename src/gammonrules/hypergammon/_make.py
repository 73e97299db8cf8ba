"""Making a table, in steps that go on where they were interrupted."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from math import log, prod
from os import SEEK_END
from pathlib import Path
from typing import IO

import numpy as np

from gammonrules._arrays.checks import Floats, Ints
from gammonrules._shared.disk_files import file_to_extend, new_file, path_text
from gammonrules.bearoff.internals import Bytes, ProgressCallback, unwatched
from gammonrules.errors import ParseError
from gammonrules.hypergammon._board_numbers import MAX_CHECKERS, numbering, opening_plays
from gammonrules.hypergammon._columns import Columns, SolvedGame, passed, won_games
from gammonrules.hypergammon._file import CHANCES, HEADER, from_bytes, header, rules_text, to_bytes
from gammonrules.hypergammon._hypergammon_table import HypergammonTable, open as open_table
from gammonrules.hypergammon._solve import SETTLED, Sweeper, levels_of_plays
from gammonrules.values import saying_where, whole_argument

_MAX_LENGTH = 3
_MAX_POINTS = 3 + 1e-6
"""What a game can be worth at most, and what may be lost by counting."""
_PLAYS = 0.2
"""How much of the work is done when all plays are known."""


def solve(
    path: str | os.PathLike[str],
    checkers: int = 3,
    *,
    length: int | None = None,
    jacoby: bool = True,
    beavers: bool = True,
    progress: ProgressCallback | None = None,
) -> HypergammonTable:
    """Solve Hypergammon and write the table to a file, which is then opened.

    Three checkers a side take 8 GB of memory while they are computed, and half an hour on two processors; the file has
    215 MB. Matches to 3 take 10 GB and more than an hour; their file has 692 MB. If it is interrupted, the same call
    goes on: what is done is in the file `path + ".part"`, of 573 MB or 1.8 GB, until the end.

    Args:
        path: the file, which is replaced if there is one.
        checkers: how many each side has: 3 (the default), 2, which take seconds, or 1.
        length: None (the default) for money play, or the points of a match, up to 3, in which all scores are solved.
        jacoby: whether gammons count only once the cube has been turned. Default True, as in `MONEY`.
        beavers: whether a double may be redoubled at once, and no more. Default True, as in `MONEY`.
        progress: called now and then with the part of the work that is done, from 0 to 1.

    Raises:
        ArgumentError: an argument is impossible.
        ParseError: another run is making this table, or what is done is of other rules.
        OSError: a file cannot be written.

    Examples:
        >>> import tempfile
        >>> from gammonrules import Position, hypergammon
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with hypergammon.solve(f"{folder}/one.table", checkers=1) as table:
        ...         print(table[Position.start("hypergammon1")].verdict())
        double/take
    """
    name = path_text(path)
    watched = progress or unwatched
    points = None
    if length is not None:
        points = whole_argument("length", value=length, minimum=1, maximum=_MAX_LENGTH)
    game = SolvedGame(
        whole_argument("checkers", value=checkers, minimum=1, maximum=MAX_CHECKERS),
        length=points,
        jacoby=jacoby,
        beavers=beavers,
    )
    numbers = numbering(checkers)
    unfinished = f"{name}.part"
    rules = rules_text(game)
    with (
        saying_where(unfinished, ParseError),
        file_to_extend(unfinished) as file,
        ThreadPoolExecutor() as pool,
    ):
        positions = int(numbers.starts[-1])
        stored = _unfinished(file, rules, (game.width + CHANCES, positions))
        solved = np.array(stored)  # in memory; an earlier run may have begun it
        equities = solved[: game.width]
        chances = solved[game.width :]
        settling = partial(_settling, watched, stored, solved)
        levels = levels_of_plays(numbers, pool, lambda done: watched(_PLAYS * done))
        opening, offsets = opening_plays(numbers)
        # for each group of columns, what makes its sweeper for some equities
        sweepers: list[Callable[[Floats], Sweeper]] = []
        for columns, group in game.columns(lambda: equities[:, opening], offsets):
            sweeper_of_group = partial(_sweeper, pool, columns, group)
            sweeper_of_group(equities).settle(levels, partial(settling, group))
            sweepers.append(sweeper_of_group)
        # chances are those with the plays that are best without a cube, whose column is the first group
        best_plays = sweepers[0](equities).settle(levels, unwatched)
        sweeper_of_chances = Sweeper(
            chances, over=_CHANCES_WON, passed=partial(_passed_chances, chances), pool=pool
        )
        rows_of_chances = range(game.width, len(solved))
        sweeper_of_chances.settle(best_plays, partial(settling, rows_of_chances))
        content = to_bytes(chances, equities)
        rounded_equities = _equities_in(content)
        residual = max(sweeper(equities).residual(levels) for sweeper in sweepers)
        rounded = max(sweeper(rounded_equities).residual(levels) for sweeper in sweepers)
        with new_file(name) as new:
            new.file.write(header(rules, residual, rounded, content))
            new.file.write(content.data)
            new.put_in_place()
        Path(unfinished).unlink()
    return open_table(name)


_CHANCES_WON = np.array(
    [
        (1, 1, 1),  # win
        (0, 1, 1),  # win_gammon: a backgammon is one, too
        (0, 0, 1),  # win_backgammon
        (0, 0, 0),  # lose_gammon
        (0, 0, 0),  # lose_backgammon
    ],
    np.float64,
)
"""The chances of a side that has won a single game, a gammon, a backgammon."""


def _equities_in(content: Bytes) -> Floats:
    """The equities as they are read from the content of a file; in parts, since all at once would take gigabytes."""
    parts: list[Floats] = []
    for rows in np.array_split(content, 1 + len(content) // 100_000):
        _, equities = from_bytes(rows)
        parts.append(equities)
    return np.concatenate(parts, axis=1)


def _sweeper(pool: Executor, columns: Columns, group: range, values: Floats) -> Sweeper:
    """A sweeper that computes the values of a group of columns, beside all others."""
    computed = values[group.start : group.stop]
    return Sweeper(
        computed,
        over=won_games(columns, group),
        passed=partial(passed, columns, values, group),
        pool=pool,
    )


def _settling(
    watched: ProgressCallback, stored: Floats, solved: Floats, rows: range, change: float
) -> None:
    """Store what is solved of some rows, and tell how much is done when they still change so much."""
    stored[rows.start : rows.stop] = solved[rows.start : rows.stop]
    # from a change of 1 to one of `SETTLED` each power of ten takes about as long
    part_of_rows = max(0, log(max(change, SETTLED), SETTLED))
    done = rows.start + len(rows) * part_of_rows
    watched(_PLAYS + (1 - _PLAYS) * done / len(solved))


def _passed_chances(chances: Floats, at: Ints | slice) -> Floats:
    """The five chances of the opponent, who loses the gammons and backgammons that the other side wins."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances[:, at]
    return np.stack([1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon])


def _unfinished(file: IO[bytes], rules: str, shape: tuple[int, int]) -> Floats:
    """The equities and chances in a file, as far as they are computed: what is written to them is in the file."""
    start = f"{rules}unfinished\n".encode().ljust(HEADER)
    size = 8 * prod(shape)
    file.seek(0)
    if file.read(HEADER) not in {b"", start}:
        raise ParseError(
            "this is not an unfinished table by these rules: delete it, or choose another file"
        )
    size_so_far = file.seek(0, SEEK_END)
    if size_so_far != HEADER + size:  # it is new, or was interrupted while it was made
        file.truncate(0)
        file.write(start + bytes(size))  # not only made so long: the disk may be too small for it
        file.flush()
    stored = np.memmap(file.name, np.float64, "r+", HEADER, shape)
    # neither with a NaN
    are_possible = stored.min() >= -_MAX_POINTS and stored.max() <= _MAX_POINTS
    if not are_possible:
        raise ParseError("this unfinished table is damaged: delete it, or choose another file")
    return stored

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

from gammonrules._shared.disk_files import file_to_extend, new_file, path_text
from gammonrules.bearoff.internals import Progress, unwatched
from gammonrules.board.array_checks import Floats, Ints
from gammonrules.errors import ParseError
from gammonrules.hypergammon._columns import Columns, SolvedGame, passed, won_games
from gammonrules.hypergammon._file import CHANCES, HEADER, from_bytes, header, rules_text, to_bytes
from gammonrules.hypergammon._numbers import MOST_CHECKERS, numbering, opening_plays
from gammonrules.hypergammon._solve import SETTLED, Sweeper, levels_of_plays
from gammonrules.hypergammon._table import HypergammonTable, open as open_table
from gammonrules.values import saying_where, whole_argument

_LONGEST = 3
_MOST_POINTS = 3 + 1e-6
"""What a game can be worth at most, and what may be lost by counting."""
_PLAYS = 0.2
"""How much of the work is done when all plays are known."""


def make(
    path: str | os.PathLike[str],
    checkers: int = 3,
    *,
    length: int | None = None,
    jacoby: bool = True,
    beavers: bool = True,
    progress: Progress | None = None,
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
        ...     with hypergammon.make(f"{folder}/one.table", checkers=1) as table:
        ...         print(table[Position.start("hypergammon1")].verdict())
        double/take
    """
    name = path_text(path)
    watched = progress or unwatched
    points = None
    if length is not None:
        points = whole_argument("length", value=length, least=1, most=_LONGEST)
    game = SolvedGame(
        whole_argument("checkers", value=checkers, least=1, most=MOST_CHECKERS),
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
        stored = _unfinished(file, rules, (game.width + CHANCES, int(numbers.starts[-1])))
        solved = np.array(stored)
        equities = solved[: game.width]
        chances = solved[game.width :]
        settling = partial(_settling, watched, stored, solved)
        levels = levels_of_plays(numbers, pool, lambda done: watched(_PLAYS * done))
        opening, offsets = opening_plays(numbers)
        groups: list[Callable[[Floats], Sweeper]] = []
        for columns, group in game.columns(lambda: equities[:, opening], offsets):
            sweeper_of_group = partial(_sweeper, pool, columns, group)
            sweeper_of_group(equities).settle(levels, partial(settling, group))
            groups.append(sweeper_of_group)
        sweeper_without_cube = groups[0](equities)
        best = sweeper_without_cube.settle(levels, unwatched)
        # of who has won: a gammon is a game that is won, too, and a backgammon is both
        ends = np.tri(3, CHANCES).T
        passed_on = partial(_passed_chances, chances)
        Sweeper(chances, over=ends, passed=passed_on, pool=pool).settle(
            best, partial(settling, range(game.width, len(solved)))
        )
        content = to_bytes(chances, equities)
        # all at once would take gigabytes
        rounded_parts: list[Floats] = []
        for rows in np.array_split(content, 1 + len(content) // 100_000):
            _, rounded_part = from_bytes(rows)
            rounded_parts.append(rounded_part)
        rounded_equities = np.concatenate(rounded_parts, axis=1)
        residual = max(sweeper(equities).residual(levels) for sweeper in groups)
        rounded = max(sweeper(rounded_equities).residual(levels) for sweeper in groups)
        with new_file(name) as new:
            new.file.write(header(rules, residual, rounded, content))
            new.file.write(content.data)
            new.put_in_place()
        Path(unfinished).unlink()
    return open_table(name)


def _sweeper(pool: Executor, columns: Columns, group: range, values: Floats) -> Sweeper:
    """What computes the values of a group of columns, beside all others."""
    computed = values[group.start : group.stop]
    return Sweeper(
        computed,
        over=won_games(columns, group),
        passed=partial(passed, columns, values, group),
        pool=pool,
    )


def _settling(
    watched: Progress, stored: Floats, solved: Floats, rows: range, change: float
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
    if file.seek(0, SEEK_END) != HEADER + size:
        file.truncate(0)
        file.write(start + bytes(size))  # not only made so long: the disk may be too small for it
        file.flush()
    stored = np.memmap(file.name, np.float64, "r+", HEADER, shape)
    are_possible = (
        stored.min() >= -_MOST_POINTS and stored.max() <= _MOST_POINTS
    )  # neither with a NaN
    if not are_possible:
        raise ParseError("this unfinished table is damaged: delete it, or choose another file")
    return stored

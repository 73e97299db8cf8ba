"""Making a table, in steps that go on where they were interrupted."""

from __future__ import annotations

import os
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import count
from math import log, prod
from os import SEEK_END
from pathlib import Path
from typing import IO

import numpy as np

from gammonrules._shared.disk_files import file_to_extend, new_file, path_text
from gammonrules.bearoff.internals import Progress, unwatched
from gammonrules.board.array_checks import Floats, Ints
from gammonrules.errors import ParseError
from gammonrules.hypergammon._columns import CUBELESS, money
from gammonrules.hypergammon._file import CHANCES, HEADER, from_bytes, header, rules_text, to_bytes
from gammonrules.hypergammon._numbers import MOST_CHECKERS, Numbering, numbering
from gammonrules.hypergammon._solve import (
    BestReplies,
    Successors,
    passed_chances,
    positions_by_pips,
    successors_of,
    sweep,
)
from gammonrules.hypergammon._table import HypergammonTable, open as open_table
from gammonrules.values import saying_where, whole_argument

_AT_ONCE = 2048
"""Positions whose plays are looked at together: their arrays stay in the processor's cache."""
_SETTLED = 1e-12
"""The change of a sweep, in points, after which nothing changes but by rounding."""
_AHEAD = 6
"""After so many sweeps the rest of the way is guessed, which saves half of them."""
_PLAYS, _SWEEPS = 0.3, 0.9
"""How much of the work is done when all plays are known, and when the equities are."""


def make(
    path: str | os.PathLike[str],
    checkers: int = 3,
    *,
    jacoby: bool = True,
    beavers: bool = True,
    progress: Progress | None = None,
) -> HypergammonTable:
    """Solve Hypergammon and write the table to a file, which is then opened.

    Three checkers a side take 6 GB of memory while they are computed, and an hour or more on two processors; the file
    has 215 MB. If it is interrupted, the same call goes on: what is done is in the file
    `path + ".part"`, of 255 MB, until the end.

    Args:
        path: the file, which is replaced if there is one.
        checkers: how many each side has: 3 (the default), 2, which take a minute, or 1.
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
    name, watched = path_text(path), progress or unwatched
    numbers, stakes = (
        numbering(whole_argument("checkers", checkers, 1, MOST_CHECKERS)),
        money(jacoby=jacoby, beavers=beavers),
    )
    part, rules = f"{name}.part", rules_text(checkers, jacoby=jacoby, beavers=beavers)
    with saying_where(part, ParseError), file_to_extend(part) as file, ThreadPoolExecutor() as pool:
        equities = _unfinished(file, rules, (int(numbers.starts[-1]), len(stakes.columns)))
        levels = _levels_of_plays(numbers, pool, lambda done: watched(_PLAYS * done))
        known = np.concatenate((stakes.known(equities), stakes.over))
        step, change = np.zeros(0), 1.0
        for at in count():
            before, last = equities.copy(), step
            change = sweep(levels, equities, known, pool, stakes.known)
            watched(_PLAYS + (_SWEEPS - _PLAYS) * min(1, log(min(change, 1)) / log(_SETTLED)))
            if change <= _SETTLED:
                break
            step = equities - before
            if at % _AHEAD == _AHEAD - 1:
                equities += step * _still_to_go(step, last)
                known[: len(equities)] = stakes.known(equities)
        content = to_bytes(_cubeless_chances(levels, known[:, CUBELESS], pool), equities)
        rounded = from_bytes(content)[1]
        residuals = (
            sweep(levels, values, np.concatenate((stakes.known(values), stakes.over)), pool)
            for values in (equities, rounded)
        )
        with new_file(name) as new:
            new.file.write(header(rules, residuals, content))
            new.file.write(content.data)
            new.put_in_place()
        Path(part).unlink()
    return open_table(name)


def _still_to_go(step: Floats, last: Floats) -> Floats:
    """How many times this change is still to come, in each column, if changes go on to shrink as from the last one."""
    shrunk = np.clip((step * last).sum(axis=0) / np.maximum((last**2).sum(axis=0), 1e-30), 0, 0.9)
    left: Floats = shrunk / (1 - shrunk)
    return left


def _unfinished(file: IO[bytes], rules: str, shape: tuple[int, int]) -> Floats:
    """The equities in a file, as far as they are computed: what is written to them is in the file."""
    start, size = f"{rules}unfinished\n".encode().ljust(HEADER), 8 * prod(shape)
    file.seek(0)
    begun = file.read(HEADER)
    if begun not in {b"", start}:
        raise ParseError("this is not an unfinished table by these rules: delete it, or choose another file")
    if file.seek(0, SEEK_END) != HEADER + size:
        file.truncate(0)
        file.write(start + bytes(size))  # not only made so long: the disk may be too small for it
        file.flush()
    return np.memmap(file.name, np.float64, "r+", HEADER, shape)


def _levels_of_plays(numbers: Numbering, pool: Executor, progress: Progress) -> list[list[Successors]]:
    (mine, theirs), boards, levels = numbers.pairs(), numbers.boards(), positions_by_pips(numbers)

    def plays(positions: Ints) -> Successors:
        return successors_of(numbers, positions, boards[mine[positions]] - boards[theirs[positions], ::-1])

    made: list[list[Successors]] = []
    for positions in levels:
        parts = [positions[start : start + _AT_ONCE] for start in range(0, len(positions), _AT_ONCE)]
        made.append(list(pool.map(plays, parts)))
        progress(len(made) / len(levels))
    return made


def _cubeless_chances(levels: list[list[Successors]], cubeless: Floats, pool: Executor) -> Floats:
    """`(N, 5)`: how games without a cube end if both play as well as possible."""
    best = [[BestReplies(plays.positions, plays.best(cubeless)) for plays in level] for level in levels]
    chances = np.zeros((len(cubeless) - 3, CHANCES))
    known = np.concatenate((passed_chances(chances), np.tri(3, CHANCES)))
    while sweep(best, chances, known, pool, passed_chances) > _SETTLED:
        pass
    return chances

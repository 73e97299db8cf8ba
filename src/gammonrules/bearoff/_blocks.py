"""`Blocks`: a two-sided table that is computed and written in parts."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TypeAlias

import numpy as np

from gammonrules.bearoff import _gnubg_files, _own_files
from gammonrules.bearoff._layouts import ROLLS, number_of_layouts
from gammonrules.bearoff._make import table_size
from gammonrules.bearoff._solve_two_sided import (
    AT_ONCE,
    MOST_PIPS,
    Exact,
    Gnubg,
    Level,
    Pair,
    Values,
    in_order,
    known_from,
    levels_of,
    solve_block,
)
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.disk_files import new_file, path_text
from gammonrules.errors import ArgumentError
from gammonrules.values import shown, whole_number

Solved: TypeAlias = Callable[[Pair], Values | bytes | memoryview]


class Blocks:
    """A two-sided table in blocks, to be computed by several machines, or if the memory does not suffice for it whole.

    A block has all pairs of layouts of so many pips: an array of the layouts on roll, by the four equities of
    `Equities`, by the layouts of the other side. Its `pair` is the pips of the side on roll and of the other side.
    Methods ask for blocks one by one, from a function that takes a pair.

    *Equality*: identity.

    Attributes:
        points: how many points the table has, from the ace point: 1 to 10.
        checkers: the most checkers of a side: 1 to 14.
        gnubg: whether it has the rounding of GNU Backgammon 1.07, to be saved in its format. Then blocks have its
            16-bit numbers, less 32,768; otherwise float32.

    Raises:
        ArgumentError: an argument is impossible.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from gammonrules import bearoff
        >>> blocks = bearoff.Blocks(points=6, checkers=3, gnubg=True)
        >>> blocks.needs((3, 18))
        ((18, 1), (18, 2))
        >>> solved = {}
        >>> for pair in blocks.pairs:
        ...     solved[pair] = blocks.solve(pair, solved.__getitem__)
        >>> len(solved), solved[3, 18].shape, blocks.memory < 5_000_000
        (324, (3, 4, 1), True)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "three.bd"
        ...     blocks.save(path, solved.__getitem__)
        ...     path.stat().st_size == blocks.size
        True
    """

    def __init__(self, points: int = 6, checkers: int = 6, *, gnubg: bool = False) -> None:
        self.points, self.checkers = table_size(points, checkers, STANDARD_CHECKERS - 1)
        self.gnubg = gnubg
        self._arithmetic = Gnubg() if gnubg else Exact()
        if gnubg:
            self._header = _gnubg_files.two_sided_header(self.points, self.checkers)
        else:
            self._header = np.zeros(_own_files.HEADER, np.uint8)

    @cached_property
    def _levels(self) -> list[Level]:
        return levels_of(self.points, self.checkers)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs, each after those that it needs."""
        return tuple(in_order(self.points * self.checkers))

    def needs(self, pair: Pair) -> tuple[Pair, ...]:
        """The pairs whose blocks this one is computed from: those that a play leads to, with the opponent on roll.

        Raises:
            ArgumentError: this is not one of `pairs`.
        """
        mine, theirs = self._checked(pair)
        return tuple((theirs, left) for left in range(max(1, mine - MOST_PIPS), mine))

    @property
    def size(self) -> int:
        """The bytes of the file; all blocks together have about as many."""
        pairs = number_of_layouts(self.points, self.checkers) ** 2
        return self._header.nbytes + 4 * self._arithmetic.dtype.itemsize * pairs

    @property
    def memory(self) -> int:
        """The bytes that `solve` and `save` take at most, without what the function keeps that gives them blocks."""
        sizes = [len(level.numbers) for level in self._levels]
        # The rows of a level (what a block is computed from has fewer); the plays compared at once; some blocks.
        rows = sum(sizes) + 5 * AT_ONCE * ROLLS + 4 * max(sizes)
        plays = 2_000 * sum(sizes)
        return 4 * self._arithmetic.dtype.itemsize * max(sizes) * rows + plays + 2_000_000

    def solve(self, pair: Pair, solved: Solved) -> Values:
        """The block of a pair.

        Args:
            pair: one of `pairs`.
            solved: gives the block of each pair that this one needs, as an array or as its bytes.

        Raises:
            ArgumentError: this is not one of `pairs`, or what `solved` gives is not its block.
        """
        mine, theirs = self._checked(pair)
        level, others, nearest = self._levels[mine], self._levels[theirs], max(0, mine - MOST_PIPS)
        first = self._levels[nearest].start
        known = np.empty((level.start - first, 4, len(others.numbers)), self._arithmetic.dtype)
        if not nearest:
            known[0] = self._arithmetic.lost
        for each in self.needs(pair):
            rows = self._levels[each[1]].rows
            known[rows.start - first : rows.stop - first] = known_from(self._block(each, solved), self._arithmetic)
        return solve_block(level, known, first, self._arithmetic)

    def save(self, path: str | os.PathLike[str], solved: Solved) -> None:
        """Write the table to a file: the same bytes as `two_sided` and `TwoSided.save`, and as safely.

        Args:
            path: the file.
            solved: gives the block of each pair, as an array or as its bytes; it is asked for each once.

        Raises:
            OSError: the file cannot be written; then an older one is still there.
            ArgumentError: `path` is not that of an ordinary file, or what `solved` gives is not the block of its pair.
        """
        with new_file(path_text(path)) as new:
            for pips, level in enumerate(self._levels):
                for number, row in zip(level.numbers.tolist(), self._rows(pips, solved), strict=True):
                    new.file.seek(self._header.nbytes + row.nbytes * number)
                    new.file.write(row.data)
            new.file.flush()
            header = self._header
            if not self.gnubg:
                values = np.memmap(new.hidden, self._arithmetic.dtype, "r", header.nbytes)
                header = _own_files.header_of("two-sided", self.points, self.checkers, [values])
                del values  # Windows renames no file that is mapped
            new.file.seek(0)
            new.file.write(header.data)
            new.put_in_place()

    def _rows(self, mine: int, solved: Solved) -> Values:
        """What a file has for the layouts on roll with so many pips: `(layouts, layouts of the other side, 4)`."""
        number = self._levels[-1].rows.stop
        rows = np.full((len(self._levels[mine].numbers), number, 4), self._arithmetic.won, self._arithmetic.dtype)
        if mine:
            rows[:, 0] = self._arithmetic.lost
            for theirs, level in enumerate(self._levels[1:], start=1):
                rows[:, level.numbers] = self._block((mine, theirs), solved).swapaxes(1, 2)
        if self.gnubg:
            rows ^= np.int16(-1 << 15)
        return rows

    def _checked(self, pair: Pair) -> Pair:
        most = self.points * self.checkers
        pips = [whole_number(side) or 0 for side in pair] if isinstance(pair, tuple) else []
        if len(pips) != 2 or not 1 <= min(pips) <= max(pips) <= most:
            raise ArgumentError(f"a pair must be two numbers of pips from 1 to {most}, not {shown(pair)}")
        return pips[0], pips[1]

    def _block(self, pair: Pair, solved: Solved) -> Values:
        """What `solved` gives, as an array. Raises ArgumentError."""
        given, dtype = solved(pair), self._arithmetic.dtype
        mine, theirs = (len(self._levels[pips].numbers) for pips in pair)
        shape = mine, 4, theirs
        if not isinstance(given, np.ndarray):
            with suppress(TypeError, ValueError):
                return np.frombuffer(given, dtype).reshape(shape)
        elif given.dtype == dtype and given.shape == shape:
            return given
        raise ArgumentError(f"the block of {pair} must be an array of {dtype} of the shape {shape}, not {shown(given)}")

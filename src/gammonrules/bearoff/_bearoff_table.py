"""What one-sided and two-sided tables have in common."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Boards, Floats, Ints, rows_and_checkers
from gammonrules._shared.disk_files import new_file, path_text
from gammonrules.bearoff._coverage import (
    NotInTableError,
    counts_of,
    covered,
    sides_of,
    why_not_covered,
)
from gammonrules.bearoff._layouts import number_of, numbers_of
from gammonrules.board import Play, Position
from gammonrules.dice import DiceLike
from gammonrules.errors import ArgumentError

_Answer = TypeVar("_Answer")


class NumberStore(Protocol):
    """The numbers of a table, in memory or in a file."""

    gnubg: ClassVar[bool]

    def parts(self) -> list[npt.NDArray[Any]]:
        """The arrays of which a file of them consists."""
        ...


_Kept = TypeVar("_Kept")
_Store = TypeVar("_Store", bound=NumberStore)


class ClosingTable(Generic[_Kept]):
    """A table with numbers that it can let go, in `_open`."""

    _open: _Kept | None = None

    @property
    def _store(self) -> _Kept:
        if self._open is None:
            raise ArgumentError("this table is closed")
        return self._open

    def close(self) -> None:
        """Let the file go; afterwards the table gives no answers. A `with` block does the same at its end."""
        self._open = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class BearoffTable(ClosingTable[_Store], ABC, Generic[_Answer, _Store]):
    """A table of bear-offs; `table[position]` answers, `position in table` says if it does.

    Both, and `get`, raise ArgumentError for anything but a `Position`.

    *Equality*: identity.

    Attributes:
        points: how many points the table has, from the ace point.
        checkers: the most checkers of a side.
        gnubg: whether its numbers are those of GNU Backgammon, in whose format `save` then writes it.
    """

    _whole_sides: ClassVar[bool]

    def __init__(self, points: int, checkers: int, store: _Store) -> None:
        self.points = points
        self.checkers = checkers
        self.gnubg = store.gnubg
        self._open = store

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.points} points, {self.checkers} checkers>"

    def __contains__(self, position: Position) -> bool:
        return not why_not_covered(
            position, self.points, self.checkers, whole_sides=self._whole_sides
        )

    @abstractmethod
    def __getitem__(self, position: Position) -> _Answer:
        """The answer of the table for a position. Raises NotInTableError."""

    def get(self, position: Position) -> _Answer | None:
        """The same as `table[position]`, but None for a position that is not in the table."""
        return self[position] if position in self else None  # noqa: SIM401 - this is what it means

    def _sides(self, position: Position) -> tuple[list[int], list[int]]:
        """The counts of both sides. Raises NotInTableError."""
        why_not = why_not_covered(
            position, self.points, self.checkers, whole_sides=self._whole_sides
        )
        if why_not:
            raise NotInTableError(why_not)
        return sides_of(position, self.points)

    def _numbers(self, position: Position) -> tuple[int, int]:
        """The numbers of the layouts of both sides. Raises NotInTableError."""
        mine, theirs = self._sides(position)
        return number_of(mine, self.checkers), number_of(theirs, self.checkers)

    def _answers_of_rows(
        self, look_up: Callable[[Ints, Ints], Floats], points: Boards, checkers: int | None
    ) -> Floats:
        """The answers of `look_up` for the numbers of both sides' layouts; NaN where the table does not answer."""
        rows, at_start = rows_and_checkers(points, checkers)
        mine, theirs = counts_of(rows, self.points, at_start)
        is_covered = covered(
            rows, mine, theirs, self.checkers, at_start, whole_sides=self._whole_sides
        )
        # the others are looked up as if everything were off, so that all rows have a number
        mine[~is_covered] = 0
        theirs[~is_covered] = 0
        values = look_up(numbers_of(mine, self.checkers), numbers_of(theirs, self.checkers))
        values[~is_covered] = np.nan
        return values

    def _ranked(
        self, position: Position, dice: DiceLike, worth: Callable[[Position], float]
    ) -> tuple[tuple[Play, float], ...]:
        """The plays with what `worth` says of the position after each, for the player who made it; the best first."""
        ranked = list[tuple[Play, float]]()
        for play in position.legal_plays(dice):
            has_won = play.position.outcome is not None
            ranked.append((play, 1.0 if has_won else worth(play.position)))
        return tuple(sorted(ranked, key=lambda pair: -pair[1]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file that `bearoff.open` reads: a table computed as GNU Backgammon does, in its format.

        The file is written under a hidden name beside it and renamed at the end, so it is never incomplete.

        Raises:
            OSError: the file cannot be written; then an older one is still there.
            ArgumentError: `path` is not the path of an ordinary file, or the table is closed.
        """
        parts = self._store.parts()
        with new_file(path_text(path)) as new:
            for part in parts:
                new.file.write(np.ascontiguousarray(part).data)
            new.put_in_place()

"""`HypergammonTable`: what every position of Hypergammon is worth."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
from attrs import frozen

from gammonrules._shared.disk_files import beginning, ordinary_file, path_text
from gammonrules.bearoff import Equities, NotInTableError
from gammonrules.bearoff.internals import Bytes, ClosingTable, Cube, column_of, mapped
from gammonrules.board import Play, Position
from gammonrules.board.array_checks import Floats, Rows, check_boards, rows_of
from gammonrules.board.internals import SLOTS
from gammonrules.dice import DiceLike
from gammonrules.equity import Chances
from gammonrules.errors import ParseError
from gammonrules.hypergammon._columns import money
from gammonrules.hypergammon._file import EQUITIES, Contents, contents, from_bytes
from gammonrules.hypergammon._numbers import numbering, points_lost
from gammonrules.values import counted, saying_where, shown


@frozen
class Solution(Equities):
    """What a position of Hypergammon is worth to the player on roll, in units of the cube.

    The equities are those of rolling now, without doubling, in money play by the rules of the table. Both sides play,
    double and answer as well as possible in all that follows.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        chances: how the game ends without a cube.
        beavers: whether a double may be redoubled at once.

    Raises:
        ArgumentError: an equity is not a number.

    Examples:
        >>> import tempfile
        >>> from gammonrules import Position, hypergammon
        >>> start = Position.start("hypergammon1")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with hypergammon.make(f"{folder}/one", 1) as table:
        ...         solution = table[start]
        >>> isinstance(solution, hypergammon.Solution), round(solution.chances.win, 4)
        (True, 0.6016)
    """

    chances: Chances
    beavers: bool

    @property
    def _doubled(self) -> float:
        return min(super()._doubled, 4 * self.opponent_owns) if self.beavers else super()._doubled


class HypergammonTable(ClosingTable[Bytes]):
    """A table of all positions of Hypergammon; `table[position]` answers, `position in table` says if it does.

    *Equality*: identity.

    Attributes:
        checkers: how many each side has.
        jacoby: whether gammons count only once the cube has been turned.
        beavers: whether a double may be redoubled at once.
        residual: the largest difference of an equity, over all positions, from what a look at the next roll says.

    Examples:
        >>> import tempfile
        >>> from gammonrules import Position, hypergammon
        >>> start = Position.start("hypergammon1")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with hypergammon.make(f"{folder}/one", 1) as table:
        ...         isinstance(table, hypergammon.HypergammonTable), start in table
        (True, True)
    """

    def __init__(self, contents: Contents) -> None:
        self.checkers, self.residual = contents.checkers, contents.residual
        self.jacoby, self.beavers = contents.jacoby, contents.beavers
        self._columns = money(jacoby=self.jacoby, beavers=self.beavers)
        self._open = contents.numbers

    def __repr__(self) -> str:
        options = ", Jacoby rule" * self.jacoby + ", beavers" * self.beavers
        return f"<HypergammonTable: {counted(self.checkers, 'checker')}{options}>"

    def __contains__(self, position: object) -> bool:
        return not self._why_not(position)

    def __getitem__(self, position: Position) -> Solution:
        """What the table says. Raises NotInTableError."""
        self._check(position)
        chances, equities = self._of(np.array([position.points], np.int8))
        of_cubes = dict(zip(self._columns.columns, equities[0].tolist(), strict=True))
        return Solution(**of_cubes, chances=Chances(*chances[0].tolist()), beavers=self.beavers)

    def get(self, position: Position) -> Solution | None:
        """The same as `table[position]`, but None for a position that is not in the table.

        Args:
            position: the position.

        Examples:
            >>> import tempfile
            >>> from gammonrules import Position, hypergammon
            >>> start = Position.start("hypergammon1")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.make(f"{folder}/one", 1) as table:
            ...         table.get(Position.start()) is None
            True
        """
        return self[position] if position in self else None  # noqa: SIM401 - this is what it means

    def _check(self, position: object) -> None:
        if reason := self._why_not(position):
            raise NotInTableError(reason)

    def _why_not(self, position: object) -> str:
        if not isinstance(position, Position):
            return f"a table answers for a Position, not for {shown(position, 60)}"
        if position.checkers != self.checkers:
            return f"each side has {counted(position.checkers, 'checker')}; the table has {self.checkers}"
        return "the game is over" if position.outcome is not None else ""

    def equities(self, points: npt.ArrayLike, *, doubling: bool = False) -> Floats:
        """`(N, 4) float64`: cubeless, owned, centered and opponent_owns for rows of boards, as `table[position]`.

        A game that is lost is worth what it costs, so that the plays of a turn can be compared.

        Args:
            points: `(N, 26)`, boards as in `gammonrules.batch`, seen by the side on roll.
            doubling: whether the side on roll may double first, if that is better. Default False: it rolls.

        Raises:
            PositionError: `points` has the wrong shape or dtype, or a board is impossible.
            ArgumentError: the table is closed.

        Examples:
            >>> import tempfile
            >>> from gammonrules import Position, batch, hypergammon
            >>> start = Position.start("hypergammon1")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.make(f"{folder}/one", 1) as table:
            ...         plays = batch.legal_plays([start.points], [(6, 4)])
            ...         (-table.equities(plays.points, doubling=True)).round(3).tolist()
            [[0.922, 0.89, 0.85, 0.946]]
        """
        rows = rows_of(points, SLOTS, "points")
        check_boards(rows, self.checkers)
        lost = points_lost(rows, self.checkers) - points_lost(-rows[:, ::-1], self.checkers)
        values = np.full((len(rows), EQUITIES), np.nan)  # where nobody has a checker left
        going_on, over = (rows > 0).any(axis=1) & (rows < 0).any(axis=1), lost != 0
        values[going_on] = self._of(rows[going_on])[1]
        values[over] = -np.sign(lost[over, None]) * self._columns.lost.T[abs(lost[over]) - 1]
        return self._columns.before(values) if doubling else values

    def plays(self, position: Position, dice: DiceLike, cube: Cube = "centered") -> tuple[tuple[Play, float], ...]:
        """The legal plays with the equity after each, in units of the cube; the best first.

        The opponent may then double, unless the player on roll owns the cube.

        Args:
            position: the position before the play.
            dice: the roll.
            cube: where the cube is for the player on roll: "centered" (the default), "owned", "opponent_owns", or
                "none".

        Raises:
            NotInTableError: the table does not answer for the position.
            DiceError: `dice` is not a roll.
            ArgumentError: there is no such place of the cube, or the table is closed.

        Examples:
            >>> import tempfile
            >>> from gammonrules import Position, hypergammon
            >>> start = Position.start("hypergammon1")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.make(f"{folder}/one", 1) as table:
            ...         for play, equity in table.plays(start, (6, 4)):
            ...             print(play, round(equity, 3))
            24/14 0.85
        """
        column = self._columns.passed[column_of(cube)]
        self._check(position)
        plays = position.legal_plays(dice)
        boards = np.array([play.position.points for play in plays], np.int8)
        worth = -self.equities(boards, doubling=True)[:, column]
        return tuple(sorted(zip(plays, worth.tolist(), strict=True), key=lambda pair: -pair[1]))

    def _of(self, rows: Rows) -> tuple[Floats, Floats]:
        """The chances and equities of unfinished boards."""
        return from_bytes(self._store[numbering(self.checkers).numbers(rows)])


def open(path: str | os.PathLike[str], *, check: bool = True) -> HypergammonTable:  # noqa: A001
    """Open a table that `make` has written; it stays on the disk, mapped into memory.

    Args:
        path: the file.
        check: whether to compare the checksum, for which the file is read once. Default True.

    Raises:
        OSError: the file cannot be opened.
        ArgumentError: `path` is not a path.
        ParseError: it is something else, was cut short, damaged, or is of a later version.

    Examples:
        >>> import tempfile
        >>> from gammonrules import hypergammon
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     hypergammon.make(f"{folder}/one", checkers=1).close()
        ...     with hypergammon.open(f"{folder}/one") as table:
        ...         table.residual < 1e-6
        True
    """
    name = path_text(path)
    with saying_where(name, ParseError):
        with ordinary_file(Path(name)) as file:
            content = mapped(file) if beginning(file, 1) else np.zeros(0, np.uint8)
        return HypergammonTable(contents(content, check=check))

"""`HypergammonTable`: what every position of Hypergammon is worth."""

from __future__ import annotations

import os
from operator import itemgetter
from pathlib import Path

import numpy as np
from attrs import frozen

from gammonrules._arrays.checks import (
    Boards,
    Bools,
    Floats,
    Ints,
    Rows,
    check_boards,
    rows_and_checkers,
)
from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.disk_files import beginning, ordinary_file, path_text
from gammonrules.analysis import Chances
from gammonrules.bearoff import Equities, NotInTableError
from gammonrules.bearoff.internals import Bytes, ClosingTable, Cube, column_of, mapped
from gammonrules.board import Play, Position, StartName
from gammonrules.dice import DiceLike
from gammonrules.equity import MatchEquityTable
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.hypergammon._board_numbers import numbering, opening_plays, points_lost
from gammonrules.hypergammon._columns import Columns, ScoredCube, before_opening, or_doubling
from gammonrules.hypergammon._file import Contents, contents, from_bytes
from gammonrules.values import counted, saying_where

_START: dict[int, StartName] = {1: "hypergammon1", 2: "hypergammon2", 3: "hypergammon"}
_HIGHEST_GAMMON_RATE = 0.95
"""`MatchEquityTable.from_gammon_rate` accepts no higher one."""


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
        ...     with hypergammon.solve(f"{folder}/one", 1) as table:
        ...         solution = table[start]
        >>> isinstance(solution, hypergammon.Solution), round(solution.chances.win, 4)
        (True, 0.6016)
    """

    chances: Chances
    beavers: bool

    @property
    def _doubled(self) -> float:
        if not self.beavers:
            return super()._doubled
        beavered = 4 * self.opponent_owns
        return min(super()._doubled, beavered)


class HypergammonTable(ClosingTable[Bytes]):
    """A table of all positions of Hypergammon; `table[position]` answers, `position in table` says if it does.

    Both, and `get`, raise ArgumentError for anything but a `Position`.

    *Equality*: identity.

    Attributes:
        checkers: how many each side has.
        start: the name of its start position, as in `Rules(start=...)`.
        length: the points of a match, or None for money play.
        jacoby: whether gammons count only once the cube has been turned.
        beavers: whether a double may be redoubled at once.
        residual: the largest difference of an equity, over all positions, from what a look at the next roll says.

    Examples:
        >>> import tempfile
        >>> from gammonrules import Position, hypergammon
        >>> start = Position.start("hypergammon1")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with hypergammon.solve(f"{folder}/one", 1) as table:
        ...         isinstance(table, hypergammon.HypergammonTable), start in table
        (True, True)
    """

    def __init__(self, contents: Contents) -> None:
        game = contents.game
        self.checkers = game.checkers
        self.length = game.length
        self.jacoby = game.jacoby
        self.beavers = game.beavers
        self.residual = contents.residual
        self._open = contents.numbers
        self.start: StartName = _START[game.checkers]
        opening, self._offsets = opening_plays(numbering(self.checkers))
        _, self._opening = from_bytes(self._open[opening])
        self._places = game.places()
        self._columns: Columns = ()
        for columns_so_far, _ in game.columns(lambda: self._opening, self._offsets):
            self._columns = columns_so_far  # at last all

    def __repr__(self) -> str:
        parts = [counted(self.checkers, "checker")]
        if self.length is not None:
            parts.append(f"matches to {self.length}")
        else:
            if self.jacoby:
                parts.append("Jacoby rule")
            if self.beavers:
                parts.append("beavers")
        return f"<HypergammonTable: {', '.join(parts)}>"

    def __contains__(self, position: Position) -> bool:
        return not self._why_not(position)

    def __getitem__(self, position: Position) -> Solution:
        """The answer of the table for a position. Raises NotInTableError."""
        self._check(position)
        chances, equities = self._chances_and_equities(np.array([position.points], np.int8))
        cubeless, owned, centered, opponent_owns = equities[:, 0].tolist()
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances[:, 0].tolist()
        return Solution(
            cubeless,
            owned,
            centered,
            opponent_owns,
            chances=Chances(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon),
            beavers=self.beavers,
        )

    def get(self, position: Position) -> Solution | None:
        """The same as `table[position]`, but None for a position that is not in the table.

        Args:
            position: the position.

        Examples:
            >>> import tempfile
            >>> from gammonrules import Position, hypergammon
            >>> start = Position.start("hypergammon1")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.solve(f"{folder}/one", 1) as table:
            ...         table.get(Position.start()) is None
            True
        """
        return self[position] if position in self else None  # noqa: SIM401 - this is what it means

    def _check(self, position: Position) -> None:
        why_not = self._why_not(position)
        if why_not:
            raise NotInTableError(why_not)

    def _why_not(self, position: Position) -> str:
        check_kind("position", position, Position)
        if position.checkers != self.checkers:
            return f"each side has {counted(position.checkers, 'checker')}; the table has {self.checkers}"
        if self.length is not None:
            return "this table is of matches: its equities are those of a `column`"
        if position.outcome is not None:
            return "the game is over"
        return ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of `equities`: in a match "2-3, owned at 2" if the player on roll needs 2 points.

        Examples:
            >>> import tempfile
            >>> from gammonrules import hypergammon
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.solve(f"{folder}/one", 1) as table:
            ...         table.columns
            ('cubeless', 'owned', 'centered', 'opponent_owns')
        """
        return tuple(column.name for column in self._columns)

    def column(
        self,
        cube: Cube = "centered",
        away: int | None = None,
        opponent_away: int | None = None,
        *,
        crawford: bool = False,
        value: int = 1,
    ) -> int:
        """The column of `equities` in which the cube is at this place.

        Args:
            cube: where it is for the player on roll: "centered" (the default), "owned", "opponent_owns", or "none".
            away: in a match, the points that the player on roll needs. Default None: money play.
            opponent_away: those that the opponent needs.
            crawford: whether this is the Crawford game.
            value: the value of the cube.

        Raises:
            ArgumentError: the table has no such column.

        Examples:
            >>> import tempfile
            >>> from gammonrules import hypergammon
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.solve(f"{folder}/one", 1, length=2) as table:
            ...         table.columns, table.column("centered", 2, 2)
            (('cubeless', '1-1', '1-2 Crawford', '2-1 Crawford', '2-2', '1-2', '2-1'), 4)
        """
        column_in_money = column_of(cube)
        is_cubeless = column_in_money == 0
        if away is None and self.length is None:
            return column_in_money
        if away is None and is_cubeless:  # this column is the first in matches, too
            return column_in_money
        place = ScoredCube(away or 0, opponent_away or 0, crawford, cube, value)
        is_score = place.away > 0 and place.opponent_away > 0
        if is_score:
            column = self._places.get(place.counting())
            if column is not None:
                return column
        raise ArgumentError(f"{self} has no column for {place.name}")

    def met(self, length: int = 25) -> MatchEquityTable:
        """The match equity table of these matches, which is exact as far as they go.

        `MatchEquityTable.from_gammon_rate` computes the other scores. The gammon rate is that of games without a cube,
        in which both sides play as well as possible.

        Args:
            length: how many points a player may need, from 1 to 64. Default 25.

        Raises:
            ArgumentError: the table is of money play, or `length` is out of bounds.

        Examples:
            >>> import tempfile
            >>> from gammonrules import hypergammon
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.solve(f"{folder}/one", 1, length=2) as table:
            ...         table.met(2).before_crawford
            ((0.5, 0.5), (0.5, 0.5))
        """
        if self.length is None:
            raise ArgumentError(f"{self} is of money play, so it has no match equity table")

        points = range(1, self.length + 1)
        rows = list[tuple[float, ...]]()
        for away in points:
            row = list[float]()
            for opponent_away in points:
                # the first game in which just one side needs 1 point
                is_crawford = (away, opponent_away).count(1) == 1
                row.append(self._chance_before(ScoredCube(away, opponent_away, is_crawford)))
            rows.append(tuple(row))
        after_crawford = tuple(self._chance_before(ScoredCube(away, 1)) for away in points)
        exact = MatchEquityTable("Hypergammon", tuple(rows), after_crawford)
        chances = self.chances([Position.start(self.start).points])
        _, win_gammon, _, lose_gammon, _ = chances[0].tolist()
        gammon_rate = min(_HIGHEST_GAMMON_RATE, win_gammon + lose_gammon)
        return MatchEquityTable.from_gammon_rate(gammon_rate, length=length, exact=exact)

    def _chance_before(self, place: ScoredCube) -> float:
        """The chance of winning the match before the opening roll of a game."""
        equity = before_opening(
            self._columns, rolling=self._opening, offsets=self._offsets, column=self._places[place]
        )
        return (1 + equity) / 2

    def chances(self, points: Boards) -> Floats:
        """`(N, 5) float64`: how games without a cube end, for rows of boards, in the order of `Chances`.

        Args:
            points: as for `equities`.

        Raises:
            PositionError: as for `equities`.
            ArgumentError: the table is closed.

        Examples:
            >>> import tempfile
            >>> from gammonrules import Position, hypergammon
            >>> start = Position.start("hypergammon1")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.solve(f"{folder}/one", 1) as table:
            ...         table.chances(start).round(3).tolist()
            [[0.602, 0.602, 0.08, 0.398, 0.033]]
        """
        rows, going_on, won = self._rows(points)
        # games that are over are certain: 1 to 3 points are won, or lost
        is_certain = np.stack([won >= 1, won >= 2, won >= 3, won <= -2, won <= -3], axis=1)
        chances: Floats = is_certain.astype(np.float64)
        chances_going_on, _ = self._chances_and_equities(rows[going_on])
        chances[going_on] = chances_going_on.T
        return chances

    def equities(self, points: Boards, *, doubling: bool = False) -> Floats:
        """`(N, columns) float64`: what rows of boards are worth in the `columns` of the table.

        In money play these are cubeless, owned, centered and opponent_owns, as in `table[position]`. In a match they
        are twice the chance of winning it, less 1. A game that is lost is worth what it costs, so that the plays of a
        turn can be compared.

        Args:
            points: boards as in `batch.Boards`, seen by the side on roll.
            doubling: whether the side on roll may double first, if that is better. Default False: it rolls.

        Raises:
            PositionError: `points` are not boards, or a board is impossible.
            ArgumentError: the table is closed.

        Examples:
            >>> import tempfile
            >>> from gammonrules import Position, batch, hypergammon
            >>> start = Position.start("hypergammon1")
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     with hypergammon.solve(f"{folder}/one", 1) as table:
            ...         plays = batch.legal_plays(start, "64")
            ...         (-table.equities(plays.points, doubling=True)).round(3).tolist()
            [[0.922, 0.89, 0.85, 0.946]]
        """
        rows, going_on, won = self._rows(points)
        values = np.full((len(self._columns), len(rows)), np.nan)  # where nobody has a checker left
        _, values[:, going_on] = self._chances_and_equities(rows[going_on])
        over = np.flatnonzero(won)
        have_won = won[over] > 0
        wins = abs(won[over]) - 1  # 0 for a single game, 1 for a gammon, 2 for a backgammon
        for values_of_column, column in zip(values, self._columns, strict=True):
            # what a win is worth is what it costs the opponent, in the column that they have after a play
            worth_of_win = np.array(self._columns[column.passed].lost)[wins]
            cost_of_loss = np.array(column.lost)[wins]
            values_of_column[over] = np.where(have_won, worth_of_win, -cost_of_loss)
        if doubling:
            values = or_doubling(self._columns, values)
        return values.T

    def _rows(self, points: Boards) -> tuple[Rows, Bools, Ints]:
        """The boards, which games go on, and the points that the side on roll won in the others: below 0 it lost."""
        rows, _ = rows_and_checkers(points, self.checkers)
        check_boards(rows, self.checkers)
        won: Ints = points_lost(-rows[:, ::-1], self.checkers) - points_lost(rows, self.checkers)
        going_on: Bools = np.logical_and((rows > 0).any(axis=1), (rows < 0).any(axis=1))
        return rows, going_on, won

    def plays(
        self, position: Position, dice: DiceLike, cube: Cube = "centered"
    ) -> tuple[tuple[Play, float], ...]:
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
            ...     with hypergammon.solve(f"{folder}/one", 1) as table:
            ...         for play, equity in table.plays(start, (6, 4)):
            ...             print(play, round(equity, 3))
            24/14 0.85
        """
        column_after = self._columns[column_of(cube)].passed
        self._check(position)
        plays = position.legal_plays(dice)
        boards_after = np.array([play.position.points for play in plays], np.int8)
        # the opponent is on roll after the play, and may double
        left_to_opponent = self.equities(boards_after, doubling=True)[:, column_after]
        ranked = list(zip(plays, (-left_to_opponent).tolist(), strict=True))
        ranked.sort(key=itemgetter(1), reverse=True)
        return tuple(ranked)

    def _chances_and_equities(self, rows: Rows) -> tuple[Floats, Floats]:
        """The chances and equities of unfinished boards."""
        return from_bytes(self._store[numbering(self.checkers).numbers(rows)])


def open(path: str | os.PathLike[str], *, check: bool = True) -> HypergammonTable:  # noqa: A001
    """Open a table that `solve` has written; it stays on the disk, mapped into memory.

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
        ...     hypergammon.solve(f"{folder}/one", checkers=1).close()
        ...     with hypergammon.open(f"{folder}/one") as table:
        ...         table.residual < 1e-6
        True
    """
    name = path_text(path)
    with saying_where(name, ParseError):
        with ordinary_file(Path(name)) as file:
            content = mapped(file) if beginning(file, 1) else np.zeros(0, np.uint8)
        return HypergammonTable(contents(content, check=check))

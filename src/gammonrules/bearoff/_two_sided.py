"""`TwoSided`: what a bear-off of both sides is worth, with and without the cube."""

from __future__ import annotations

from enum import StrEnum
from math import isnan, isqrt
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from attrs import fields, frozen

from gammonrules._arrays.checks import Boards, Bools, Floats, Ints
from gammonrules.bearoff._bearoff_table import BearoffTable
from gammonrules.bearoff._layouts import ROLLS, Bytes, all_layouts, plays_of_layouts
from gammonrules.bearoff._solve_two_sided import Exact, GnubgRounding, Values, known_from
from gammonrules.board import Play, Position
from gammonrules.dice import DiceLike
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.values import choice_argument, real_number, refuse, shown, whole_argument

Cube: TypeAlias = Literal["centered", "owned", "opponent_owns", "none"]
"""Where the cube is, for the player on roll; "none" if there is none."""
_COLUMNS: dict[str, int] = {"none": 0, "owned": 1, "centered": 2, "opponent_owns": 3}
_ONLY_CUBELESS = "this table has no equities with a cube"


class Verdict(StrEnum):
    """What is right before the roll, and as an answer to a double.

    Examples:
        >>> from gammonrules.bearoff import Verdict
        >>> print(Verdict.TAKE)
        double/take
    """

    NO_DOUBLE = "no double"
    """Rolling is at least as good as doubling."""
    TAKE = "double/take"
    """Doubling is better, and taking costs no more than dropping."""
    BEAVER = "double/beaver"
    """Doubling is better, and so it is to redouble at once; with the Jacoby rule both can be right."""
    DROP = "double/drop"
    """Doubling is better, and dropping is better than taking."""


@frozen
class Equities:
    """What rolling now, without doubling, is worth to the player on roll, in units of the cube. No gammon is possible.

    Those with a cube are for money play; both sides double, take and play as well as possible in all that follows.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        cubeless: without a cube: the chance of winning less that of losing.
        owned: the player on roll owns the cube.
        centered: the cube is in the middle.
        opponent_owns: the opponent owns the cube. NaN in a table without a cube, like `owned` and `centered`.

    Raises:
        ArgumentError: an attribute is not a number.

    Examples:
        >>> from gammonrules import Position, bearoff
        >>> table = bearoff.two_sided(checkers=2)
        >>> mine, theirs = {5: 1, 2: 1, "off": 13}, {1: 1, "off": 14}
        >>> last_roll = Position.of(mine=mine, theirs=theirs)
        >>> equities = table[last_roll]
        >>> isinstance(equities, bearoff.Equities), round(equities.cubeless * 36)
        (True, 2)
        >>> print(equities.verdict())
        double/take
        >>> round(equities.best() * 36)
        4
    """

    cubeless: float
    owned: float
    centered: float
    opponent_owns: float

    def __attrs_post_init__(self) -> None:
        wrong = list[str]()
        for field in fields(Equities):
            value: object = getattr(self, field.name)
            if real_number(value) is None:
                wrong.append(f"{field.name} must be a number, not {shown(value)}")
        refuse("equities", wrong)

    def verdict(self, cube: Cube = "centered") -> Verdict:
        """Whether to double, and whether to take.

        A player who wins for certain gains nothing by doubling: the verdict is `NO_DOUBLE`.

        Args:
            cube: "centered", or "owned" by the player on roll.

        Raises:
            ArgumentError: the player on roll may not double with this cube, or the table has no cube.
        """
        cube = choice_argument("cube", cube, ("centered", "owned"))
        if isnan(self.opponent_owns):
            raise ArgumentError(_ONLY_CUBELESS)
        no_double: float = getattr(self, cube)
        if self._doubled <= no_double:
            return Verdict.NO_DOUBLE
        double_take = 2 * self.opponent_owns
        if double_take > 1:
            return Verdict.DROP
        if self._doubled < double_take:  # with beavers, as `hypergammon.Solution` has them
            return Verdict.BEAVER
        return Verdict.TAKE

    @property
    def _doubled(self) -> float:
        """The equity of doubling, if the opponent gives the best answer."""
        double_take = 2 * self.opponent_owns
        double_drop = 1.0
        return min(double_take, double_drop)

    def best(self, cube: Cube = "centered") -> float:
        """The equity if the player on roll rolls or doubles, whichever is better.

        Args:
            cube: "centered", "owned" by the player on roll, "opponent_owns", or "none".

        Raises:
            ArgumentError: there is no such place of the cube, or the table has no cube.
        """
        rolling = (self.cubeless, self.owned, self.centered, self.opponent_owns)[column_of(cube)]
        if isnan(rolling):
            raise ArgumentError(_ONLY_CUBELESS)
        return max(rolling, self._doubled) if cube in {"owned", "centered"} else rolling


@frozen(eq=False)
class ExactPairs:
    """Equities as float32: `(layouts on roll, layouts of the other side, 4)`, in the order of `Equities`."""

    values: Values
    header: Bytes
    gnubg: ClassVar[bool] = False
    arithmetic: ClassVar[Exact] = Exact()
    tolerance: ClassVar[float] = 1e-6

    def solved(self, mine: Ints | int, theirs: Ints | int) -> Values:
        """The numbers of these pairs as they were computed."""
        values: Values = self.values[mine, theirs]
        return values

    def equities(self, mine: Ints | int, theirs: Ints | int) -> Floats:
        """`(N, 4)`: the equities of these pairs."""
        values: Floats = self.values[mine, theirs].astype(np.float64)
        return values

    def parts(self) -> list[Values]:
        return [self.header, self.values]


class GnubgPairs(ExactPairs):
    """The pairs as GNU Backgammon stores them, as 16-bit numbers; or only the cubeless equities."""

    gnubg = True
    arithmetic = GnubgRounding()
    tolerance = 0.0

    def solved(self, mine: Ints | int, theirs: Ints | int) -> Values:
        values: Values = (self.values[mine, theirs] ^ np.uint16(1 << 15)).view(GnubgRounding.dtype)
        return values

    def equities(self, mine: Ints | int, theirs: Ints | int) -> Floats:
        values: Floats = self.values[mine, theirs] / 32767.5 - 1  # from -1 to 1
        columns = values.shape[-1]
        if columns == len(_COLUMNS):
            return values
        # a table without the cube has only the first column
        unknown = np.full((*values.shape[:-1], len(_COLUMNS) - columns), np.nan)
        return np.concatenate([values, unknown], axis=-1)


class TwoSided(BearoffTable[Equities, ExactPairs]):
    """A two-sided table: exact equities, cubeless and with the cube at each place; see `Equities`.

    `position in table` is true if both sides have checkers left, none of which can still meet, all on the points of the
    table, and each side has borne off a checker, so that nobody can lose a gammon.
    """

    _whole_sides = False

    def __getitem__(self, position: Position) -> Equities:
        mine, theirs = self._numbers(position)
        cubeless, owned, centered, opponent_owns = self._store.equities(mine, theirs).tolist()
        return Equities(cubeless, owned, centered, opponent_owns)

    def equities(self, points: Boards, checkers: int | None = None) -> Floats:
        """`(N, 4) float64`: cubeless, owned, centered and opponent_owns for rows of boards, as `table[position]`.

        They are NaN for boards that are not in the table. Where a side has borne off everything they are 1 or -1, so
        that the plays of a turn can be compared.

        Args:
            points: boards as in `batch.Boards`, seen by the side on roll.
            checkers: how many each side began with. None (the default) for the number that positions have, or 15.

        Raises:
            PositionError: `points` are not boards, or a board is impossible.

        Examples:
            >>> from gammonrules import Position, batch, bearoff
            >>> table = bearoff.two_sided(checkers=2)
            >>> mine, theirs = {5: 1, 2: 1, "off": 13}, {1: 1, "off": 14}
            >>> position = Position.of(mine=mine, theirs=theirs)
            >>> plays = batch.legal_plays(position, "41")
            >>> (-table.equities(plays.points)).round(3).tolist()
            [[-1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, -1.0, -1.0]]
        """
        return self._answers_of_rows(self._store.equities, points, checkers)

    def plays(
        self, position: Position, dice: DiceLike, cube: Cube = "centered"
    ) -> tuple[tuple[Play, float], ...]:
        """The legal plays with the equity after each, in units of the cube; the best first.

        The opponent may then double, unless the player on roll owns the cube.

        Args:
            position: the position before the play.
            dice: the roll.
            cube: where the cube is for the player on roll: "centered", "owned", "opponent_owns", or "none".

        Raises:
            NotInTableError: the table does not answer for the position.
            DiceError: `dice` is not a roll.
            ArgumentError: there is no such place of the cube, or the table has no cube.

        Examples:
            >>> from gammonrules import Position, bearoff
            >>> table = bearoff.two_sided(checkers=4)
            >>> mine, theirs = {4: 2, 1: 2, "off": 11}, {2: 4, "off": 11}
            >>> position = Position.of(mine=mine, theirs=theirs)
            >>> for play, equity in table.plays(position, (3, 1)):
            ...     print(play, round(equity, 3))
            4/off -0.227
            4/1 4/3 -0.261
        """
        self._sides(position)  # raises the error for a position that is not in the table
        column_of(cube)  # and for a cube that is nowhere
        cube_after = cube  # as the opponent sees it
        if cube == "owned":
            cube_after = "opponent_owns"
        elif cube == "opponent_owns":
            cube_after = "owned"
        return self._ranked(position, dice, lambda after: -self[after].best(cube_after))

    def verify(self, sample: int = 10_000) -> None:
        """Compute pairs anew from those that their plays lead to, and compare.

        Args:
            sample: about how many, evenly spaced; all if there are not so many.

        Raises:
            ParseError: one differs, so the file was not written by this library or by GNU Backgammon, or was damaged.
            ArgumentError: `sample` is not a whole number from 1 up.
        """
        layouts = all_layouts(self.points, self.checkers)
        store = self._store
        everything_off = 0  # the number of this layout
        all_numbers = np.arange(len(layouts))
        unfinished = all_numbers[1:]
        are_lost = store.solved(unfinished, everything_off) == store.arithmetic.lost
        are_won = store.solved(everything_off, all_numbers) == store.arithmetic.won
        if not are_won.all() or not are_lost.all():
            raise ParseError("a pair where a side has borne off everything is neither won nor lost")
        wanted_pairs = whole_argument("sample", value=sample, minimum=1, maximum=None)
        # each of the chosen layouts is paired with each
        size = min(isqrt(wanted_pairs) + 1, len(unfinished))
        chosen = np.linspace(1, len(unfinished), size).astype(np.int64)
        for part, offsets, after in plays_of_layouts(layouts[chosen], self.checkers):
            mine = chosen[part]
            for theirs in chosen.tolist():
                wrong = self._wrong(mine, theirs=theirs, offsets=offsets, after=after)
                if wrong.any():
                    sentence = "does not follow from those that its plays lead to"
                    raise ParseError(
                        f"the pair of layouts {mine[wrong][0]} and {theirs} {sentence}"
                    )

    @np.errstate(over="ignore", invalid="ignore")
    def _wrong(self, mine: Ints, theirs: int, offsets: Ints, after: Ints) -> Bools:
        """For which layouts on roll, against this one, the equities do not follow from what their plays lead to.

        Args:
            mine: the numbers of the layouts on roll.
            theirs: the number of the layout of the other side.
            offsets: where the plays of each roll begin in `after`, and at the end how many there are.
            after: the numbers of the layouts that the plays lead to.
        """
        store = self._store
        # after each play the other side is on roll: `(plays, columns)`
        left_to_opponent = store.solved(theirs, after)
        columns = left_to_opponent.shape[1]
        has_cube = columns == len(_COLUMNS)
        if has_cube:
            # as in a block in which one layout is on roll, theirs: `(1, columns, plays)`
            block = left_to_opponent[np.newaxis].swapaxes(1, 2)
            known = known_from(block, store.arithmetic)
            left_to_opponent = known[:, :, 0]
        least = np.minimum.reduceat(left_to_opponent, offsets[:-1], axis=0)
        # as floats, since the difference of two int16 may be no int16
        expected = store.arithmetic.rolled(least.reshape(-1, ROLLS, columns)).astype(np.float64)
        differences = abs(expected - store.solved(mine, theirs))
        are_right: Bools = differences.max(axis=1) <= store.tolerance  # not with a NaN
        return ~are_right


def column_of(cube: object) -> int:
    """The column of the equities with the cube in this place. Raises ArgumentError."""
    return _COLUMNS[choice_argument("cube", cube, [*_COLUMNS])]

"""Computing tables, and opening files of them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO

import numpy as np

from gammonrules._shared.disk_files import beginning, ordinary_file, path_text
from gammonrules.bearoff._gnubg_files import compressed, gnubg_header, read_gnubg
from gammonrules.bearoff._layouts import (
    Bytes,
    ProgressCallback,
    number_of_layouts,
    number_with_some_off,
)
from gammonrules.bearoff._one_sided import ExactStore, OneSided
from gammonrules.bearoff._own_files import SIGN, own_header, read_own
from gammonrules.bearoff._solve_one_sided import GnubgRace, Race, most_rolls, solve_sides
from gammonrules.bearoff._solve_two_sided import Exact, GnubgRounding, solve_pairs
from gammonrules.bearoff._two_sided import ExactPairs, GnubgPairs, TwoSided
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.limits import MAX_BEAROFF_POINTS
from gammonrules.values import saying_where, whole_argument

_WORKSPACE = 200_000_000
"""Bytes that the plays of some boards take at once."""


def one_sided(
    points: int = 6,
    checkers: int = 15,
    *,
    gnubg: bool = False,
    progress: ProgressCallback | None = None,
) -> OneSided:
    """Compute a one-sided table: how many rolls a side needs to bear off.

    All plays are those that need the fewest rolls on average; the chances of each number of rolls are exact but for
    the precision of float32. 6 points take about a second, 8 points ten times as long.

    Args:
        points: how many points it has, from the ace point: 1 to 10.
        checkers: the most checkers of a side: 1 to 15.
        gnubg: compute it with the rounding of GNU Backgammon 1.07, as its own table has it, to be saved in its format;
            this takes 15 checkers.
        progress: called now and then with the part of the work that is done, from 0 to 1.

    Raises:
        ArgumentError: an argument is impossible, or the memory does not suffice.

    Examples:
        >>> from gammonrules import Position, bearoff
        >>> table = bearoff.one_sided(checkers=10)
        >>> table
        <OneSided: 6 points, 10 checkers>
        >>> side = {6: 5, 5: 3, 4: 2, "off": 5}
        >>> rolls = table[Position.of(mine=side, theirs=side)]
        >>> rolls.pips, round(rolls.epc, 2), round(rolls.wastage, 2)
        (53, 59.75, 6.75)
    """
    points = whole_argument("points", value=points, minimum=1, maximum=MAX_BEAROFF_POINTS)
    checkers = whole_argument("checkers", value=checkers, minimum=1, maximum=STANDARD_CHECKERS)
    if gnubg and checkers != STANDARD_CHECKERS:
        raise ArgumentError(
            f"checkers must be 15 in a one-sided table of GNU Backgammon, not {checkers}"
        )
    number = number_of_layouts(points, checkers)
    number_without_any_off = number - number_with_some_off(points, checkers)
    # chances as float32; 16 more have room for the chance of 0 rolls, and for the mean
    bytes_of_row = 4 * most_rolls(points, checkers) + 16
    needed = 2 * (number + number_without_any_off) * bytes_of_row  # twice: `trim` makes new arrays
    _check_memory(f"a one-sided table of {points} points and {checkers} checkers", needed)
    kind_of_race = GnubgRace if gnubg else Race
    bear_off, first = solve_sides(points, checkers, kind_of_race, progress or unwatched)
    if gnubg:
        table = read_gnubg(compressed(bear_off, first, points))
        assert isinstance(table, OneSided)
        return table
    bear_off.trim()
    first.trim()
    kind = f"one-sided: {bear_off.chances.shape[1]} and {first.chances.shape[1]} rolls"
    parts = ExactStore(bear_off, first).parts()
    header = own_header(kind, points, checkers, parts)
    return OneSided(points, checkers, ExactStore(bear_off, first, header))


def two_sided(
    points: int = 6,
    checkers: int = 6,
    *,
    gnubg: bool = False,
    progress: ProgressCallback | None = None,
) -> TwoSided:
    """Compute a two-sided table: exact equities of bear-offs, cubeless and with the cube.

    6 points and 6 checkers take half a second, 8 checkers some seconds, 10 checkers half a minute and 2 GB of
    memory. Equities are exact but for the precision of float32.

    Args:
        points: how many points it has, from the ace point: 1 to 10.
        checkers: the most checkers of a side, 1 to 14; with 15 there could be gammons.
        gnubg: compute it with the rounding of GNU Backgammon 1.07, to be saved in its format.
        progress: called now and then with the part of the work that is done, from 0 to 1.

    Raises:
        ArgumentError: an argument is impossible, or the memory does not suffice.

    Examples:
        >>> from gammonrules import Position, bearoff
        >>> table = bearoff.two_sided(checkers=4)
        >>> position = Position.of(mine={6: 4, "off": 11}, theirs={6: 4, "off": 11})
        >>> equities = table[position]
        >>> [round(value, 4) for value in (equities.cubeless, equities.owned)]
        [0.3699, 0.6069]
        >>> [round(value, 4) for value in (equities.centered, equities.opponent_owns)]
        [0.566, 0.3123]
        >>> print(equities.verdict())
        double/take
    """
    points = whole_argument("points", value=points, minimum=1, maximum=MAX_BEAROFF_POINTS)
    checkers = whole_argument("checkers", value=checkers, minimum=1, maximum=STANDARD_CHECKERS - 1)
    arithmetic = GnubgRounding() if gnubg else Exact()
    pairs = number_of_layouts(points, checkers) ** 2
    bytes_of_pair = 4 * arithmetic.dtype.itemsize  # the four equities
    needed = 2 * bytes_of_pair * pairs  # they are kept in two orders
    _check_memory(f"a two-sided table of {points} points and {checkers} checkers", needed)
    values = solve_pairs(points, checkers, arithmetic, progress=progress or unwatched)
    if gnubg:
        # in the file, 0 is the lowest equity: int16 becomes uint16 by 32768 more, which is the highest bit
        words = values.view("<u2")
        words ^= np.uint16(1 << 15)
        header = gnubg_header(f"gnubg-TS-{points:02}-{checkers:02}-1")
        return TwoSided(points, checkers, GnubgPairs(words, header))
    header = own_header("two-sided", points, checkers, parts=[values])
    return TwoSided(points, checkers, ExactPairs(values, header))


def open(path: str | os.PathLike[str], *, check: bool = True) -> OneSided | TwoSided:  # noqa: A001
    """Open a file with a table, one of this library or of GNU Backgammon; it stays on the disk, mapped into memory.

    It may be deleted or replaced while the table is open, where the system permits that, but not shortened or changed:
    then the answers change, or the system ends the program. A pickled table contains all of its numbers.

    Args:
        path: the file. GNU Backgammon calls its own `gnubg_os0.bd` and `gnubg_ts0.bd`. Of its one-sided tables, those
            with chances are read, but not those with normal distributions.
        check: compare the checksum of a file of this library, and look for impossible numbers; so it is read once.

    Raises:
        OSError: the file cannot be opened.
        ArgumentError: `path` is not a path.
        ParseError: it is something else, was cut short or damaged. GNU Backgammon has no checksum, so of its files only
            what is impossible is noticed, and some of that only when it is looked up; `verify` finds more.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from gammonrules import bearoff
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "four.bearoff"
        ...     bearoff.two_sided(checkers=4).save(path)
        ...     with bearoff.open(path) as table:
        ...         table.verify()
        ...         table, table.gnubg
        (<TwoSided: 6 points, 4 checkers>, False)
    """
    name = path_text(path)
    with saying_where(name, ParseError):
        with ordinary_file(Path(name)) as file:
            start = beginning(file, len(SIGN))
            is_empty = not start  # an empty file cannot be mapped
            content = np.zeros(0, np.uint8) if is_empty else mapped(file)
        return read_own(content, check=check) if start == SIGN else read_gnubg(content)


def mapped(file: IO[bytes]) -> Bytes:
    """A file mapped into memory. Raises ParseError if it cannot be, as those of /proc."""
    try:
        return np.memmap(file, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise ParseError(f"this file cannot be mapped into memory: {error}") from None


def _check_memory(what: str, needed: int) -> None:
    """Raise ArgumentError if less memory is free than this work needs."""
    needed += _WORKSPACE
    free = free_memory()
    if free is not None and free < needed:
        raise ArgumentError(
            f"{what} needs {needed:,} bytes of memory to be computed, and {free:,} are free"
        )


def free_memory() -> int | None:
    """The bytes of memory that are free, if the system says it."""
    with suppress(OSError, ValueError), Path("/proc/meminfo").open(encoding="ascii") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                _, kilobytes, _ = line.split()
                return int(kilobytes) * 1024
    return None


def unwatched(_: float) -> None:
    """Nobody wants to know."""

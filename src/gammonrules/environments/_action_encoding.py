"""The numbers of actions: plays by their place among the legal plays, or by a code that is the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import comb
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules import batch
from gammonrules._arrays.checks import Bools, Ints
from gammonrules._shared.checked_fields import check_kind
from gammonrules.board import Play, Plays
from gammonrules.board.internals import SLOTS
from gammonrules.dice import Dice, DiceLike
from gammonrules.errors import ArgumentError
from gammonrules.match import Action
from gammonrules.values import shown, whole_argument

Numbering: TypeAlias = Literal["rows", "codes"]
"""How plays are numbered: by their row among the legal plays, or by their code (`encode_play`)."""

MAX_PLAYS: Final = 3060
"""No position has more plays than this, with any roll; the most known for one are 2,226.

Examples:
    >>> from gammonrules import Position
    >>> from gammonrules.environments import MAX_PLAYS
    >>> len(Position.from_id("AAAA/3+UUlJKKQ").legal_plays("11")) <= MAX_PLAYS
    True
"""

MIXED = 2 * SLOTS**2
"""The codes of plays of two different dice; 0, a dance, is one of them."""
NUM_PLAY_CODES: Final = MIXED + comb(SLOTS + 3, 4) - 1
"""How many codes of plays there are, see `encode_play`: 25,102.

Examples:
    >>> from gammonrules.environments import NUM_PLAY_CODES
    >>> NUM_PLAY_CODES
    25102
"""

CUBE_ACTIONS: Final = (Action.ROLL, Action.DOUBLE, Action.TAKE, Action.DROP, Action.BEAVER)
"""The actions that are numbered after those of the plays where there is a cube, in this order.

Examples:
    >>> from gammonrules import Action
    >>> from gammonrules.environments import CUBE_ACTIONS, MAX_PLAYS
    >>> MAX_PLAYS + CUBE_ACTIONS.index(Action.DOUBLE)
    3061
"""

_BEFORE_DOUBLETS = MIXED - 1
"""What is added to the numbers of doublets, which begin with 1."""

SIZES: dict[Numbering, int] = {"rows": MAX_PLAYS, "codes": NUM_PLAY_CODES}

_COMBINATIONS = np.array(
    [[comb(slot + 3 - index, 4 - index) for slot in range(SLOTS)] for index in range(4)]
)
"""What the source in each place adds to the code of a doublet: the combinatorial number system."""


def encode_play(play: Play) -> int:
    """The code of a play: the same number for the same moves in every position, so that a network can learn it.

    | code | play |
    |---|---|
    | 0 | a dance, with any roll |
    | 26 high + low | two different dice: the points from which a checker moves by the higher and by the lower die |
    | 676 + 26 high + low | the same, if the lower die must be played first |
    | 1,351 + number | a doublet: the number of its sources, of the 23,751 sets of up to four |

    Points are 1 to 24, 25 for the bar, and 0 for a die that is not played. The number of the sources a >= b >= c >= d
    of a doublet is C(a + 3, 4) + C(b + 2, 3) + C(c + 1, 2) + d, where C(n, k) is "n choose k".

    The plays of one position and roll have different codes. The roll is not part of a code.

    Args:
        play: any legal play.

    Returns:
        0 to 25,101.

    Raises:
        ArgumentError: `play` is not a `Play`.

    Examples:
        >>> from gammonrules import Position
        >>> plays = Position.start().legal_plays("31")
        >>> encode_play(plays.find("8/5 6/5")) == 26 * 8 + 6
        True
    """
    check_kind("play", play, Play)
    moves = [(move.from_point, move.to_point) for move in play.moves]
    unused = [(-1, -1)] * (4 - len(moves))
    return int(encode_moves([moves + unused], [tuple(play.dice)])[0])


def encode_moves(moves: npt.ArrayLike, dice: npt.ArrayLike) -> Ints:
    """The codes of many plays, see `encode_play`.

    Args:
        moves: `(M, 4, 2)`, legal plays, as in `LegalPlays.moves`.
        dice: `(M, 2)`, the roll of each, either die first.

    Returns:
        `(M,) int64`.

    Raises:
        ArgumentError: the arrays have other shapes, or are not whole numbers.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Position, batch
        >>> boards = batch.from_positions([Position.start()] * 2)
        >>> dice = np.array([(3, 1), (6, 5)])
        >>> plays = batch.legal_plays(boards, dice)
        >>> codes = encode_moves(plays.moves, dice[plays.board_numbers])
        >>> codes.shape, len(np.unique(codes[:16]))
        ((23,), 16)
    """
    steps = _whole_numbers(moves, (4, 2), "moves")
    rolls = _whole_numbers(dice, (2,), "dice")
    if len(steps) != len(rolls):
        raise ArgumentError(
            f"every play needs a roll: moves has {len(steps)} rows, dice has {len(rolls)}"
        )
    sources = np.maximum(steps[:, :, 0], 0)
    is_doublet = rolls[:, 0] == rolls[:, 1]
    codes = _mixed_codes(steps, rolls, sources)
    if is_doublet.any():
        descending = -np.sort(-sources, axis=1)
        numbers = _COMBINATIONS[np.arange(4), descending].sum(axis=1)
        # a dance has no sources; its code is 0 with any roll, as for different dice
        is_dance = sources[:, 0] == 0
        codes = np.where(is_doublet & ~is_dance, _BEFORE_DOUBLETS + numbers, codes)
    return codes


def _mixed_codes(steps: Ints, rolls: Ints, sources: Ints) -> Ints:
    """The codes of plays of two different dice: which die moved from which source, and which was played first.

    A single move uses the lower die if it has exactly its pips, else the higher.
    """
    high: Ints = rolls.max(axis=1)
    low: Ints = rolls.min(axis=1)
    first_source = sources[:, 0]
    second_source = sources[:, 1]
    first_move = steps[:, 0]
    second_move = steps[:, 1]
    is_single = second_source == 0
    is_low_alone = is_single & (first_source - first_move[:, 1] == low)
    # a second move of -1 to -1, which is none, fits no die
    may_be_high_first = _fits(high, first_move) & (is_single | _fits(low, second_move))
    is_high_first = may_be_high_first & ~is_low_alone
    is_low_before_high = ~(is_high_first | is_single)
    # source 0 is that of a die that is not played
    source_of_high = np.where(is_high_first, first_source, second_source)
    source_of_low = np.where(is_high_first, second_source, first_source)
    codes: Ints = SLOTS**2 * is_low_before_high + SLOTS * source_of_high + source_of_low
    return codes


def _fits(die: Ints, move: Ints) -> Bools:
    """Whether a move can use this die, which may overshoot."""
    pips = move[:, 0] - move[:, 1]
    fits: Bools = (pips == die) | ((move[:, 1] == 0) & (pips < die))
    return fits


def _whole_numbers(argument: npt.ArrayLike, shape: tuple[int, ...], name: str) -> Ints:
    """Check an argument, whole numbers of any length and then this shape. Raises ArgumentError."""
    array = array_of_any(argument)
    has_shape = array.ndim > 0 and array.shape[1:] == shape
    if not has_shape or array.dtype.kind not in "iu":
        expected = ", ".join(map(str, shape))
        raise ArgumentError(
            f"{name}: expected whole numbers of the shape (M, {expected}), not {shown(argument)}"
        )
    return array.astype(np.int64)


def array_of_any(argument: Any) -> npt.NDArray[Any]:
    """The argument as an array; if it cannot be one, an array that is not of whole numbers."""
    with suppress(Exception):  # rows of different lengths; other libraries may raise anything
        return np.asarray(argument)
    return np.zeros(0)


def decode_play(code: int, dice: DiceLike) -> tuple[tuple[int, int], ...]:
    """The moves of a play from its code, as pairs of from and to.

    `Position.play` and `Plays.find`, which take the pairs, check whether the play is legal in a position.

    Args:
        code: 0 to 25,101, see `encode_play`.
        dice: the roll.

    Raises:
        ArgumentError: `code` is not such a number, or is that of a doublet with two different dice, or the reverse.
        DiceError: `dice` is not a roll.

    Examples:
        >>> from gammonrules import Position
        >>> decode_play(26 * 8 + 6, "31")
        ((8, 5), (6, 5))
        >>> Position.start().play(decode_play(26 * 8 + 6, "31"), "31").pip_count
        167
    """
    number = whole_argument("code", value=code, minimum=0, maximum=NUM_PLAY_CODES - 1)
    roll = Dice.of(dice)
    if number == 0:
        return ()
    is_code_of_doublet = number >= MIXED
    if is_code_of_doublet != roll.is_doublet:
        kind = "a doublet" if is_code_of_doublet else "two different dice"
        raise ArgumentError(f"code {number} is of {kind}, and the roll is {roll}")
    if roll.is_doublet:
        sources_of_doublet = _sources_of_doublet(number - _BEFORE_DOUBLETS)
        steps = [(source, roll.high) for source in sources_of_doublet]
    else:
        is_low_first, sources = divmod(number, SLOTS**2)
        source_of_high, source_of_low = divmod(sources, SLOTS)
        steps = [(source_of_high, roll.high), (source_of_low, roll.low)]
        if is_low_first == 1:
            steps.reverse()
    # source 0 is that of a die that is not played
    return tuple((source, max(source - die, 0)) for source, die in steps if source)


def _sources_of_doublet(number: int) -> list[int]:
    """The sources of the plays of a doublet with this number, the largest first.

    Each adds its term to the number. In each place it is the largest source whose term is not more than what is left.
    """
    sources: list[int] = []
    rest = number
    for terms in _COMBINATIONS.tolist():
        source = max(slot for slot in range(SLOTS) if terms[slot] <= rest)
        sources.append(source)
        rest -= terms[source]
    return sources


def numbers_of_plays(plays: Plays, numbering: Numbering) -> Sequence[int]:
    if numbering == "rows":
        return range(len(plays))
    legal = batch.legal_plays(batch.from_positions([plays.position]), [plays.dice])
    rolls = np.repeat(np.array([tuple(plays.dice)]), len(legal.points), axis=0)
    numbers: list[int] = encode_moves(legal.moves, rolls).tolist()
    return numbers

"""What can be read from many boards at once, and random numbers, in NumPy: used where there is no kernel.

Boards are rows of 26 counts, as in `Position.points`, and have been checked. Each function writes into an array of the
right shape and dtype.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Bools, Rows, checkers_of
from gammonrules.board.internals import BAR, FIELDS, LENGTH, SLOTS, STANDARD_CHECKERS

Words: TypeAlias = npt.NDArray[np.uint64]


def flip(points: Rows, out: Rows, _checkers: int) -> None:
    """The same boards seen by the other side."""
    np.negative(points[:, ::-1], out=out)


def pip_counts(points: Rows, out: npt.NDArray[np.int32], _checkers: int) -> None:
    """The pips of the player on roll and of the opponent, `(N, 2)`."""
    places = np.arange(SLOTS, dtype=np.int32)
    np.matmul(np.maximum(points, 0), places, out=out[:, 0])
    np.matmul(np.minimum(points, 0), places - BAR, out=out[:, 1])


def outcomes(points: Rows, out: Rows, checkers: int) -> None:
    """1, 2 or 3 if the player on roll has won, below 0 if they have lost, 0 if the game goes on."""
    mine, theirs = checkers_of(points)
    out[:] = 0
    over = np.flatnonzero((mine == 0) | (theirs == 0))
    ends = points[over]
    # a backgammon if the loser has a checker in the winner's home board or on the bar
    they_are_in_my_home = (ends[:, :7] < 0).any(axis=1)
    i_am_in_their_home = (ends[:, 19:] > 0).any(axis=1)
    # a gammon or more only if the loser has borne off none
    they_are_all_left = theirs[over] == checkers
    i_am_all_left = mine[over] == checkers
    win = np.where(they_are_all_left, np.where(they_are_in_my_home, 3, 2), 1)
    loss = np.where(i_am_all_left, np.where(i_am_in_their_home, 3, 2), 1)
    have_won = mine[over] == 0
    have_lost = theirs[over] == 0
    out[over] = np.where(have_won, win, 0) - np.where(have_lost, loss, 0)


def features(points: Rows, out: npt.NDArray[np.float32], checkers: int) -> None:
    """The inputs of a network, `(N, 198)`."""
    mine, theirs = checkers_of(points)
    # the columns are described in `batch.features`
    out[:, :96] = _UNITS[np.maximum(points[:, 1:BAR], 0)].reshape(-1, 96)
    out[:, 96:192] = _UNITS[-np.minimum(points[:, 1:BAR], 0)].reshape(-1, 96)
    out[:, 192] = points[:, BAR] / 2
    out[:, 193] = abs(points[:, 0]) / 2
    out[:, 194] = (checkers - mine) / checkers  # borne off
    out[:, 195] = (checkers - theirs) / checkers
    out[:, 196] = 1  # whether I am on roll: always
    out[:, 197] = 0  # whether the opponent is: never


_UNITS = np.array(
    [[n >= 1, n >= 2, n >= 3, max(n - 3, 0) / 2] for n in range(STANDARD_CHECKERS + 1)], np.float32
)
"""The four inputs for each number of checkers on a point."""


_WORD = np.uint64(64)
_ONE = np.uint64(1)
_BASE64_BYTES = 12
_BASE64_CHARACTERS = 16
"""An ID in whole groups of Base64, that is with two more characters."""


def to_ids(points: Rows, out: npt.NDArray[np.uint32], _checkers: int) -> None:
    """The characters of the Position IDs, `(N, 14)`."""
    theirs, length = _checker_bits(-points[:, BAR - 1 :: -1])
    mine, _ = _checker_bits(points[:, 1:])
    words = np.stack([theirs | mine << length, mine >> (_WORD - length)], axis=1, dtype="<u8")
    text = b2a_base64(words.view(np.uint8)[:, :_BASE64_BYTES].tobytes(), newline=False)
    out[:] = np.frombuffer(text, np.uint8).reshape(-1, _BASE64_CHARACTERS)[:, :LENGTH]


def _checker_bits(counts: Rows) -> tuple[Words, Words]:
    """A 1 for each checker on 25 places and a 0 after each place, the first place in the lowest bits; and how many."""
    columns = np.maximum(counts.T, 0).astype(np.uint64)
    bits = np.zeros(len(counts), np.uint64)
    for column in columns[::-1]:
        bits = bits << (column + _ONE) | ((_ONE << column) - _ONE)
    return bits, columns.sum(axis=0) + np.uint64(FIELDS)


def from_ids(texts: npt.NDArray[np.uint8], out: Rows, is_read: Bools, checkers: int) -> None:
    """The boards of Position IDs, and which texts are the usual ones of usual boards."""
    is_base64 = np.all(_IS_BASE64[texts[:, :LENGTH]], axis=1)
    data = _bytes_of_ids(texts, is_base64)
    # the opponent's bits are the lowest, and those of the player on roll follow them
    low, high = data.view("<u8").T
    theirs, _ = _counts_of_side(low)
    their_length = theirs.sum(axis=0, dtype=np.uint64) + np.uint64(FIELDS)
    above_theirs = low >> their_length | high << (_WORD - their_length)
    mine, rest = _counts_of_side(above_theirs)
    out[:, 0] = 0
    out[:, 1:] = mine.T
    out[:, :BAR] -= theirs[::-1].T  # their first point is the last of the player on roll
    is_short_enough = (data[:, 10] == 0) & (rest == 0)  # an ID has ten bytes
    is_read[:] = is_base64 & is_short_enough & _are_possible_boards(mine, theirs, checkers)


def _bytes_of_ids(texts: npt.NDArray[np.uint8], is_base64: Bools) -> npt.NDArray[np.uint8]:
    """The bytes of IDs, and zeros up to 16 for each; only zeros for a text that is no Base64."""
    # "A" is zero in Base64
    characters = np.full((len(texts), _BASE64_CHARACTERS), ord("A"), np.uint8)
    characters[is_base64, :LENGTH] = texts[is_base64, :LENGTH]
    decoded = np.frombuffer(a2b_base64(characters.tobytes()), np.uint8)
    data = np.zeros((len(texts), 16), np.uint8)
    data[:, :_BASE64_BYTES] = decoded.reshape(-1, _BASE64_BYTES)
    return data


def _are_possible_boards(mine: Rows, theirs: Rows, checkers: int) -> Bools:
    """Whether boards can occur, from each side's counts in its own numbering, `(25, N)`; the bar is last."""
    my_checkers = mine.sum(axis=0, dtype=np.int64)
    their_checkers = theirs.sum(axis=0, dtype=np.int64)
    more = np.maximum(my_checkers, their_checkers)
    my_points = mine[:-1]
    their_points = theirs[:-1]
    is_shared = ((my_points > 0) & (their_points[::-1] > 0)).any(axis=0)
    both_on_bar = (mine[-1] > 0) & (theirs[-1] > 0)
    both_closed = ((mine > 1) & (theirs > 1))[:6].all(axis=0)
    neither_can_move = both_on_bar & both_closed
    possible: Bools = ~is_shared & ~neither_can_move & (more <= checkers) & (more > 0)
    return possible


def _counts_of_side(bits: Words) -> tuple[Rows, Words]:
    """The 25 counts in the lowest bits, `(25, N)`, and the bits above them."""
    counts = np.empty((FIELDS, len(bits)), np.int8)
    for column in counts:
        column[:] = _ONES_BELOW[bits.astype(np.uint16)]
        bits = bits >> (column.astype(np.uint64) + _ONE)
    return counts, bits


_IS_BASE64 = np.isin(
    np.arange(256), [*b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"]
)
_NUMBERS = np.arange(1 << 16)
_ONES_BELOW = np.log2((_NUMBERS + 1) & ~_NUMBERS).astype(np.int8)
"""How many ones the lowest bits of a number are."""


_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_FIRST_FACTOR = np.uint64(0xD2511F53)
_SECOND_FACTOR = np.uint64(0xCD9E8D57)
_FIRST_STEP = 0x9E3779B9
_SECOND_STEP = 0xBB67AE85
_ROUNDS = 10


def philox(key: int, counters: npt.NDArray[np.uint32]) -> None:
    """Philox4x32-10 in place, `(N, 4)`.

    Source: J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011.
    """
    a, b, c, d = counters.astype(np.uint64).T
    first_key = key & 0xFFFFFFFF
    second_key = key >> 32
    for _ in range(_ROUNDS):
        # the halves of each product go to the other side
        first_product = a * _FIRST_FACTOR
        second_product = c * _SECOND_FACTOR
        a = (second_product >> _HALF) ^ b ^ np.uint64(first_key)
        b = second_product & _LOW
        c = (first_product >> _HALF) ^ d ^ np.uint64(second_key)
        d = first_product & _LOW
        first_key = (first_key + _FIRST_STEP) & 0xFFFFFFFF
        second_key = (second_key + _SECOND_STEP) & 0xFFFFFFFF
    counters[:] = np.stack([a, b, c, d], axis=-1)

"""Legal plays of many boards at once, in NumPy: used for batches when there is no kernel.

The rules and ideas are those of `pure`, the data layout that of the kernel. Boards are seen by the opponent: slot f is
point 25 - f of the player who moves, their bar is slot 0, their checkers are negative, and a move goes up, from f to
f + die; 25 and beyond is off. A set of slots is the bits of one uint32 per board, so a rule takes a few operations on
whole columns. Results come in the same order as from the other generators, with the moves of `pure.moves_to`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules.board.array_readings import Bools, Ints, Rows
from gammonrules.board.encoding import BAR, SLOTS

Sets: TypeAlias = npt.NDArray[np.uint32]
Moves: TypeAlias = npt.NDArray[np.int16]
"""From and to in the two bytes of one number; -1 where unused."""

_AT_ONCE = 2048
"""Boards per pass: cases are sorted as 16-bit numbers, and the arrays should stay in the processor's cache."""

_EVERY = np.uint32(0xFFFFFFFF)
_ON_BAR = np.uint32(1)
_POINTS = np.uint32((1 << 25) - 2)
_OUTSIDE = np.uint32((1 << 19) - 1)
_ON_BOARD = np.uint32((1 << 25) - 1)
_UNUSED = BAR
"""The slot of a die that is not played."""


def _tables() -> tuple[Rows, Moves]:
    """What a move adds to the 26 counts, and how it is written; both in row 32 * die + slot."""
    added = np.zeros((7 * 32, SLOTS), np.int8)
    written = np.full((7 * 32, 2), -1, np.int8)
    for die in range(1, 7):
        for slot in range(BAR):
            row = 32 * die + slot
            added[row, slot] = 1
            if slot + die < BAR:
                added[row, slot + die] = -1
            written[row] = BAR - slot, max(BAR - slot - die, 0)
    return added, written.view(np.int16)[:, 0]


_ADDED, _WRITTEN = _tables()


class _BoardSets(NamedTuple):
    """Boards of games in progress, and sets of their slots."""

    rows: Rows
    own: Sets
    not_blocked: Sets
    """Where a checker may land; this does not change during a turn."""
    blots: Sets
    """The opponent's."""


class _ResultRows(NamedTuple):
    """Results, each with the number of its case and its moves."""

    case: Ints
    rows: Rows
    moves: Moves


class _ResultsByCase(NamedTuple):
    """The results of some cases in their order."""

    counts: Ints
    """How many each case has."""
    rows: Rows
    moves: Moves


def legal_plays_of_many(points: Rows, dice: Rows) -> tuple[Ints, Rows, Rows]:
    """The results of N checked boards and rolls: offsets (N + 1), boards (M, 26) and moves (M, 4, 2)."""
    counts: list[Ints] = []
    results: list[Rows] = []
    moves: list[Moves] = []
    for start in range(0, max(len(points), 1), _AT_ONCE):
        end = start + _AT_ONCE
        part = _part_of_cases(points[start:end], dice[start:end])
        counts.append(part.counts)
        results.append(part.rows)
        moves.append(part.moves)
    offsets = np.zeros(len(points) + 1, np.int64)
    np.cumsum(np.concatenate(counts), out=offsets[1:])
    moves_as_bytes = np.concatenate(moves).view(np.int8)
    return offsets, np.concatenate(results), moves_as_bytes.reshape(-1, 4, 2)


def best(offsets: Ints, scores: npt.NDArray[Any], out: Ints) -> None:
    """Write the highest-scoring row of each case into `out`: the first if several are equal, -1 if there is none."""
    counts = np.diff(offsets)
    at = np.flatnonzero(counts)
    out[:] = -1
    if len(at):
        case = np.repeat(np.arange(len(at)), counts[at])
        rows = np.flatnonzero(scores == np.maximum.reduceat(scores, offsets[at])[case])
        out[at] = rows[np.searchsorted(case[rows], np.arange(len(at)))]


def _part_of_cases(points: Rows, dice: Rows) -> _ResultsByCase:
    rows = np.negative(points[:, ::-1])
    live = (rows < 0).any(axis=1) & (rows > 0).any(axis=1)
    high = dice.max(axis=1).astype(np.int64)
    low = dice.min(axis=1).astype(np.int64)
    mixed = np.flatnonzero(live & (high > low))
    doublets = np.flatnonzero(live & (high == low))
    results = [
        _mixed_plays(mixed, boards=_board_sets(rows[mixed]), high=high[mixed], low=low[mixed]),
        *_doublets(doublets, _board_sets(rows[doublets]), high[doublets]),
    ]
    case = np.concatenate([result.case for result in results])
    order = np.argsort(case.astype(np.uint16), kind="stable")
    counts = np.bincount(case, minlength=len(points))
    sorted_rows = np.concatenate([result.rows for result in results])[order]
    sorted_moves = np.concatenate([result.moves for result in results])[order]
    return _ResultsByCase(counts, sorted_rows, sorted_moves)


# --- sets of slots --------------------------------------------------------------------------------


def _board_sets(rows: Rows) -> _BoardSets:
    return _BoardSets(
        rows,
        own=_set_of(rows < 0),
        not_blocked=_set_of(rows <= 1) & _POINTS,
        blots=_set_of(rows == 1) & _POINTS,
    )


def _set_of(where: Bools) -> Sets:
    """The slots where a row is true."""
    bits = np.packbits(where, axis=1, bitorder="little")
    return bits.view("<u4")[:, 0].astype(np.uint32, copy=False)


def _slots_in(sets: Sets) -> tuple[Ints, Ints]:
    """All members of these sets: the index of the set and the slot of each."""
    bits = np.unpackbits(sets.astype("<u4", copy=False).view(np.uint8), bitorder="little")
    members = np.flatnonzero(bits.view(np.bool_))
    return members >> 5, members & 31


def _bit(slot: Ints) -> Sets:
    return np.uint32(1) << slot.astype(np.uint32)


def _has(sets: Sets, slot: Ints) -> Bools:
    return (sets & _bit(slot)).astype(np.bool_)


# --- the rules ------------------------------------------------------------------------------------


def _slots_from(own: Sets, not_blocked: Sets, die: Ints) -> Sets:
    """The slots from which a die can be played."""
    reach = not_blocked >> die.astype(np.uint32)
    # all are home: a die bears off from its own point, or from the highest point held if that is lower
    takes_off = np.maximum(_bit(BAR - die), own & -own)
    sources = own & np.where(own & _OUTSIDE, reach, reach | takes_off)
    return np.where(own & _ON_BAR, sources & _ON_BAR, sources)


def _own_after(boards: _BoardSets, index: Ints, slot: Ints, die: Ints) -> Sets:
    """The mover's slots after one move on each of the boards with these indexes."""
    left_empty = boards.rows[index, slot] == -1
    own: Sets = boards.own[index] & ~(_bit(slot) * left_empty) | _bit(slot + die) & _ON_BOARD
    return own


def _hit(rows: Rows, where: Bools, slot: Ints) -> None:
    """Put the blots in these slots on the bar."""
    at = np.flatnonzero(where)
    rows[at, slot[at]] -= 1
    rows[at, BAR] += 1


# --- doublets -------------------------------------------------------------------------------------


def _doublets(case: Ints, boards: _BoardSets, die: Ints) -> Iterator[_ResultRows]:
    """As many of the four moves by one number as possible, from slots that never decrease."""
    allowed = np.full(len(case), _EVERY)
    moves = np.full((len(case), 4), -1, np.int16)
    for turn in range(4):
        node, slot = _slots_in(_slots_from(boards.own, boards.not_blocked, die) & allowed)
        ends = ~np.isin(case, case[node])
        yield _ResultRows(case[ends], boards.rows[ends], moves[ends])
        case = case[node]
        die = die[node]
        moves = moves[node]
        moves[:, turn] = _WRITTEN[32 * die + slot]
        boards = _moved(boards, index=node, slot=slot, die=die)
        allowed = _EVERY << slot.astype(np.uint32)
    yield _ResultRows(case, boards.rows, moves)


def _moved(boards: _BoardSets, index: Ints, slot: Ints, die: Ints) -> _BoardSets:
    """The boards with these indexes, after one move on each."""
    rows = boards.rows[index] + _ADDED[32 * die + slot]
    blots = boards.blots[index]
    _hit(rows, _has(blots, slot + die), slot + die)
    own = _own_after(boards, index, slot, die)
    return _BoardSets(
        rows, own, not_blocked=boards.not_blocked[index], blots=blots & ~_bit(slot + die)
    )


# --- two different dice ---------------------------------------------------------------------------


class _Pairs(NamedTuple):
    """Plays of two different dice: the slots from which the high and the low die are played."""

    case: Ints
    by_high: Ints
    by_low: Ints

    def at(self, index: Ints | Bools) -> _Pairs:
        return _Pairs(self.case[index], self.by_high[index], self.by_low[index])


def _mixed_plays(case: Ints, boards: _BoardSets, high: Ints, low: Ints) -> _ResultRows:
    """Both dice if possible, else the higher, else the lower."""
    high_firsts = _first_moves(boards, high)
    low_firsts = _first_moves(boards, low)
    both_orders = _both(boards, high_firsts, low_firsts, high, low)
    by_two_dice = _unrepeated(_canonical(boards, both_orders, high, low))
    rest = np.bincount(by_two_dice.case, minlength=len(case)) == 0
    index, slot = high_firsts
    one_high = _Pairs(index, slot, np.full(len(index), _UNUSED)).at(rest[index])
    rest[one_high.case] = False
    index, slot = low_firsts
    one_low = _Pairs(index, np.full(len(index), _UNUSED), slot).at(rest[index])
    rest[one_low.case] = False
    passes = np.flatnonzero(rest)
    unused = np.full(len(passes), _UNUSED)
    none = _Pairs(passes, unused, unused)
    pairs = _concatenated([by_two_dice, one_high, one_low, none])
    rows, moves = _played_pairs(boards, pairs, high, low)
    return _ResultRows(case[pairs.case], rows, moves)


def _concatenated(pairs: list[_Pairs]) -> _Pairs:
    return _Pairs(
        np.concatenate([plays.case for plays in pairs]),
        np.concatenate([plays.by_high for plays in pairs]),
        np.concatenate([plays.by_low for plays in pairs]),
    )


def _first_moves(boards: _BoardSets, die: Ints) -> tuple[Ints, Ints]:
    """The indexes and slots from which a die can be played first."""
    return _slots_in(_slots_from(boards.own, boards.not_blocked, die))


def _both(
    boards: _BoardSets,
    high_firsts: tuple[Ints, Ints],
    low_firsts: tuple[Ints, Ints],
    high: Ints,
    low: Ints,
) -> _Pairs:
    """One die and then the other, in both orders; most results appear twice (see `_unrepeated`)."""
    index, by_high, by_low = _then(boards, first=high_firsts, first_die=high, second_die=low)
    high_first = _Pairs(index, by_high, by_low)
    index, by_low, by_high = _then(boards, first=low_firsts, first_die=low, second_die=high)
    low_first = _Pairs(index, by_high, by_low)
    return _concatenated([high_first, low_first])


def _then(
    boards: _BoardSets, first: tuple[Ints, Ints], first_die: Ints, second_die: Ints
) -> tuple[Ints, Ints, Ints]:
    """The other die after the first: the index, and the slots of both."""
    index, slot = first
    own = _own_after(boards, index, slot, die=first_die[index])
    at, second = _slots_in(_slots_from(own, boards.not_blocked[index], second_die[index]))
    return index[at], slot[at], second


def _canonical(boards: _BoardSets, pairs: _Pairs, high: Ints, low: Ints) -> _Pairs:
    """The same plays with the moves of `pure.moves_to`: the high die first if that leads to the same result."""
    index = pairs.case
    high = high[index]
    low = low[index]
    swaps = (pairs.by_high > pairs.by_low) & (pairs.by_low + low >= BAR)
    by_high = np.where(swaps, pairs.by_low, pairs.by_high)
    by_low = np.where(swaps, pairs.by_high, pairs.by_low)
    runs = np.flatnonzero(by_high == by_low + low)
    at = index[runs]
    slot = by_low[runs]
    high = high[runs]
    low = low[runs]
    hits = _has(boards.blots[at], slot + low) | _has(boards.blots[at], slot + high)
    starts = _has(_slots_from(boards.own[at], boards.not_blocked[at], high), slot) & ~hits
    own = _own_after(boards, index=at, slot=slot, die=high)
    then = _slots_from(own, boards.not_blocked[at], low)
    turned = starts & _has(then, slot + high)
    alone = starts & (own == 0)  # the high die takes the last checker off
    by_high[runs] = np.where(turned | alone, slot, slot + low)
    by_low[runs] = np.where(turned, slot + high, np.where(alone, _UNUSED, slot))
    return _Pairs(index, by_high, by_low)


def _unrepeated(pairs: _Pairs) -> _Pairs:
    """These plays without repetition: equal results have the same moves, whichever die was played first."""
    keys = (pairs.case << 10) | (pairs.by_high << 5) | pairs.by_low
    _, first = np.unique(keys, return_index=True)
    return pairs.at(np.sort(first))


def _played_pairs(boards: _BoardSets, pairs: _Pairs, high: Ints, low: Ints) -> tuple[Rows, Moves]:
    """The results of these plays, and their moves from the rear."""
    index, by_high, by_low = pairs
    high = high[index]
    low = low[index]
    move_high = 32 * high + by_high
    move_low = 32 * low + by_low
    rows = boards.rows[index] + _ADDED[move_high] + _ADDED[move_low]
    blots = boards.blots[index]
    to_high = by_high + high
    to_low = by_low + low
    _hit(rows, _has(blots, to_high), to_high)
    _hit(rows, _has(blots, to_low) & (to_low != to_high), to_low)
    moves = np.full((len(index), 4), -1, np.int16)
    low_first = by_low < by_high
    moves[:, 0] = _WRITTEN[np.where(low_first, move_low, move_high)]
    moves[:, 1] = _WRITTEN[np.where(low_first, move_high, move_low)]
    return rows, moves

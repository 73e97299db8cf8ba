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

from gammonrules._arrays.checks import Bools, Ints, Rows
from gammonrules.board.internals import BAR, SLOTS

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


_ROWS_OF_DIE = 32
"""The rows that each die has in the tables of moves: more than there are slots."""


def _row_of_move(die: Ints, slot: Ints) -> Ints:
    """The rows of moves, from these slots, in `_ADDED` and `_WRITTEN`."""
    return _ROWS_OF_DIE * die + slot


def _tables() -> tuple[Rows, Moves]:
    """The tables of moves: what one adds to the 26 counts, and how it is written; both are nothing for no die."""
    added = np.zeros((7 * _ROWS_OF_DIE, SLOTS), np.int8)
    written = np.full((7 * _ROWS_OF_DIE, 2), -1, np.int8)
    for die in range(1, 7):
        for slot in range(BAR):
            row = _ROWS_OF_DIE * die + slot
            landing = slot + die
            # the mover's counts are negative: 1 takes a checker away, -1 puts one there
            added[row, slot] = 1
            if landing < BAR:  # beyond, the checker is off
                added[row, landing] = -1
            written[row] = BAR - slot, max(BAR - landing, 0)  # in the mover's numbering
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
    # even no boards make a pass, whose empty arrays are joined below
    at_least_one = max(len(points), 1)
    for start in range(0, at_least_one, _AT_ONCE):
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
    out[:] = -1
    cases = np.flatnonzero(counts)
    if not len(cases):
        return
    # the cases that have rows are numbered anew, since `reduceat` knows no empty ones
    numbers = np.arange(len(cases))
    highest = np.maximum.reduceat(scores, offsets[cases])  # from each offset up to the next
    number_by_row = np.repeat(numbers, counts[cases])
    best_rows = np.flatnonzero(scores == highest[number_by_row])
    number_by_best_row = number_by_row[best_rows]
    first_of_each = np.searchsorted(number_by_best_row, numbers)
    out[cases] = best_rows[first_of_each]


def _part_of_cases(points: Rows, dice: Rows) -> _ResultsByCase:
    """The results of up to `_AT_ONCE` boards and rolls; a game that is over has none."""
    rows = np.negative(points[:, ::-1])  # as the opponent sees them
    goes_on = (rows < 0).any(axis=1) & (rows > 0).any(axis=1)  # both sides have checkers
    high = dice.max(axis=1).astype(np.int64)
    low = dice.min(axis=1).astype(np.int64)
    mixed = np.flatnonzero(goes_on & (high > low))
    doublets = np.flatnonzero(goes_on & (high == low))
    results = [
        _mixed_plays(mixed, boards=_board_sets(rows[mixed]), high=high[mixed], low=low[mixed]),
        *_doublets(doublets, _board_sets(rows[doublets]), high[doublets]),
    ]
    case = np.concatenate([result.case for result in results])
    order = np.argsort(case.astype(np.uint16), kind="stable")  # NumPy sorts 16-bit numbers fast
    counts = np.bincount(case, minlength=len(points))
    sorted_rows = np.concatenate([result.rows for result in results])[order]
    sorted_moves = np.concatenate([result.moves for result in results])[order]
    return _ResultsByCase(counts, sorted_rows, sorted_moves)


# --- sets of slots --------------------------------------------------------------------------------


def _board_sets(rows: Rows) -> _BoardSets:
    """The sets of boards seen by the opponent, on which the mover's counts are negative."""
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
    # a set has 32 bits
    return members >> 5, members & 31


def _bit(slot: Ints) -> Sets:
    return np.uint32(1) << slot.astype(np.uint32)


def _has(sets: Sets, slot: Ints) -> Bools:
    return (sets & _bit(slot)).astype(np.bool_)


# --- the rules ------------------------------------------------------------------------------------


def _slots_from(own: Sets, not_blocked: Sets, die: Ints) -> Sets:
    """The slots from which a die can be played."""
    reach = not_blocked >> die.astype(np.uint32)  # where a move by the die ends on an open point
    # all are home: a die bears off from its own point, or from the highest point held if that is lower
    highest_held = own & -own  # the lowest bit, since slots are counted from the bar
    takes_off = np.maximum(_bit(BAR - die), highest_held)  # the lower point has the higher bit
    is_outside = own & _OUTSIDE
    sources = own & np.where(is_outside, reach, reach | takes_off)
    is_on_bar = own & _ON_BAR
    return np.where(is_on_bar, sources & _ON_BAR, sources)


def _own_after(boards: _BoardSets, index: Ints, slot: Ints, die: Ints) -> Sets:
    """The mover's slots after one move on each of the boards with these indexes."""
    is_last_checker = boards.rows[index, slot] == -1
    left_empty = _bit(slot) * is_last_checker  # no bit where a checker is left
    landing = _bit(slot + die) & _ON_BOARD
    own: Sets = (boards.own[index] & ~left_empty) | landing
    return own


def _hit(rows: Rows, is_hit: Bools, slot: Ints) -> None:
    """Put the opponent's blots in these slots on their bar, on the boards where they are hit."""
    at = np.flatnonzero(is_hit)
    rows[at, slot[at]] -= 1
    rows[at, BAR] += 1


# --- doublets -------------------------------------------------------------------------------------


def _doublets(case: Ints, boards: _BoardSets, die: Ints) -> Iterator[_ResultRows]:
    """As many of the four moves by one number as possible, from slots that never decrease.

    The arrays have a row for each way to play so many of the moves; each move replaces them by the longer ways.
    """
    allowed = np.full(len(case), _EVERY)  # the slots from which the next move of each way may come
    moves = np.full((len(case), 4), -1, np.int16)
    for move in range(4):
        sources = _slots_from(boards.own, boards.not_blocked, die) & allowed
        # for each next move, the index of the way that it makes longer, and its source
        way, slot = _slots_in(sources)
        is_of_longer_case = np.isin(case, case[way])
        is_end = ~is_of_longer_case  # no way of the case goes on
        yield _ResultRows(case[is_end], boards.rows[is_end], moves[is_end])
        case = case[way]
        die = die[way]
        moves = moves[way]
        moves[:, move] = _WRITTEN[_row_of_move(die, slot)]
        boards = _moved(boards, index=way, slot=slot, die=die)
        allowed = _EVERY << slot.astype(np.uint32)  # this slot and all higher ones
    yield _ResultRows(case, boards.rows, moves)


def _moved(boards: _BoardSets, index: Ints, slot: Ints, die: Ints) -> _BoardSets:
    """The boards with these indexes, after one move on each."""
    rows = boards.rows[index] + _ADDED[_row_of_move(die, slot)]
    blots = boards.blots[index]
    landing = slot + die
    _hit(rows, _has(blots, landing), landing)
    return _BoardSets(
        rows,
        own=_own_after(boards, index, slot, die),
        not_blocked=boards.not_blocked[index],
        blots=blots & ~_bit(landing),
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
    # each kind of play is only for cases that have none of the kinds before it
    has_no_play = np.full(len(case), True)
    has_no_play[by_two_dice.case] = False

    index, slot = high_firsts
    by_high_alone = _Pairs(index, by_high=slot, by_low=_unused(index)).at(has_no_play[index])
    has_no_play[by_high_alone.case] = False

    index, slot = low_firsts
    by_low_alone = _Pairs(index, by_high=_unused(index), by_low=slot).at(has_no_play[index])
    has_no_play[by_low_alone.case] = False

    index = np.flatnonzero(has_no_play)
    dances = _Pairs(index, by_high=_unused(index), by_low=_unused(index))
    pairs = _concatenated([by_two_dice, by_high_alone, by_low_alone, dances])
    rows, moves = _played_pairs(boards, pairs, high, low)
    return _ResultRows(case[pairs.case], rows, moves)


def _unused(index: Ints) -> Ints:
    """The slots of a die that is played in none of these cases."""
    return np.full(len(index), _UNUSED)


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
    """The plays of one die and then the other, in both orders; most results appear twice (see `_unrepeated`)."""
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
    low_of_play = low[pairs.case]
    # the low die bears off from further back than the high one: either die takes either checker off
    is_exchanged = (pairs.by_high > pairs.by_low) & (pairs.by_low + low_of_play >= BAR)
    by_high = np.where(is_exchanged, pairs.by_low, pairs.by_high)
    by_low = np.where(is_exchanged, pairs.by_high, pairs.by_low)
    # one checker runs with the low die and then the high one, which may do the same in the other order
    low_first = np.flatnonzero(by_high == by_low + low_of_play)
    case = pairs.case[low_first]
    runs = _runs_high_first(boards, case, slot=by_low[low_first], high=high[case], low=low[case])
    by_high[low_first] = runs.by_high
    by_low[low_first] = runs.by_low
    return _Pairs(pairs.case, by_high, by_low)


def _runs_high_first(boards: _BoardSets, case: Ints, slot: Ints, high: Ints, low: Ints) -> _Pairs:
    """Plays in which one checker runs from these slots with both dice: the high die first if that does the same."""
    blots = boards.blots[case]
    not_blocked = boards.not_blocked[case]
    # with a blot at either stop on the way, the orders do not do the same
    hits = _has(blots, slot + low) | _has(blots, slot + high)
    may_begin_high = _has(_slots_from(boards.own[case], not_blocked, high), slot)
    begins_high = may_begin_high & ~hits
    own = _own_after(boards, index=case, slot=slot, die=high)
    goes_on_low = begins_high & _has(_slots_from(own, not_blocked, low), slot + high)
    takes_last_off = begins_high & (own == 0)  # the game is over, and the low die is not played
    by_high = np.where(goes_on_low | takes_last_off, slot, slot + low)
    by_low_otherwise = np.where(takes_last_off, _UNUSED, slot)
    by_low = np.where(goes_on_low, slot + high, by_low_otherwise)
    return _Pairs(case, by_high, by_low)


def _unrepeated(pairs: _Pairs) -> _Pairs:
    """These plays without repetition: equal results have the same moves, whichever die was played first."""
    keys = (pairs.case << 10) | (pairs.by_high << 5) | pairs.by_low  # a slot has 5 bits
    _, first = np.unique(keys, return_index=True)
    return pairs.at(np.sort(first))


def _played_pairs(boards: _BoardSets, pairs: _Pairs, high: Ints, low: Ints) -> tuple[Rows, Moves]:
    """The results of these plays, and their moves from the rear."""
    high_of_play = high[pairs.case]
    low_of_play = low[pairs.case]
    high_move = _row_of_move(high_of_play, pairs.by_high)
    low_move = _row_of_move(low_of_play, pairs.by_low)
    rows = boards.rows[pairs.case] + _ADDED[high_move] + _ADDED[low_move]
    blots = boards.blots[pairs.case]
    high_landing = pairs.by_high + high_of_play
    low_landing = pairs.by_low + low_of_play
    _hit(rows, _has(blots, high_landing), high_landing)
    is_other_slot = low_landing != high_landing  # where both land, the blot is hit once
    _hit(rows, _has(blots, low_landing) & is_other_slot, low_landing)
    low_is_behind = pairs.by_low < pairs.by_high
    moves = np.full((len(rows), 4), -1, np.int16)
    moves[:, 0] = _WRITTEN[np.where(low_is_behind, low_move, high_move)]
    moves[:, 1] = _WRITTEN[np.where(low_is_behind, high_move, low_move)]
    return rows, moves

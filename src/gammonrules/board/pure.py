"""Every legal play of a roll, in pure Python: the generator that is written to be read.

A packed board is one integer (see `encoding`), which makes moves cheap:

* A move is an addition: take one from slot p, add one to slot p - die. A hit adds one more there and takes one from
  slot 0. Results are integers, compared and hashed in one step, and decoded only when they are read.
* A question about all points takes at most one addition and one mask. The top bit of a slot is set unless the opponent
  is there. With 1 subtracted from every slot, it is set where the mover has checkers; with 1 added, where a checker may
  land. Shifted by a die, the open points become the points from which that die reaches them; `&` with the mover's
  points gives the sources of the die.
* The opponent's points do not change during a turn, except that a blot may be hit, which blocks nothing. So what a die
  reaches is computed once per turn.

A doublet is played from the rear: if sources never increase, no multiset of moves occurs twice, so no result does. Two
different dice are played one after the other in both orders, and repeated results are dropped.

A play is just the board that it leads to. Its moves are found from the difference of the two boards, when they are
needed (see `moves_to`).

Results come in the order in which they are found here: the higher die and then the lower, then the lower die and then
the higher, each from the rearmost checker on; a doublet likewise, so that its sources descend.

Where each rule is: the bar first, no blocked points, bearing off (`_sources_in`); hitting (`_by_die`); as many dice as
possible, and the higher if only one of two can be played (`_doublet`, `_mixed`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from gammonrules.board.encoding import BAR, SLOTS, Board, Packed, every, hits, pack, pack_flipped
from gammonrules.board.kernel_protocol import (
    Found as Found,
    Maker as Maker,
    Node,
    PlainMove,
    faces_of as faces_of,
    plays_of as plays_of,
)

_FLAGS = every(0x80)
_POINTS = every(0x80, range(1, 25))
_OUTSIDE = every(0x80, range(7, SLOTS))
# 128 + n has the top bit if n >= 0; with 1 less, if n >= 1; with 1 more, if n >= -1
_ONES = every(1)
_FLAG = [0x80 << 8 * slot for slot in range(SLOTS)]
_ON_BAR = _FLAG[BAR]
_UP_TO = [every(0x80, range(slot + 1)) for slot in range(SLOTS + 1)]
_HIT = [(1 << 8 * slot) - 1 for slot in range(SLOTS)]
_STEP = [
    [(1 << 8 * (p - die) if p > die else 0) - (1 << 8 * p) for p in range(SLOTS)]
    for die in range(7)
]


_Die: TypeAlias = tuple[int, int, list[int]]
"""A face, the slots from which it leads to an open point, and what each move adds to the board (see `_by_die`).

A plain tuple, since the pure generator makes two for every roll.
"""
_Stage: TypeAlias = tuple[Packed, tuple[int, ...]]
"""A board in the middle of a turn, and the dice left."""
_Branch: TypeAlias = tuple[int, int, int, _Stage]
"""From, to, the die, and the stage after this move."""


def legal_plays(board: Board, high: int, low: int) -> Found:
    """Every distinct board that a roll can lead to, as seen by the opponent, who is then on roll.

    If nothing can be played, that is the same board; if the game is over, there are none.
    """
    return Found(_results(pack(board), high, low))


def _results(board: Packed, high: int, low: int) -> Collection[Packed]:
    own = (board - _ONES) & _FLAGS
    if not own or board & _FLAGS == _FLAGS:  # one side has borne off everything
        return ()
    plays = _doublet(board, high) if high == low else _mixed(board, own, high, low)
    return plays or (board,)  # nothing can be played


def own_slots(board: Packed) -> tuple[int, ...]:
    """The slots with checkers of the player on roll, highest first."""
    return slots_of((board - _ONES) & _FLAGS)


def sources_of(board: Packed, die: int) -> int:
    """The flags of the slots from which this die can be played next."""
    return sources_and_steps(board, die)[0]


def sources_and_steps(board: Packed, die: int) -> tuple[int, list[int]]:
    """The sources of a die as flags, and what each of these moves adds to the board, by source."""
    not_blocked, blots = _landing(board)
    reach, steps = _by_die(not_blocked, blots, die)
    own = (board - _ONES) & _FLAGS
    return _sources_in(own, reach, die), steps


def _landing(board: Packed) -> tuple[int, int]:
    """The flags of the points that are not blocked, and of those that hold a blot."""
    not_blocked = (board + _ONES) & _POINTS
    return not_blocked, not_blocked & ~board


def _by_die(not_blocked: int, blots: int, die: int) -> tuple[int, list[int]]:
    """The slots from which a die leads to an open point, and what each of these moves adds to the board, by source.

    Moves that end on a blot hit it.
    """
    # shifted up by the die, the slots where a checker may land are those from which it may come
    reach = not_blocked << 8 * die & _FLAGS
    hitting = blots << 8 * die & _FLAGS
    if not hitting:
        return reach, _STEP[die]
    steps = _STEP[die].copy()
    for source in slots_of(hitting):
        steps[source] += _HIT[source - die]
    return reach, steps


def _sources_in(own: int, reach: int, die: int) -> int:
    """The slots from which a die can be played, where `reach` has those from which it leads to an open point."""
    if own >= _ON_BAR:
        return reach & _ON_BAR
    if own & _OUTSIDE:
        return own & reach
    # all are home: a die bears off from its own point, or from the highest point held if that is lower
    highest = (own.bit_length() >> 3) - 1  # a flag is the top one of the eight bits of its slot
    return own & (reach | _FLAG[min(die, highest)])


@lru_cache(maxsize=1 << 14)
def slots_of(flags: int) -> tuple[int, ...]:
    """The slots whose flag is set, highest first."""
    slots: list[int] = []
    while flags:
        slot = (flags.bit_length() >> 3) - 1  # a flag is the top one of the eight bits of its slot
        flags ^= _FLAG[slot]  # cleared
        slots.append(slot)
    return tuple(slots)


def _doublet(board: Packed, die: int) -> list[Packed]:
    """As many of the four moves of a doublet as possible, from sources that never increase."""
    # a blot can be hit from one source only, and only by the first checker from there
    not_blocked, blots = _landing(board)
    reach, first_steps = _by_die(not_blocked, blots, die)
    later_steps = _STEP[die]  # without hits
    # boards, each with the slot that the last move came from
    farthest: list[tuple[Packed, int]] = []
    going_on = [(board, SLOTS)]  # no move yet, so every slot is a source
    for _ in range(4):
        after: list[tuple[Packed, int]] = []
        for now, last_source in going_on:
            own = (now - _ONES) & _FLAGS
            sources = _sources_in(own, reach, die) & _UP_TO[last_source]
            for source in slots_of(sources):
                steps = later_steps if source == last_source else first_steps
                after.append((now + steps[source], source))
        if not after:
            break
        farthest = after
        going_on = after
    return [now for now, _ in farthest]


def _mixed(board: Packed, own: int, high: int, low: int) -> Collection[Packed]:
    """Both dice if possible, else the higher, else the lower."""
    not_blocked, blots = _landing(board)
    reach, steps = _by_die(not_blocked, blots, high)
    by_high = (high, reach, steps)
    reach, steps = _by_die(not_blocked, blots, low)
    by_low = (low, reach, steps)
    highs, high_then_low = _in_turn(board, own, first=by_high, second=by_low)
    lows, low_then_high = _in_turn(board, own, first=by_low, second=by_high)
    by_both_dice = high_then_low | low_then_high
    return by_both_dice or highs or lows


def _in_turn(
    board: Packed, own: int, first: _Die, second: _Die
) -> tuple[list[Packed], dict[Packed, None]]:
    """The results of one die, and of that die and then the other."""
    first_die, first_reach, first_steps = first
    second_die, second_reach, second_steps = second
    first_sources = slots_of(_sources_in(own, first_reach, first_die))
    singles = [board + first_steps[source] for source in first_sources]
    results: dict[Packed, None] = {}  # a set in order
    for now in singles:
        steps = second_steps
        has_hit = (now ^ board) & 0xFF  # the opponent's bar, slot 0, has changed
        if has_hit:  # that blot must not be hit again
            not_blocked, blots = _landing(now)
            _, steps = _by_die(not_blocked, blots, second_die)
        own_now = (now - _ONES) & _FLAGS
        for source in slots_of(_sources_in(own_now, second_reach, second_die)):
            results[now + steps[source]] = None
    return singles, results


# --- the moves of a play ---------------------------------------------------------------------------


def moves_to(board: Board, high: int, low: int, after: Board) -> list[PlainMove] | None:
    """The moves that lead from a board to a legal result, from the rear, larger die first; None if none do.

    No move depends on one from a lower point, so this order is always legal. Where one die bears a checker off and both
    together do the same, both must be played, unless the game is over.
    """
    dice = (high,) * 4 if high == low else (high, low)
    return _retrace(pack(board), pack_flipped(after), dice)


def _retrace(board: Packed, result: Packed, dice: tuple[int, ...]) -> list[PlainMove] | None:
    """The same as `moves_to`, with the dice that are left.

    The rearmost slot in which the boards differ must be the next source, since moves change only lower slots.
    """
    if board == result:
        can_go_on = any(sources_of(board, die) for die in dice)
        return None if can_go_on else []
    source = ((board ^ result).bit_length() - 1) // 8
    by_one_die: list[PlainMove] | None = None
    for die in dict.fromkeys(dice):  # each number once
        playable, steps = sources_and_steps(board, die)
        if not playable & _FLAG[source]:
            continue
        rest = _retrace(board + steps[source], result, without(die, dice))
        if rest is None:
            continue
        target = max(source - die, 0)
        moves = [(source, target, hits(board, target)), *rest]
        is_over = not own_slots(result)
        if rest or is_over:
            return moves
        # one die does it; but if the other one and then this do the same, both must be played
        if by_one_die is None:
            by_one_die = moves
    return by_one_die


# --- a turn move by move ---------------------------------------------------------------------------


def turn_nodes(board: Board, high: int, low: int) -> tuple[Node, ...]:
    """Every order of moves that is a legal play, as a graph (see `TurnTree.nodes`).

    A stage of a turn is a board and the dice left. First all stages are found, then those kept that lead to a result
    with as few dice left as possible, or with all checkers off.
    """
    packed = pack(board)
    start: _Stage = (packed, (high,) * 4 if high == low else (high, low))
    graph = _every_stage(start)
    results = set(_results(packed, high, low))
    useful = _useful_stages(graph, start, results)
    numbers = {stage: number for number, stage in enumerate(useful)}
    return tuple(_node_of(branches, numbers) for branches in useful.values())


def _useful_stages(
    graph: dict[_Stage, list[_Branch]], start: _Stage, results: set[Packed]
) -> dict[_Stage, list[_Branch]]:
    """The start and all stages that lead to a result or are one, in their order, with the branches that do so."""
    fewest = min(len(left) for _, left in graph)
    useful: dict[_Stage, list[_Branch]] = {}
    # backward: a stage stands before those that it leads to, so it is known which of them are useful
    for stage in reversed(graph):
        branches: list[_Branch] = []
        for branch in graph[stage]:
            _, _, _, stage_after = branch
            if stage_after in useful:
                branches.append(branch)
        now, left = stage
        is_over = not own_slots(now)
        is_result = now in results and (len(left) == fewest or is_over)
        is_start = stage == start  # always a node, even if the game is over
        if branches or is_result or is_start:
            useful[stage] = branches
    return {stage: useful[stage] for stage in reversed(useful)}  # forward again


def _every_stage(start: _Stage) -> dict[_Stage, list[_Branch]]:
    """The stages of a turn with the moves that the dice left allow: first those with the most dice left."""
    graph: dict[_Stage, list[_Branch]] = {}
    waiting = deque([start])
    while waiting:
        stage = waiting.popleft()
        if stage in graph:
            continue
        now, left = stage
        branches = _branches(now, left)
        graph[stage] = branches
        for _, _, _, after in branches:
            waiting.append(after)
    return graph


def _node_of(branches: list[_Branch], numbers: Mapping[_Stage, int]) -> Node:
    """Moves with the number of the node that each leads to, in place of the stage."""
    return tuple([(p, to, die, numbers[after]) for p, to, die, after in branches])


def _branches(board: Packed, dice: tuple[int, ...]) -> list[_Branch]:
    """Every move that the dice left allow, from the rear, larger die first.

    Where either of two dice bears the same checker off, the smaller one is used. No checker is farther back then, so
    whichever die is left bears the next one off.
    """
    branches: list[_Branch] = []
    for die in dict.fromkeys(dice):
        playable, steps = sources_and_steps(board, die)
        left = without(die, dice)
        for source in slots_of(playable):
            target = max(source - die, 0)
            stage_after = (board + steps[source], left)
            branches.append((source, target, die, stage_after))
    if len(set(dice)) < 2:  # no two dice do the same
        return branches
    branch_of_way: dict[tuple[int, int], _Branch] = {}
    for branch in branches:  # those of the smaller die come last, and replace those of the larger
        source, target, _, _ = branch
        branch_of_way[source, target] = branch
    return sorted(branch_of_way.values(), key=itemgetter(0), reverse=True)


def without(die: int, dice: tuple[int, ...]) -> tuple[int, ...]:
    """The dice left after one of them is played."""
    index = dice.index(die)
    return dice[:index] + dice[index + 1 :]

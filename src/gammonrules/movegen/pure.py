"""Every legal play of a roll, in pure Python: the text that people read.

A board is one integer (see `board`), and that makes the moves cheap:

* A move is an addition: take one from slot p, add one to slot p - die. A hit adds one more there and takes
  one from slot 0. Results are integers, compared and hashed in one step, decoded only when somebody asks.
* A question about all points is one addition and one mask. 63 added to every slot sets the top bit of just
  those that hold own checkers; 65 added, of those that are not blocked. Shifted by a die, the open points
  become the points from which that die reaches them; `&` with the own points gives the sources of the die.
* The opponent's points never change during a turn, except that a blot may be hit, which closes nothing. So
  what a die reaches is computed once for the whole turn.

A doublet is played from the rear: if sources never increase, no multiset of moves occurs twice, so no result
does. For two different dice, a play moves two checkers, each by one die (all pairs of sources), or one
checker by both (a run, in either order). Where the bar or bearing off may interfere, the dice are simply
played one after the other in both orders. A result that several routes reach keeps the first one found.

The rules, and where they stand: the bar first, no blocked points, bearing off (`_sources`); a blot is hit
(`_steps`); as many dice as possible, and the higher if only one of two (`_doublet`, `_mixed`).
"""

from __future__ import annotations

from functools import lru_cache

from gammonrules.movegen.board import BAR, LOW_FIRST, SLOTS, ZERO, Board, Route, every

_FLAGS = every(0x80)
_POINTS = every(0x80, range(1, 25))
_OUTSIDE = every(0x80, range(7, SLOTS))
_OWN = every(63)  # 64 + n + 63 has the top bit for n >= 1
_OPEN = every(65)  # ... + 65 for n >= -1
_NOT_THEIRS = every(64)  # ... + 64 for n >= 0
_FLAG = [0x80 << 8 * slot for slot in range(SLOTS)]
_ON_BAR = _FLAG[BAR]
_UP_TO = [every(0x80, range(slot + 1)) for slot in range(SLOTS + 1)]
_HIT = [(1 << 8 * slot) - 1 for slot in range(SLOTS)]
_STEP = [[(1 << 8 * (p - die) if p > die else 0) - (1 << 8 * p) for p in range(SLOTS)] for die in range(7)]
_MARK = [[p << 5 * depth for p in range(SLOTS)] for depth in range(4)]


def legal_plays(board: Board, high: int, low: int) -> dict[Board, Route]:
    """All results of a roll (before the turn changes), with a route to each.

    None if nothing can be played or the game is over.
    """
    if (board + _NOT_THEIRS) & _FLAGS == _FLAGS:  # the opponent has borne off everything
        return {}
    return _doublet(board, high) if high == low else _mixed(board, high, low)


def sources(board: Board, die: int) -> int:
    """The flags of the slots from which this die can be played next."""
    return _sources((board + _OWN) & _FLAGS, _reach(board, die), die)


def step(board: Board, source: int, die: int) -> Board:
    """The board after one move, which must be possible."""
    return board + _steps(board, _reach(board, die), die)[source]


def _reach(board: Board, die: int) -> int:
    """The flags of the slots from which this die leads to an open point."""
    return (((board + _OPEN) & _POINTS) << 8 * die) & _FLAGS


def _sources(own: int, reach: int, die: int) -> int:
    """The step rule: the own slots from which a die that reaches its point from `reach` can be played."""
    if own >= _ON_BAR:
        return reach & _ON_BAR
    if own & _OUTSIDE:
        return own & reach
    # all are home: a die takes off from its own point, or from the highest point held if that is nearer
    highest = (own.bit_length() >> 3) - 1
    return own & (reach | _FLAG[min(die, highest)])


@lru_cache(maxsize=1 << 14)
def slots_of(flags: int) -> tuple[int, ...]:
    """The slots whose flag is set, highest first."""
    slots: list[int] = []
    while flags:
        slot = (flags.bit_length() >> 3) - 1
        flags ^= _FLAG[slot]
        slots.append(slot)
    return tuple(slots)


def _steps(board: Board, reach: int, die: int) -> list[int]:
    """What a move by this die adds to the board, by source; a blot on its point is hit."""
    blots = (board + _OPEN) & ~(board + _NOT_THEIRS) & _POINTS
    hitting = (blots << 8 * die) & reach
    if not hitting:
        return _STEP[die]
    steps = _STEP[die].copy()
    for slot in slots_of(hitting):
        steps[slot] += _HIT[slot - die]
    return steps


def _doublet(board: Board, die: int) -> dict[Board, Route]:
    """As many of the four moves by one number as possible, from sources that never increase."""
    own = (board + _OWN) & _FLAGS
    reach = _reach(board, die)
    # a blot can be hit from one source only, and only by the first checker that comes from there
    plain, first = _STEP[die], _steps(board, reach, die)
    rear = (own.bit_length() >> 3) - 1
    if rear < BAR and (rear - 4 * die > 6 or (own & _OUTSIDE).bit_count() > 4):
        return _doublet_in_the_field(board, reach, plain, first)
    nodes: list[tuple[Board, int, Route]] = [(board, SLOTS, 0)]
    for mark in _MARK:
        after = [
            (now + (plain if p == last else first)[p], p, route + mark[p])
            for now, last, route in nodes
            for p in slots_of(_sources((now + _OWN) & _FLAGS, reach, die) & _UP_TO[last])
        ]
        if not after:
            break
        nodes = after
    return {now: route for now, _, route in nodes if route}


def _doublet_in_the_field(board: Board, reach: int, plain: list[int], first: list[int]) -> dict[Board, Route]:
    """The same where nobody enters or bears off, which takes the tests out of the loop."""
    limits = [reach & flags for flags in _UP_TO]
    nodes: list[tuple[Board, int, Route]] = [(board, SLOTS, 0)]
    for mark in _MARK[:3]:
        after = [
            (now + (plain if p == last else first)[p], p, route + mark[p])
            for now, last, route in nodes
            for p in slots_of((now + _OWN) & limits[last])
        ]
        if not after:
            return {now: route for now, _, route in nodes if route}
        nodes = after
    mark = _MARK[3]
    return {
        now + (plain if p == last else first)[p]: route + mark[p]
        for now, last, route in nodes
        for p in slots_of((now + _OWN) & limits[last])
    } or {now: route for now, _, route in nodes}


def _mixed(board: Board, high: int, low: int) -> dict[Board, Route]:
    """Both dice if possible, else the higher, else the lower."""
    own = (board + _OWN) & _FLAGS
    if own < _ON_BAR and (own & _OUTSIDE).bit_count() > 1:
        return _mixed_in_the_field(board, own, high, low)
    highs, both = _in_turn(board, high, low, 0)
    lows, others = _in_turn(board, low, high, LOW_FIRST)
    for result, route in others.items():
        both.setdefault(result, route)
    return both or highs or lows


def _in_turn(board: Board, one: int, other: int, mark: Route) -> tuple[dict[Board, Route], dict[Board, Route]]:
    """The results of one die, and those of that die and then the other."""
    first, second = _MARK[:2]
    reach, reach_other = _reach(board, one), _reach(board, other)
    steps = _steps(board, reach, one)
    singles = {board + steps[p]: mark + first[p] for p in slots_of(_sources((board + _OWN) & _FLAGS, reach, one))}
    both: dict[Board, Route] = {}
    for now, route in singles.items():
        steps = _steps(now, reach_other, other)
        for p in slots_of(_sources((now + _OWN) & _FLAGS, reach_other, other)):
            both.setdefault(now + steps[p], route + second[p])
    return singles, both


def _mixed_in_the_field(board: Board, own: int, high: int, low: int) -> dict[Board, Route]:
    """Two different dice where nobody enters or bears off, whichever checker moves first."""
    reach_high, reach_low = _reach(board, high), _reach(board, low)
    by_high, by_low = _steps(board, reach_high, high), _steps(board, reach_low, low)
    highs, lows = own & reach_high, own & reach_low
    second = _MARK[1]
    partners = [(by_low[p], second[p]) for p in slots_of(lows)]
    found = {board + by_high[p] + y: p + mark for p in slots_of(highs) for y, mark in partners}
    for p in slots_of(highs & lows):
        if board >> 8 * p & 0xFF == ZERO + 1:  # a single checker cannot make both moves
            del found[board + by_high[p] + by_low[p]]
    if by_high is not _STEP[high]:
        for p in slots_of(highs & lows << 8 * high >> 8 * low):
            if by_high[p] != _STEP[high][p]:  # the blot on which both moves end is hit once
                twice = board + by_high[p] + by_low[p - high + low]
                found[twice - _HIT[p - high]] = found.pop(twice)
    for p in slots_of(highs & reach_low << 8 * high):
        found.setdefault(board + by_high[p] + by_low[p - high], p + second[p - high])
    for p in slots_of(lows & reach_high << 8 * low):
        found.setdefault(board + by_low[p] + by_high[p - low], LOW_FIRST + p + second[p - low])
    return (
        found
        or {board + by_high[p]: p for p in slots_of(highs)}
        or {board + by_low[p]: LOW_FIRST + p for p in slots_of(lows)}
    )

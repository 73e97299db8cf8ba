"""To which outcomes a game can still lead by plays alone, over all rolls and all legal plays of both sides.

An outcome is a number here: the level at which the player on roll wins, negative if they lose.

**Without contact** the sides move independently: an outcome is possible if one side can be off after a number of its
turns after which the other can be where that level counts. In between its fewest and its most turns, a side can do so
after each number of turns.

* *Fewest*: a move is of six pips at most, and a turn has at most four. So a turn takes off at most four of the sixes
  that a checker needs (one from points 1 to 6, two from 7 to 12, and so on), and 66 takes off four.
* *Most*: a checker on point p has p - 1 pips to play before it is borne off, and (p - 1) // 2 twos among them. 21 takes
  three pips, 11 four, and no roll fewer. So it is 21 while there are twos to play, then 11.
* A checker in the opponent's home board has to keep 18 pips, nine twos, to stay there. Nothing is borne off meanwhile,
  so the others can play all of theirs first.

**With contact** an outcome is possible if the numbers of checkers off do not exclude it, unless all plays of the next
turns do. Boards can repeat, so no number of turns settles every game: what is given is never too small.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import mul
from typing import TypeAlias

import attrs

from gammonrules.board.encoding import BAR, SLOTS, Board, is_race, pips_of, sides
from gammonrules.board.generator import kernel_outcomes, legal_plays

Outcomes: TypeAlias = frozenset[int]
"""Levels at which the player on roll wins, negative if they lose: 1 single, 2 gammon, 3 backgammon."""

_TURNS = 3
"""How many turns are looked ahead with contact; a fourth settles no more boards of two checkers a side."""
_MAX_BOARDS = 100
"""How many boards are looked at with contact, so that no answer takes long."""
_ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
"""The small ones first: they bear off the fewest checkers, so they leave the most outcomes."""
_NEVER = range(0)
_TWOS = [max(point - 1, 0) // 2 for point in range(SLOTS)]
"""By point: how many twos a checker has to play before it is borne off."""
_SIXES = [(point + 5) // 6 for point in range(SLOTS)]
"""By point: how many sixes a checker needs to be borne off."""
_SIXES_TO_HOME = [max(point - 1, 0) // 6 for point in range(SLOTS)]
"""By point: how many sixes a checker needs to come home."""


def possible_outcomes(board: Board, checkers: int) -> Outcomes:
    """The outcomes to which a game that is not over can lead: exactly without contact, else never too few."""
    if kernel_outcomes is not None:
        return _SETS[kernel_outcomes(board, checkers)]
    return outcomes_by_python(board, checkers)


def outcomes_by_python(board: Board, checkers: int) -> Outcomes:
    """The same without the kernel."""
    return LookAhead(checkers, _MAX_BOARDS).outcomes(board, _TURNS)


_LEVELS_OF_BITS = (1, 2, 3, -1, -2, -3)
_SETS = [
    frozenset(level for bit, level in enumerate(_LEVELS_OF_BITS) if number >> bit & 1)
    for number in range(1 << len(_LEVELS_OF_BITS))
]
"""The sets of outcomes by their number in the kernel, which has a bit for each."""


# --- with contact ------------------------------------------------------------------------------------


@attrs.define
class LookAhead:
    """All plays of the next turns."""

    checkers: int
    boards_left: int
    """How many boards may still be looked at."""
    _known: dict[tuple[Board, int], Outcomes] = attrs.field(factory=dict, init=False)
    """What was found for a board and a number of turns."""

    def outcomes(self, board: Board, turns: int) -> Outcomes:
        """The outcomes of a board, looking so many turns ahead."""
        key = (board, turns)
        if key not in self._known:
            self.boards_left -= 1
            self._known[key] = self._find(board, turns)
        return self._known[key]

    def _find(self, board: Board, turns: int) -> Outcomes:
        mine, theirs = sides(board)
        if not any(theirs):  # the last play bore off all they had
            return frozenset([-_level_lost(mine, self.checkers)])
        if _must_end(mine, theirs):
            return frozenset([_level_lost(theirs, self.checkers)])
        if is_race(board):
            return outcomes_of_race(mine, theirs, self.checkers)
        possible = _not_excluded(mine, theirs, self.checkers)
        # of the turns looked at, the first, third and so on are mine
        can_end = _fewest_turns(mine) <= (turns + 1) // 2 or _fewest_turns(theirs) <= turns // 2
        if not can_end:
            return possible

        reached: Outcomes = frozenset()
        for after in _next_boards(board):
            is_known = (after, turns - 1) in self._known
            if not is_known and self.boards_left <= 0:
                return possible
            reached |= _as_opponent_sees(self.outcomes(after, turns - 1))
            if reached == possible:
                break
        return reached


def _next_boards(board: Board) -> Iterator[Board]:
    """The boards that one turn leads to, each once, as seen by the opponent."""
    before: set[Board] = set()
    for high, low in _ROLLS:
        for after in legal_plays(board, high, low):
            if after not in before:
                before.add(after)
                yield after


@lru_cache
def _as_opponent_sees(outcomes: Outcomes) -> Outcomes:
    """The same outcomes as the opponent sees them."""
    return frozenset(-level for level in outcomes)


def _not_excluded(mine: bytes, theirs: bytes, checkers: int) -> Outcomes:
    """The outcomes that the numbers of checkers off leave."""
    wins = _levels_left(theirs, checkers)
    losses = _levels_left(mine, checkers)
    return frozenset([*wins, *(-level for level in losses)])


def _levels_left(loser: bytes, checkers: int) -> list[int]:
    """The levels at which a side may lose. A side of one checker never loses with some off."""
    if sum(loser) < checkers:
        return [1]
    return [2, 3] if checkers == 1 else [1, 2, 3]


def _must_end(mine: bytes, theirs: bytes) -> bool:
    """Whether every roll bears off the last of my checkers: two on the ace point, or one on points 1 to 3."""
    left = sum(mine)
    if left > 2:
        return False
    rear = len(mine.rstrip(b"\0")) - 1
    if rear > (3 if left == 1 else 1):
        return False
    in_front = theirs[SLOTS - rear : BAR]
    return max(in_front, default=0) < 2


def _level_lost(loser: bytes, checkers: int) -> int:
    """The level at which a side loses a game that ends now."""
    if sum(loser) < checkers:
        return 1
    return 3 if any(loser[19:]) else 2


# --- without contact ---------------------------------------------------------------------------------


def outcomes_of_race(mine: bytes, theirs: bytes, checkers: int) -> Outcomes:
    """Every outcome that is possible once the sides have passed each other, and no other."""
    me = SideAlone.of(mine, checkers)
    them = SideAlone.of(theirs, checkers)
    # I begin, so when I am off, they have had one turn less
    wins = them.levels_lost(range(me.ends.start - 1, me.ends.stop - 1))
    losses = me.levels_lost(them.ends)
    return frozenset([*wins, *(-level for level in losses)])


@attrs.frozen
class SideAlone:
    """A side that nothing hinders: what can have become of it after how many of its turns."""

    ends: range
    """When it can bear off its last checker."""
    some_off: range
    """When it can have borne off some of its checkers, but not all."""
    none_off: range
    """When it can have borne off none, with none in the opponent's home board."""
    is_back: range
    """When it can have a checker in the opponent's home board, and none off."""

    @classmethod
    def of(cls, side: bytes, checkers: int) -> SideAlone:
        """The facts about a side with these counts by point, of so many checkers."""
        left = sum(side)
        pips = pips_of(side) - left
        twos = _sum_over(side, _TWOS)
        # at the end a checker is worth half a turn, as two pips are where 11 takes four; the last has to stay
        after_last = _slowest_turns(pips, twos, pips_more=2 * left - 1) + 1
        ends = range(_fewest_turns(side), after_last + 1)
        if left < checkers:
            return cls(ends, some_off=range(after_last), none_off=_NEVER, is_back=_NEVER)

        back = sum(side[19:])
        is_back = range(_slowest_turns(pips - 18, twos - 9) + 1) if back else _NEVER
        none_off = range(_turns_of_66(back), _slowest_turns(pips, twos) + 1)
        some_off = range(_first_off(side), after_last) if left > 1 else _NEVER
        return cls(ends, some_off, none_off, is_back)

    def levels_lost(self, turns: range) -> list[int]:
        """The levels at which it can lose a game that ends after one of these numbers of its turns."""
        stages = (self.some_off, self.none_off, self.is_back)
        return [level for level, stage in enumerate(stages, 1) if _overlap(stage, turns)]


def _fewest_turns(side: bytes) -> int:
    """The fewest turns in which a side can bear off all its checkers, also if nobody hinders it."""
    return _turns_of_66(_sum_over(side, _SIXES))


def _sum_over(side: bytes, numbers: list[int]) -> int:
    """The sum of a number over all checkers, by their points."""
    return sum(map(mul, side, numbers))


def _turns_of_66(sixes: int) -> int:
    """The turns of 66 that so many sixes take."""
    return (sixes + 3) // 4


def _slowest_turns(pips: int, twos: int, pips_more: int = 0) -> int:
    """In how many turns a side plays no more than these pips, of which at most so many moves can be twos.

    With 21 while there are twos, then with 11. Below 0 if it has to play more at once.
    """
    of_21 = max(min(pips // 3, twos), 0)
    of_11 = (pips - 3 * of_21 + pips_more) // 4
    return of_21 + of_11


def _first_off(side: bytes) -> int:
    """The fewest turns after which a side of two checkers or more has borne off some, but not all."""
    turns = _turns_of_66(_sum_over(side, _SIXES_TO_HOME) + 1)
    # of two checkers, a turn that bears off the first may have to bear off the other as well
    if sum(side) == 2 and turns == 1 and not _can_bear_off_one(side):
        return 2
    return turns


@lru_cache
def _can_bear_off_one(side: bytes) -> bool:
    """Whether one turn can bear off one of two checkers and not the other."""
    their_bar = b"\xff"  # a side that hinders nobody
    board = their_bar + side[1:]
    return any(sum(sides(after)[1]) == 1 for after in _next_boards(board))


def _overlap(turns: range, others: range) -> bool:
    return max(turns.start, others.start) < min(turns.stop, others.stop)

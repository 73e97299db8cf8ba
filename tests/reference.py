"""The rules of checker play, written down as directly as possible: a brute force to hold against the package.

This module imports nothing from the package and is meant to be read, not to be fast. A *side* is a tuple of 26 counts
in the numbering of its owner: 0 is off, 1 to 24 are the points, 25 is the bar. A *board* is the pair (side of the
player on roll, side of the opponent). A player's point p is the opponent's point 25 - p; bar and off are nobody else's.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

OFF, BAR = 0, 25
HOME = range(1, 7)
ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))

RULES = (
    "bar first",
    "blocked points",
    "hits",
    "all home",
    "larger numbers",
    "highest point",
    "either order",
    "as many as possible",
    "higher die",
    "doublets",
)
"""The rules that `results` can leave out, to see where each of them matters."""

Side = tuple[int, ...]
Board = tuple[Side, Side]


class Step(NamedTuple):
    """One checker moved by one die."""

    start: int
    end: int
    hits: bool


def side(counts: dict[int, int], checkers: int = 15) -> Side:
    """A side with the given checkers; those not mentioned are off."""
    result = [0] * 26
    for place, count in counts.items():
        result[place] += count
    result[OFF] = 0
    result[OFF] = checkers - sum(result)
    return tuple(result)


def flip(board: Board) -> Board:
    """The same board, seen by the other player."""
    mine, theirs = board
    return theirs, mine


def signed(board: Board) -> tuple[int, ...]:
    """The 26 numbers in which the package shows a board: mine positive, theirs negative, all in my numbering."""
    mine, theirs = board
    points = [mine[point] - theirs[25 - point] for point in range(1, 25)]
    return (-theirs[BAR], *points, mine[BAR])


def is_valid(board: Board) -> bool:
    """Whether the board is possible at all: no shared point, someone still playing, someone able to move."""
    mine, theirs = board
    shared = any(mine[point] and theirs[25 - point] for point in range(1, 25))
    both_off = not any(mine[1:]) and not any(theirs[1:])
    return not shared and not both_off and not (is_shut_out(board) and is_shut_out(flip(board)))


def is_shut_out(board: Board) -> bool:
    """Whether I have a checker on the bar while the opponent holds every point of their home board."""
    mine, theirs = board
    return mine[BAR] > 0 and all(theirs[point] >= 2 for point in HOME)


# --- moving ---------------------------------------------------------------------------------------------------------


def steps(board: Board, die: int, without: str = "") -> Iterator[tuple[Step, Board]]:
    """Every way to move one checker by this die, with the board after it."""
    mine, theirs = board
    for start in range(BAR, 0, -1):
        if mine[start] == 0 or (mine[BAR] and start != BAR and without != "bar first"):
            continue
        end = start - die
        if end > 0:
            opposing = theirs[25 - end]
            if opposing < 2 or without == "blocked points":
                yield _moved(board, start, end, hits=opposing == 1 and without != "hits")
        elif not any(mine[7:]) or without == "all home":
            is_highest = not any(mine[start + 1 :]) or without == "highest point"
            if end == 0 or (is_highest and without != "larger numbers"):
                yield _moved(board, start, OFF, hits=False)


def _moved(board: Board, start: int, end: int, *, hits: bool) -> tuple[Step, Board]:
    mine, theirs = list(board[0]), list(board[1])
    mine[start] -= 1
    mine[end] += 1
    if hits:
        theirs[25 - end] -= 1
        theirs[BAR] += 1
    return Step(start, end, hits), (tuple(mine), tuple(theirs))


def orders(dice: tuple[int, int], without: str = "") -> list[tuple[int, ...]]:
    """The orders in which the numbers of a roll can be played."""
    first, second = dice
    if first == second:
        return [(first,) * (2 if without == "doublets" else 4)]
    return [(first, second)] if without == "either order" else [(first, second), (second, first)]


@lru_cache(maxsize=100)
def results(board: Board, dice: tuple[int, int], without: str = "") -> set[Board]:
    """Every board that a legal play leads to, still seen by the player who moved.

    As many numbers as possible must be played; if only one of two can be, it is the higher if that is possible. Without
    any legal move the board stays as it is. A finished game has no plays. One of the `RULES` may be left out.
    """
    if is_over(board):
        return set()
    if without == "as many as possible":
        return {last for order in orders(dice) for _, _, last in _sequences(board, order)}
    reached = {order: _levels(board, order, without) for order in orders(dice, without)}
    longest = max(len(levels) for levels in reached.values())
    if longest == 0:
        return {board}
    best = [order for order, levels in reached.items() if len(levels) == longest]
    if longest == 1 and without != "higher die":
        best = [max(best)]
    return set().union(*(reached[order][-1] for order in best))


def numbers_played(board: Board, dice: tuple[int, int]) -> int:
    """How many numbers of the roll can be played."""
    return max(len(_levels(board, order)) for order in orders(dice))


@lru_cache(maxsize=100)
def _levels(board: Board, order: tuple[int, ...], without: str = "") -> list[set[Board]]:
    """What can be reached with one number, with two, and so on, played in this order."""
    reached, levels = {board}, []
    for die in order:
        reached = {after for before in reached for _, after in steps(before, die, without)}
        if not reached:
            break
        levels.append(reached)
    return levels


@lru_cache(maxsize=100)
def sequences(board: Board, dice: tuple[int, int], without: str = "") -> dict[tuple[Step, ...], Board]:
    """Every legal sequence of single steps, by the same rules, with the board that it leads to."""
    if is_over(board):
        return {}
    every = [sequence for order in orders(dice, without) for sequence in _sequences(board, order, without)]
    if without == "as many as possible":
        return {path: after for _, path, after in every}
    longest = max(len(numbers) for numbers, _, _ in every)
    legal = [entry for entry in every if len(entry[0]) == longest]
    if longest == 1 and dice[0] != dice[1] and without != "higher die":
        highest = max(numbers for numbers, _, _ in legal)
        legal = [entry for entry in legal if entry[0] == highest]
    return {path: after for _, path, after in legal}


def _sequences(
    board: Board, order: tuple[int, ...], without: str = ""
) -> Iterator[tuple[tuple[int, ...], tuple[Step, ...], Board]]:
    """(numbers used, steps, board) of every sequence in this order that cannot be continued."""
    stuck = True
    for die in order[:1]:
        for step, after in steps(board, die, without):
            stuck = False
            for numbers, path, last in _sequences(after, order[1:], without):
                yield (die, *numbers), (step, *path), last
    if stuck:
        yield (), (), board


@lru_cache(maxsize=100)
def endings(board: Board, dice: tuple[int, int]) -> dict[tuple[Step, ...], Board]:
    """Every legal sequence, and the few shorter ones that bear off the last checker with the same result.

    The roll is void when the game is over: a checker alone on its 3 point leaves with 3-1 by 3/off as by 3/2/off.
    """
    return sequences(board, dice) | {path: after for path, after in _shorter(board, dice).items() if is_over(after)}


def shortcuts(board: Board, dice: tuple[int, int]) -> dict[tuple[Step, ...], Board]:
    """Every sequence that leaves a number unused which could be played, though it arrives where a legal play does.

    With 3-1 and a checker on 2 that the 1 cannot move, 3/off leads to the same board as 3/2/off.
    """
    return {path: after for path, after in _shorter(board, dice).items() if not is_over(after)}


def _shorter(board: Board, dice: tuple[int, int]) -> dict[tuple[Step, ...], Board]:
    arrivals, legal = results(board, dice), sequences(board, dice)
    every = [sequence for order in orders(dice) for sequence in _sequences(board, order)]
    return {path: after for _, path, after in every if after in arrivals and path not in legal}


# --- counting -------------------------------------------------------------------------------------------------------


def is_over(board: Board) -> bool:
    """Whether one side has borne off everything."""
    return any(not any(side[1:]) for side in board)


def pips(side: Side) -> int:
    """How far a side has to go; a checker on the bar counts 25."""
    return sum(place * count for place, count in enumerate(side))


def level(loser: Side) -> int:
    """1 for a single game, 2 for a gammon, 3 for a backgammon, from the checkers of the loser."""
    if loser[OFF]:
        return 1
    in_winners_home_or_on_the_bar = any(loser[19:])
    return 3 if in_winners_home_or_on_the_bar else 2


class End(NamedTuple):
    """How a game can end, as the side on roll sees it."""

    won: bool
    level: int
    loser_pips: int


@lru_cache(None)
def ends(board: Board) -> frozenset[End]:
    """Every end of a race, over all rolls and all plays."""
    return ends_after(board, ROLLS)


def ends_after(board: Board, rolls: tuple[tuple[int, int], ...]) -> frozenset[End]:
    """Every end of a race after one of these rolls."""
    every: set[End] = set()
    for after in {after for dice in rolls for after in results(board, dice)}:
        if is_over(after):
            loser = after[1]
            every.add(End(won=True, level=level(loser), loser_pips=pips(loser)))
        else:
            every |= {end._replace(won=not end.won) for end in ends(flip(after))}
    return frozenset(every)


def races(checkers: int, places: Collection[int]) -> list[Board]:
    """All races of up to so many checkers a side on these points, the others off."""
    sides = [
        side({place: on.count(place) for place in on}, checkers)
        for left in range(1, checkers + 1)
        for on in combinations_with_replacement(places, left)
    ]
    return [board for board in product(sides, sides) if is_valid(board) and is_race(board)]


def is_race(board: Board) -> bool:
    """Whether no checker has an opposing checker left to pass."""
    mine, theirs = board
    return not any(
        mine[point] and theirs[opposing] and point > 25 - opposing
        for point in range(1, 26)
        for opposing in range(1, 26)
    )


# --- structure ------------------------------------------------------------------------------------------------------


def anchors(side: Side) -> tuple[int, ...]:
    """The points of the opponent's home board with two or more checkers of this side, highest first."""
    return tuple(25 - theirs for theirs in HOME if side[25 - theirs] >= 2)


def longest_prime(side: Side) -> int:
    """The length of the longest stretch of points that each hold two or more checkers of this side."""
    stretches = [range(first, last + 1) for first in range(1, 25) for last in range(first, 25)]
    return max((len(points) for points in stretches if all(side[point] >= 2 for point in points)), default=0)


# --- identifiers ----------------------------------------------------------------------------------------------------


def encode_id(board: Board) -> str:
    """The Position ID: the opponent first, then the player on roll; a 1 for each checker, a 0 after each point."""
    bits = "".join("1" * side[place] + "0" for side in reversed(board) for place in range(1, 26)).ljust(80, "0")
    data = bytes(int(bits[start : start + 8][::-1], 2) for start in range(0, 80, 8))
    return base64.b64encode(data).decode()[:14]


def decode_id(text: str, checkers: int = 15) -> Board:
    """The board of a well-formed Position ID."""
    data = base64.b64decode(text + "==")
    bits = "".join(f"{byte:08b}"[::-1] for byte in data)
    runs = [len(run) for run in bits.split("0")]
    theirs, mine = ((0, *runs[:25]), (0, *runs[25:50]))
    return (checkers - sum(mine), *mine[1:]), (checkers - sum(theirs), *theirs[1:])

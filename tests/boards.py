"""Boards of the brute force: translated to and from positions, and a fast generator of random ones.

A reachable game is a narrow corridor. The rules must hold anywhere, so boards are drawn directly: fights at the bar,
closed boards, bear-offs, primes, stacks, a few checkers left, and any number of checkers a side. Those of the
properties come from the strategies of the package, which are held against the brute force; those of `random_board` are
made here, without the package and without Hypothesis, in large numbers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

import reference
from gammonrules import MatchState, Position, strategies
from reference import BAR, OFF, Board, Side

Turn: TypeAlias = tuple[Board, tuple[int, int]]
POINTS = tuple(range(1, 25))


def position_of(board: Board) -> Position:
    """The package's position for a board of the reference."""
    mine, theirs = board
    return Position.of(mine=_counts(mine), theirs=_counts(theirs), checkers=sum(mine))


def _counts(side: Side) -> dict[int | str, int]:
    named: dict[int | str, int] = {"bar": side[BAR], "off": side[OFF]}
    return named | {point: side[point] for point in POINTS if side[point]}


def board_of(position: Position) -> Board:
    """The reference's board for a position of the package."""
    points = position.points
    mine = (position.off, *(max(points[place], 0) for place in range(1, 26)))
    theirs = (position.opponent_off, *(max(-points[25 - place], 0) for place in range(1, 26)))
    return mine, theirs


# --- with Hypothesis --------------------------------------------------------------------------------------------------


def boards(*, checkers: int | None = None, over: bool = False) -> st.SearchStrategy[Board]:
    """Valid boards; with `over=True` also those of finished games."""
    return positions(checkers=checkers, over=over).map(board_of)


def positions(*, checkers: int | None = None, over: bool = False) -> st.SearchStrategy[Position]:
    """The same as positions of the package."""
    return strategies.positions(kind="any" if over else "live", checkers=checkers)


def tables() -> st.SearchStrategy[MatchState]:
    """Match states in every phase; half of them may have another number of checkers than the start of the rules."""
    return strategies.match_states() | strategies.match_states(positions=positions())


def rolls() -> st.SearchStrategy[tuple[int, int]]:
    """Two dice in either order."""
    return st.tuples(st.integers(1, 6), st.integers(1, 6))


def closed_boards() -> st.SearchStrategy[Board]:
    """Boards on which the opponent holds their whole home board and the player on roll is on the bar."""
    return strategies.positions(kind="shut-out").map(board_of)


def finished_boards() -> st.SearchStrategy[Board]:
    """Boards of finished games, won by either side."""
    return strategies.positions(kind="finished").map(board_of)


def turns(some: st.SearchStrategy[Board] | None = None) -> st.SearchStrategy[Turn]:
    """Boards, any valid ones unless given, each with a roll."""
    return st.tuples(boards() if some is None else some, rolls())


@st.composite
def tight_turns(
    draw: st.DrawFn,
    *,
    places: Sequence[int] = range(2, 26),
    most: int = 3,
    besides: Sequence[int] = (),
    primed: bool = False,
    near: Sequence[int] = (0, 2, 1),
    far: Sequence[int] = (0, 2, 1),
    dice: st.SearchStrategy[tuple[int, int]] | None = None,
) -> Turn:
    """A roll and a few checkers that can move, with the opponent on the points to which it leads.

    The rules about dice, points and bearing off decide such turns. All other checkers are off or on the ace point.

    Args:
        places: where the few may be.
        most: how many there may be.
        besides: where others are, always.
        primed: whether one more waits on the 24 point, behind six points of the opponent, so that it cannot move.
        near: how many checkers the opponent may have where one number leads.
        far: the same where several numbers lead.
        dice: any roll unless given.
    """
    first, other = draw(rolls() if dice is None else dice)
    mine = Counter(draw(st.lists(st.sampled_from(places), min_size=1, max_size=most)) + list(besides))
    theirs: Counter[int] = Counter(dict.fromkeys(range(2, 8), 2) if primed else {})
    sums = {first + other: far} | ({count * first: far for count in (3, 4)} if first == other else {})
    for distance, heights in (sums | {first: near, other: near}).items():
        for place in mine:
            if 1 <= place - distance <= 24 and place - distance not in mine:
                theirs[25 - place + distance] = draw(st.sampled_from(heights))
    mine[24] += primed
    mine[OFF if theirs[24] else draw(st.sampled_from((OFF, 1)))] += 15 - mine.total()
    return _sides(mine, theirs), (first, other)


@st.composite
def wasteful_turns(draw: st.DrawFn) -> Turn:
    """Turns of the last checkers: the higher number bears one off, and then nothing can play the lower.

    In the other order both can be played, if the point on the way is open.
    """
    low, high = draw(st.sampled_from(((1, 3), (1, 4), (1, 5), (1, 6), (2, 5), (2, 6))))
    first = draw(st.integers(2 * low + 1, high))
    way = first - low
    others = draw(st.lists(st.integers(low + 1, way), max_size=2))
    heights = dict.fromkeys((other - low for other in others), 2) | {way: draw(st.sampled_from((0, 0, 0, 1, 2)))}
    theirs = Counter({25 - point: height for point, height in heights.items() if point not in others})
    dice = draw(st.sampled_from(((high, low), (low, high))))
    return _sides(Counter([first, *others]), theirs), dice


@st.composite
def wide_turns(draw: st.DrawFn) -> Turn:
    """Turns with many plays: checkers on six to eight points, hardly blocked, and mostly a low doublet."""
    mine = Counter(dict.fromkeys(draw(st.sets(st.integers(5, 24), min_size=6, max_size=8)), 1))
    mine[max(mine)] += 15 - mine.total()
    theirs = Counter({25 - draw(st.sampled_from([point for point in POINTS if point not in mine])): 2})
    die = draw(st.integers(1, 3))
    return _sides(mine, theirs), (die, draw(st.sampled_from((die, die, 4))))


def _sides(mine: Counter[int], theirs: Counter[int]) -> Board:
    """These checkers, with the rest of the opponent's on their lowest point that is neither taken nor mentioned."""
    while theirs.total() > 15:
        theirs.popitem()
    free = next(place for place in POINTS if not mine[25 - place] and place not in theirs)
    theirs[free] = 15 - theirs.total()
    return reference.side(mine), reference.side(theirs)


# --- without Hypothesis, for large numbers ----------------------------------------------------------------------------


def _places(owned: list[int], kind: str) -> list[int]:
    """Where a side may have checkers on a board of this kind; the simplest place first."""
    match kind:
        case "bear-off":
            return [OFF, *(point for point in owned if point <= 6)]
        case "almost home":
            return [OFF, *(point for point in owned if point <= 8)]
        case "few":
            return [OFF] * 30 + [*owned, BAR]
        case "bar":
            return [OFF, *owned, *[BAR] * 8]
        case "field" | "pairs":
            return owned or [OFF]
        case _:
            return [OFF, *owned, BAR]


# pairs against stacks block each other: there the rules about unplayable dice are decided
KINDS = ("any", "field", "bear-off", "almost home", "few", "bar", *["pairs", "stacks"] * 3)


def random_board(rng: random.Random) -> Board:
    """One random board of a live game, of one of the kinds above, with 15 checkers or, at times, fewer."""
    size = 15 if rng.random() < 0.8 else rng.randint(1, 14)
    owners = rng.getrandbits(24)
    mine_owned = [point for point in POINTS if owners >> (point - 1) & 1]
    theirs_owned = [25 - point for point in reversed(POINTS) if not owners >> (point - 1) & 1]
    board = _random_side(rng, mine_owned, size), _random_side(rng, theirs_owned, size)
    return board if reference.is_valid(board) and not reference.is_over(board) else _mended(board)


def _random_side(rng: random.Random, owned: list[int], size: int) -> Side:
    kind = rng.choice(KINDS)
    places = _places(owned, kind)
    if kind == "stacks":
        places = rng.choices(places, k=3)
    counts = [0] * 26
    width = 2 if kind == "pairs" else 1
    for place in rng.choices(places, k=size // width):
        counts[place] += width
    counts[OFF] += size - sum(counts)
    return tuple(counts)


def _mended(board: Board) -> Board:
    """The nearest board of a live game: nobody has everything off, and at most one side is shut out."""
    mine, theirs = (list(side) for side in board)
    if reference.is_shut_out(board) and reference.is_shut_out(reference.flip(board)):
        theirs[OFF] += theirs[BAR]
        theirs[BAR] = 0
    for side in (mine, theirs):
        if not any(side[1:]):
            side[OFF] -= 1
            side[BAR] += 1
    return tuple(mine), tuple(theirs)


def random_game(rng: random.Random, turns: int) -> list[tuple[Board, tuple[int, int]]]:
    """Consecutive (board, roll) pairs of a game in which both sides choose at random."""
    start: Side = reference.side({24: 2, 13: 5, 8: 3, 6: 5})
    board: Board = (start, start)
    seen = []
    for _ in range(turns):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        seen.append((board, dice))
        board = reference.flip(rng.choice(sorted(reference.results(board, dice))))
        if reference.is_over(board):
            board = (start, start)
    return seen


def cases(seed: str, count: int) -> Iterator[tuple[Board, tuple[int, int]]]:
    """Half of the cases from games at random, half from anywhere."""
    rng = random.Random(seed)
    yield from random_game(rng, count // 2)
    for _ in range(count - count // 2):
        yield random_board(rng), (rng.randint(1, 6), rng.randint(1, 6))

"""What players call a position: as authors name them, by the definitions read point by point, and in arrays."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import reference
from boards import boards, position_of, random_board
from gammonrules import Position, PositionKind, batch
from gammonrules.board import StartName
from gammonrules.board.internals import board_in, is_mine
from reference import BAR, OFF, Board, Side

NAMED = Path(__file__).parents[1] / "data" / "position_kinds.tsv"


def kind_by_words(board: Board) -> str:
    """The first definition of `PositionKind` that holds, in its words."""
    both = board, board[::-1]
    words = {
        "over": reference.is_over(board),
        "bear-off": reference.is_race(board) and all(passed(mine, 6) for mine in board),
        "bear-in": not reference.is_race(board) and any(bears_in(*sides) for sides in both),
        "race": reference.is_race(board),
        "back game": any(plays_back_game(*sides) for sides in both),
        "prime against prime": all(blocks(*sides) for sides in both),
        "blitz": any(attacks(*sides) for sides in both),
        "containment": any(is_contained(*sides) for sides in both),
        "holding game": any(holds(*sides) for sides in both),
        "opening": sum(min(mine[at], start) for mine in board for at, start in ((6, 5), (8, 3), (13, 5), (24, 2))) > 21,
    }
    return next((kind for kind, holds in words.items() if holds), "other")


def passed(mine: Side, point: int) -> bool:
    return not any(mine[point + 1 :])


def back(mine: Side) -> int:
    return sum(mine[19:])


def last(mine: Side) -> bool:
    """Whether what is back is all that is not at home."""
    return not any(mine[7:19])


def bears_in(mine: Side, theirs: Side) -> bool:
    leads = reference.pips(mine) < reference.pips(theirs) or all(mine[point] > 1 for point in range(1, 7))
    return passed(mine, 12) and leads and len(reference.anchors(theirs)) < 2


def plays_back_game(mine: Side, theirs: Side) -> bool:
    return len(reference.anchors(mine)) >= 2 and reference.pips(mine) > reference.pips(theirs)


def blocks(mine: Side, theirs: Side) -> bool:
    fours = (first for first in range(1, 22) if all(mine[at] > 1 for at in range(first, first + 4)))
    return any(theirs[at] for first in fours for at in range(26 - first, BAR + 1))


def attacks(mine: Side, theirs: Side) -> bool:
    is_loose = back(theirs) and not reference.anchors(theirs) and not last(theirs)
    return bool(is_loose) and sum(mine[point] > 1 for point in range(1, 7)) >= 3


def is_contained(mine: Side, _: Side) -> bool:
    return back(mine) in {1, 2} and not reference.anchors(mine) and last(mine)


def holds(mine: Side, theirs: Side) -> bool:
    anchors = reference.anchors(mine)
    return mine[18] >= 2 or bool({20, 21} & {*anchors}) or (len(anchors) > 0 and not back(theirs))


OF_A_SIDE = {
    "bear-in": bears_in,
    "back game": plays_back_game,
    "blitz": attacks,
    "containment": is_contained,
    "holding game": holds,
}


def test_positions_that_authors_name() -> None:
    """Those that other definitions would call otherwise are on the page, which counts them."""
    with NAMED.open(encoding="utf-8", newline="") as file:
        named = [(row["kind"], Position.from_id(row["position"]).kind) for row in csv.DictReader(file, delimiter="\t")]
    agreeing = Counter(author for author, kind in named if author == kind)
    assert agreeing == {
        "over": 1, "bear-off": 10, "bear-in": 10, "race": 11, "back game": 17, "prime against prime": 9, "blitz": 8,
        "containment": 7, "holding game": 12, "opening": 10, "other": 1,
    }  # fmt: skip
    assert len(named) == 110


@given(boards(over=True))
def test_definitions_by_brute_force(board: Board) -> None:
    """Of the board and of each side's view of it, and who does or has what makes it of its kind."""
    both = board, reference.flip(board)
    points = np.array([reference.signed(view) for view in both], np.int8)
    positions = [position_of(view) for view in both]
    kind = kind_by_words(board)
    assert batch.kinds(points).tolist() == [position.kind for position in positions] == [kind] * 2
    is_of_side = OF_A_SIDE.get(kind, lambda *_: False)
    mine, theirs = (is_of_side(*view) for view in both)
    sides = [None, None] if mine == theirs else [mine, theirs]
    assert [is_mine(PositionKind(kind), board_in(position)) for position in positions] == sides


def places(rng: random.Random) -> tuple[Sequence[int], Sequence[int]]:
    """Where the checkers of a board may be, mine and theirs."""
    rear, prime, other = (rng.randint(1, most) for most in (24, 21, 21))
    nearly_passed = range(rear + 1), range(rng.choice((25, 27)) - rear)
    primes = [*range(26), *[*range(prime, prime + 4)] * 20], [*range(26), *[*range(other, other + 4)] * 20]
    full_bars = [*range(26), *[BAR] * 30], [*range(26), *[BAR] * 30]
    last_behind_closed_board = range(1, 8), [*[OFF] * 60, *range(18, 26)]
    return rng.choice((
        (range(25), range(25)), (range(26), range(26)), (range(7), range(7)),
        nearly_passed, primes, full_bars, last_behind_closed_board,
    ))  # fmt: skip


def board_on(rng: random.Random, mine: Sequence[int], theirs: Sequence[int]) -> Board:
    """A board of 15 checkers a side, or of Hypergammon; if both are on one point, the opponent's there are off."""
    checkers = rng.choice((15, 15, 3))
    mine_at, theirs_at = (Counter(rng.choices(side, k=checkers)) for side in (mine, theirs))
    free = {place: count for place, count in theirs_at.items() if place in {OFF, BAR} or not mine_at[25 - place]}
    return reference.side(mine_at, checkers), reference.side(free, checkers)


@pytest.mark.parametrize("number", [6_000, pytest.param(300_000, marks=pytest.mark.long)])
def test_one_board_is_of_the_kind_that_arrays_say(number: int) -> None:
    rng = random.Random(98)
    some = [board_on(rng, *places(rng)) if rng.random() < 0.8 else random_board(rng) for _ in range(number)]
    valid = [*filter(reference.is_valid, some)]
    kinds = batch.kinds(np.array([reference.signed(board) for board in valid], np.int8)).tolist()
    assert {*kinds} == {*PositionKind} - {PositionKind.OPENING}
    assert [position_of(board).kind for board in valid] == kinds


@pytest.mark.parametrize("games", [60, pytest.param(1200, marks=pytest.mark.long)])
def test_arrays_along_games(games: int) -> None:
    """Equal to `board_features` where both speak, and in arrays to single boards."""
    rng = np.random.default_rng(63)
    starts: tuple[StartName, ...] = ("standard", "nackgammon", "hypergammon")
    points = np.concatenate([batch.random_games(games, rng=rng, start=start).points for start in starts])
    kinds, phases = batch.kinds(points), batch.board_features(points).phase
    for name in ("over", "bear-off", "race"):
        assert np.array_equal(kinds == name, phases == name)
    assert kinds.tolist() == [position.kind for position in batch.to_positions(points)]
    assert {*PositionKind} - {*kinds.tolist()} <= {PositionKind.OVER, PositionKind.PRIME_AGAINST_PRIME}


def test_none() -> None:
    assert batch.kinds([]).shape == (0,)

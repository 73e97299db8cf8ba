"""What players call a position: as authors name them, by the definitions read point by point, and in arrays."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import kinds_page
import reference
from boards import boards
from gammonrules import Position, PositionKind, batch
from reference import BAR, Board, Side

NAMED = Path(__file__).parents[1] / "data" / "position_kinds.tsv"


def kind_by_words(board: Board) -> str:
    """The first definition of `PositionKind` that holds, in its words."""
    both = board, board[::-1]
    words = {
        "over": reference.is_over(board),
        "bear-off": reference.is_race(board) and all(passed(mine, 6) for mine in board),
        "bear-in": not reference.is_race(board) and any(bears_in(*sides) for sides in both),
        "race": reference.is_race(board),
        "back game": any(
            len(reference.anchors(mine)) >= 2 and reference.pips(mine) > reference.pips(theirs) for mine, theirs in both
        ),
        "prime against prime": all(blocks(*sides) for sides in both),
        "blitz": any(attacks(*sides) for sides in both),
        "containment": any(back(mine) in {1, 2} and not reference.anchors(mine) and last(mine) for mine in board),
        "holding game": any(
            mine[18] >= 2 or {20, 21} & {*reference.anchors(mine)} or (reference.anchors(mine) and not back(theirs))
            for mine, theirs in both
        ),
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


def blocks(mine: Side, theirs: Side) -> bool:
    fours = (first for first in range(1, 22) if all(mine[at] > 1 for at in range(first, first + 4)))
    return any(theirs[at] for first in fours for at in range(26 - first, BAR + 1))


def attacks(mine: Side, theirs: Side) -> bool:
    is_loose = back(theirs) and not reference.anchors(theirs) and not last(theirs)
    return bool(is_loose) and sum(mine[point] > 1 for point in range(1, 7)) >= 3


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
    """Of the board and of each side's view of it."""
    points = np.array([reference.signed(board), reference.signed(reference.flip(board))], np.int8)
    assert batch.kinds(points).tolist() == [kind_by_words(board)] * 2


@pytest.mark.parametrize("games", [60, pytest.param(1200, marks=pytest.mark.long)])
def test_arrays_along_games(games: int) -> None:
    """Equal to `board_features` where both speak, and in arrays to single boards."""
    points = batch.random_games(games, np.random.default_rng(63)).points
    kinds, phases = batch.kinds(points), batch.board_features(points).phase
    for name in ("over", "bear-off", "race"):
        assert np.array_equal(kinds == name, phases == name)
    assert kinds.tolist() == [position.kind for position in batch.to_positions(points)]
    assert {*PositionKind} - {*kinds.tolist()} <= {PositionKind.OVER, PositionKind.PRIME_AGAINST_PRIME}


def test_none() -> None:
    assert batch.kinds([]).shape == (0,)


def test_the_page() -> None:
    assert kinds_page.sections() in kinds_page.PAGE.read_text(encoding="utf-8")

"""What people name on a board: worked cases, the definitions counted checker by checker, and laws along whole games."""

from __future__ import annotations

import random
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import given, strategies as st
from test_batch import rows_of

import loop
import pictures
import reference
import wording
from boards import boards, finished_boards, random_board
from gammonrules import Position, PositionError, batch
from gammonrules.batch import BoardFeatures
from reference import BAR, HOME, Board, Side

EVALUATORS = Path(__file__).parents[1] / "data" / "gnubg_evaluators.tsv"
SIDE = ("longest_prime", "anchors", "home_points", "checkers_back", "blots_in_range")
PHASES = ["contact", "race", "bear-off", "over"]


def features_of(*some: Position) -> BoardFeatures:
    return batch.board_features(batch.from_positions(some))


def counted(mine: Side, board: Board) -> tuple[int, ...]:
    """The five numbers of a side, by their definitions."""
    theirs = reference.flip(board)
    hit = {25 - step.end for die in range(1, 7) for step, _ in reference.steps(theirs, die) if step.hits}
    back = sum(mine[25 - point] for point in HOME) + mine[BAR]
    made = sum(mine[point] >= 2 for point in HOME)
    return reference.longest_prime(mine), len(reference.anchors(mine)), made, back, len(hit)


def phase_of(board: Board) -> str:
    if reference.is_over(board):
        return "over"
    if not reference.is_race(board):
        return "contact"
    return "race" if any(any(side[7:]) for side in board) else "bear-off"


def check(some: list[Board]) -> None:
    features = batch.board_features(rows_of(some))
    for name in SIDE:
        column = SIDE.index(name)
        assert getattr(features, name).tolist() == [counted(mine, (mine, theirs))[column] for mine, theirs in some]
        turned = [counted(theirs, (theirs, mine))[column] for mine, theirs in some]
        assert getattr(features, f"opponent_{name}").tolist() == turned, name
    assert features.phase.tolist() == [phase_of(board) for board in some]
    assert features.contact.tolist() == [phase_of(board) == "contact" for board in some]


class TestDefinitions:
    @given(st.lists(boards() | finished_boards(), max_size=4))
    def test_counted_checker_by_checker(self, some):
        check(some)

    def test_on_many(self):
        rng = random.Random(2026)
        check([random_board(rng) for _ in range(60)])

    @loop.rows(
        ("name", "mine", "theirs", "phase"),
        ("structure", (5, 2, 3, 5, 0), (1, 1, 1, 3, 1), "contact"),
        ("blots", (1, 0, 2, 1, 2), (1, 1, 1, 2, 1), "contact"),
        ("race", (2, 0, 3, 0, 0), (3, 0, 3, 0, 0), "race"),
        ("bear-off", (3, 0, 3, 0, 0), (2, 0, 2, 0, 0), "bear-off"),
    )
    def test_pictures(self, name, mine, theirs, phase):
        """The boards that the page shows, counted by hand."""
        features = features_of(pictures.FEATURES[name][0])
        numbers = {attribute: array.item() for attribute, array in attrs.asdict(features).items()}
        expected = dict(zip(SIDE, mine, strict=True))
        expected |= {f"opponent_{attribute}": number for attribute, number in zip(SIDE, theirs, strict=True)}
        assert numbers == expected | {"contact": phase == "contact", "phase": phase}

    def test_phases_as_gnu_backgammon_divides_them(self):
        """It has two nets for contact and several ways to look up a bear-off."""
        phases = {"Contact": "contact", "Crashed": "contact", "Race": "race"}
        phases |= {"Bearoff1": "bear-off", "Bearoff2": "bear-off"}
        rows = [line.split("\t") for line in EVALUATORS.read_text(encoding="ascii").splitlines()[1:]]
        features = batch.board_features(batch.from_ids([text for text, _ in rows]))
        assert features.phase.tolist() == [phases[evaluator] for _, evaluator in rows]
        assert {evaluator for _, evaluator in rows} == {*phases}

    def test_an_opponent_on_the_bar_hits_only_from_there(self):
        theirs = {"bar": 1, 24: 2}
        features = features_of(Position.of(mine={7: 1, 6: 1, 2: 1, 20: 1}, theirs=theirs))
        assert features.blots_in_range.tolist() == [2]  # those on 6 and 2


class TestArrays:
    def test_many_are_the_same_as_few(self):
        points = batch.random_games(600, rng=np.random.default_rng(3)).points
        assert len(points) > 1 << 15
        whole, rows = batch.board_features(points), slice((1 << 14) - 5, (1 << 14) + 5)
        for name, array in attrs.asdict(batch.board_features(points[rows])).items():
            assert np.array_equal(getattr(whole, name)[rows], array)
            assert getattr(whole, name).dtype == array.dtype

    def test_none(self):
        arrays = attrs.asdict(batch.board_features([]))
        assert {array.shape for array in arrays.values()} == {(0,)}
        assert {array.dtype.str for array in arrays.values()} == {"|i1", "|b1", np.dtype("U8").str}
        assert repr(batch.board_features([])) == "<BoardFeatures of 0 boards>"

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_a_table(self, library):
        module = pytest.importorskip(library)
        make = module.table if library == "pyarrow" else module.DataFrame
        table = make(attrs.asdict(features_of(Position.start(), Position.of(mine={6: 2}, theirs={6: 2}))))
        assert [*map(str, table["phase"])] == ["contact", "bear-off"]

    @loop.rows("row", 0, (1 << 14) + 3)
    def test_the_first_impossible_board_is_named(self, row):
        points = np.resize(np.array(Position.start().points, np.int8), ((1 << 14) + 9, 26))
        points[row, 3] = 11
        with wording.raises(PositionError, f"points, row {row}: impossible position"):
            batch.board_features(points)

"""The bear-offs of `c/_bearoffs.c`, which selftaught looks up, against the tables of `gammonrules.bearoff`."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gammonrules import KERNEL, ROLLS, Position, _network as network_module, batch, bearoff
from gammonrules._arrays.checks import Rows
from gammonrules._network import bearoff_efficiency, network_chances_by_roll
from gammonrules.bearoff._layouts import all_layouts

pytestmark = pytest.mark.skipif(KERNEL != "c", reason="the table is in the kernel alone")

START = np.array([Position.start().points], np.int8)
FEW = Position.of(mine={1: 4, "off": 11}, theirs={1: 1, 2: 3, "off": 11})


def boards_of(mine: Rows, theirs: Rows) -> Rows:
    """Boards from the counts of both sides on points 1, 2 and so on."""
    points = mine.shape[1]
    boards = np.zeros((len(mine), 26), np.int8)
    boards[:, 1 : points + 1] = mine
    boards[:, 24 : 24 - points : -1] = -theirs
    return boards


def wins_of(boards: Rows) -> np.ndarray:
    """The chances of winning, where all else is impossible."""
    chances = batch.chances(boards)
    assert not chances[:, 1:].any()
    return chances[:, 0].astype(np.float64)


def test_every_side_needs_the_rolls_of_the_table_in_python():
    """All sides of 1 to 14 checkers, each on roll once and waiting once, with others by chance."""
    sides = all_layouts(6, 14)[1:]
    boards = boards_of(sides, np.random.default_rng(1).permutation(sides))
    assert len(boards) == 38_759
    assert abs(wins_of(boards) - bearoff.one_sided(checkers=14).wins(boards)).max() < 1e-6


def test_how_exact_it_is():
    """With up to six checkers a side, as the pages about the engine say."""
    sides = all_layouts(6, 6)[1:]
    rng = np.random.default_rng(1)
    boards = boards_of(rng.choice(sides, 50_000), rng.choice(sides, 50_000))
    exact = (bearoff.two_sided(checkers=6).equities(boards)[:, 0] + 1) / 2
    errors = abs(wins_of(boards) - exact)
    assert errors.mean() < 0.001
    assert errors.max() < 0.0145


@pytest.fixture(scope="module")
def wider() -> bearoff.TwoSided:
    return bearoff.two_sided(points=9, checkers=4)


@pytest.mark.parametrize(("outside", "mean", "largest"), [(1, 0.0015, 0.015), (2, 0.002, 0.025), (3, 0.02, 0.11)])
def test_how_exact_it_is_with_checkers_outside(wider: bearoff.TwoSided, outside: int, mean: float, largest: float):
    """One side has as many outside, and the other as many or fewer. Of three, two have the pips of all."""
    rng = np.random.default_rng(outside)
    sides = all_layouts(9, 4)[1:]
    outside_of = sides[:, 6:].sum(axis=1)
    as_many = rng.choice(sides[outside_of == outside], 1_000)
    at_most = rng.choice(sides[outside_of <= outside], 1_000)
    boards = np.concatenate([boards_of(as_many, at_most), boards_of(at_most, as_many)])
    errors = abs(wins_of(boards) - (wider.equities(boards)[:, 0] + 1) / 2)
    assert errors.mean() < mean
    assert errors.max() < largest


RACE = Position.of(mine={23: 2, 4: 12, "off": 1}, theirs={1: 14, "off": 1})
FULL = Position.of(mine={4: 15}, theirs={4: 14, "off": 1})
CONTACT = Position.of(mine={19: 1, 4: 13, "off": 1}, theirs={7: 1, 4: 13, "off": 1})
THREE_FAR = Position.of(mine={23: 1, 17: 2, 4: 11, "off": 1}, theirs={1: 14, "off": 1})


@pytest.mark.parametrize("position", [FULL, CONTACT, THREE_FAR])
def test_where_the_network_judges(position: Position):
    """A side has not borne off a checker, or there is contact, or a side has more than 34 pips outside."""
    assert bearoff_efficiency(RACE) == bearoff_efficiency(RACE.flip()) == 0.5
    assert bearoff_efficiency(position) is bearoff_efficiency(position.flip()) is None


def test_a_cube_is_of_no_use_once_the_opponent_ends_the_game_with_any_roll():
    """They have one checker on points 1 to 3, or two of three pips or less."""
    table = bearoff.one_sided(checkers=14)
    for side in all_layouts(6, 3)[1:]:
        theirs = {point: int(count) for point, count in enumerate(side, 1) if count}
        is_last_roll = table.rolls(side.tolist()).mean == 1
        for mine in ({6: 2, "off": 13}, {7: 1, "off": 14}):
            position = Position.of(mine=mine, theirs={**theirs, "off": 15 - sum(theirs.values())})
            assert bearoff_efficiency(position) == (0 if is_last_roll else 0.5)


def test_after_each_roll_the_plays_are_those_of_the_table():
    """A doublet ends the game. After all others two checkers are left on the ace point, so the next roll ends it."""
    (rolls,) = network_chances_by_roll([FEW])
    for dice, after in zip(ROLLS, rolls, strict=True):
        positions = [play.position for play in FEW.legal_plays(dice)]
        wins = 1 - wins_of(np.array([position.points for position in positions], np.int8))
        assert after.five == (pytest.approx(wins.max(), abs=1e-6), 0, 0, 0, 0)
        assert after.efficiency == pytest.approx(0.68 if positions[0].outcome else 0)


# --- when it is solved ------------------------------------------------------------------------------------------------


@pytest.fixture
def unsolved() -> None:
    network_module._bearoffs.cache_clear()


def is_solved() -> bool:
    return bool(network_module._bearoffs.cache_info().currsize)


def test_it_is_solved_when_a_board_first_needs_it(unsolved):
    """That is where the opponent has borne off a checker: the next roll can lead to a board of the table there."""
    batch.chances(np.repeat(START, 1_000, axis=0))
    full = Position.of(mine={4: 15}, theirs={4: 15})
    batch.chances([full.points])
    assert not is_solved()
    mixed = np.concatenate([START, [FEW.points]]).astype(np.int8)
    chances = batch.chances(mixed)
    assert is_solved()
    assert (chances == batch.chances(mixed)).all()


def test_many_threads_may_be_the_first(unsolved):
    """Each gets the same chances as one alone."""
    boards = np.repeat(np.array([FEW.points], np.int8), 100, axis=0)
    gate = threading.Barrier(4)

    def judge(_: int) -> np.ndarray:
        gate.wait()
        return batch.chances(boards)

    with ThreadPoolExecutor(4) as pool:
        answers = [*pool.map(judge, range(4))]
    expected = bearoff.one_sided(checkers=14).win(FEW)
    for chances in answers:
        assert chances[:, 0] == pytest.approx(expected, abs=1e-6)

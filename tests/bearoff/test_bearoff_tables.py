"""Bear-off tables against brute force, GNU Backgammon's bytes, and laws."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import brute_force
import numpy as np
import pytest
from hypothesis import given, strategies as st

import each
import loop
from gammonrules import Position, batch, bearoff
from gammonrules.bearoff import Verdict
from gammonrules.bearoff._coverage import counts_of, covered, why_not_covered
from gammonrules.bearoff._solve_two_sided import GnubgRounding

DATA = Path(__file__).parent.parent / "data"
FLOAT32 = float(np.finfo(np.float32).eps)
"""The precision of numbers near 1; each is rounded once, and so are those that it was computed from."""


@pytest.fixture(scope="module")
def one_sided() -> bearoff.OneSided:
    """Of games with ten checkers: that of the usual games takes ten times as long."""
    return bearoff.one_sided(6, 10)


@pytest.fixture(scope="module")
def two_sided() -> bearoff.TwoSided:
    return bearoff.two_sided()


class TestBruteForce:
    @each.first("points, checkers", [(6, 2), (4, 3), (3, 6), (8, 2), (5, 4)])
    def test_all_pairs(self, points: int, checkers: int) -> None:
        table = bearoff.two_sided(points, checkers)
        every = list(brute_force.sides(points, checkers))
        for mine in every:
            for theirs in every:
                entry = table[brute_force.position_of(mine, theirs)]
                values = brute_force.values(mine, theirs)
                exact = [float(Fraction(value, brute_force.SCALE)) for value in values]
                equities = entry.cubeless, entry.owned, entry.centered, entry.opponent_owns
                assert equities == pytest.approx(exact, abs=FLOAT32), (mine, theirs)
                verdicts = [entry.verdict("owned"), entry.verdict("centered")]
                assert verdicts == [brute_force.verdict(value, 2 * values[3]) for value in values[1:3]], (mine, theirs)

    @each.first("points, checkers", [(6, 3), (10, 2), (6, 5)])
    def test_all_sides(self, points: int, checkers: int) -> None:
        table = bearoff.one_sided(points, checkers)
        for side in brute_force.sides(points, checkers):
            rolls, exact = table.rolls(side), brute_force.chances(side)
            assert rolls.chances == pytest.approx([float(chance) for chance in exact], abs=FLOAT32), side
            assert rolls.mean == pytest.approx(float(brute_force.mean(side)), abs=1e-12), side


class TestGnuBackgammon:
    """The tables of Debian's package gnubg 1.07.001, which makes the two-sided one by `makebearoff -t 6x6`."""

    @each.first(
        "make, digest",
        [
            (bearoff.two_sided, "9eac8a2c697dae8a09f2e5653022084b9e725df6c32950cb5299b273fc64500f"),
            (bearoff.one_sided, "38089567e87a681682bb4ff53f30d781af215fc04debbdff3f61b6db68547a49"),
        ],
    )
    def test_the_same_bytes(self, make: Any, digest: str, tmp_path: Path) -> None:
        make(gnubg=True).save(tmp_path / "table")
        assert hashlib.sha256((tmp_path / "table").read_bytes()).hexdigest() == digest

    @loop.rows("rolling", -9, -8, -1, 0, 1, 8, 9)
    def test_half_of_a_cube_is_rounded_to_zero(self, rolling: int) -> None:
        """As C divides. An owned cube is worth (2s + 1) / 65535, so that twice s stands for its double."""
        owned = np.arange(-9, 10, dtype=np.int16)
        best = GnubgRounding().best(np.full(19, rolling, np.int16), owned)
        assert best.tolist() == [2 * value if value >= int(rolling / 2) else rolling for value in owned.tolist()]

    @each.first("points", [4, 6])
    def test_stored_positions(self, points: int) -> None:
        of_gnubg, exact = bearoff.one_sided(points, gnubg=True), bearoff.one_sided(points)
        for line in (DATA / "bearoff.jsonl").read_text().splitlines():
            known = json.loads(line)
            side, others = known["points"][:points], known["points"][points:]
            if any(others):
                continue
            rolls = of_gnubg.rolls(side)
            for words, chances in (
                (known["gnubg_dist_65535"], rolls.chances),
                (known["gnubg_first_checker_off_65535"], rolls.first_off),
            ):
                assert {str(k): round(chance * 65535) for k, chance in enumerate(chances) if chance} == words
            assert rolls.mean == pytest.approx(known["gnubg_db_mean"], abs=1e-9)
            assert exact.rolls(side).mean == pytest.approx(known["exact_min_expected_rolls"], abs=1e-11)


def side_of(places: list[int]) -> brute_force.Side:
    """The side with checkers on these points."""
    return tuple(places.count(point) for point in range(1, 7))


sides = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(side_of)


class TestLaws:
    @given(sides, sides)
    def test_one_position(
        self, one_sided: bearoff.OneSided, two_sided: bearoff.TwoSided, mine: brute_force.Side, theirs: brute_force.Side
    ) -> None:
        position = brute_force.position_of(mine, theirs)
        rolls, equities, rows = one_sided[position], two_sided[position], np.array([position.points])
        assert sum(rolls.chances) == pytest.approx(1, abs=1e-6)
        assert sum(k * chance for k, chance in enumerate(rolls.chances)) == pytest.approx(rolls.mean, abs=1e-6)
        assert rolls == one_sided.rolls(mine) == one_sided.get(position)
        assert rolls.pips == position.pip_count
        assert rolls.wastage > 0
        assert one_sided.wins(rows)[0] == pytest.approx(one_sided.win(position))
        assert one_sided.means(rows)[0] == one_sided[position].mean
        assert one_sided.win(position) == pytest.approx((equities.cubeless + 1) / 2, abs=0.0139)
        assert two_sided.equities(rows)[0].tolist() == [
            equities.cubeless,
            equities.owned,
            equities.centered,
            equities.opponent_owns,
        ]
        assert equities.opponent_owns <= equities.centered + 1e-6 <= equities.owned + 2e-6
        assert equities.opponent_owns <= equities.cubeless + 1e-6 <= equities.owned + 2e-6
        for cube in ("centered", "owned"):
            rolling, verdict = getattr(equities, cube), equities.verdict(cube)
            doubling = min(2 * equities.opponent_owns, 1)
            assert (verdict is Verdict.NO_DOUBLE) == (rolling >= doubling)
            assert (verdict is Verdict.DROP) == (2 * equities.opponent_owns > 1 and rolling < 1)
            assert equities.best(cube) == max(rolling, doubling)

    @given(sides, sides, st.sampled_from(["centered", "owned", "opponent_owns", "none"]))
    def test_plays(
        self, two_sided: bearoff.TwoSided, mine: brute_force.Side, theirs: brute_force.Side, cube: Any
    ) -> None:
        position = brute_force.position_of(mine, theirs)
        rolled = getattr(two_sided[position], {"none": "cubeless"}.get(cube, cube))
        best = [two_sided.plays(position, roll, cube)[0][1] for roll in brute_force.ROLLS]
        mean = sum(roll.weight * equity for roll, equity in zip(brute_force.ROLLS, best, strict=True)) / 36
        assert mean == pytest.approx(rolled, abs=2 * FLOAT32)

    @given(st.lists(st.integers(1, 6), min_size=1, max_size=10).map(side_of))
    def test_gammons(self, one_sided: bearoff.OneSided, mine: brute_force.Side) -> None:
        """Against a side that has borne off nothing, all checkers must be off before its first one is."""
        counts = {point: count for point, count in enumerate(mine, 1) if count}
        position = Position.of(mine=counts, theirs={6: 10}, checkers=10)
        later = [sum(one_sided.rolls([0] * 5 + [10]).first_off[k:]) for k in range(40)]
        for turn, chance in enumerate((one_sided.gammons(position)[0], one_sided.gammons(position.flip())[1])):
            expected = sum(chance * later[k + turn] for k, chance in enumerate(one_sided.rolls(mine).chances))
            assert chance == pytest.approx(expected, abs=1e-6)
        if sum(mine) < 10:
            assert one_sided.gammons(position)[1] == 0


COVERED = Position.of(mine={6: 1, "off": 14}, theirs={6: 6, "off": 9})
NOT_COVERED = [
    (Position.start(), "a checker of the player on roll is on the 24 point; the table ends with the 6 point"),
    (
        Position.of(mine={"bar": 1, "off": 14}, theirs={1: 1, "off": 14}),
        "a checker of the player on roll is on the bar",
    ),
    (Position.of(mine={1: 1, "off": 14}, theirs={7: 1, "off": 14}), "a checker of the opponent is on the 7 point"),
    (Position.of(mine={"off": 15}, theirs={1: 1, "off": 14}), "the game is over"),
    (
        Position.of(mine={1: 7, "off": 8}, theirs={1: 1, "off": 14}),
        "the player on roll has 7 checkers left; the table has 6",
    ),
    (Position.of(mine={1: 1, "off": 14}, theirs={1: 7, "off": 8}), "the opponent has 7 checkers left; the table has 6"),
    (Position.of(mine={1: 3}, theirs={1: 2, "off": 1}, checkers=3), "the player on roll has not borne off a checker"),
]


class TestCoverage:
    @loop.over(("position", "reason"), NOT_COVERED)
    def test_why_not(self, two_sided: bearoff.TwoSided, position: Position, reason: str) -> None:
        assert position not in two_sided
        assert two_sided.get(position) is None
        with pytest.raises(bearoff.NotInTableError) as refused:
            two_sided[position]
        assert str(refused.value).startswith(reason)
        assert isinstance(refused.value, KeyError)

    def test_boards(self, two_sided: bearoff.TwoSided) -> None:
        positions = [COVERED, *(position for position, _ in NOT_COVERED[:-1])]
        rows = batch.from_positions(positions)
        for side, result in ((rows, 1.0), (-rows[:, ::-1], -1.0)):
            equities = two_sided.equities(side)
            assert np.isnan(equities).all(axis=1).tolist() == [False, True, True, True, False, True, True]
            assert equities[4].tolist() == [result] * 4
        assert np.isnan(two_sided.equities(np.zeros((1, 26), np.int8))).all()

    def test_all_checkers_of_a_side(self) -> None:
        """A table knows the first checker off of sides with as many checkers as it has, and of no others."""
        three = Position.of(mine={1: 3}, theirs={1: 3}, checkers=3)
        small, large = bearoff.one_sided(2, 3), bearoff.one_sided(3)
        assert three in small
        assert three not in large
        assert Position.of(mine={3: 15}, theirs={3: 15}) in large
        row = [three.points]
        wins = [table.wins(row, checkers=n)[0] for table in (small, large) for n in (3, 15)]
        assert np.isnan(wins).tolist() == [False, False, True, False]
        rest = Position.of(mine={1: 1, "off": 14}, theirs={2: 3, "off": 12})
        of_three = Position.of(mine={1: 1, "off": 2}, theirs={2: 2, "off": 1}, checkers=3)
        assert not np.isnan(bearoff.two_sided(2, 2).equities([of_three.points], 3)).any()
        assert (small.gammons(rest), small[rest.flip()].first_off) == ((0, 0), (1,))

    def test_contact(self) -> None:
        """The points of both sides overlap only in tables with more than 12, which are not computed here."""
        position = Position.of(mine={13: 1, "off": 14}, theirs={13: 1, "off": 14})
        assert why_not_covered(position, 13, 1, whole_sides=False) == "the sides are still in contact"
        past = Position.of(mine={13: 1, "off": 14}, theirs={11: 1, "off": 14})
        assert why_not_covered(past, 13, 1, whole_sides=False) == ""
        rows = batch.from_positions([position, past])
        mine, theirs = counts_of(rows, 13, 15)
        assert covered(rows, mine, theirs, 1, 15, whole_sides=False).tolist() == [False, True]

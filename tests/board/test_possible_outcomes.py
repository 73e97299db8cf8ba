"""To which outcomes a game can still lead: a law of one turn, all games of few checkers, and rules that are wrong."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from itertools import combinations_with_replacement, islice, product

import pytest
from hypothesis import given, strategies as st

from boards import positions
from gammonrules import Outcome, Position, PositionError, Win
from gammonrules.board.generator import legal_plays
from gammonrules.board.position import Counts, board_in
from gammonrules.board.possible_outcomes import LookAhead, SideAlone, outcomes_by_python, possible_outcomes
from gammonrules.dice import ROLLS

MAX_TURNS = 400
"""Of a game at random; hardly any takes longer."""
WINS = {win: Outcome(True, win) for win in Win}
LOSSES = {win: Outcome(False, win) for win in Win}
TOO_LARGE = [
    ({2: 2}, {24: 2}),
    ({2: 1, 3: 1}, {24: 2}),
    ({3: 1, 4: 1}, {24: 2}),
    ({24: 2}, {2: 2}),
    ({24: 1, "bar": 1}, {2: 2}),
    ({"bar": 2}, {2: 2}),
]
"""The boards of two checkers a side for which an outcome is named that cannot happen: boards repeat there."""


@lru_cache
def flipped(outcomes: frozenset[Outcome]) -> frozenset[Outcome]:
    return frozenset(Outcome(not outcome.won, outcome.win) for outcome in outcomes)


def after_one_turn(position: Position) -> frozenset[Outcome]:
    """What is possible after one of all plays of all rolls, as the player on roll sees it."""
    after = {play.position for roll in ROLLS for play in position.legal_plays(roll)}
    return flipped(frozenset().union(*(board.possible_outcomes for board in after)))


class TestLaws:
    @given(positions(over=True).filter(lambda position: position.is_race or position.outcome))
    def test_race(self, position: Position):
        """What is possible is what one turn leaves, neither more nor less; a finished game has its one outcome."""
        if position.outcome is None:
            assert position.possible_outcomes == after_one_turn(position)
        else:
            assert position.possible_outcomes == {position.outcome}

    @given(positions(), st.randoms(use_true_random=False))
    def test_played_to_the_end(self, position: Position, rng: random.Random):
        """However a game goes on, it ends as every position before it said that it may."""
        possible = position.possible_outcomes
        for _ in range(MAX_TURNS):
            position = rng.choice(position.legal_plays(rng.choice(ROLLS))).position
            possible = flipped(possible)
            if position.outcome is not None:
                assert position.outcome in possible
                return
            possible &= position.possible_outcomes

    @given(positions())
    def test_checkers_off(self, position: Position):
        """Who has borne off a checker loses no gammon; both sides can be the winner of a gammon or of none."""
        possible = position.possible_outcomes
        if position.off:
            assert possible <= {*WINS.values(), LOSSES[Win.SINGLE]}
        if position.opponent_off:
            assert possible <= {*LOSSES.values(), WINS[Win.SINGLE]}


class TestRulesThatAreWrong:
    def test_66_and_21_are_the_extremes(self):
        """21 bears off a checker from the 2 point, where 11 three times bears off none."""
        position = Position.of(mine={2: 15}, theirs={1: 4})
        assert position.possible_outcomes == {LOSSES[Win.SINGLE], LOSSES[Win.GAMMON]}

    def test_first_and_last_off_as_intervals(self):
        """Of two on the ace point each, the first that is off is not alone: no single game."""
        assert Position.of(mine={1: 2}, theirs={1: 2}, checkers=2).possible_outcomes == {WINS[Win.GAMMON]}
        single = [WINS[Win.SINGLE], LOSSES[Win.SINGLE]]
        for mine, theirs in [(6, 12), (12, 6), (24, 20), (2, 24)]:
            position = Position.of(mine={mine: 1}, theirs={theirs: 1}, checkers=1)
            assert position.possible_outcomes.isdisjoint(single)

    def test_contact_decides_nothing(self):
        for places in [(1,), (3,), (4,), (1, 1), (1, 2), (2, 2), (1, 1, 1)]:
            position = Position.of(mine=Counter(places), theirs={"bar": 1, 6: 14})
            ends_now = places in {(1,), (3,), (1, 1)}
            assert (position.possible_outcomes == {WINS[Win.BACKGAMMON]}) == ends_now, places
            board = board_in(position)
            assert outcomes_by_python(board, 15) == possible_outcomes(board, 15), places

    def test_the_rear_checker_may_stay(self):
        """It must move once the others have no pips left to play."""
        with_pips = Position.of(mine={19: 1, 6: 14}, theirs={1: 5})
        assert LOSSES[Win.BACKGAMMON] in with_pips.possible_outcomes
        without_pips = Position.of(mine={19: 1, 1: 14}, theirs={1: 5})
        assert without_pips.possible_outcomes == {LOSSES[Win.SINGLE], LOSSES[Win.GAMMON]}


# --- one side alone, to its end --------------------------------------------------------------------------------------

Places = tuple[int, ...]
"""The checkers of a side that nobody hinders, each by its point."""
NUMBERS = [(roll.high,) * 4 if roll.is_doublet else (roll.high, roll.low) for roll in ROLLS]


def moves(places: Places, number: int) -> Iterator[Places]:
    """The side after each move of one number; there always is one while a checker is left."""
    are_home = max(places) <= 6
    for at in {*places}:
        rest = [*places]
        rest.remove(at)
        if at > number:
            yield tuple(sorted([*rest, at - number]))
        elif are_home and (at == number or at == max(places)):
            yield tuple(rest)


@cache
def after_numbers(places: Places, numbers: tuple[int, ...]) -> frozenset[Places]:
    if not places or not numbers:
        return frozenset([places])
    after: set[Places] = set()
    for number in {*numbers}:
        rest = [*numbers]
        rest.remove(number)
        for moved in moves(places, number):
            after |= after_numbers(moved, tuple(rest))
    return frozenset(after)


@cache
def stages(places: Places, *, is_some_off: bool) -> dict[str, int]:
    """After which numbers of turns a side can be at each stage, as bits."""
    if not places:
        return {"ends": 1}
    turns: dict[str, int] = {}
    for after in frozenset().union(*(after_numbers(places, numbers) for numbers in NUMBERS)):
        for stage, bits in stages(after, is_some_off=is_some_off or len(after) < len(places)).items():
            turns[stage] = turns.get(stage, 0) | bits << 1
    now = "some_off" if is_some_off else "is_back" if max(places) > 18 else "none_off"
    turns[now] = turns.get(now, 0) | 1
    return turns


def bits_of(turns: range) -> int:
    return sum(1 << turn for turn in turns)


@pytest.mark.parametrize(
    ("checkers", "highest"),
    [
        (1, 24),
        (2, 24),
        (5, 6),
        pytest.param(3, 24, marks=pytest.mark.long),
        pytest.param(15, 6, marks=pytest.mark.long),
    ],
)
def test_every_side_alone(checkers: int, highest: int):
    """By turn: none off, with a checker back or without; some off; all off. Of 15 at home, all 54,263 sides."""
    for left in range(1, checkers + 1):
        for places in combinations_with_replacement(range(1, highest + 1), left):
            side = bytes(places.count(point) for point in range(26))
            alone = SideAlone.of(side, checkers)
            turns = stages(places, is_some_off=left < checkers)
            for stage in ("ends", "some_off", "none_off", "is_back"):
                assert bits_of(getattr(alone, stage)) == turns.get(stage, 0), (places, stage)


# --- all games of few checkers ---------------------------------------------------------------------------------------


def positions_of(checkers: int) -> Iterator[Position]:
    """Every position with at most so many checkers a side, the others off; also those of finished games."""
    sides = [places for left in range(checkers + 1) for places in combinations_with_replacement(range(1, 26), left)]
    for mine, theirs in product(sides, sides):
        points = [0] * 26
        for point in mine:
            points[point] += 1
        for point in theirs:
            points[25 - point] -= 1
        if sum(map(abs, points)) == len(mine) + len(theirs):  # no point that both would hold
            with suppress(PositionError):  # both off, or both shut out
                yield Position.from_points(points, checkers=checkers)


def reachable(games: list[Position]) -> list[frozenset[Outcome]]:
    """What can become of each, passed back from the ends until nothing changes."""
    number_of = {board_in(game): number for number, game in enumerate(games)}
    reached = [frozenset([game.outcome] if game.outcome else []) for game in games]
    nexts = [
        {number_of[after] for roll in ROLLS for after in legal_plays(board_in(game), roll.high, roll.low)}
        for game in games
    ]
    is_settled = False
    while not is_settled:
        is_settled = True
        for number, after in enumerate(nexts):
            left = frozenset().union(*(reached[next_number] for next_number in after))
            if after and reached[number] != flipped(left):
                reached[number] = flipped(left)
                is_settled = False
    return reached


@pytest.mark.parametrize(("checkers", "too_large"), [(1, []), pytest.param(2, TOO_LARGE, marks=pytest.mark.long)])
def test_all_games(checkers: int, too_large: list[tuple[Counts, Counts]]):
    """Of one checker a side and of two: none lacks an outcome, and six of two have more than can happen."""
    games = [*positions_of(checkers)]
    larger: list[Position] = []
    for game, outcomes in zip(games, reachable(games), strict=True):
        assert game.possible_outcomes >= outcomes
        if game.possible_outcomes != outcomes:
            larger.append(game)
    assert {*larger} == {Position.of(mine=mine, theirs=theirs, checkers=2) for mine, theirs in too_large}


@pytest.mark.long
def test_three_checkers():
    """Where contact of three checkers a side excludes something, what one turn leaves does so too."""
    narrow = (
        position
        for position in positions_of(3)
        if position.off == position.opponent_off == 0 and not position.is_race and len(position.possible_outcomes) < 6
    )
    for position in islice(narrow, 0, None, 199):
        possible = looking_at_all_boards(position)
        after = {play.position for roll in ROLLS for play in position.legal_plays(roll)}
        left = frozenset().union(*(looking_at_all_boards(board) for board in after))
        assert flipped(left) <= possible <= position.possible_outcomes


def looking_at_all_boards(position: Position) -> frozenset[Outcome]:
    """The same as `possible_outcomes`, however long it takes."""
    if position.outcome is not None:
        return position.possible_outcomes
    levels = LookAhead(position.checkers, boards_left=10**6).outcomes(board_in(position), turns=3)
    return frozenset(Outcome(level > 0, Win(abs(level))) for level in levels)

"""To which outcomes a game can still lead: a law of one turn, all games of few checkers, and rules that are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given

from boards import positions
from gammonrules import Outcome, Position, PositionError, Win
from gammonrules.board.position import Counts
from gammonrules.board.possible_outcomes import SideAlone
from gammonrules.dice import ROLLS

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


def flipped(outcomes: frozenset[Outcome]) -> frozenset[Outcome]:
    return frozenset(Outcome(not outcome.won, outcome.win) for outcome in outcomes)


def after_one_turn(position: Position) -> frozenset[Outcome]:
    """What is possible after one of all plays of all rolls, as the player on roll sees it."""
    after = {play.position for roll in ROLLS for play in position.legal_plays(roll)}
    return flipped(frozenset().union(*(board.possible_outcomes for board in after)))


class TestLaws:
    @given(positions(over=True))
    def test_nothing_becomes_possible(self, position: Position):
        """What a turn leaves was possible before; so nothing is ever missing, since a finished game has what it has."""
        possible = position.possible_outcomes
        if position.outcome is not None:
            assert possible == {position.outcome}
            return
        left = after_one_turn(position)
        assert left <= possible
        if position.is_race:
            assert left == possible

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
        position = Position.of(mine={1: 2}, theirs={"bar": 1, 6: 14})
        assert position.possible_outcomes == {WINS[Win.BACKGAMMON]}

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


def few(checkers: int) -> list[Position]:
    """Every position that is not over, with at most so many checkers a side, the others off."""
    sides = [
        Counter(places)
        for left in range(1, checkers + 1)
        for places in combinations_with_replacement([*range(1, 25), "bar"], left)
    ]
    games: list[Position] = []
    for mine, theirs in product(sides, sides):
        if not any(25 - point in theirs for point in mine if point != "bar"):
            with suppress(PositionError):  # both shut out
                games.append(Position.of(mine=mine, theirs=theirs, checkers=checkers))
    return games


def settled(games: list[Position]) -> dict[Position, frozenset[Outcome]]:
    """What can become of each, by passing it back from the ends until nothing changes."""
    nexts = {game: {play.position for roll in ROLLS for play in game.legal_plays(roll)} for game in games}
    reached: dict[Position, frozenset[Outcome]] = dict.fromkeys(games, frozenset())
    for after in frozenset().union(*nexts.values()):
        if after.outcome is not None:
            reached[after] = frozenset([after.outcome])
    is_settled = False
    while not is_settled:
        is_settled = True
        for game, after in nexts.items():
            now = frozenset().union(*(flipped(reached[board]) for board in after))
            is_settled = is_settled and now == reached[game]
            reached[game] = now
    return reached


@pytest.mark.parametrize(("checkers", "too_large"), [(1, []), pytest.param(2, TOO_LARGE, marks=pytest.mark.long)])
def test_all_games(checkers: int, too_large: list[tuple[Counts, Counts]]):
    """Of one checker a side and of two: none lacks an outcome, and six of two have more than can happen."""
    games = few(checkers)
    reached = settled(games)
    assert all(game.possible_outcomes >= reached[game] for game in games)
    larger = {game for game in games if game.possible_outcomes != reached[game]}
    assert larger == {Position.of(mine=mine, theirs=theirs, checkers=2) for mine, theirs in too_large}


@pytest.mark.long
def test_three_checkers():
    """Of three checkers a side: where something is excluded, one turn leaves nothing that is."""
    narrow = 0
    for mine, theirs in product(combinations_with_replacement(range(1, 26), 3), repeat=2):
        board = [0] * 26
        for point in mine:
            board[point] += 1
        for point in theirs:
            board[25 - point] -= 1
        if sum(map(abs, board)) < 6:
            continue  # a point that both would hold
        position = Position.from_points(board, checkers=3)
        if not position.is_race and len(position.possible_outcomes) < 6:
            narrow += 1
            assert after_one_turn(position) <= position.possible_outcomes
    assert narrow > 1000

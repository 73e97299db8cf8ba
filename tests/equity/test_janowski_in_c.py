"""`_janowski.c` gives the worths of `equity/janowski.py`, and `_kazaross.c` has the numbers of `kazaross.met`."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import example, given, strategies as st

import match_in_c
from gammonrules import Cube, MatchState, Player, Position, Rules
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.equity.internals import Stakes, equity_scale, stakes_of
from gammonrules.equity.janowski import DoubleWorths

pytestmark = [
    pytest.mark.skipif(match_in_c.COMPILER is None, reason="there is no C compiler"),
    pytest.mark.skipif(not match_in_c.SOURCE.exists(), reason="a distribution is tested without the sources beside it"),
]
Five: TypeAlias = tuple[float, float, float, float, float]
Judge: TypeAlias = Callable[[MatchState, Player, Five, float], list[float]]

WHITE, BLACK = Player
START = Position.start()
EFFICIENCIES = (0.0, 0.5, 0.68)
"""Those that selftaught has for the cube."""
LIBRARY = """
#include "match.c"
#include "_janowski.c"

int is_known(const GammonrulesMatch *match);
int is_known(const GammonrulesMatch *match)
{
    const Stakes stakes = stakes_of(match, WHITE);
    return is_in_table(&stakes);
}

void judge(const GammonrulesMatch *match, int player, const double *five, double efficiency, double *numbers);
void judge(const GammonrulesMatch *match, int player, const double *five, double efficiency, double *numbers)
{
    const Stakes stakes = stakes_of(match, player);
    const Worths worths = worths_of(&stakes, five, efficiency);
    numbers[0] = worths.no_double;
    numbers[1] = worths.take;
    numbers[2] = worths.drop;
    numbers[3] = normalized(&stakes, worths.no_double);
    numbers[4] = may_turn(&stakes, MINE);
}
"""
RULES = [
    Rules(),
    Rules(jacoby=True, beavers=3),
    Rules(cube=False),
    Rules(backgammons=False),
    Rules(gammons=False, backgammons=False),
    *(Rules(max_cube=limit) for limit in (1, 2, 4, 8, 16, 1024)),
    Rules(crawford=False),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("janowski")
    source = folder / "judge.c"
    source.write_text(LIBRARY, encoding="ascii")
    match_in_c.compile_to(folder / "judge.so", source, "-shared", "-fPIC", f"-I{match_in_c.SOURCE.parent}")
    return ctypes.CDLL(str(folder / "judge.so"))


@pytest.fixture(scope="module")
def judge(library: ctypes.CDLL) -> Judge:
    def numbers_of(state: MatchState, player: Player, five: Five, efficiency: float) -> list[float]:
        numbers = (ctypes.c_double * 5)()
        match = match_in_c.written(state)
        chances = (ctypes.c_double * 5)(*five)
        live = ctypes.c_double(efficiency)
        library.judge(ctypes.byref(match), match_in_c.SEATS[player], chances, live, numbers)
        return [*numbers]

    return numbers_of


def expected(state: MatchState, player: Player, five: Five, efficiency: float) -> list[float]:
    stakes = stakes_of(KAZAROSS_XG2, state, player)
    assert isinstance(stakes, Stakes)
    at = stakes.with_chances(five)
    scale = equity_scale(KAZAROSS_XG2, state, player)
    no_double = at.at(efficiency)
    equity = no_double if scale is None else scale.equity(no_double)
    taken = at.taken_at(efficiency)
    assert at.find_worths(efficiency) == DoubleWorths(no_double, taken)
    return [no_double, taken, stakes.worth(state.cube.value), equity, float(stakes.may_double.mine)]


def random_five(rng: random.Random) -> Five:
    """Chances that include each other; also those of games that are almost decided, and of games that are."""
    win = rng.choice((rng.random(), rng.random(), rng.random() ** 4, 1 - rng.random() ** 4, 0.0, 1.0))
    gammons, backgammons, lost, lost_backgammons = (rng.choice((rng.random(), 0.0, 1.0)) for _ in range(4))
    return win, win * gammons, win * gammons * backgammons, (1 - win) * lost, (1 - win) * lost * lost_backgammons


def cubes(rules: Rules, length: int | None) -> Iterator[Cube]:
    """Those that a game may have, and in a match a few more than it ever needs."""
    most = rules.max_cube or 64
    yield Cube()
    if rules.cube:
        for value, player in product((2, 4, 8, 16, 32, 64), Player):
            if value <= most:
                yield Cube(value, player)
    if length is None and rules.auto_doubles:
        yield Cube(2)


def states_at(rules: Rules, length: int, score: tuple[int, int]) -> Iterator[MatchState]:
    one_away = (length - 1 in score) and score[0] != score[1]
    for crawford in (True, False) if one_away and rules.crawford else (False,):
        for cube in [Cube()] if crawford else cubes(rules, length):
            yield MatchState(START, WHITE, rules=rules, length=length, score=score, crawford=crawford, cube=cube)


def money_states() -> Iterator[MatchState]:
    rules_of_money = [*RULES, Rules(jacoby=True, auto_doubles=1), Rules(jacoby=True, gammons=False, backgammons=False)]
    for rules in rules_of_money:
        for cube in cubes(rules, None):
            yield MatchState(START, WHITE, rules=rules, cube=cube)


def compare(judge: Judge, rng: random.Random, states: Iterable[MatchState]) -> int:
    """How many answers were compared."""
    count = 0
    for state, player in product(states, Player):
        case = state, player, random_five(rng), rng.choice(EFFICIENCIES)
        assert judge(*case) == pytest.approx(expected(*case), abs=1e-9, rel=0), case
        count += 1
    return count


def test_the_table(library: ctypes.CDLL):
    """The data of C is that of the file: each chance is the worth of a sure win of a dead cube."""
    text = (match_in_c.SOURCE.parent / "_kazaross.c").read_text(encoding="ascii")
    before, after = (
        [int(number) for number in part.partition("};")[0].split(",") if number.strip()]
        for part in text.split("] = {")[1:]
    )
    rows = KAZAROSS_XG2.before_crawford
    assert before == [round(10**6 * chance) for away, row in enumerate(rows, 1) for chance in row[away:]]
    assert [number / 10**6 for number in after] == [*KAZAROSS_XG2.after_crawford]
    notice = (Path(str(match_in_c.SOURCE.parents[1])) / "equity" / "kazaross.met").read_text(encoding="ascii")
    lines = [line.removeprefix(";").strip() for line in notice.partition("[")[0].splitlines()]
    assert all(line in text for line in lines[2:])
    far = [MatchState(START, WHITE, length=length) for length in (25, 26, 10**9)]
    assert [library.is_known(ctypes.byref(match_in_c.written(state))) for state in far] == [1, 0, 0]


def test_some_scores(judge: Judge):
    rng = random.Random(0)
    scores = [(length, (rng.randrange(length), rng.randrange(length))) for length in rng.choices(range(1, 26), k=40)]
    states = [state for rules in RULES for length, score in scores for state in states_at(rules, length, score)]
    assert compare(judge, rng, [*money_states(), *rng.sample(states, 1000)]) > 2000


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_score(judge: Judge, rules: Rules):
    """Up to 25 points away, with every cube and owner."""
    every = (
        state
        for length in (25, 1)
        for score in product(range(length), repeat=2)
        for state in states_at(rules, length, score)
    )
    assert compare(judge, random.Random(rules.max_cube or 0), every) > 1000


@st.composite
def states(draw: st.DrawFn) -> MatchState:
    rules = draw(st.sampled_from(RULES))
    length = draw(st.integers(1, 25))
    score = draw(st.tuples(*[st.integers(0, length - 1)] * 2))
    return draw(st.sampled_from([*money_states()] if draw(st.booleans()) else [*states_at(rules, length, score)]))


@st.composite
def fives(draw: st.DrawFn) -> Five:
    win, gammons, backgammons, lost, lost_backgammons = draw(st.tuples(*[st.floats(0, 1)] * 5))
    return win, win * gammons, win * gammons * backgammons, (1 - win) * lost, (1 - win) * lost * lost_backgammons


@given(states(), st.sampled_from(Player), fives(), st.sampled_from(EFFICIENCIES))
# a sure win with a cube that is cashed only there
@example(MatchState(START, WHITE, length=3, score=(0, 1)), WHITE, (1, 1, 0, 0, 0), 0.68)
def test_any_chances(judge: Judge, state: MatchState, player: Player, five: Five, efficiency: float):
    answers = judge(state, player, five, efficiency)
    assert answers == pytest.approx(expected(state, player, five, efficiency), abs=1e-9)

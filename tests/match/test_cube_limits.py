"""How far the cube may be turned, and where a limit of it can matter, against all turns that `MatchState` allows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import attrs
from hypothesis import assume, given, strategies as st

import each
from gammonrules import Action, Cube, MatchState, Player, Position, Rules, Win
from gammonrules.match.internals import against_double, highest_turn, limit_matters
from gammonrules.strategies import match_states, rules

LIMITS = [2**turns for turns in range(11)]


def matters(state: MatchState, limit: int | None) -> bool:
    limited = attrs.evolve(state.rules, max_cube=limit)
    return limit_matters(limited, state.length, state.crawford, state.cube, state.score)


def before_rolls(state: MatchState) -> Iterator[MatchState]:
    """Either player is on roll."""
    return (attrs.evolve(state, on_roll=player) for player in Player)


def may_double(state: MatchState) -> bool:
    return Action.DOUBLE in state.legal_actions


def next_games(state: MatchState) -> Iterator[MatchState]:
    """At every score to which this game may lead."""
    over = [state.resign(win, by=player).accept() for win, player in product(Win, Player)]
    over += [on_roll.double().drop() for on_roll in before_rolls(state) if may_double(on_roll)]
    return (end.next_game(starter=Player.WHITE) for end in over if end.winner is None)


@cache
def highest_offer(state: MatchState) -> int:
    """The highest cube that anybody may offer in this game or in a later one, 1 if nobody may."""
    taken = [on_roll.double().take() for on_roll in before_rolls(state) if may_double(on_roll)]
    ahead = [attrs.evolve(after, on_roll=Player.WHITE) for after in (*taken, *next_games(state))]
    return max([1, *(turned.cube.value for turned in taken), *map(highest_offer, ahead)])


def starts_of(length: int, rules: Rules) -> Iterator[MatchState]:
    """At every score, with the cube in every place, in the Crawford game and after it."""
    cubes = [Cube(), *(Cube(value, owner) for value, owner in product((2, 4, 8), Player))]
    for score, cube in product(product(range(length), repeat=2), cubes):
        start = MatchState(
            Position.start(), Player.WHITE, cube=cube, length=length, score=score, crawford=False, rules=rules
        )
        yield start
        if rules.crawford and cube.owner is None and score[0] != score[1] and length - 1 in score:
            yield attrs.evolve(start, crawford=True)


@each.first("longest, least", [(4, 100), (7, 500)])
def test_it_matters_exactly_if_it_forbids_a_double_in_this_game_or_in_a_later_one(longest: int, least: int) -> None:
    """By brute force, in all matches up to this length."""
    tried = {False: 0, True: 0}
    for length, crawford in product(range(1, longest + 1), (True, False)):
        for start in starts_of(length, Rules(crawford=crawford)):
            highest = highest_offer(start)
            for limit in LIMITS:
                if limit >= start.cube.value:
                    assert matters(start, limit) is (highest > limit), (start, limit)
                    tried[highest > limit] += 1
    assert min(tried.values()) > least


CUBES = rules(cube=True, max_cube=None)


@given(match_states(phase="to_roll", rules=CUBES, lengths=st.integers(1, 200)), st.sampled_from(LIMITS[1:]), st.data())
def test_where_it_does_not_matter_the_same_turns_are_legal(state: MatchState, limit: int, data: st.DataObject) -> None:
    """It never does from the smallest power of two on that reaches what the player farther away needs."""
    assume(limit >= state.cube.value)
    assert state.away is not None
    if limit >= max(state.away) or state.crawford:
        assert not matters(state, limit)
    assume(not matters(state, limit))
    limited = attrs.evolve(state, rules=attrs.evolve(state.rules, max_cube=limit))
    for _ in range(10):
        assert state.legal_actions == limited.legal_actions
        if not may_double(state) or not data.draw(st.booleans()):
            state, limited = (attrs.evolve(twin, on_roll=twin.on_roll.opponent) for twin in (state, limited))
        else:
            state, limited = state.double().take(), limited.double().take()


@given(match_states(phase="to_roll", rules=CUBES, lengths=st.none()), st.sampled_from(LIMITS))
def test_in_money_play_it_always_matters(state: MatchState, limit: int) -> None:
    assert matters(state, limit)
    assert not matters(state, None)
    assert not limit_matters(Rules(cube=False, max_cube=limit), None, False, Cube(), state.score)


@given(
    st.builds(Rules, cube=st.booleans(), max_cube=st.none() | st.sampled_from((1, 2, 4, 64)), jacoby=st.just(False)),
    st.none() | st.integers(1, 70),
    st.booleans(),
    st.integers(0, 69),
    st.sampled_from([1 << turn for turn in range(25)]),
)
def test_the_highest_turn_is_where_the_rules_end_it(
    rules: Rules, length: int | None, crawford: bool, points: int, cube: int
) -> None:
    forbidden = any(against_double(rules, length, crawford, False, cube, points))
    assert forbidden == (cube > highest_turn(rules, length, crawford, points))

"""Fields of match states that may be impossible, for the statements of the rules in other languages."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import strategies as st

import random_logs
from boards import positions
from gammonrules import Player, Win
from gammonrules.dice import ROLLS
from gammonrules.match import Cube, Double, End, Resignation, Result

CUBES = st.sampled_from([Cube(), Cube(2), Cube(4), *(Cube(value, player) for value in (2, 4, 64) for player in Player)])
DOUBLES = st.sampled_from(
    [Double(player, 2 << beavers + turns, beavers) for player in Player for beavers in (0, 1, 2) for turns in (0, 1, 2)]
)
RESIGNATIONS = st.builds(Resignation, st.sampled_from(Player), st.sampled_from(Win), st.none() | DOUBLES)
RESULTS = st.builds(
    lambda winner, win, points, end: Result(winner, None if end is End.FORFEITED else win, points, end),
    st.sampled_from(Player),
    st.sampled_from(Win),
    st.sampled_from([1, 2, 3, 4, 6, 12]) | st.integers(1, 400),
    st.sampled_from(End),
)
SETUPS = st.builds(
    SimpleNamespace,
    position=positions(over=True),
    on_roll=st.sampled_from([None, *Player, *Player]),
    dice=st.none() | st.sampled_from(ROLLS),
    cube=CUBES,
    offer=st.none() | DOUBLES | RESIGNATIONS,
    score=st.tuples(*[st.integers(-1, 8) | st.sampled_from([10**9, 2 * 10**9])] * 2),
    length=st.sampled_from([None, None, 1, 2, 3, 5, 7]),
    crawford=st.booleans(),
    rules=st.sampled_from(random_logs.RULES),
    result=st.none() | RESULTS,
)

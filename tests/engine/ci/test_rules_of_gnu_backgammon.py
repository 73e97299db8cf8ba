"""As which game GNU Backgammon is asked: what cannot matter is no reason to refuse a state, and changes nothing.

Each answer is compared with that for a state by the usual rules.
"""

from __future__ import annotations

import attrs
import pytest
from open_engines import engine_of
from test_rule_support import RACE, RUNNING, answers

import gnu_backgammon
import loop
from gammonrules import Cube, MatchState, Player, Position, Rules
from gammonrules.engine import EngineUnsupportedError
from gammonrules.rules import PORTES

BEARING_OFF = Position.of(mine={1: 15}, theirs={1: 15})
"""Each bears off two checkers at once, so nobody loses a gammon."""


@gnu_backgammon.is_needed
@loop.rows(
    "what, state, usual",
    (
        "the Crawford rule, if any win is enough",
        MatchState(RACE, Player.WHITE, "31", cube=Cube(2, Player.BLACK), length=2, rules=Rules(crawford=False)),
        {"crawford": True},
    ),
    (
        "gammons, at double match point",
        MatchState(Position.start(), Player.WHITE, "31", length=1, rules=Rules(gammons=False, backgammons=False)),
        {"gammons": True, "backgammons": True},
    ),
    (
        "gammons, once both bear off",
        MatchState(RACE, Player.WHITE, rules=Rules(gammons=False, backgammons=False)),
        {"gammons": True, "backgammons": True},
    ),
    (
        "backgammons, once nobody is in a home board of the other",
        MatchState(RUNNING, Player.WHITE, "31", rules=PORTES),
        {"backgammons": True},
    ),
    (
        "the cube, at double match point",
        MatchState(RACE, Player.WHITE, "31", length=1, rules=Rules(cube=False)),
        {"cube": True},
    ),
    (
        "a cube that ends at 1",
        MatchState(RACE, Player.WHITE, "31", rules=Rules(max_cube=1)),
        {"cube": False, "max_cube": None},
    ),
    (
        "one in the last games that decide",
        MatchState(RACE, Player.WHITE, "31", length=3, score=(2, 1), rules=Rules(max_cube=1)),
        {"max_cube": None},
    ),
    (
        "gammons, where every roll bears off",
        MatchState(BEARING_OFF, Player.WHITE, "31", rules=Rules(gammons=False, backgammons=False)),
        {"gammons": True, "backgammons": True},
    ),
    ("jacoby in a match", MatchState(RACE, Player.WHITE, length=5, rules=Rules(jacoby=True)), {"jacoby": False}),
    (
        "beavers and automatic doubles in a match",
        MatchState(RACE, Player.WHITE, length=5, rules=Rules(beavers=2, auto_doubles=3)),
        {"beavers": 0, "auto_doubles": 0},
    ),
)
def test_rules_that_cannot_matter(what: str, state: MatchState, usual: dict[str, object]) -> None:
    by_usual_rules = attrs.evolve(state, rules=attrs.evolve(state.rules, **usual))
    for name in ("bgsage", "gnubg"):
        assert answers(engine_of(name), state) == answers(engine_of(name), by_usual_rules), (what, name)


@gnu_backgammon.is_needed
def test_the_length_of_a_match_does_not_matter() -> None:
    """GNU Backgammon knows matches to 64 points, so in a longer one it is asked from where so many are left."""
    gnubg = engine_of("gnubg")
    far, near = (MatchState(RACE, Player.WHITE, length=length, score=(length - 3, length - 5)) for length in (100, 7))
    assert answers(gnubg, far) == answers(gnubg, near)
    assert answers(gnubg, far.roll("31")) == answers(gnubg, near.roll("31"))
    with pytest.raises(EngineUnsupportedError, match="more than 64 points"):
        gnubg.decide(MatchState(RACE, Player.WHITE, "31", length=100))
    with pytest.raises(EngineUnsupportedError):
        gnubg.analyze_sgf(far, "")

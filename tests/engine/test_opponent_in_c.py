"""The opponent in C and in WebAssembly decides and judges as selftaught does in Python."""

from __future__ import annotations

import importlib.util
import math
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import attrs
import match_in_c
import opponent_hosts
import pytest
from attrs import frozen
from match_in_c import ACTIONS, REASONS
from opponent_hosts import WEIGHTS, Host

import loop
import opponent_states
from gammonrules import KERNEL, Action, Event, MatchState, Phase, Player, Position, Rules
from gammonrules.engine import EngineUnsupportedError, SimpleEngine
from gammonrules.engine._named_engines import TEMPERATURES
from gammonrules.engine._selftaught import Selftaught
from gammonrules.match import Cube, Double
from gammonrules.rules import PORTES

pytestmark = [
    pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel"),
    pytest.mark.skipif(match_in_c.COMPILER is None, reason="there is no C compiler"),
    pytest.mark.skipif(not match_in_c.SOURCE.exists(), reason="a distribution is tested without the sources beside it"),
]
NO_WEIGHTS, NO_SUCH_LEVEL, NO_SUCH_STRENGTH, NO_SUCH_RANDOM, *UNKNOWN = range(29, 37)
REASONS_OF = dict(
    zip(["pip scoring", "checkers a side", "without the Crawford rule", "more than 25 points"], UNKNOWN, strict=True)
)
STRENGTHS = [*TEMPERATURES]
STRONG = STRENGTHS.index("strong")
SAME = 1e-5
"""Two worths are the same."""
START = MatchState.new(7).opening_roll(white=3, black=1)
TO_ROLL = START.play("8/5 6/5")
HOSTS = [
    "native",
    pytest.param(
        "webassembly",
        marks=pytest.mark.skipif(importlib.util.find_spec("wasmtime") is None, reason="wasmtime is not installed"),
    ),
]


@pytest.fixture(scope="module", params=HOSTS)
def host(request: pytest.FixtureRequest) -> Host:
    return getattr(opponent_hosts, request.param)()


@frozen
class Asked:
    """Who is asked: the engine of Python, with numbers in place of random ones, and the same in C."""

    level: int
    strength: int
    number: list[float]
    engine: SimpleEngine

    @classmethod
    def of(cls, level: int, strength: int) -> Asked:
        number = [0.0]
        temperature = TEMPERATURES[STRENGTHS[strength]]
        return cls(level, strength, number, SimpleEngine(Selftaught(level, temperature, lambda: number[0])))

    def in_python(self, state: MatchState, number: float) -> tuple[int, Position | None]:
        """The number of the action, or below 0 of the reason, and the board after a play."""
        self.number[0] = number
        try:
            event = self.engine.decide(state)
        except EngineUnsupportedError as error:
            return -reason_of(error), None
        if isinstance(event, Event):
            after = event.argument.position if event.action is Action.PLAY else None
            return ACTIONS.index(event.action), after
        return ACTIONS.index(event), None

    def in_c(self, host: Host, state: MatchState, number: float) -> tuple[int, Position | None]:
        host.set(state)
        decided = host.call("decide", self.level, self.strength, number)
        return decided, host.board() if decided == ACTIONS.index(Action.PLAY) else None


ASKED = [Asked.of(1, STRONG), *(Asked.of(1, strength) for strength in range(STRONG))]
ONE_ROLL_AHEAD = Asked.of(2, STRONG)


def reason_of(error: Exception) -> int:
    return next(reason for words, reason in REASONS_OF.items() if words in str(error))


def is_explained(asked: Asked, state: MatchState, number: float, decided: tuple[int, Position | None]) -> bool:
    """Whether a decision is as good as that of Python: two are worth the same, or the random number lies between them."""
    engine = asked.engine
    if asked.strength != STRONG and state.phase is not Phase.RESIGNED:
        return decided in [asked.in_python(state, number + change) for change in (-SAME, SAME)]
    if state.phase is Phase.TO_PLAY:
        equities = {play.position: play.equity for play in engine.candidates(state)}
        assert decided[1] is not None
        return max(equities.values()) - equities[decided[1]] < SAME
    cube = engine.cube(attrs.evolve(state, offer=None))
    return abs(cube.equity_double - cube.no_double) < SAME or abs(cube.double_take - cube.double_drop) < SAME


def compare(host: Host, asked: Asked, rng: random.Random, count: int) -> Counter[int]:
    """How often each action was decided, and below 0 each reason; all differences are explained."""
    decisions = Counter[int]()
    for state in opponent_states.states(rng, count):
        number = rng.random()
        expected = asked.in_python(state, number)
        decided = asked.in_c(host, state, number)
        if decided != expected:
            assert is_explained(asked, state, number, decided), (state, number, decided, expected)
        decisions[decided[0]] += 1
    return decisions


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: STRENGTHS[asked.strength])
def test_decisions(host: Host, asked: Asked):
    decisions = compare(host, asked, random.Random(0), 300)
    assert len(decisions) > 8, decisions


def test_decisions_one_roll_ahead(host: Host):
    compare(host, ONE_ROLL_AHEAD, random.Random(0), 20)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: STRENGTHS[asked.strength])
def test_many_decisions(host: Host, asked: Asked, seed: int):
    """20,000 of each host."""
    compare(host, asked, random.Random(1 + seed), 1250 if asked.strength != STRONG else 1250)


@pytest.mark.long
def test_many_decisions_one_roll_ahead(host: Host):
    compare(host, ONE_ROLL_AHEAD, random.Random(1), 1000)

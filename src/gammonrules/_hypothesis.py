"""`register`, which Hypothesis calls when it is imported, so that it can draw the types of the core.

The package lists the function in the entry point group "hypothesis", as it does that of records. The strategies are
loaded only when one is needed, since `gammonrules.strategies` may be the module that is importing Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter, methodcaller
from typing import Any, TypeAlias, get_args

from gammonrules.analysis import Candidate, Chances, CubeAnalysis, Level, PlayAnalysis
from gammonrules.board import Move, Outcome, PerftCount, Play, Plays, Position, TurnTree
from gammonrules.dice import Dice
from gammonrules.match import (
    Clock,
    Cube,
    Double,
    Event,
    Forfeit,
    MatchState,
    Player,
    Resignation,
    Result,
    SetPosition,
)
from gammonrules.match.internals import Timing
from gammonrules.rules import Rules

MakesStrategy: TypeAlias = Callable[[Any, Any], Any]


def _clocks(st: Any, _: Any) -> Any:
    seconds = st.floats(0.001, 1e6)
    reserves = st.tuples(seconds, seconds)
    timings = st.sampled_from(get_args(Timing))
    standing = st.builds(Clock, reserves, seconds, timings)
    on_clock = st.sampled_from(Player)
    since = st.none() | st.floats(-1e6, 1e6)
    return standing | st.builds(Clock, reserves, seconds, timings, on_clock, seconds, since)


def _positions_set_by_hand(st: Any, strategies: Any) -> Any:
    boards = strategies.positions(kind="any")
    cubes = strategies.match_states().map(attrgetter("cube"))
    return st.builds(SetPosition, boards, st.sampled_from(Player), st.none() | cubes)


# From Hypothesis's strategies and ours. Hypothesis knows enums already. A value that occurs only as part of another is
# taken from that one.
_STRATEGIES: dict[type, MakesStrategy] = {
    Candidate: lambda _, strategies: (
        strategies.play_analyses().filter(attrgetter("best")).map(attrgetter("best"))
    ),
    Chances: lambda _, strategies: strategies.chances(),
    Clock: _clocks,
    Cube: lambda _, strategies: strategies.match_states().map(attrgetter("cube")),
    CubeAnalysis: lambda _, strategies: strategies.cube_analyses(),
    Dice: lambda _, strategies: strategies.dice(),
    Double: lambda _, strategies: strategies.match_states(phase="doubled").map(attrgetter("offer")),
    Event: lambda _, strategies: strategies.events(),
    Forfeit: lambda st, _: st.builds(
        Forfeit, st.sampled_from(Player), st.none() | st.integers(1, 25)
    ),
    Level: lambda st, _: st.builds(Level.read, st.text()),
    MatchState: lambda _, strategies: strategies.match_states(),
    Move: lambda _, strategies: strategies.moves(),
    Outcome: lambda _, strategies: strategies.positions(kind="finished").map(attrgetter("outcome")),
    PerftCount: lambda st, _: st.builds(
        PerftCount, st.integers(1, 100), st.integers(0, 10**100), st.integers(0, 10**100)
    ),
    Play: lambda _, strategies: strategies.plays(),
    PlayAnalysis: lambda _, strategies: strategies.play_analyses(),
    Plays: lambda _, strategies: strategies.legal_plays(),
    Position: lambda _, strategies: strategies.positions(kind="any"),
    Resignation: lambda _, strategies: strategies.match_states(phase="resigned").map(
        attrgetter("offer")
    ),
    Result: lambda _, strategies: strategies.match_states(phase="over").map(attrgetter("result")),
    Rules: lambda _, strategies: strategies.rules(),
    SetPosition: _positions_set_by_hand,
    TurnTree: lambda _, strategies: strategies.legal_plays().map(methodcaller("tree")),
}


def register() -> None:
    """Register the types of the core with Hypothesis."""
    register_types(_STRATEGIES)


def register_types(strategies_of: Mapping[type, MakesStrategy]) -> None:
    """Register the types of a table, each with a function of Hypothesis's strategies and ours."""
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    def strategy(makes: MakesStrategy, _asked_for: object) -> Any:
        from gammonrules import strategies  # noqa: PLC0415 - see the top

        return makes(st, strategies)

    for kind, makes in strategies_of.items():
        # what is asked for may be a base, such as `object`, of which Hypothesis knows that this type fits
        st.register_type_strategy(kind, partial(strategy, makes))

"""`register`, which Hypothesis calls when it is imported, so that it can draw the types of the library.

The package lists the function in the entry point group "hypothesis". The strategies are loaded only when one is needed,
since `gammonrules.strategies` may be the module that is importing Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, methodcaller
from typing import Any

from gammonrules.board import Move, Outcome, PerftCount, Play, Plays, Position, TurnTree
from gammonrules.dice import Dice
from gammonrules.equity import Chances
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
from gammonrules.records.archive import COLUMNS, Column, Exported, Scanned
from gammonrules.records.transcript import (
    Candidate,
    CubeAnalysis,
    Decision,
    ErrorRate,
    Errors,
    Finding,
    FindingKind,
    Game,
    Level,
    Match,
    PlayAnalysis,
    Severity,
    Stated,
)
from gammonrules.rules import Rules


def _any_findings(st: Any, _: Any) -> Any:
    numbers = st.none() | st.integers(1, 99)
    severities = st.sampled_from(Severity)
    kinds = st.sampled_from(FindingKind)
    return st.builds(
        Finding, severities, kinds, numbers, numbers, st.text(max_size=200), st.text(min_size=1)
    )


def _statements(st: Any, _: Any) -> Any:
    numbers = st.none() | st.integers(1, 99)
    return st.builds(
        Stated, st.none() | st.sampled_from(Player), numbers, st.booleans(), st.text(), numbers
    )


def _clocks(st: Any, _: Any) -> Any:
    seconds = st.floats(0.001, 1e6)
    reserves = st.tuples(seconds, seconds)
    timings = st.sampled_from(("simple", "bronstein", "fischer"))
    standing = st.builds(Clock, reserves, seconds, timings)
    on_clock = st.sampled_from(Player)
    since = st.none() | st.floats(-1e6, 1e6)
    return standing | st.builds(Clock, reserves, seconds, timings, on_clock, seconds, since)


def _positions_set_by_hand(st: Any, strategies: Any) -> Any:
    boards = strategies.positions(kind="any")
    cubes = strategies.match_states().map(attrgetter("cube"))
    return st.builds(SetPosition, boards, st.sampled_from(Player), st.none() | cubes)


def _scanned(st: Any, strategies: Any) -> Any:
    texts = st.text(min_size=1)
    read = st.builds(Scanned, texts, strategies.matches(), st.none(), st.booleans(), st.just("mat"))
    refused = st.builds(Scanned, texts, st.none(), texts, st.booleans())
    return read | refused


# From Hypothesis's strategies and ours. Hypothesis knows enums already. A value that occurs only as part of another is
# taken from that one.
_STRATEGIES: dict[type, Callable[[Any, Any], Any]] = {
    Candidate: lambda _, strategies: (
        strategies.play_analyses().filter(attrgetter("best")).map(attrgetter("best"))
    ),
    Chances: lambda _, strategies: strategies.chances(),
    Clock: _clocks,
    Cube: lambda _, strategies: strategies.match_states().map(attrgetter("cube")),
    Column: lambda st, _: st.sampled_from(COLUMNS),
    CubeAnalysis: lambda _, strategies: strategies.cube_analyses(),
    Decision: lambda st, strategies: (
        strategies.records().map(Match.decisions).map(list).flatmap(st.sampled_from)
    ),
    Dice: lambda _, strategies: strategies.dice(),
    Double: lambda _, strategies: strategies.match_states(phase="doubled").map(attrgetter("offer")),
    Event: lambda _, strategies: strategies.events(),
    ErrorRate: lambda st, _: st.builds(ErrorRate, st.integers(0, 10**6), st.floats(0, 10**6)),
    Errors: lambda st, _: st.builds(Errors, st.integers(0, 10**6), st.floats(0, 10**6)),
    Exported: lambda st, _: st.builds(
        Exported, st.integers(0, 10**9), st.integers(0, 10**6), st.integers(0, 10**6)
    ),
    Finding: _any_findings,
    Forfeit: lambda st, _: st.builds(
        Forfeit, st.sampled_from(Player), st.none() | st.integers(1, 25)
    ),
    Game: lambda _, strategies: strategies.games(),
    Level: lambda st, _: st.builds(Level.read, st.text()),
    Match: lambda _, strategies: strategies.records(),
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
    Scanned: _scanned,
    SetPosition: _positions_set_by_hand,
    Stated: _statements,
    TurnTree: lambda _, strategies: strategies.legal_plays().map(methodcaller("tree")),
}


def register() -> None:
    """Register the types with Hypothesis."""
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    for kind in _STRATEGIES:
        st.register_type_strategy(kind, _strategy)


def _strategy(kind: type[object]) -> Any:
    from hypothesis import strategies as st  # noqa: PLC0415

    from gammonrules import strategies  # noqa: PLC0415 - see the top

    return _STRATEGIES[kind](st, strategies)

"""`register`, which Hypothesis calls when it is imported, so that it can draw the types of the library.

The package lists the function in the entry point group "hypothesis". The strategies are loaded only when one is needed,
since `gammonrules.strategies` may be the module that is importing Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, methodcaller
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gammonrules.archive import COLUMNS, Column, Exported, Scanned
from gammonrules.board import Move, Outcome, PerftCount, Play, Plays, Position, TurnTree
from gammonrules.dice import Dice
from gammonrules.equity import Chances
from gammonrules.match import Clock, Cube, Double, Event, Forfeit, MatchState, Player, Resignation, Result, SetPosition
from gammonrules.rules import Rules
from gammonrules.transcript import (
    Candidate,
    CubeAnalysis,
    Decision,
    Finding,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    Severity,
    Stated,
)

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def _findings(_: ModuleType) -> SearchStrategy[Finding]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    numbers = st.none() | st.integers(1, 99)
    severities, kinds = st.sampled_from(Severity), st.sampled_from(FindingKind)
    return st.builds(Finding, severities, kinds, numbers, numbers, st.text(max_size=200), st.text(min_size=1))


def _statements(_: ModuleType) -> SearchStrategy[Stated]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    numbers = st.none() | st.integers(1, 99)
    return st.builds(Stated, st.none() | st.sampled_from(Player), numbers, st.booleans(), st.text(), numbers)


def _forfeits(_: ModuleType) -> SearchStrategy[Forfeit]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    return st.builds(Forfeit, st.sampled_from(Player), st.none() | st.integers(1, 25))


def _clocks(_: ModuleType) -> SearchStrategy[Clock]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    seconds, timings = st.floats(0.001, 1e6), st.sampled_from(("simple", "bronstein", "fischer"))
    standing = st.builds(Clock, st.tuples(seconds, seconds), seconds, timings)
    turn = st.tuples(st.sampled_from(Player), seconds, st.none() | st.floats(-1e6, 1e6))
    return standing | st.builds(_in_turn, standing, turn)


def _in_turn(clock: Clock, turn: tuple[Player, float, float | None]) -> Clock:
    return Clock(clock.reserves, clock.delay, clock.timing, *turn)


def _perft_counts(_: ModuleType) -> SearchStrategy[PerftCount]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    numbers = st.integers(min_value=0, max_value=10**100)
    return st.builds(PerftCount, st.integers(1, 100), numbers, numbers)


def _positions_set_by_hand(strategies: ModuleType) -> SearchStrategy[SetPosition]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    cubes = strategies.match_states().map(attrgetter("cube"))
    return st.builds(SetPosition, strategies.positions(), st.sampled_from(Player), st.none() | cubes)


def _candidates(strategies: ModuleType) -> SearchStrategy[Candidate]:
    analyses: SearchStrategy[PlayAnalysis] = strategies.play_analyses()
    return analyses.filter(attrgetter("candidates")).map(_best)


def _best(analysis: PlayAnalysis) -> Candidate:
    return analysis.candidates[0]


def _decisions(strategies: ModuleType) -> SearchStrategy[Decision]:
    matches: SearchStrategy[Match] = strategies.records()
    return matches.flatmap(_decisions_of)


def _decisions_of(match: Match) -> SearchStrategy[Decision]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    return st.sampled_from(list(match.decisions()))


def _scanned(strategies: ModuleType) -> SearchStrategy[Scanned]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    read = st.builds(Scanned, st.text(min_size=1), strategies.matches(), st.none(), st.booleans(), st.just("mat"))
    return read | st.builds(Scanned, st.text(min_size=1), st.none(), st.text(min_size=1), st.booleans())


def _columns(_: ModuleType) -> SearchStrategy[Column]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    return st.sampled_from(COLUMNS)


def _exported(_: ModuleType) -> SearchStrategy[Exported]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    return st.builds(Exported, st.integers(0, 10**9), st.integers(0, 10**6), st.integers(0, 10**6))


# Hypothesis knows enums already. A value that occurs only as part of another is taken from that one.
_STRATEGIES: dict[type, Callable[[ModuleType], SearchStrategy[Any]]] = {
    Candidate: _candidates,
    Chances: lambda strategies: strategies.chances(),
    Clock: _clocks,
    Cube: lambda strategies: strategies.match_states().map(attrgetter("cube")),
    Column: _columns,
    CubeAnalysis: lambda strategies: strategies.cube_analyses(),
    Decision: _decisions,
    Dice: lambda strategies: strategies.dice(),
    Double: lambda strategies: strategies.match_states(phase="doubled").map(attrgetter("offer")),
    Event: lambda strategies: strategies.events(),
    Exported: _exported,
    Finding: _findings,
    Forfeit: _forfeits,
    Game: lambda strategies: strategies.games(),
    Match: lambda strategies: strategies.records(),
    MatchState: lambda strategies: strategies.match_states(),
    Move: lambda strategies: strategies.moves(),
    Outcome: lambda strategies: strategies.positions(kind="finished").map(attrgetter("outcome")),
    PerftCount: _perft_counts,
    Play: lambda strategies: strategies.plays(),
    PlayAnalysis: lambda strategies: strategies.play_analyses(),
    Plays: lambda strategies: strategies.legal_plays(),
    Position: lambda strategies: strategies.positions(kind="any"),
    Resignation: lambda strategies: strategies.match_states(phase="resigned").map(attrgetter("offer")),
    Result: lambda strategies: strategies.match_states(phase="over").map(attrgetter("result")),
    Rules: lambda strategies: strategies.rules(),
    Scanned: _scanned,
    SetPosition: _positions_set_by_hand,
    Stated: _statements,
    TurnTree: lambda strategies: strategies.legal_plays().map(methodcaller("tree")),
}


def register() -> None:
    """Register the types with Hypothesis."""
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    for kind in _STRATEGIES:
        st.register_type_strategy(kind, _strategy)


def _strategy(kind: type[object]) -> SearchStrategy[Any]:
    from gammonrules import strategies  # noqa: PLC0415 - see the top

    return _STRATEGIES[kind](strategies)

"""What Hypothesis calls when it is imported, so that it knows how to draw the types of the library.

An entry point of its group "hypothesis" names `register`. The strategies are loaded only when one is asked for:
`gammonrules.strategies` may be the very module that is importing Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from gammonrules.board import Move, Outcome, PerftCount, Play, Plays, Position
from gammonrules.dice import Dice
from gammonrules.match import Cube, Double, Event, MatchState, Player, Resignation, Result
from gammonrules.records import Finding, FindingKind, Forfeit, Game, Match, SetPosition, Severity, Stated
from gammonrules.rules import Rules

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def _findings(_: Any) -> SearchStrategy[Finding]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    numbers = st.none() | st.integers(1, 99)
    severities, kinds = st.sampled_from(Severity), st.sampled_from(FindingKind)
    return st.builds(Finding, severities, kinds, numbers, numbers, st.text(max_size=200), st.text(min_size=1))


def _statements(_: Any) -> SearchStrategy[Stated]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    numbers = st.none() | st.integers(1, 99)
    return st.builds(Stated, st.none() | st.sampled_from(Player), numbers, st.booleans(), st.text(), numbers)


def _forfeits(_: Any) -> SearchStrategy[Forfeit]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    return st.builds(Forfeit, st.sampled_from(Player), st.none() | st.integers(1, 25))


def _perft_counts(_: Any) -> SearchStrategy[PerftCount]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    numbers = st.integers(min_value=0, max_value=10**100)
    return st.builds(PerftCount, st.integers(1, 100), numbers, numbers)


def _positions_set_by_hand(room: Any) -> SearchStrategy[SetPosition]:
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    cubes = room.match_states().map(attrgetter("cube"))
    return st.builds(SetPosition, room.positions(), st.sampled_from(Player), st.none() | cubes)


# Enums need none, Hypothesis knows them. What only comes with something else is drawn from there.
_STRATEGIES: dict[type, Callable[[Any], SearchStrategy[Any]]] = {
    Cube: lambda room: room.match_states().map(attrgetter("cube")),
    Dice: lambda room: room.dice(),
    Double: lambda room: room.match_states(phase="doubled").map(attrgetter("offer")),
    Event: lambda room: room.events(),
    Finding: _findings,
    Forfeit: _forfeits,
    Game: lambda room: room.games(),
    Match: lambda room: room.matches(),
    MatchState: lambda room: room.match_states(),
    Move: lambda room: room.moves(),
    Outcome: lambda room: room.positions(kind="finished").map(attrgetter("outcome")),
    PerftCount: _perft_counts,
    Play: lambda room: room.plays(),
    Plays: lambda room: room.legal_plays(),
    Position: lambda room: room.positions(kind="any"),
    Resignation: lambda room: room.match_states(phase="resigned").map(attrgetter("offer")),
    Result: lambda room: room.match_states(phase="over").map(attrgetter("result")),
    Rules: lambda room: room.rules(),
    SetPosition: _positions_set_by_hand,
    Stated: _statements,
}


def register() -> None:
    """Tell Hypothesis which types can be drawn."""
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    for kind in _STRATEGIES:
        st.register_type_strategy(kind, _strategy)


def _strategy(kind: type[object]) -> SearchStrategy[Any]:
    from gammonrules import strategies  # noqa: PLC0415 - see above

    return _STRATEGIES[kind](strategies)

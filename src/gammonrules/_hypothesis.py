"""What Hypothesis calls when it is imported, so that it knows how to draw the types of the library.

An entry point of its group "hypothesis" names `register`. The strategies are loaded only when one is asked for:
`gammonrules.strategies` may be the very module that is importing Hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from gammonrules.dice import Dice
from gammonrules.match import Cube, Double, Event, MatchState, Resignation, Result
from gammonrules.position import Move, Outcome, Play, Plays, Position
from gammonrules.records import Game
from gammonrules.rules import Rules

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Enums need none, Hypothesis knows them. What only comes with something else is drawn from there.
_STRATEGIES: dict[type, Callable[[Any], SearchStrategy[Any]]] = {
    Cube: lambda room: room.match_states().map(attrgetter("cube")),
    Dice: lambda room: room.dice(),
    Double: lambda room: room.match_states(phase="doubled").map(attrgetter("offer")),
    Event: lambda room: room.events(),
    Game: lambda room: room.games(),
    MatchState: lambda room: room.match_states(),
    Move: lambda room: room.moves(),
    Outcome: lambda room: room.positions(kind="finished").map(attrgetter("outcome")),
    Play: lambda room: room.plays(),
    Plays: lambda room: room.legal_plays(),
    Position: lambda room: room.positions(kind="any"),
    Resignation: lambda room: room.match_states(phase="resigned").map(attrgetter("offer")),
    Result: lambda room: room.match_states(phase="over").map(attrgetter("result")),
    Rules: lambda room: room.rules(),
}


def register() -> None:
    """Tell Hypothesis which types can be drawn."""
    from hypothesis import strategies as st  # noqa: PLC0415 - it is an extra

    for kind in _STRATEGIES:
        st.register_type_strategy(kind, _strategy)


def _strategy(kind: type[object]) -> SearchStrategy[Any]:
    from gammonrules import strategies  # noqa: PLC0415 - see above

    return _STRATEGIES[kind](strategies)

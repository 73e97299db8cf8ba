"""Checks of the arguments of strategies: other strategies, which must draw the right values, and limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from gammonrules.board import Play, Position
from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_POINTS, MAX_SCRIPTED
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import shown, whole_argument, whole_number

_Drawn = TypeVar("_Drawn")
_Default = TypeVar("_Default")


class DrawnValues(NamedTuple):
    """What a strategy passed for a parameter must draw."""

    example: str
    fits: Callable[[object], bool]
    what: str


def _is_length(value: object) -> bool:
    return value is None or 1 <= (whole_number(value) or 0) <= MAX_POINTS


def _goes_on(value: object) -> bool:
    return isinstance(value, MatchState) and value.result is None


def is_a(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind)


_REQUIREMENTS = {
    "lengths": DrawnValues(
        "7", _is_length, f"whole numbers from 1 to {MAX_POINTS}, or None for money play"
    ),
    "plays": DrawnValues("Position.start().legal_plays('31')[0]", is_a(Play), "a Play"),
    "positions": DrawnValues("Position.start()", is_a(Position), "a Position"),
    # Position.legal_plays reads them in any form
    "rolls": DrawnValues("Dice(3, 1)", is_a(object), "Dice"),
    "rules": DrawnValues("Rules()", is_a(Rules), "Rules"),
    "starts": DrawnValues("MatchState.new(7)", _goes_on, "a MatchState of a game that goes on"),
}


def strategy_for(
    name: str,
    strategy: st.SearchStrategy[_Drawn] | None,
    default: _Default,
    requirement: DrawnValues | None = None,
) -> st.SearchStrategy[_Drawn] | _Default:
    """The strategy that a caller passed for this parameter, with a check of what it draws; the default for None.

    `requirement` is what it must draw, if that is no value of the core.

    Raises:
        ArgumentError: it is not a strategy (often it is the value itself); while drawing, if a value does not fit.
    """
    if strategy is None:
        return default
    requirement = requirement or _REQUIREMENTS[name]
    passed: object = strategy  # which callers without type checkers may confuse with a value
    if not isinstance(passed, st.SearchStrategy):
        raise ArgumentError(
            f"{name}= takes a strategy such as st.just({requirement.example}), not {shown(passed)}"
        )

    def checked(value: _Drawn) -> _Drawn:
        if not requirement.fits(value):
            raise ArgumentError(f"{name}= draws {requirement.what}, not {shown(value)}")
        return value

    return strategy.map(checked)


def limit(name: str, value: object, least: int = 0) -> int:
    """A limit, a whole number from `least` up to what Hypothesis can draw in a row.

    Raises:
        ArgumentError: anything else.
    """
    return whole_argument(name, value, least, maximum=MAX_SCRIPTED)

"""What a caller hands in: strategies in the place of plain values, which draw what they are meant to draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

from hypothesis import strategies as st

from gammonrules.board import Position
from gammonrules.errors import GammonError
from gammonrules.limits import MOST_POINTS, MOST_SCRIPTED
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import shown, whole_number

_Drawn = TypeVar("_Drawn")
_Default = TypeVar("_Default")


class _Wanted(NamedTuple):
    """What the strategy of a parameter draws."""

    example: str
    fits: Callable[[object], bool]
    what: str


def _is_length(value: object) -> bool:
    return value is None or 1 <= (whole_number(value) or 0) <= MOST_POINTS


def _goes_on(value: object) -> bool:
    return isinstance(value, MatchState) and value.result is None


def _is_a(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind)


_WANTED = {
    "lengths": _Wanted("7", _is_length, f"whole numbers from 1 to {MOST_POINTS}, or None for money play"),
    "positions": _Wanted("Position.start()", _is_a(Position), "a Position"),
    "rolls": _Wanted("Dice(3, 1)", _is_a(object), "Dice"),  # Position.legal_plays reads them in any form
    "rules": _Wanted("Rules()", _is_a(Rules), "Rules"),
    "starts": _Wanted("MatchState.new(7)", _goes_on, "a MatchState of a game that goes on"),
}


def checked(
    name: str, given: st.SearchStrategy[_Drawn] | None, default: _Default
) -> st.SearchStrategy[_Drawn] | _Default:
    """What was given for this parameter, watched: it says so when it draws something else. The default for None.

    Raises:
        GammonError: no strategy; most often the value itself.
    """
    if given is None:
        return default
    wanted = _WANTED[name]

    def watched(value: _Drawn) -> _Drawn:
        if not wanted.fits(value):
            raise GammonError(f"{name}= draws {wanted.what}, not {shown(value)}")
        return value

    if not isinstance(cast("object", given), st.SearchStrategy):
        raise GammonError(f"{name}= takes a strategy, such as st.just({wanted.example}), not {shown(given)}")
    return given.map(watched)


def most(what: str, least: int, given: object) -> int:
    """A limit, a whole number from `least` up to what Hypothesis can draw in a row.

    Raises:
        GammonError: anything else.
    """
    number = whole_number(given)
    if number is None or not least <= number <= MOST_SCRIPTED:
        raise GammonError(f"the most {what} is a whole number from {least} to {MOST_SCRIPTED}, not {shown(given)}")
    return number

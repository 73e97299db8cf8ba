"""Names from other libraries: the error has the right name, and nothing else notices them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

import gammonrules
from boards import positions
from gammonrules import MatchState, Player, Position
from gammonrules._shared.guessed_names import GUESSES

OWNERS: dict[str, Any] = {
    "gammonrules": gammonrules,
    "MatchState": MatchState.new(7).opening_roll(3, 1),
    "Position": Position.start(),
}
PAIRS = [(owner, name) for owner, names in GUESSES.items() for name in names]
guesses = st.sampled_from(PAIRS)


def test_there_are_few() -> None:
    assert GUESSES.keys() == OWNERS.keys()
    assert len(PAIRS) <= 12


@given(guesses)
def test_the_error_has_the_right_name(guess: tuple[str, str]) -> None:
    """What the message names is there."""
    owner, name = guess
    with pytest.raises(AttributeError) as caught:
        getattr(OWNERS[owner], name)
    wrong, _, use = str(caught.value).partition("; use ")
    assert wrong.endswith(f" has no {name!r}")
    assert use == GUESSES[owner][name]
    for word in use.split("'")[1::2]:
        value: Any = gammonrules if word[0].isupper() else OWNERS[owner]
        for part in word.partition("(")[0].split("."):
            value = getattr(value, part)


def test_the_message_for_the_board_of_other_libraries() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = gammonrules.Board  # type: ignore[attr-defined]
    expected = (
        "module 'gammonrules' has no 'Board'; use 'Position' for the checkers alone or 'MatchState' for the whole"
    )
    assert str(caught.value) == f"{expected} match"


@given(guesses)
def test_nothing_else_sees_them(guess: tuple[str, str]) -> None:
    owner, name = guess
    assert not hasattr(OWNERS[owner], name)
    assert not hasattr(type(OWNERS[owner]), name)
    assert name not in dir(OWNERS[owner])
    assert getattr(OWNERS[owner], name, None) is None


@given(positions())
def test_values_are_as_before(position: Position) -> None:
    """Copies, pickles and changed values; other names raise the usual error."""
    state = MatchState(position, Player.WHITE, length=7) if position.outcome is None else OWNERS["MatchState"]
    for value in (position, state):
        assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value
        with pytest.raises(AttributeError, match="has no attribute 'castle'"):
            _ = value.castle
        assert {"legal_plays", "__class__"} <= set(dir(value))
    assert attrs.evolve(state, crawford=state.crawford) == state


def test_attributes_are_read_by_the_fast_way_of_python() -> None:
    """With `__getattr__` each attribute would take longer."""
    for cls in (Position, MatchState):
        assert not hasattr(cls, "__getattr__")
        assert cls.__getattribute__ is object.__getattribute__

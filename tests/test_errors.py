"""The exception tree: what catches what, and what travels with an error."""

from __future__ import annotations

import copy
import pickle

import pytest

import gammonrules
import loop
from gammonrules import Position
from gammonrules.board import AmbiguousPlayError, IllegalPlayError
from gammonrules.errors import (
    DiceError,
    GammonError,
    IdentifierError,
    IllegalActionError,
    MatchStateError,
    ParseError,
    PositionError,
    RulesError,
)

TREE = {
    PositionError: GammonError,
    DiceError: GammonError,
    RulesError: GammonError,
    MatchStateError: GammonError,
    ParseError: GammonError,
    IdentifierError: ParseError,
    IllegalPlayError: GammonError,
    AmbiguousPlayError: IllegalPlayError,
    IllegalActionError: GammonError,
}


@loop.over(("error", "parent"), TREE.items(), ids=lambda error: error.__name__)
def test_tree(error, parent):
    assert issubclass(error, parent)
    assert issubclass(error, GammonError)
    assert issubclass(error, ValueError)


def test_every_public_error_is_in_the_tree():
    public = {
        value for value in vars(gammonrules).values() if isinstance(value, type) and issubclass(value, GammonError)
    }
    assert public >= TREE.keys()
    assert all(issubclass(error, GammonError) for error in public)
    assert {error.__module__ for error in public} == {"gammonrules"}  # as tracebacks show it


def raised(action):
    with pytest.raises(GammonError) as caught:
        action()
    return caught.value


RAISED = {
    "position": lambda: Position.of(mine={6: 16}, theirs={}),
    "dice": lambda: Position.start().legal_plays("99"),
    "identifier": lambda: Position.from_id("nonsense"),
    "parse": lambda: Position.start().play("hello", "31"),
    "illegal": lambda: Position.start().play("8/5", "31"),
    "must play": lambda: Position.start().play("", "31"),
    "ambiguous": lambda: Position.of(mine={24: 1, 1: 14}, theirs={3: 1, 7: 1}).play("24/16", "62"),
}


@loop.over("name", RAISED)
def test_travels(name):
    """Errors can be pickled and copied with everything they carry."""
    error = raised(RAISED[name])
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is type(error)
        assert str(other) == str(error)
        assert vars(other) == vars(error)

"""The exception tree: what catches what, and what travels with an error."""

from __future__ import annotations

import copy
import pickle

import pytest

import gammonrules
import loop
from gammonrules import Position
from gammonrules.board import AmbiguousPlayError, BrokenRule, IllegalPlayError
from gammonrules.errors import (
    DiceError,
    GammonError,
    IdentifierError,
    IllegalActionError,
    MatchStateError,
    ParseError,
    PositionError,
    PositionProblem,
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


def test_refusals_of_text_are_apart():
    """Unparsable, illegal and ambiguous texts are three different errors."""
    assert not issubclass(IllegalPlayError, ParseError)
    assert not issubclass(ParseError, IllegalPlayError)
    assert not issubclass(IllegalActionError, IllegalPlayError)


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


def test_problems_have_words():
    error = raised(RAISED["position"])
    assert isinstance(error.problems, PositionProblem)
    assert "16" in str(error)


def test_an_illegal_play_has_a_reason_and_a_witness():
    error = raised(RAISED["illegal"])
    assert error.reason is BrokenRule.BOTH_DICE
    assert error.witness in Position.start().legal_plays("31")


def test_an_ambiguous_text_has_candidates():
    error = raised(RAISED["ambiguous"])
    assert {str(play) for play in error.candidates} == {"24/22*/16", "24/18*/16"}

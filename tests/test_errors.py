"""The exception tree: what catches what, and what travels with an error."""

from __future__ import annotations

import copy
import functools
import importlib
import pickle
import pkgutil
import re
from pathlib import Path

import pytest

import gammonrules
import loop
from gammonrules import Position
from gammonrules.board import AmbiguousPlayError, IllegalPlayError
from gammonrules.errors import (
    DiceError,
    DiceProblem,
    GammonError,
    IdentifierError,
    IllegalActionError,
    MatchStateError,
    MatchStateProblem,
    ParseError,
    PositionError,
    PositionProblem,
    ProblemsError,
    RulesError,
    RulesProblem,
)
from gammonrules.values import reworded

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

FLAGS = {
    PositionError: PositionProblem,
    DiceError: DiceProblem,
    RulesError: RulesProblem,
    MatchStateError: MatchStateProblem,
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


# --- what another process raises again --------------------------------------------------------------------------------


@functools.cache
def all_exceptions() -> list[type[BaseException]]:
    """Every exception class of the package, also those of no public name."""
    classes = set[type[BaseException]]()
    for module in pkgutil.walk_packages(gammonrules.__path__, "gammonrules."):
        if not module.name.endswith("__main__"):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, type) and issubclass(value, BaseException):
                    classes.add(value)
    return sorted(
        (each for each in classes if each.__module__.startswith("gammonrules")), key=lambda each: each.__name__
    )


def test_all_exceptions_are_found():
    """A class that nobody imports would be missing."""
    names = {each.__name__ for each in all_exceptions()}
    heading = re.compile(r"^class (\w+)\([^)]*(?:Error|Exception|Warning)\b[^)]*\)", re.MULTILINE)
    written = set[str]()
    for path in Path(gammonrules.__file__).parent.rglob("*.py"):
        written |= {*heading.findall(path.read_text("utf-8"))}
    assert written <= names, written - names
    assert len(names) > 20


def again(error: BaseException) -> BaseException:
    """As Gymnasium, and others who share work among processes, raise what came from there."""
    return type(error)(error)


@loop.over("kind", all_exceptions, ids=lambda kind: kind.__name__)
def test_every_exception_is_made_from_its_sentence_alone(kind):
    error = kind("no such thing")
    copies = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    copies += [copy.copy(error), copy.deepcopy(error), kind(str(error))]
    if issubclass(kind, GammonError):
        copies.append(again(error))
    for other in (error, *copies):
        assert type(other) is kind
        assert str(other) == "no such thing"
        assert vars(other) == vars(error)


def test_what_an_error_knows_without_its_facts():
    """Whoever looks at the flags, or compares the reason, may do so; nothing is said that nobody knows."""
    assert PositionProblem.SHARED_POINT not in PositionError("wrong").problems
    for kind, flags in FLAGS.items():
        assert kind("wrong").problems == flags(0)
    assert not ProblemsError("wrong").problems
    assert IllegalActionError("not now").reason is None
    assert IllegalPlayError("blocked").reason is None
    assert AmbiguousPlayError("which?").candidates == ()


@loop.over("name", RAISED)
def test_reworded(name):
    """The same error with another sentence, as a place is put before it."""
    error = raised(RAISED[name])
    other = reworded(error, "row 3: wrong")
    assert type(other) is type(error)
    assert str(other) == "row 3: wrong"
    assert vars(other) == vars(error)

"""`Rules`: what goes together, and the presets."""

from __future__ import annotations

import copy
import pickle

import attrs
import pytest

from gammonrules import rules as module
from gammonrules.errors import RulesError, RulesProblem
from gammonrules.rules import Rules, is_power_of_two


def test_the_default_is_tournament_play():
    assert Rules() == module.TOURNAMENT
    assert attrs.asdict(Rules()) == {
        "crawford": True,
        "jacoby": False,
        "beavers": 0,
        "auto_doubles": 0,
        "max_cube": None,
        "cube": True,
        "gammons": True,
        "backgammons": True,
        "scoring": "points",
        "opening": "shared",
    }


@pytest.mark.parametrize(
    ("name", "differences"),
    [
        ("TOURNAMENT", {}),
        ("MONEY", {"jacoby": True, "beavers": 1}),
        ("BRETTSPIELWELT", {}),
        ("BRETTSPIELWELT_SINGLE", {"cube": False, "scoring": "pips"}),
        ("GAMEDESIRE", {"opening": "reroll", "max_cube": 64}),
        ("GAMEDESIRE_PARLOR", {"opening": "reroll", "cube": False}),
        ("FINNISH", {"crawford": False}),
        ("PHILOS", {"crawford": False, "cube": False}),
        ("PORTES", {"opening": "reroll", "cube": False, "backgammons": False}),
    ],
)
def test_presets(name, differences):
    assert getattr(module, name) == attrs.evolve(Rules(), **differences)


@pytest.mark.parametrize(
    ("options", "problem", "word"),
    [
        ({"scoring": "pips"}, RulesProblem.PIPS_WITH_CUBE, "cube=False"),
        ({"scoring": "pips", "cube": False, "beavers": 1}, RulesProblem.PIPS_WITH_BEAVERS, "beavers"),
        ({"scoring": "pips", "cube": False, "auto_doubles": 1}, RulesProblem.PIPS_WITH_AUTO_DOUBLES, "automatic"),
        ({"scoring": "pips", "cube": False, "jacoby": True}, RulesProblem.PIPS_WITH_JACOBY, "Jacoby"),
        ({"gammons": False}, RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS, "backgammons=False"),
        ({"crawford": 1}, RulesProblem.WRONG_SWITCH, "crawford"),
        ({"jacoby": None}, RulesProblem.WRONG_SWITCH, "jacoby"),
        ({"cube": "no"}, RulesProblem.WRONG_SWITCH, "cube"),
        ({"beavers": -1}, RulesProblem.WRONG_NUMBER, "beavers"),
        ({"beavers": True}, RulesProblem.WRONG_NUMBER, "beavers"),
        ({"auto_doubles": 1.0}, RulesProblem.WRONG_NUMBER, "auto_doubles"),
        ({"max_cube": 24}, RulesProblem.WRONG_NUMBER, "max_cube"),
        ({"max_cube": 0}, RulesProblem.WRONG_NUMBER, "max_cube"),
        ({"scoring": "money"}, RulesProblem.WRONG_CHOICE, "scoring"),
        ({"opening": True}, RulesProblem.WRONG_CHOICE, "opening"),
    ],
)
def test_each_conflict_has_its_own_flag_and_sentence(options, problem, word):
    with pytest.raises(RulesError, match=word) as caught:
        Rules(**options)
    assert caught.value.problems == problem


def test_all_problems_are_reported_at_once():
    with pytest.raises(RulesError) as caught:
        Rules(scoring="pips", jacoby=True, beavers=1, auto_doubles=1, gammons=False, max_cube=3)
    assert caught.value.problems == (
        RulesProblem.PIPS_WITH_CUBE
        | RulesProblem.PIPS_WITH_BEAVERS
        | RulesProblem.PIPS_WITH_AUTO_DOUBLES
        | RulesProblem.PIPS_WITH_JACOBY
        | RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS
        | RulesProblem.WRONG_NUMBER
    )
    assert str(caught.value).count("; ") == 5
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


@pytest.mark.parametrize(
    "options",
    [
        {"jacoby": True, "cube": False},
        {"jacoby": True, "beavers": 3, "auto_doubles": 2},
        {"gammons": False, "backgammons": False},
        {"gammons": True, "backgammons": False},
        {"scoring": "pips", "cube": False, "opening": "reroll", "crawford": False},
        {"max_cube": 1},
    ],
)
def test_what_is_allowed(options):
    rules = Rules(**options)
    assert rules == attrs.evolve(rules) == copy.deepcopy(rules) == pickle.loads(pickle.dumps(rules))
    assert len({rules, attrs.evolve(rules)}) == 1


def test_rules_do_not_change():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Rules().jacoby = True
    with pytest.raises(TypeError):
        Rules(True)


@pytest.mark.parametrize(("value", "answer"), [(1, True), (2, True), (4096, True), (0, False), (-2, False), (6, False)])
def test_powers_of_two(value, answer):
    assert is_power_of_two(value) is answer

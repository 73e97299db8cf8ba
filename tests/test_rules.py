"""`Rules`: what goes together, and the presets."""

from __future__ import annotations

import copy
import pickle

import attrs
import pytest

from gammonrules import rules as module
from gammonrules.errors import RulesError, RulesProblem
from gammonrules.rules import Rules
from integers import Count


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
        "start": "standard",
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


@pytest.mark.parametrize("value", [1, 2, 64, 4096])
def test_values_of_a_cube(value):
    assert Rules(max_cube=value).max_cube == value


@pytest.mark.parametrize("value", [0, -1, -2, 6, 24, True, 2.0, "2"])
def test_what_is_no_value_of_a_cube(value):
    with pytest.raises(RulesError) as caught:
        Rules(max_cube=value)
    assert str(caught.value) == f"impossible rules: max_cube is a power of two or None, not {value!r}"


def test_whole_numbers_of_any_type():
    rules = Rules(beavers=Count(2), auto_doubles=Count(1), max_cube=Count(64))
    assert rules == Rules(beavers=2, auto_doubles=1, max_cube=64)
    assert {type(number) for number in (rules.beavers, rules.auto_doubles, rules.max_cube)} == {int}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"crawford": 1}, "crawford is True or False, not 1"),
        ({"beavers": -1}, "beavers is a whole number from 0, not -1"),
        ({"auto_doubles": 1.0}, "auto_doubles is a whole number from 0, not 1.0"),
        ({"scoring": "money"}, 'scoring is "points" or "pips", not \'money\''),
        ({"opening": True}, 'opening is "shared" or "reroll", not True'),
        ({"gammons": False}, "a game without gammons has no backgammons either: say backgammons=False"),
        (
            {"scoring": "pips", "beavers": 1, "auto_doubles": 1, "jacoby": True},
            (
                "pip scoring has no cube: say cube=False; pip scoring has no beavers; "
                "pip scoring has no automatic doubles; pip scoring has no gammons for Jacoby"
            ),
        ),
    ],
)
def test_sentences(options, sentence):
    with pytest.raises(RulesError) as caught:
        Rules(**options)
    assert str(caught.value) == f"impossible rules: {sentence}"


def test_a_preset_is_public():
    presets = {name for name, value in vars(module).items() if isinstance(value, Rules)}
    assert presets <= set(module.__all__)
    assert {"Rules", "Scoring", "Opening"} == set(module.__all__) - presets

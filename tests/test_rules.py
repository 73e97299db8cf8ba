"""`Rules`: what goes together, and the presets."""

from __future__ import annotations

import copy
import pickle
import re
from ast import literal_eval
from pathlib import Path

import attrs
import pytest

import loop
import wording
from gammonrules import rules as module
from gammonrules.board import Position, Win
from gammonrules.errors import MatchStateError, MatchStateProblem, RulesError, RulesProblem
from gammonrules.match import Action, Cube, MatchState, Player
from gammonrules.rules import Rules
from integers import Count


def test_the_default_is_tournament_play():
    assert Rules() == module.TOURNAMENT
    assert attrs.astuple(Rules()) == (True, False, 0, 0, None, True, True, True, "points", "shared", "standard")


PRESETS = {
    "TOURNAMENT": {},
    "MONEY": {"jacoby": True, "beavers": 1},
    "BRETTSPIELWELT": {},
    "BRETTSPIELWELT_SINGLE": {"cube": False, "scoring": "pips"},
    "GAMEDESIRE": {"opening": "reroll", "max_cube": 64},
    "GAMEDESIRE_PARLOR": {"opening": "reroll", "cube": False},
    "FINNISH": {"crawford": False},
    "PHILOS": {"crawford": False, "cube": False},
    "PORTES": {"opening": "reroll", "cube": False, "backgammons": False},
}


@pytest.mark.parametrize(("name", "differences"), PRESETS.items(), ids=list(PRESETS))
def test_presets(name, differences):
    preset = getattr(module, name)
    assert preset == attrs.evolve(Rules(), **differences)
    assert {*module.unknown_options(preset, ())} == {*differences}
    assert module.unknown_options(preset, differences) == []


PIPS = {"scoring": "pips", "cube": False}
NUMBER = "is a whole number from 0 to 1,000, not"
POWER = "max_cube is a power of two up to 16,777,216, or None, not"
Problem = RulesProblem
CONFLICTS = [
    ({"scoring": "pips"}, Problem.PIPS_WITH_CUBE, "pip scoring has no cube, so set cube=False"),
    (PIPS | {"beavers": 1}, Problem.PIPS_WITH_BEAVERS, "pip scoring has no beavers"),
    (PIPS | {"auto_doubles": 1}, Problem.PIPS_WITH_AUTO_DOUBLES, "pip scoring has no automatic doubles"),
    (PIPS | {"jacoby": True}, Problem.PIPS_WITH_JACOBY, "pip scoring has no gammons, so it has no Jacoby rule"),
    ({"gammons": False}, Problem.BACKGAMMONS_WITHOUT_GAMMONS, "without gammons no backgammons: backgammons=False"),
    ({"crawford": 1}, Problem.NOT_A_BOOL, "crawford is True or False, not 1"),
    ({"jacoby": None}, Problem.NOT_A_BOOL, "jacoby is True or False, not None"),
    ({"cube": "no"}, Problem.NOT_A_BOOL, "cube is True or False, not 'no'"),
    ({"beavers": -1}, Problem.NUMBER_OUT_OF_RANGE, f"beavers {NUMBER} -1"),
    ({"beavers": True}, Problem.NUMBER_OUT_OF_RANGE, f"beavers {NUMBER} True"),
    ({"auto_doubles": 1.0}, Problem.NUMBER_OUT_OF_RANGE, f"auto_doubles {NUMBER} 1.0"),
    *(({"max_cube": wrong}, Problem.NUMBER_OUT_OF_RANGE, f"{POWER} {wrong!r}") for wrong in (0, -2, 6, True, 2.0, "2")),
    ({"scoring": "money"}, Problem.UNKNOWN_CHOICE, 'scoring is "points" or "pips", not \'money\''),
    ({"opening": True}, Problem.UNKNOWN_CHOICE, 'opening is "shared" or "reroll", not True'),
]


@loop.over("options, problem, sentence", CONFLICTS)
def test_each_conflict_has_its_own_flag_and_sentence(options, problem, sentence):
    with wording.raises(RulesError, f"impossible rules: {sentence}", problems=problem):
        Rules(**options)


def test_all_problems_are_reported_at_once():
    with pytest.raises(RulesError) as caught:
        Rules(scoring="pips", jacoby=True, beavers=1, auto_doubles=1, gammons=False, max_cube=3)
    assert caught.value.problems == (
        RulesProblem.PIPS_WITH_CUBE
        | RulesProblem.PIPS_WITH_BEAVERS
        | RulesProblem.PIPS_WITH_AUTO_DOUBLES
        | RulesProblem.PIPS_WITH_JACOBY
        | RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS
        | RulesProblem.NUMBER_OUT_OF_RANGE
    )
    assert str(caught.value).count("; ") == 5
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


@loop.rows(
    "options",
    {"jacoby": True, "beavers": 3, "auto_doubles": 2},
    {"gammons": False, "backgammons": False},
    {"scoring": "pips", "cube": False, "opening": "reroll", "crawford": False},
    {"max_cube": 1},
)
def test_what_is_allowed(options):
    rules = Rules(**options)
    assert rules == attrs.evolve(rules) == copy.deepcopy(rules) == pickle.loads(pickle.dumps(rules))
    assert len({rules, attrs.evolve(rules)}) == 1


def test_whole_numbers_of_any_type():
    rules = Rules(beavers=Count(2), auto_doubles=Count(1), max_cube=Count(64))
    assert rules == Rules(beavers=2, auto_doubles=1, max_cube=64)
    assert {type(number) for number in (rules.beavers, rules.auto_doubles, rules.max_cube)} == {int}


def test_a_preset_is_public():
    presets = {name for name, value in vars(module).items() if isinstance(value, Rules)}
    assert presets == set(PRESETS) <= set(module.__all__)
    assert {"Rules", "Scoring", "Opening"} == set(module.__all__) - presets


def on_roll(rules, length, **fields):
    """White about to roll or double in the start position."""
    return MatchState(Position.start(), Player.WHITE, length=length, rules=rules, **fields)


def resigned(rules, length, win, cube=None):
    """The points that Black wins by a resignation of this level."""
    state = on_roll(rules, length, cube=cube or Cube())
    return state.resign(win).accept().result.points


def after_a_tie(rules, length):
    return MatchState.new(length, rules=rules).opening_roll(4, 4).cube.value


def opening(rules, length):
    return MatchState.new(length, rules=rules).opening_roll(6, 3).phase.value


def may(action, state):
    return action in state.legal_actions


EFFECTS = {
    "crawford": (
        False,
        3,
        lambda rules, length: MatchState.new(length, rules=rules, score=(2, 0)).crawford,
        True,
        False,
    ),
    "jacoby": (True, None, lambda rules, length: resigned(rules, length, Win.GAMMON), 2, 1),
    "beavers": (1, None, lambda rules, length: may(Action.BEAVER, on_roll(rules, length).double()), False, True),
    "auto_doubles": (1, None, after_a_tie, 1, 2),
    "max_cube": (1, 3, lambda rules, length: may(Action.DOUBLE, on_roll(rules, length)), True, False),
    "cube": (False, 3, lambda rules, length: may(Action.DOUBLE, on_roll(rules, length)), True, False),
    "gammons": (False, 3, lambda rules, length: resigned(rules, length, Win.GAMMON), 2, 1),
    "backgammons": (False, 3, lambda rules, length: resigned(rules, length, Win.BACKGAMMON), 3, 2),
    "scoring": ("pips", None, lambda rules, length: resigned(rules, length, Win.SINGLE), 1, 167),
    "opening": ("reroll", 3, opening, "to_play", "to_roll"),
    "start": ("nackgammon", 3, lambda rules, length: MatchState.new(length, rules=rules).position.pip_count, 167, 194),
}
"""For each option: another value than the default, a form of play that knows it, what it changes there, and how."""

WITH_IT = {"gammons": {"backgammons": False}, "scoring": {"cube": False}}
"""What an option asks for besides, on both sides of the comparison."""


class TestEffects:
    def test_every_option_has_one(self):
        assert list(EFFECTS) == [field.name for field in attrs.fields(Rules)]

    @loop.over("option", EFFECTS)
    def test_effect(self, option):
        value, length, look, *seen = EFFECTS[option]
        rules = Rules(**WITH_IT.get(option, {}))
        assert [look(rules, length), look(attrs.evolve(rules, **{option: value}), length)] == seen

    @loop.rows(
        ("option", "length", "others"),
        ("crawford", None, {}),
        ("jacoby", 3, {}),
        ("jacoby", None, {"gammons": False, "backgammons": False}),
        ("beavers", 3, {}),
        ("auto_doubles", 3, {}),
        ("auto_doubles", None, {"cube": False}),
        ("max_cube", None, {"cube": False}),
        ("backgammons", None, {"jacoby": True, "cube": False}),
    )
    def test_no_effect(self, option, length, others):
        value, _, look, *_ = EFFECTS[option]
        assert look(Rules(**others), length) == look(Rules(**others | {option: value}), length)

    def test_no_start_where_the_position_is_given(self):
        standard = Position.start("longgammon")
        new = MatchState.new(3, rules=Rules(start="nackgammon"), position=standard)
        assert new.position == standard
        over = new.opening_roll(6, 3).resign().accept()
        assert (over.next_game(position=standard).position, over.next_game().position) == (
            standard,
            Position.start("nackgammon"),
        )

    @loop.rows("opening", "shared", "reroll")
    def test_no_opening_where_the_starter_is_given(self, opening):
        over = MatchState.new(3, rules=Rules(opening=opening)).opening_roll(6, 3).resign().accept()
        assert may(Action.ROLL, over.next_game(starter=Player.BLACK))

    def test_no_gammons_with_pips(self):
        last = Position.of(mine={1: 1}, theirs={6: 15})
        for rules in (
            Rules(scoring="pips", cube=False),
            Rules(scoring="pips", cube=False, gammons=False, backgammons=False),
        ):
            over = MatchState(last, Player.WHITE, "65", rules=rules).play("1/off")
            assert (over.result.win, over.result.points) == (Win.SINGLE, 90)

    def test_no_pips_in_a_match(self):
        with wording.tells(MatchStateError, problems=MatchStateProblem.PIPS_IN_MATCH):
            MatchState.new(5, rules=module.BRETTSPIELWELT_SINGLE)

    @loop.rows(
        ("counts", "points"),
        ({"gammons": True, "backgammons": True}, [1, 2, 3]),
        ({"gammons": True, "backgammons": False}, [1, 2, 2]),
        ({"gammons": False, "backgammons": False}, [1, 1, 1]),
    )
    @loop.rows("length", None, 9)
    def test_levels_that_count(self, counts, points, length):
        """By a resignation and on the board, times the cube."""
        owned = Cube(2, Player.WHITE)
        assert [resigned(Rules(**counts), length, win, owned) for win in Win] == [2 * each for each in points]
        for loser, each in zip(({6: 14}, {6: 15}, {6: 14, 19: 1}), points, strict=True):
            board = Position.of(mine={1: 1}, theirs=loser)
            last = MatchState(board, Player.WHITE, "65", cube=owned, length=length, rules=Rules(**counts))
            assert last.play("1/off").score == (2 * each, 0)


PAGE = Path(__file__).parent.parent / "docs" / "reference" / "rules.md"


class TestPage:
    """The page of the options is complete, and its table shows the presets as they are."""

    TEXT = PAGE.read_text(encoding="utf-8")

    def test_the_default_of_each_option(self):
        shown = re.findall(r"(?s)### `(\w+)`\n(?:(?!###).)*?\n- \*Default\*: `([^`]+)`\n", self.TEXT)
        assert {name: literal_eval(text) for name, text in shown} == attrs.asdict(Rules())

    def test_the_presets(self):
        rows = re.findall(r"(?m)^\| `([A-Z_]+)` \| (.+) \|$", self.TEXT)
        assert {name: settings(others) for name, others in rows} == PRESETS


def settings(cell):
    return {name: literal_eval(value) for name, value in re.findall(r"`(\w+)=([^`]+)`", cell)}

"""`Rules`: the options of the game that people agree on before they play, and presets by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, cast

import attrs

from gammonrules.errors import RulesError, RulesProblem

Scoring: TypeAlias = Literal["points", "pips"]
Opening: TypeAlias = Literal["shared", "reroll"]

_SWITCHES = ("crawford", "jacoby", "cube", "gammons", "backgammons")
_COUNTERS = ("beavers", "auto_doubles")
_CHOICES = {"scoring": ("points", "pips"), "opening": ("shared", "reroll")}


@attrs.frozen(kw_only=True)
class Rules:
    """The options of a game; checker play itself has none.

    Options that a form of play does not know are allowed and have no effect there: Jacoby, beavers and automatic
    doubles in a match, the Crawford rule in money play. Jacoby without a cube makes every win single.

    *Equality*: two sets of rules are equal if every option is.

    Attributes:
        crawford: in a match, no doubling in the first game after a side comes to exactly one point from winning.
        jacoby: in money play, gammons and backgammons count single while the cube is centred.
        beavers: in money play, how often in a row a double may be turned on at once: 0 never, 1 the beaver, 2 the
            raccoon as well, and so on.
        auto_doubles: in money play, how many tied opening rolls double the centred cube.
        max_cube: the highest value of the cube (a power of two), or None for no limit.
        cube: whether there is a doubling cube at all.
        gammons: whether a gammon counts double.
        backgammons: whether a backgammon counts triple.
        scoring: "points" (level of the win times cube), or "pips": the winner scores the loser's pip count.
        opening: "shared": the starter plays the two opening dice; "reroll": he throws both dice anew, and so may
            double before.

    Raises:
        RulesError: options that do not exist or do not go together, all of them at once in `problems`.

    Examples:
        >>> Rules(jacoby=True, beavers=1) == MONEY
        True
        >>> Rules(scoring="pips", jacoby=True)
        Traceback (most recent call last):
        ...
        gammonrules.errors.RulesError: pip scoring has no cube: say cube=False; pip scoring has no gammons for Jacoby
    """

    crawford: bool = True
    jacoby: bool = False
    beavers: int = 0
    auto_doubles: int = 0
    max_cube: int | None = None
    cube: bool = True
    gammons: bool = True
    backgammons: bool = True
    scoring: Scoring = "points"
    opening: Opening = "shared"

    def __attrs_post_init__(self) -> None:
        problems = [*_impossible_values(self), *_contradictions(self)]
        if problems:
            flags = RulesProblem(0)
            for flag, _ in problems:
                flags |= flag
            raise RulesError("; ".join(sentence for _, sentence in problems), flags)


def is_power_of_two(value: object) -> bool:
    """Whether this is 1, 2, 4, 8, ... : a value that a cube can have.

    Examples:
        >>> is_power_of_two(64), is_power_of_two(24), is_power_of_two(True), is_power_of_two(2.0)
        (True, False, False, False)
    """
    # bool is a subclass of int, and True is not a value
    return type(value) is int and value > 0 and value & (value - 1) == 0


def _impossible_values(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    """The options that are impossible each by itself."""
    value: object
    for name in _SWITCHES:
        value = cast("object", getattr(rules, name))
        if type(value) is not bool:
            yield RulesProblem.WRONG_SWITCH, f"{name} is True or False, not {value!r}"
    for name in _COUNTERS:
        value = cast("object", getattr(rules, name))
        if type(value) is not int or value < 0:
            yield RulesProblem.WRONG_NUMBER, f"{name} is a whole number from 0, not {value!r}"
    if rules.max_cube is not None and not is_power_of_two(rules.max_cube):
        yield RulesProblem.WRONG_NUMBER, f"max_cube is a power of two or None, not {rules.max_cube!r}"
    for name, choices in _CHOICES.items():
        value = cast("object", getattr(rules, name))
        if value not in choices:
            yield RulesProblem.WRONG_CHOICE, f'{name} is "{choices[0]}" or "{choices[1]}", not {value!r}'


def _contradictions(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    """The options that do not go together."""
    if rules.backgammons and not rules.gammons:
        yield (
            RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS,
            "a game without gammons has no backgammons either: say backgammons=False",
        )
    if rules.scoring != "pips":
        return
    if rules.cube:
        yield RulesProblem.PIPS_WITH_CUBE, "pip scoring has no cube: say cube=False"
    if rules.beavers:
        yield RulesProblem.PIPS_WITH_BEAVERS, "pip scoring has no beavers"
    if rules.auto_doubles:
        yield RulesProblem.PIPS_WITH_AUTO_DOUBLES, "pip scoring has no automatic doubles"
    if rules.jacoby:
        yield RulesProblem.PIPS_WITH_JACOBY, "pip scoring has no gammons for Jacoby"


# What a source leaves to the players ("an option") stays at the default of Rules: attrs.evolve changes it.

TOURNAMENT = Rules()
"""Match play as in tournaments: the Crawford rule, a cube without limit, points."""

MONEY = Rules(jacoby=True, beavers=1)
"""Money play: Jacoby and the beaver."""

BRETTSPIELWELT = Rules()
"""BrettspielWelt with its match option: as tournaments; without a match length no Crawford rule and no Jacoby."""

BRETTSPIELWELT_SINGLE = Rules(cube=False, scoring="pips")
"""BrettspielWelt without its match option: no cube, and the winner scores the loser's pip count."""

GAMEDESIRE = Rules(opening="reroll", max_cube=64)
"""GameDesire: the starter throws anew, the cube ends at 64; the Crawford rule is an option there."""

GAMEDESIRE_PARLOR = Rules(opening="reroll", cube=False)
"""GameDesire's parlor game: the same without a cube."""

FINNISH = Rules(crawford=False)
"""The Finnish club rules: a cube and no Crawford rule; Jacoby is an option there."""

PHILOS = Rules(crawford=False, cube=False)
"""Philos game sheet: neither cube nor Crawford rule."""

PORTES = Rules(opening="reroll", cube=False, backgammons=False)
"""Greek Portes: the starter throws anew, no cube, a win counts at most double."""

"""`Rules`: the options of the game that people agree on before they play, and presets by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, cast, get_args

import attrs

from gammonrules.board.setup import START_NAMES, StartName
from gammonrules.errors import RulesError, RulesProblem
from gammonrules.limits import LARGEST_CUBE, MOST_IN_A_ROW
from gammonrules.values import is_cube_value, listed, make_plain, one_of, plain_text, shown

__all__ = [
    "BRETTSPIELWELT",
    "BRETTSPIELWELT_SINGLE",
    "FINNISH",
    "GAMEDESIRE",
    "GAMEDESIRE_PARLOR",
    "MONEY",
    "PHILOS",
    "PORTES",
    "TOURNAMENT",
    "Opening",
    "Rules",
    "Scoring",
]

Scoring: TypeAlias = Literal["points", "pips"]
"""How a win is counted: "points" is its level times the cube, "pips" the pip count that the loser is left with."""
Opening: TypeAlias = Literal["shared", "reroll"]
"""What the starter plays: "shared" the two dice of the opening roll, "reroll" a new roll of both dice."""

_SWITCHES = ("crawford", "jacoby", "cube", "gammons", "backgammons")
_COUNTERS = ("beavers", "auto_doubles")
_CHOICES: dict[str, tuple[str, ...]] = {
    "scoring": get_args(Scoring),
    "opening": get_args(Opening),
    "start": START_NAMES,
}


@attrs.frozen(kw_only=True)
class Rules:
    """The options of a game; checker play itself has none.

    Options that a form of play does not know are allowed and have no effect there: Jacoby, beavers and automatic
    doubles in a match, the Crawford rule in money play. Jacoby without a cube makes every win single.

    *Equality*: two sets of rules are equal if every option is.

    Attributes:
        crawford: in a match, neither side may double in the first game after a side comes to exactly one point from
            winning. Default True. (US Tournament Rules 5.5; GNU Backgammon manual, "Rules for Match Play";
            BrettspielWelt.)
        jacoby: in money play, gammons and backgammons count single while the cube is centred. Default False. (Finnish
            rules; GNU Backgammon manual, "Optional Rules". An automatic double leaves the cube centred.)
        beavers: in money play, how often in a row a double may be redoubled at once: 0 never, 1 the beaver, 2 the
            raccoon as well, and so on, up to 1,000. Default 0. (GNU Backgammon manual, "Optional Rules"; the FAQ of
            rec.games.backgammon.)
        auto_doubles: in money play, how many tied opening rolls double the centred cube, up to 1,000. Default 0. (GNU
            Backgammon manual, "Optional Rules".)
        max_cube: the highest value of the cube (a power of two), or None (the default) for no limit but that of the
            library, 16,777,216. (GNU Backgammon manual; GameDesire ends at 64.)
        cube: whether there is a doubling cube at all. Default True. (The Finnish rules call it compulsory; Philos and
            Portes have none.)
        gammons: whether a gammon, the loser having borne off none, counts double. Default True.
        backgammons: whether a backgammon, a gammon with a checker on the bar or in the winner's home board, counts
            triple. Default True. (BrettspielWelt and GameDesire; Portes has no triple win.)
        scoring: "points" (level of the win times cube), or "pips": the winner scores the loser's pip count, a checker
            on the bar being 25 pips. Default "points". (Pips: BrettspielWelt without its match option.)
        opening: "shared": the starter plays the two opening dice; "reroll": he throws both dice anew, and so may
            double before. Default "shared". (Shared: Finnish rules and Philos; anew: GameDesire and Portes.)
        start: the name of the position in which every game starts, see `Position.start`. Default "standard". A table
            whose first board is given goes on from this start too, so say it with the rules.

    Raises:
        RulesError: options that do not exist or do not go together, all of them at once in `problems`.

    Examples:
        >>> Rules(jacoby=True, beavers=1) == MONEY
        True
        >>> attrs.evolve(GAMEDESIRE, max_cube=None) == Rules(opening="reroll")    # a preset with one option changed
        True
        >>> Rules(scoring="pips")
        Traceback (most recent call last):
        ...
        gammonrules.errors.RulesError: impossible rules: pip scoring has no cube: say cube=False
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
    start: StartName = "standard"

    def __attrs_post_init__(self) -> None:
        make_plain(self, *_COUNTERS, "max_cube", *_CHOICES)
        problems = [*_impossible_values(self), *_contradictions(self)]
        if problems:
            flags = RulesProblem(0)
            for flag, _ in problems:
                flags |= flag
            raise RulesError(f"impossible rules: {listed(sentence for _, sentence in problems)}", flags)


def _impossible_values(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    """The options that are impossible each by itself."""
    value: object
    for name in _SWITCHES:
        value = cast("object", getattr(rules, name))
        if type(value) is not bool:
            yield RulesProblem.WRONG_SWITCH, f"{name} is True or False, not {shown(value)}"
    for name in _COUNTERS:
        value = cast("object", getattr(rules, name))
        if type(value) is not int or not 0 <= value <= MOST_IN_A_ROW:
            sentence = f"{name} is a whole number from 0 to {MOST_IN_A_ROW}, not {shown(value)}"
            yield RulesProblem.WRONG_NUMBER, sentence
    if rules.max_cube is not None and not is_cube_value(rules.max_cube):
        sentence = f"max_cube is a power of two up to {LARGEST_CUBE}, or None, not {shown(rules.max_cube)}"
        yield RulesProblem.WRONG_NUMBER, sentence
    for name, choices in _CHOICES.items():
        value = cast("object", getattr(rules, name))
        if type(value) is not str or value not in choices:
            yield RulesProblem.WRONG_CHOICE, f"{name} is {one_of(choices)}, not {shown(value)}"


def _contradictions(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    """The options that do not go together; those of another type, which have been found already, go with everything."""
    if rules.backgammons is True and rules.gammons is False:
        yield (
            RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS,
            "a game without gammons has no backgammons either: say backgammons=False",
        )
    if plain_text(rules.scoring) != "pips":
        return
    if rules.cube is True:
        yield RulesProblem.PIPS_WITH_CUBE, "pip scoring has no cube: say cube=False"
    if type(rules.beavers) is int and rules.beavers:
        yield RulesProblem.PIPS_WITH_BEAVERS, "pip scoring has no beavers"
    if type(rules.auto_doubles) is int and rules.auto_doubles:
        yield RulesProblem.PIPS_WITH_AUTO_DOUBLES, "pip scoring has no automatic doubles"
    if rules.jacoby is True:
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
"""The Finnish rules: a cube and no Crawford rule; Jacoby is an option there."""

PHILOS = Rules(crawford=False, cube=False)
"""Philos game sheet: neither cube nor Crawford rule."""

PORTES = Rules(opening="reroll", cube=False, backgammons=False)
"""Greek Portes: the starter throws anew, no cube, a win counts at most double."""

"""`Rules`, the options on which players agree before a game, and named presets."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Annotated, Literal, TypeAlias, TypedDict

import attrs

from gammonrules._shared.checked_fields import Bounds, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.board import StartName
from gammonrules.errors import RulesError, RulesProblem
from gammonrules.limits import MAX_CUBE, MAX_IN_A_ROW
from gammonrules.values import flagged, is_cube_value, plain_text, refuse_flagged, shown

__all__ = [
    "BRETTSPIELWELT",
    "BRETTSPIELWELT_SINGLE",
    "FINNISH",
    "GAMEDESIRE",
    "GAMEDESIRE_PARLOR",
    "MONEY",
    "PHILOS",
]
__all__ += ["PORTES", "TOURNAMENT", "Opening", "Rules", "Scoring"]
__dir__ = __all__.copy

Scoring: TypeAlias = Literal["points", "pips"]
"""How a win is counted: "points" is its level times the cube, "pips" the loser's pip count."""
Opening: TypeAlias = Literal["shared", "reroll"]
"""What the starter plays: "shared" for the two dice of the opening roll, "reroll" for a new roll of both dice."""


@attrs.frozen(kw_only=True)
class Rules(JsonField):
    """The options of a game. The rules of checker play have no options.

    Options that do not apply to a form of play are allowed there, without effect: Jacoby, beavers and automatic
    doubles in a match, the Crawford rule in money play. Jacoby without a cube makes every win single.

    *Equality*: two sets of rules are equal if all options are equal.

    Attributes:
        crawford: in a match, neither side may double in the first game after a side comes to exactly one point from
            winning. Default True. (US Tournament Rules 5.5; GNU Backgammon manual, "Rules for Match Play";
            BrettspielWelt.)
        jacoby: in money play, gammons and backgammons count single while the cube is centered. Default False. (Finnish
            rules; GNU Backgammon manual, "Optional Rules". An automatic double leaves the cube centered.)
        beavers: in money play, how many times in a row a double may be redoubled at once: 0 for never, 1 for the
            beaver, 2 for the raccoon as well, and so on, up to 1,000. Default 0. (GNU Backgammon manual, "Optional
            Rules"; the FAQ of rec.games.backgammon.)
        auto_doubles: in money play, how many tied opening rolls double the centered cube, up to 1,000. Default 0. (GNU
            Backgammon manual, "Optional Rules".)
        max_cube: the highest value of the cube (a power of two), or None (the default) for the limit of the library,
            16,777,216. (GNU Backgammon manual; GameDesire has 64.)
        cube: whether there is a doubling cube. Default True. (The Finnish rules call it compulsory; Philos and Portes
            have none.)
        gammons: whether a gammon (the loser has borne off no checker) counts double. Default True.
        backgammons: whether a backgammon, a gammon with a checker on the bar or in the winner's home board, counts
            triple. Default True. (BrettspielWelt and GameDesire; Portes has no triple win.)
        scoring: "points" (level of the win times cube), or "pips": the winner scores the loser's pip count, a checker
            on the bar being 25 pips. Default "points". (Pips: BrettspielWelt without its match option.)
        opening: "shared" (the starter plays the two opening dice) or "reroll" (they roll both dice again, and may
            double before that). Default "shared". (Shared: Finnish rules and Philos; reroll: GameDesire and Portes.)
        start: the name of the position in which every game starts, see `Position.start`. Default "standard". If you
            pass a match its first board, its next games still start from here, so set this as well.

    Raises:
        RulesError: an option has an impossible value, or options contradict each other; `problems` has all of them.

    Examples:
        >>> Rules(jacoby=True, beavers=1) == MONEY
        True
        >>> changed = attrs.evolve(GAMEDESIRE, max_cube=None)  # a preset with a change
        >>> changed == Rules(opening="reroll")
        True
        >>> try:
        ...     Rules(scoring="pips")
        ... except RulesError as error:
        ...     print(error)
        impossible rules: pip scoring has no cube, so set cube=False
    """

    crawford: bool = True
    jacoby: bool = False
    beavers: Annotated[int, Bounds(0, MAX_IN_A_ROW)] = 0
    auto_doubles: Annotated[int, Bounds(0, MAX_IN_A_ROW)] = 0
    max_cube: int | None = None
    cube: bool = True
    gammons: bool = True
    backgammons: bool = True
    scoring: Scoring = "points"
    opening: Opening = "shared"
    start: StartName = "standard"

    def __attrs_post_init__(self) -> None:
        refuse_flagged(RulesError, "rules", chain(_impossible_values(self), _contradictions(self)))


class Options(TypedDict, total=False):
    """Any options of `Rules`, for type checkers: the arguments of `strategies.rules`."""

    crawford: bool
    jacoby: bool
    beavers: int
    auto_doubles: int
    max_cube: int | None
    cube: bool
    gammons: bool
    backgammons: bool
    scoring: Scoring
    opening: Opening
    start: StartName


def _impossible_values(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    yield from flagged(RulesProblem.NOT_A_BOOL, wrong_fields(rules, *_FIELDS_OF_KIND[bool]))
    yield from flagged(RulesProblem.NUMBER_OUT_OF_RANGE, wrong_fields(rules, *_FIELDS_OF_KIND[int]))
    if rules.max_cube is not None and not is_cube_value(rules.max_cube):
        values = f"a power of two up to {MAX_CUBE:,}, or None"
        yield (
            RulesProblem.NUMBER_OUT_OF_RANGE,
            f"max_cube must be {values}, not {shown(rules.max_cube)}",
        )
    yield from flagged(RulesProblem.UNKNOWN_CHOICE, wrong_fields(rules, *_FIELDS_OF_KIND[str]))


def _contradictions(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    """The options that contradict each other; those of the wrong type, which are reported already, are skipped."""
    if rules.backgammons is True and rules.gammons is False:
        sentence = "a game without gammons has no backgammons either, so set backgammons=False"
        yield RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS, sentence
    if plain_text(rules.scoring) != "pips":
        return
    if rules.cube is True:
        yield RulesProblem.PIPS_WITH_CUBE, "pip scoring has no cube, so set cube=False"
    if type(rules.beavers) is int and rules.beavers:
        yield RulesProblem.PIPS_WITH_BEAVERS, "pip scoring has no beavers"
    if type(rules.auto_doubles) is int and rules.auto_doubles:
        yield RulesProblem.PIPS_WITH_AUTO_DOUBLES, "pip scoring has no automatic doubles"
    if rules.jacoby is True:
        yield RulesProblem.PIPS_WITH_JACOBY, "pip scoring has no gammons, so it has no Jacoby rule"


_DEFAULTS = {option.name: option.default for option in attrs.fields(Rules)}
_FIELDS_OF_KIND = {
    kind: [name for name in _DEFAULTS if type(_DEFAULTS[name]) is kind] for kind in (bool, int, str)
}
"""The switches, the counters and the choices."""


def unknown_options(rules: Rules, known: Collection[str]) -> list[str]:
    """The options, but for these that somebody knows, that are not at their defaults."""
    return [
        name
        for name, default in _DEFAULTS.items()
        if name not in known and getattr(rules, name) != default
    ]


# What a source calls "an option" stays at the default of Rules; use attrs.evolve to change it.

TOURNAMENT = Rules()
"""Tournament match play (US Tournament Rules): the Crawford rule, a cube without a limit, points. Equal to
`BRETTSPIELWELT`."""

MONEY = Rules(jacoby=True, beavers=1)
"""Money play (GNU Backgammon manual, "Optional Rules"): the Jacoby rule and beavers."""

BRETTSPIELWELT = Rules()
"""BrettspielWelt's rules with its match option; without a match length there is no Crawford rule and no Jacoby rule.
Equal to `TOURNAMENT`."""

BRETTSPIELWELT_SINGLE = Rules(cube=False, scoring="pips")
"""BrettspielWelt's rules without its match option: no cube, and the winner scores the loser's pip count."""

GAMEDESIRE = Rules(opening="reroll", max_cube=64)
"""GameDesire's rules: the starter rolls again, and the cube ends at 64. The Crawford rule is an option there."""

GAMEDESIRE_PARLOR = Rules(opening="reroll", cube=False)
"""GameDesire's rules for the parlor game: as `GAMEDESIRE`, but without a cube."""

FINNISH = Rules(crawford=False)
"""The Finnish rules: a cube, but no Crawford rule. The Jacoby rule is an option there."""

PHILOS = Rules(crawford=False, cube=False)
"""The rule sheet of Philos: neither a cube nor the Crawford rule."""

PORTES = Rules(opening="reroll", cube=False, backgammons=False)
"""The rules of Greek Portes: the starter rolls again, there is no cube, and a win counts at most double."""

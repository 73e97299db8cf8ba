"""`Rules`: the options of the game that people agree on before they play, and presets by name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Literal, TypeAlias, cast

import attrs
from attrs import field

from gammonrules.board.setup import StartName
from gammonrules.errors import RulesError, RulesProblem
from gammonrules.limits import LARGEST_CUBE, MOST_IN_A_ROW
from gammonrules.problems import Bounds, flagged, refuse_flagged, wrong_fields
from gammonrules.values import is_cube_value, plain, plain_int, plain_int_or_none, plain_text, shown

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
_CHOICES = ("scoring", "opening", "start")


# Converters of fields: a text of any type as a plain one.


def _scoring(value: Scoring) -> Scoring:
    return cast("Scoring", plain(value))


def _opening(value: Opening) -> Opening:
    return cast("Opening", plain(value))


def _start(value: StartName) -> StartName:
    return cast("StartName", plain(value))


@attrs.frozen(kw_only=True)
class Rules:
    """The options of a game; checker play itself has none.

    Options that do not belong to a form of play are allowed and have no effect there: Jacoby, beavers and automatic
    doubles in a match, the Crawford rule in money play. Jacoby without a cube makes every win single.

    *Equality*: two sets of rules are equal if every option is.

    Attributes:
        crawford: in a match, neither side may double in the first game after a side comes to exactly one point from
            winning. Default True. (US Tournament Rules 5.5; GNU Backgammon manual, "Rules for Match Play";
            BrettspielWelt.)
        jacoby: in money play, gammons and backgammons count single while the cube is centered. Default False. (Finnish
            rules; GNU Backgammon manual, "Optional Rules". An automatic double leaves the cube centered.)
        beavers: in money play, how often in a row a double may be redoubled at once: 0 never, 1 the beaver, 2 the
            raccoon as well, and so on, up to 1,000. Default 0. (GNU Backgammon manual, "Optional Rules"; the FAQ of
            rec.games.backgammon.)
        auto_doubles: in money play, how many tied opening rolls double the centered cube, up to 1,000. Default 0. (GNU
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
        opening: "shared": the starter plays the two opening dice; "reroll": they roll both dice anew, and so may double
            before. Default "shared". (Shared: Finnish rules and Philos; anew: GameDesire and Portes.)
        start: the name of the position in which every game starts, see `Position.start`. Default "standard". A match
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
    beavers: Annotated[int, Bounds(0, MOST_IN_A_ROW)] = field(default=0, converter=plain_int)
    auto_doubles: Annotated[int, Bounds(0, MOST_IN_A_ROW)] = field(default=0, converter=plain_int)
    max_cube: int | None = field(default=None, converter=plain_int_or_none)
    cube: bool = True
    gammons: bool = True
    backgammons: bool = True
    scoring: Scoring = field(default="points", converter=_scoring)
    opening: Opening = field(default="shared", converter=_opening)
    start: StartName = field(default="standard", converter=_start)

    def __attrs_post_init__(self) -> None:
        refuse_flagged(RulesError, "rules", chain(_impossible_values(self), _contradictions(self)))


def _impossible_values(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    """The options that are impossible each by itself."""
    yield from flagged(RulesProblem.WRONG_SWITCH, wrong_fields(rules, *_SWITCHES))
    yield from flagged(RulesProblem.WRONG_NUMBER, wrong_fields(rules, *_COUNTERS))
    if rules.max_cube is not None and not is_cube_value(rules.max_cube):
        values = f"a power of two up to {LARGEST_CUBE:,}, or None"
        yield RulesProblem.WRONG_NUMBER, f"max_cube is {values}, not {shown(rules.max_cube)}"
    yield from flagged(RulesProblem.WRONG_CHOICE, wrong_fields(rules, *_CHOICES))


def _contradictions(rules: Rules) -> Iterator[tuple[RulesProblem, str]]:
    """The options that do not go together. Those of a wrong type, which are reported already, go with everything."""
    if rules.backgammons is True and rules.gammons is False:
        sentence = "a game without gammons has no backgammons either: say backgammons=False"
        yield RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS, sentence
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
"""Match play as in tournaments (US Tournament Rules): the Crawford rule, a cube without limit, points. Equal to
`BRETTSPIELWELT`."""

MONEY = Rules(jacoby=True, beavers=1)
"""Money play (GNU Backgammon manual, "Optional Rules"): Jacoby and the beaver."""

BRETTSPIELWELT = Rules()
"""BrettspielWelt's rules with its match option; without a match length no Crawford rule and no Jacoby. Equal to
`TOURNAMENT`."""

BRETTSPIELWELT_SINGLE = Rules(cube=False, scoring="pips")
"""BrettspielWelt's rules without its match option: no cube, and the winner scores the loser's pip count."""

GAMEDESIRE = Rules(opening="reroll", max_cube=64)
"""GameDesire's rules: the starter rolls anew, and the cube ends at 64. The Crawford rule is an option there."""

GAMEDESIRE_PARLOR = Rules(opening="reroll", cube=False)
"""GameDesire's rules of the parlor game: the same without a cube."""

FINNISH = Rules(crawford=False)
"""The Finnish rules: a cube and no Crawford rule. Jacoby is an option there."""

PHILOS = Rules(crawford=False, cube=False)
"""The game sheet of Philos: neither a cube nor the Crawford rule."""

PORTES = Rules(opening="reroll", cube=False, backgammons=False)
"""The rules of Greek Portes: the starter rolls anew, there is no cube, and a win counts at most double."""

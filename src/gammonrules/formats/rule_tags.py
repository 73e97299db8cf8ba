"""Rules as tags of the header, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from gammonrules.board import StartName
from gammonrules.errors import GammonError
from gammonrules.limits import MOST_CUBE_TURNS
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.transcript import RULE_TAGS, Match, length_of_games
from gammonrules.values import is_cube_value

_NO_LIMIT = 1024
ON_OFF = {True: "On", False: "Off"}
VARIATIONS: dict[StartName, str] = {
    "standard": "Backgammon",
    "nackgammon": "NackGammon",
    "longgammon": "LongGammon",
    "hypergammon": "HyperGammon (3)",
    "hypergammon2": "HyperGammon (2)",
    "hypergammon1": "HyperGammon (1)",
}
"""The names of variations as GNU Backgammon writes them; it has none for Longgammon."""
_STARTS: dict[str, StartName] = {
    "": "standard",
    "hypergammon": "hypergammon",
    **{re.sub(r"[\s()]", "", name).lower(): start for start, name in VARIATIONS.items()},
}


def rules_in_tags(tags: Iterable[tuple[str, str]], length: int | None, beavers: int) -> Rules:
    """The rules that a header states; otherwise those of tournaments or of money play.

    `beavers` is how many in a row the games show. "Beavers" is a tag of this package, for more than one in a row.
    """
    values = {name.lower(): value.strip().lower() for name, value in tags}
    start = start_named(values.get("variation", "")) or "standard"
    rules = attrs.evolve(TOURNAMENT if length else MONEY, start=start)
    limit = number_in(values.get("cubelimit", ""), _NO_LIMIT)
    if limit <= 1:
        rules = attrs.evolve(rules, cube=False)
    elif limit < _NO_LIMIT and is_cube_value(limit):
        rules = attrs.evolve(rules, max_cube=limit)
    if length:
        return attrs.evolve(rules, crawford=values.get("crawford") != "off")
    allowed = number_in(values.get("beavers", ""), 1, digits=2)
    beavers = 0 if values.get("beaver") == "off" else min(max(1, allowed, beavers), MOST_CUBE_TURNS)
    return attrs.evolve(rules, jacoby=values.get("jacoby") != "off", beavers=beavers)


def start_named(variation: str) -> StartName | None:
    """The start of a variation, in any case and with or without brackets; None if it is unknown."""
    return _STARTS.get(re.sub(r"[\s()]", "", variation).lower())


def is_known_rule(rule: str, value: str) -> bool:
    """Whether a tag that states a rule, both in lower case, is understood; other tags state no rule."""
    if rule in {"crawford", "jacoby", "beaver"}:
        return value in {"on", "off"}
    number = number_in(value, -1)
    if number < 0:
        return rule not in {"cubelimit", "beavers"}
    return rule != "cubelimit" or number.bit_count() <= 1


def number_in(text: str, otherwise: int, digits: int = 9) -> int:
    """A whole number in so many ASCII digits at most, without sign; `otherwise` if this is another text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else otherwise


def says_rules(tags: Iterable[tuple[str, str]], match: Match) -> bool:
    """Whether a reader takes the rules of the match from these tags."""
    stated = {name.lower() for name, _ in tags}
    length = length_of_games(match)
    if length is None and "jacoby" not in stated:
        return False  # the reader would guess
    return rules_in_tags(tags, length, 0) == effective(match.rules, length)


def effective(rules: Rules, length: int | None) -> Rules:
    """The rules; options that have no effect in this form of play are as a reader sets them."""
    if length is None:
        rules = attrs.evolve(rules, crawford=True)
    else:
        rules = attrs.evolve(rules, jacoby=False, beavers=0, auto_doubles=0)
    return rules if rules.cube else attrs.evolve(rules, max_cube=None, auto_doubles=0)


def tags_with_rules(match: Match) -> list[tuple[str, str]]:
    """The tags of the match with those that its rules need instead of others. Raises GammonError if there are none."""
    length = length_of_games(match)
    needed = dict(tags_for(match.rules, length))
    wanted = {name.lower(): value.lower() for name, value in needed.items()}
    tags: list[tuple[str, str]] = []
    for name, value in match.tags:
        says_the_start = name.lower() == "variation" and (start_named(value) or "standard") == match.rules.start
        says_nothing = name.lower() not in RULE_TAGS or (length is None and name.lower() == "crawford")
        if says_nothing or wanted.get(name.lower()) == value.lower() or says_the_start:
            tags.append((name, value))
    stated = {name.lower() for name, _ in tags}
    tags += [(name, value) for name, value in needed.items() if name.lower() not in stated]
    if says_rules(tags, match):
        return tags
    meant, read = (attrs.asdict(rules) for rules in (effective(match.rules, length), rules_in_tags(tags, length, 0)))
    options = ", ".join(f"{name}={value!r}" for name, value in meant.items() if value != read[name])
    raise GammonError(f"this format cannot state these rules of the record: {options}")


def tags_for(rules: Rules, length: int | None) -> Iterator[tuple[str, str]]:
    if length is not None:
        yield "Crawford", ON_OFF[rules.crawford]
    else:
        yield "Jacoby", ON_OFF[rules.jacoby]
        yield "Beaver", ON_OFF[rules.beavers > 0]
        if rules.beavers > 1:
            yield "Beavers", str(rules.beavers)
    if rules.start != "standard":
        yield "Variation", VARIATIONS[rules.start]
    yield "CubeLimit", str(rules.max_cube or _NO_LIMIT) if rules.cube else "1"

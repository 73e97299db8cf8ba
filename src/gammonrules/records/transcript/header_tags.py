"""What the tags in the header of a record say: rules, date, ratings, site; and the tags that rules need."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

import attrs

from gammonrules.board import StartName
from gammonrules.errors import GammonError
from gammonrules.limits import MAX_CUBE_TURNS, MAX_IN_A_ROW
from gammonrules.match import Pair
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import is_cube_value

Tags: TypeAlias = tuple[tuple[str, str], ...]
"""Name and value of each tag, in order."""

OWN_RULE_TAGS: Final = frozenset(
    ("beavers", "maxcube", "autodoubles", "gammons", "backgammons", "scoring", "openingroll")
)
"""Tags of this package, in lower case, for rules that no other program states."""
RULE_TAGS: Final = OWN_RULE_TAGS | {"crawford", "jacoby", "beaver", "cubelimit", "variation"}
"""The tags that state rules, in lower case."""

IGNORED_RULE = "IgnoredRule"
"""The tag with the rule that an engine ignored, such as a limit of the cube."""

_KNOWN_IGNORED_RULE = re.compile(r"the limit of [0-9,]{1,10}")
_DATE = re.compile(
    r"(?P<first>[0-9]{1,4})(?P<separator>[./年-])(?P<second>[0-9]{1,2})"
    r"(?:(?P=separator)|(?<=年..)月|(?<=年.)月)(?P<third>[0-9]{1,4})日?"
)
_DATE_TAGS = "EventDate", "Date"
_TIME = re.compile(r"([0-9]{1,2})[.:]([0-9]{2})(?:[.:]([0-9]{2}))?")
_NO_NAME = re.compile(r": ?[0-9]{1,5}(?:\s.*)?")
_RATING = re.compile(r"([0-9]{1,5})(?:[.,]([0-9]{1,4}))?(?:/[0-9]{1,9})?")
"""A rating with a point or a comma, perhaps followed by the number of games behind it: "1600.00/0", "3,00/0"."""

_ADDED = re.compile(r"[0-9]{3,4}(?:\.[0-9]{1,4})?")
"""A rating after a name: fewer digits may be anything, such as the number of a player."""


def other_tags(tags: Tags) -> Tags:
    """The tags that say something of the match beside its rules, sorted: formats have orders of their own."""
    others = *RULE_TAGS, IGNORED_RULE.lower()
    return tuple(sorted((name, value) for name, value in tags if name.lower() not in others))


def value_of(tags: Iterable[tuple[str, str]], name: str) -> str | None:
    """The value of the tag with this name, in any case; None if it is missing or has several values."""
    values = {value.strip() for own_name, value in tags if own_name.lower() == name.lower()}
    return values.pop() if len(values) == 1 else None


def ignored_rule_in(tags: Tags) -> str | None:
    """The rule in the tag `IgnoredRule`; None if the tag is missing or names anything else."""
    value = value_of(tags, IGNORED_RULE) or ""
    return value if _KNOWN_IGNORED_RULE.fullmatch(value) else None


# --- dates, names, ratings --------------------------------------------------------------------------------------------


def date_of(tags: Tags) -> dt.date | None:
    """The date in the tag "EventDate" or "Date", such as "2024.07.27"; None if it can be read in several ways."""
    for name in _DATE_TAGS:
        days = set(days_in(value_of(tags, name) or "").values())
        if len(days) == 1:
            return days.pop()
    return None


def date_text_of(tags: Tags) -> str | None:
    """The date as the file writes it."""
    return value_of(tags, "Date") or value_of(tags, "EventDate")


def days_in(date: str) -> dict[str, dt.date]:
    """The days that a date may mean, by the order of its parts: "ymd", "dmy" or "mdy"."""
    days: dict[str, dt.date] = {}
    parts = _DATE.fullmatch(date)
    if parts is None:
        return days
    first, second, third = parts.group("first", "second", "third")
    meanings = {
        "ymd": (first, second, third),
        "dmy": (third, second, first),
        "mdy": (third, first, second),
    }
    for order, (year, month, day) in meanings.items():
        if len(year) not in (2, 4) or len(month) > 2 or len(day) > 2:
            continue
        full_year = int(year)
        if len(year) == 2:  # 1969 to 2068, as for the programs that write them
            full_year += 1900 if full_year >= 69 else 2000
        with suppress(ValueError):  # not a day of the calendar
            days[order] = dt.date(full_year, int(month), int(day))
    return days


def orders_of_dates(headers: Iterable[Tags], orders: set[str], latest: dt.date | None) -> set[str]:
    """The orders, as in `days_in`, that the dates of all headers can have: no date is after the latest day."""
    common = orders
    for tags in headers:
        days = days_in(value_of(tags, "Date") or "")
        possible = {order for order, day in days.items() if latest is None or day <= latest}
        if possible:  # a header without a date says nothing of the order
            common = common & possible
    return common


def with_event_date(tags: Tags, orders: set[str]) -> Tags:
    """The tags with `EventDate`, if their date is clear only because its parts are in one of these orders."""
    if date_of(tags) is not None:
        return tags
    days = days_in(value_of(tags, "Date") or "")
    possible_days = {days[order] for order in orders & days.keys()}
    if len(possible_days) != 1:
        return tags
    (day,) = possible_days
    return (*tags, ("EventDate", day.isoformat().replace("-", ".")))


def time_of(tags: Tags) -> dt.time | None:
    """The time of day in the tag "EventTime", such as "19.44" or "16:15"; None if it is missing or unclear."""
    parts = _TIME.fullmatch(value_of(tags, "EventTime") or "")
    if parts is not None:
        with suppress(ValueError):  # not a time of day
            return dt.time(int(parts[1]), int(parts[2]), int(parts[3] or 0))
    return None


def split_rating(name: str) -> tuple[str, str]:
    """A name, and the rating after a comma that GridGammon adds to it: "Ann,1612.5"; "" if there is none."""
    before, _, after = name.rpartition(",")
    if before and _ADDED.fullmatch(after.strip()):
        return before.rstrip(), after.strip()
    return name, ""


def tags_with_ratings(tags: Tags, players: tuple[str, str], ratings: tuple[str, str]) -> Tags:
    """The tags with those for the ratings of the left and the right player, unless they are there."""
    stated = {name.lower() for name, _ in tags}
    left, right = ratings
    ratings_by_name = {"Player 1 Elo": left, "Player 2 Elo": right}
    if _are_exchanged(tags, players):
        ratings_by_name = {"Player 1 Elo": right, "Player 2 Elo": left}
    missing = [
        (name, rating) for name, rating in ratings_by_name.items() if name.lower() not in stated
    ]
    return (*tags, *missing)


def ratings_of(tags: Tags, players: tuple[str, str]) -> Pair[float | None]:
    """The ratings of the left and the right player, in the tags "Player 1 Elo" and "Player 2 Elo".

    The tags "Player 1" and "Player 2" say who is meant: in the records of eXtreme Gammon, player 1 is on the right.
    """
    first = _rating(value_of(tags, "Player 1 Elo"))
    second = _rating(value_of(tags, "Player 2 Elo"))
    if _are_exchanged(tags, players):
        return Pair((second, first))
    return Pair((first, second))


def _are_exchanged(tags: Tags, players: tuple[str, str]) -> bool:
    """Whether the tags call the right player the first, and the left player the second."""
    left, right = (name.strip() for name in players)
    first = value_of(tags, "Player 1")
    second = value_of(tags, "Player 2")
    return left != right and first == right and second == left


def _rating(text: str | None) -> float | None:
    parts = _RATING.fullmatch(text or "")
    return None if parts is None else float(f"{parts[1]}.{parts[2] or 0}")


def name_of(text: str) -> str:
    """The name of a player; "" for what GNU Backgammon takes for one in a score line without it: ": 0" and the rest."""
    return "" if _NO_NAME.fullmatch(text) else text


def is_from_galaxy(tags: Tags) -> bool:
    """Whether BackgammonGalaxy wrote the record."""
    return any(name.lower() == "site" and value == "BackgammonGalaxy" for name, value in tags)


def length_played(stated: int | None, scores: Iterable[tuple[int, int]], tags: Tags) -> int | None:
    """The length to which games are played that begin at these scores: the stated one, or None for a coin game.

    Coin games of BackgammonGalaxy are single games of money play with the Jacoby rule, written as matches to 16.
    """
    if stated != _LENGTH_OF_COIN_GAMES or not is_from_galaxy(tags):
        return stated
    is_one_game_from_nothing = [*scores] == [(0, 0)]
    return None if is_one_game_from_nothing else stated


_LENGTH_OF_COIN_GAMES: Final = 16


# --- rules ------------------------------------------------------------------------------------------------------------

_NO_CUBE: Final = 1
_NO_LIMIT: Final = 1024
"""What GNU Backgammon writes as `CubeLimit` without a cube, and for a cube without a limit."""
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

    `beavers` is how many in a row the games show.
    """
    values = {name.lower(): value.strip().lower() for name, value in tags}
    start = start_named(values.get("variation", "")) or "standard"
    rules = attrs.evolve(TOURNAMENT if length else MONEY, start=start)
    limit = number_in(values.get("cubelimit", ""), _NO_LIMIT)
    if limit <= _NO_CUBE:
        rules = attrs.evolve(rules, cube=False)
    elif limit < _NO_LIMIT and is_cube_value(limit):
        rules = attrs.evolve(rules, max_cube=limit)
    # a limit that `CubeLimit` cannot state
    own_limit = number_in(values.get("maxcube", ""), 0)
    if is_cube_value(own_limit):
        rules = attrs.evolve(rules, max_cube=own_limit)
    if values.get("openingroll") == "reroll":
        rules = attrs.evolve(rules, opening="reroll")
    if values.get("gammons") == "off":
        rules = attrs.evolve(rules, gammons=False, backgammons=False)
    elif values.get("backgammons") == "off":
        rules = attrs.evolve(rules, backgammons=False)
    if length:
        return attrs.evolve(rules, crawford=values.get("crawford") != "off")
    return _with_money_rules(rules, values, beavers)


def _with_money_rules(rules: Rules, values: Mapping[str, str], beavers: int) -> Rules:
    """The rules with those that only money play has, by the values of tags; `beavers` as for `rules_in_tags`."""
    if values.get("scoring") == "pips":
        return attrs.evolve(rules, scoring="pips", cube=False, jacoby=False, beavers=0)
    allowed_beavers = 0
    if values.get("beaver") != "off":
        # "Beavers: 0" is no way to forbid them, and what was played was allowed
        stated_beavers = min(_count_in(values.get("beavers", ""), 1), MAX_IN_A_ROW)
        shown_beavers = min(beavers, MAX_CUBE_TURNS)
        allowed_beavers = max(1, stated_beavers, shown_beavers)
    auto_doubles = min(_count_in(values.get("autodoubles", ""), 0), MAX_IN_A_ROW)
    return attrs.evolve(
        rules,
        jacoby=values.get("jacoby") != "off",
        beavers=allowed_beavers,
        auto_doubles=auto_doubles,
    )


def start_named(variation: str) -> StartName | None:
    """The start of a variation, in any case and with or without brackets; None if it is unknown."""
    return _STARTS.get(re.sub(r"[\s()]", "", variation).lower())


def is_known_rule(rule: str, value: str) -> bool:
    """Whether a tag that states a rule, both in lower case, is understood; other tags state no rule."""
    words = _WORDS.get(rule)
    if words is not None:
        return value in words
    not_a_number = -1
    number = number_in(value, not_a_number)
    if rule in {"beavers", "autodoubles"}:
        return number != not_a_number
    if rule in {"cubelimit", "maxcube"}:
        is_zero_or_power_of_two = number.bit_count() <= 1
        return number != not_a_number and is_zero_or_power_of_two
    return True


_WORDS: Final = {
    "crawford": ("on", "off"),
    "jacoby": ("on", "off"),
    "beaver": ("on", "off"),
    "gammons": ("on", "off"),
    "backgammons": ("on", "off"),
    "scoring": ("points", "pips"),
    "openingroll": ("shared", "reroll"),
}
"""The words of the tags that have some, in lower case."""


def number_in(text: str, otherwise: int, digits: int = 9) -> int:
    """A whole number in so many ASCII digits at most, without sign; `otherwise` if this is another text."""
    is_number = text.isascii() and text.isdecimal()
    return int(text) if is_number and len(text) <= digits else otherwise


def _count_in(text: str, otherwise: int) -> int:
    """The number of beavers or automatic doubles that a tag states: a longer number is no sensible one."""
    return number_in(text, otherwise, digits=4)


def effective(rules: Rules, length: int | None) -> Rules:
    """The rules; options that have no effect in this form of play are as a reader sets them."""
    if length is None:
        rules = attrs.evolve(rules, crawford=True)
    else:
        rules = attrs.evolve(rules, jacoby=False, beavers=0, auto_doubles=0)
    return rules if rules.cube else attrs.evolve(rules, max_cube=None, auto_doubles=0)


def tags_with_rules(tags: Tags, rules: Rules, length: int | None) -> Tags:
    """The tags without those that state other rules, and with those that are missing.

    Raises GammonError if no tags can state these rules.
    """
    # without a tag, readers guess the Jacoby rule from the points, as `jacoby_decided` does
    is_jacoby_guessed = length is None and "jacoby" not in {name.lower() for name, _ in tags}
    if not is_jacoby_guessed and rules_in_tags(tags, length, 0) == effective(rules, length):
        return tags
    needed = dict(tags_for(rules, length))
    needed_values = {name.lower(): value.lower() for name, value in needed.items()}
    new = [
        (name, value)
        for name, value in tags
        if not _states_another_rule(name.lower(), value, needed_values, rules, length)
    ]
    stated = {name.lower() for name, _ in new}
    new += [(name, value) for name, value in needed.items() if name.lower() not in stated]
    check_rules(effective(rules, length), rules_in_tags(new, length, 0))
    return tuple(new)


def _states_another_rule(
    tag: str, value: str, needed_values: Mapping[str, str], rules: Rules, length: int | None
) -> bool:
    """Whether a tag, in lower case, says something else than these rules, whose own tags have the needed values."""
    if tag not in RULE_TAGS:
        return False
    if tag == "crawford" and length is None:  # no effect in money play
        return False
    if tag == "variation" and (start_named(value) or "standard") == rules.start:
        return False  # it has several names
    return value.lower() != needed_values.get(tag)


def check_rules(meant: Rules, read: Rules) -> None:
    """Raise a GammonError with the options that would be read back with another value, if there are any."""
    options = [
        f"{name}={value!r}"
        for name, value in attrs.asdict(meant).items()
        if value != getattr(read, name)
    ]
    if options:
        raise GammonError(
            f"this format cannot state these rules of the record: {', '.join(options)}"
        )


def tags_for(rules: Rules, length: int | None) -> Iterator[tuple[str, str]]:
    """All tags that state rules; those of a match do not say what only money play has, and the other way round."""
    if length is not None:
        yield "Crawford", ON_OFF[rules.crawford]
    else:
        yield "Jacoby", ON_OFF[rules.jacoby]
        yield "Beaver", ON_OFF[rules.beavers > 0]
    if rules.start != "standard":
        yield "Variation", VARIATIONS[rules.start]
    limit = _NO_LIMIT
    if not rules.cube:
        limit = _NO_CUBE
    elif rules.max_cube is not None and _is_cube_limit(rules.max_cube):
        limit = rules.max_cube
    yield "CubeLimit", str(limit)
    yield from _own_tags_for(rules, length)


def _is_cube_limit(max_cube: int) -> bool:
    """Whether the tag `CubeLimit` can state this value: at both ends a number means something else there."""
    return _NO_CUBE < max_cube < _NO_LIMIT


def _own_tags_for(rules: Rules, length: int | None) -> Iterator[tuple[str, str]]:
    """The tags of this package that state rules."""
    max_cube = rules.max_cube if rules.cube else None
    if max_cube is not None and not _is_cube_limit(max_cube):
        yield "MaxCube", str(max_cube)
    if not rules.backgammons:
        # where no gammons count, no backgammons do
        name = "Backgammons" if rules.gammons else "Gammons"
        yield name, "Off"
    if rules.opening != "shared":
        yield "OpeningRoll", rules.opening.title()
    if length is None and rules.scoring != "points":
        yield "Scoring", rules.scoring.title()
    if length is None and rules.beavers > 1:
        yield "Beavers", str(rules.beavers)
    if length is None and rules.cube and rules.auto_doubles:
        yield "AutoDoubles", str(rules.auto_doubles)

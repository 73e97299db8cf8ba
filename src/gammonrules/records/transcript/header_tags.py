"""What the tags in the header of a record say: rules, date, ratings, site; and the tags that rules need."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias

import attrs

from gammonrules.board import StartName
from gammonrules.errors import GammonError
from gammonrules.limits import MOST_CUBE_TURNS, MOST_IN_A_ROW
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

ASKED_WITHOUT = "AskedWithout"
"""The tag that says what was left out when an engine was asked, such as a limit of the cube."""

_LEFT_OUT = re.compile(r"the limit of [0-9,]{1,10}")
_DATE = re.compile(r"([0-9]{1,4})([./年-])([0-9]{1,2})(?:\2|(?<=年..)月|(?<=年.)月)([0-9]{1,4})日?")
_DATE_TAGS = "EventDate", "Date"
_TIME = re.compile(r"([0-9]{1,2})[.:]([0-9]{2})(?:[.:]([0-9]{2}))?")
_NO_NAME = re.compile(r": ?[0-9]{1,5}(?:\s.*)?")
_RATING = re.compile(r"([0-9]{1,5})(?:[.,]([0-9]{1,4}))?(?:/[0-9]{1,9})?")
"""A rating with a point or a comma, perhaps followed by the number of games behind it: "1600.00/0", "3,00/0"."""

_ADDED = re.compile(r"[0-9]{3,4}(?:\.[0-9]{1,4})?")
"""A rating after a name: fewer digits may be anything, such as the number of a player."""


def other_tags(tags: Tags) -> Tags:
    """The tags that say something of the match beside its rules, sorted: formats have orders of their own."""
    others = *RULE_TAGS, ASKED_WITHOUT.lower()
    return tuple(sorted((name, value) for name, value in tags if name.lower() not in others))


def value_of(tags: Iterable[tuple[str, str]], name: str) -> str | None:
    """The value of the tag with this name, in any case; None if it is missing or has several values."""
    values = {value.strip() for own_name, value in tags if own_name.lower() == name.lower()}
    return values.pop() if len(values) == 1 else None


def left_out_in(tags: Tags) -> str:
    """What an engine was asked without, in the words of `AskedWithout`; "" if that says nothing, or anything else."""
    value = value_of(tags, ASKED_WITHOUT) or ""
    return value if _LEFT_OUT.fullmatch(value) else ""


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
    first, second, third = parts.group(1, 3, 4)
    meanings = {
        "ymd": (first, second, third),
        "dmy": (third, second, first),
        "mdy": (third, first, second),
    }
    for order, (year, month, day) in meanings.items():
        if len(year) not in (2, 4) or len(month) > 2 or len(day) > 2:
            continue
        century = 0
        if len(year) == 2:  # 1969 to 2068, as for the programs that write them
            century = 1900 if int(year) >= 69 else 2000
        with suppress(ValueError):  # not a day of the calendar
            days[order] = dt.date(century + int(year), int(month), int(day))
    return days


def orders_of_dates(headers: Iterable[Tags], orders: set[str], latest: dt.date | None) -> set[str]:
    """Those of these orders, as in `days_in`, that the dates of all headers can have, none after the latest day."""
    common = orders
    for tags in headers:
        days = days_in(value_of(tags, "Date") or "")
        possible = {order for order, day in days.items() if latest is None or day <= latest}
        if possible:
            common = common & possible
    return common


def with_event_date(tags: Tags, orders: set[str]) -> Tags:
    """The tags with `EventDate`, if only these orders show what their date means."""
    if date_of(tags) is not None:
        return tags
    days = days_in(value_of(tags, "Date") or "")
    certain = {days[order] for order in orders & days.keys()}
    if len(certain) != 1:
        return tags
    return (*tags, ("EventDate", certain.pop().isoformat().replace("-", ".")))


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
    names = {name.lower() for name, _ in tags}
    left, right = ratings
    first = left
    second = right
    if _are_exchanged(tags, players):
        first = right
        second = left
    added: list[tuple[str, str]] = []
    for name, rating in (("Player 1 Elo", first), ("Player 2 Elo", second)):
        if name.lower() not in names:
            added.append((name, rating))
    return (*tags, *added)


def ratings_of(tags: Tags, players: tuple[str, str]) -> Pair[float | None]:
    """The ratings of the left and the right player, in the tags "Player 1 Elo" and "Player 2 Elo".

    The tags "Player 1" and "Player 2" say who is meant: in the records of eXtreme Gammon, player 1 is on the right.
    """
    first = _rating(value_of(tags, "Player 1 Elo"))
    second = _rating(value_of(tags, "Player 2 Elo"))
    return Pair((second, first) if _are_exchanged(tags, players) else (first, second))


def _are_exchanged(tags: Tags, players: tuple[str, str]) -> bool:
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
    if values.get("scoring") == "pips":
        return attrs.evolve(rules, scoring="pips", cube=False, jacoby=False, beavers=0)
    allowed_beavers = 0
    if values.get("beaver") != "off":
        stated_beavers = min(number_in(values.get("beavers", ""), 1, digits=4), MOST_IN_A_ROW)
        shown_beavers = min(beavers, MOST_CUBE_TURNS)
        allowed_beavers = max(1, stated_beavers, shown_beavers)
    auto_doubles = min(number_in(values.get("autodoubles", ""), 0, digits=4), MOST_IN_A_ROW)
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
    is_cube_limit = rule in {"cubelimit", "maxcube"}
    if not is_cube_limit and rule not in {"beavers", "autodoubles"}:
        return True
    number = number_in(value, -1)
    if is_cube_limit:
        is_zero_or_power_of_two = number.bit_count() <= 1
        return number >= 0 and is_zero_or_power_of_two
    return number >= 0


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


def effective(rules: Rules, length: int | None) -> Rules:
    """The rules; options that have no effect in this form of play are as a reader sets them."""
    if length is None:
        rules = attrs.evolve(rules, crawford=True)
    else:
        rules = attrs.evolve(rules, jacoby=False, beavers=0, auto_doubles=0)
    return rules if rules.cube else attrs.evolve(rules, max_cube=None, auto_doubles=0)


def tags_with_rules(tags: Tags, rules: Rules, length: int | None) -> Tags:
    """The tags, with those that the rules need instead of others. Raises GammonError if there are none."""
    would_be_guessed = length is None and "jacoby" not in {name.lower() for name, _ in tags}
    if not would_be_guessed and rules_in_tags(tags, length, 0) == effective(rules, length):
        return tags
    needed = dict(tags_for(rules, length))
    needed_value = {name.lower(): value.lower() for name, value in needed.items()}
    new: list[tuple[str, str]] = []
    for name, value in tags:
        rule = name.lower()
        is_start = rule == "variation" and (start_named(value) or "standard") == rules.start
        is_without_effect = length is None and rule == "crawford"
        states_no_rule = rule not in RULE_TAGS or is_without_effect
        if states_no_rule or is_start or needed_value.get(rule) == value.lower():
            new.append((name, value))
    stated = {name.lower() for name, _ in new}
    new += [(name, value) for name, value in needed.items() if name.lower() not in stated]
    check_rules(effective(rules, length), rules_in_tags(new, length, 0))
    return tuple(new)


def check_rules(meant: Rules, read: Rules) -> None:
    """Raise a GammonError with the options of which something else would be read back, if there are any."""
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
    """All that state rules; those of a match do not say what only money play has, and the other way round."""
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
        yield ("Backgammons" if rules.gammons else "Gammons"), "Off"
    if rules.opening != "shared":
        yield "OpeningRoll", rules.opening.title()
    if length is None and rules.scoring != "points":
        yield "Scoring", rules.scoring.title()
    if length is None and rules.beavers > 1:
        yield "Beavers", str(rules.beavers)
    if length is None and rules.cube and rules.auto_doubles:
        yield "AutoDoubles", str(rules.auto_doubles)

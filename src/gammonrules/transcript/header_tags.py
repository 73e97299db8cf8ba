"""What the tags in the header of a record say: rules, date, ratings, site."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, TypeAlias

from gammonrules.match import Pair

Tags: TypeAlias = tuple[tuple[str, str], ...]
"""Name and value of each tag, in order."""

RULE_TAGS = ("crawford", "jacoby", "beaver", "beavers", "cubelimit", "variation")
"""The tags that state rules, in lower case."""

_DATE = re.compile(r"([0-9]{1,4})([./年-])([0-9]{1,2})(?:\2|(?<=年..)月|(?<=年.)月)([0-9]{1,4})日?")
_DATE_TAGS = "EventDate", "Date"
_TIME = re.compile(r"([0-9]{1,2})[.:]([0-9]{2})(?:[.:]([0-9]{2}))?")
_NO_NAME = re.compile(r": ?[0-9]{1,5}(?:\s.*)?")
_RATING = re.compile(r"([0-9]{1,5})(?:[.,]([0-9]{1,4}))?(?:/[0-9]{1,9})?")
"""A rating with a point or a comma, perhaps followed by the number of games behind it: "1600.00/0", "3,00/0"."""

_ADDED = re.compile(r"[0-9]{3,4}(?:\.[0-9]{1,4})?")
"""A rating after a name: fewer digits may be anything, such as the number of a player."""


def other_tags(tags: Tags) -> Tags:
    """The tags that do not state rules, sorted: formats have orders of their own."""
    return tuple(sorted((name, value) for name, value in tags if name.lower() not in RULE_TAGS))


def value_of(tags: Iterable[tuple[str, str]], wanted: str) -> str | None:
    """The value of the tag with this name, in any case; None if it is missing or has several values."""
    values = {value.strip() for name, value in tags if name.lower() == wanted.lower()}
    return values.pop() if len(values) == 1 else None


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
    if (parts := _DATE.fullmatch(date)) is None:
        return days
    for order in ("ymd", "dmy", "mdy"):
        year, month, day = (parts.group(1, 3, 4)[order.index(part)] for part in "ymd")
        is_possible = len(year) in (2, 4) and max(len(month), len(day)) <= 2
        with suppress(ValueError):  # not a day of the calendar
            if is_possible:
                # two digits mean 1969 to 2068, as for the programs that write them
                century = 0 if len(year) == 4 else 1900 if int(year) >= 69 else 2000
                days[order] = dt.date(century + int(year), int(month), int(day))
    return days


def orders_of_dates(headers: Iterable[Tags], orders: set[str], latest: dt.date | None) -> set[str]:
    """Those of these orders, as in `days_in`, that the dates of all headers can have, none after the latest day."""
    for tags in headers:
        days = days_in(value_of(tags, "Date") or "")
        orders &= {order for order, day in days.items() if latest is None or day <= latest} or orders
    return orders


def with_event_date(tags: Tags, orders: set[str]) -> Tags:
    """The tags with `EventDate`, if only these orders show what their date means."""
    if date_of(tags) is not None:
        return tags
    days = days_in(value_of(tags, "Date") or "")
    certain = {days[order] for order in orders & days.keys()}
    return (*tags, ("EventDate", certain.pop().isoformat().replace("-", "."))) if len(certain) == 1 else tags


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
    return (before.rstrip(), after.strip()) if before and _ADDED.fullmatch(after.strip()) else (name, "")


def tags_with_ratings(tags: Tags, players: tuple[str, str], ratings: tuple[str, str]) -> Tags:
    """The tags with those for the ratings of the left and the right player, unless they are there."""
    names = {name.lower() for name, _ in tags}
    ordered = ratings[::-1] if _are_exchanged(tags, players) else ratings
    elo = zip(("Player 1 Elo", "Player 2 Elo"), ordered, strict=True)
    return *tags, *((name, rating) for name, rating in elo if name.lower() not in names)


def ratings_of(tags: Tags, players: tuple[str, str]) -> Pair[float | None]:
    """The ratings of the left and the right player, in the tags "Player 1 Elo" and "Player 2 Elo".

    The tags "Player 1" and "Player 2" say who is meant: in the records of eXtreme Gammon, player 1 is on the right.
    """
    ratings = _rating(value_of(tags, "Player 1 Elo")), _rating(value_of(tags, "Player 2 Elo"))
    return Pair((ratings[1], ratings[0]) if _are_exchanged(tags, players) else ratings)


def _are_exchanged(tags: Tags, players: tuple[str, str]) -> bool:
    left, right = (name.strip() for name in players)
    return left != right and (right, left) == (value_of(tags, "Player 1"), value_of(tags, "Player 2"))


def _rating(text: str | None) -> float | None:
    parts = _RATING.fullmatch(text or "")
    return None if parts is None else float(f"{parts[1]}.{parts[2] or 0}")


def name_of(text: str) -> str:
    """The name of a player; "" for what GNU Backgammon takes for one in a score line without it: ": 0" and the rest."""
    return "" if _NO_NAME.fullmatch(text) else text


def is_from_galaxy(tags: Tags) -> bool:
    """Whether BackgammonGalaxy wrote the record."""
    return any((name.lower(), value) == ("site", "BackgammonGalaxy") for name, value in tags)


def length_played(stated: int | None, scores: Iterable[tuple[int, int]], tags: Tags) -> int | None:
    """The length to which games are played that begin at these scores: the stated one, or None for a coin game.

    Coin games of BackgammonGalaxy are single games of money play with the Jacoby rule, written as matches to 16.
    """
    return None if stated == _LENGTH_OF_COIN_GAMES and [*scores] == [(0, 0)] and is_from_galaxy(tags) else stated


_LENGTH_OF_COIN_GAMES: Final = 16

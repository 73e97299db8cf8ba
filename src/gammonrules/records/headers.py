"""What the tags in the header of a record say: rules, the date, the players' ratings, the site."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TypeAlias

Tags: TypeAlias = tuple[tuple[str, str], ...]
"""Name and value of each tag, in order."""

RULE_TAGS = ("crawford", "jacoby", "beaver", "beavers", "cubelimit", "variation")
"""The tags, in lower case, that say rules."""

_DATE = re.compile(r"([0-9]{4})([./-])([0-9]{1,2})\2([0-9]{1,2})")
_RATING = re.compile(r"([0-9]{1,5})(?:[.,]([0-9]{1,4}))?(?:/[0-9]{1,9})?")
"""A rating, with a point or a comma, and perhaps the games that it is based on: "1600.00/0", "3,00/0"."""


def other_tags(tags: Tags) -> Tags:
    """The tags that say something other than rules."""
    return tuple((name, value) for name, value in tags if name.lower() not in RULE_TAGS)


def value_of(tags: Iterable[tuple[str, str]], wanted: str) -> str | None:
    """The value of the tag with this name, in any case; None if it is missing, or there with different values."""
    values = {value.strip() for name, value in tags if name.lower() == wanted.lower()}
    return values.pop() if len(values) == 1 else None


def date_of(tags: Tags) -> dt.date | None:
    """The day in the tag "EventDate", such as "2024.07.27". Unless the year is first, the month is not certain."""
    parts = _DATE.fullmatch(value_of(tags, "EventDate") or "")
    if parts is not None:
        with suppress(ValueError):  # no day of the calendar
            return dt.date(int(parts[1]), int(parts[3]), int(parts[4]))
    return None


def ratings_of(tags: Tags) -> tuple[float | None, float | None]:
    """The ratings in the tags "Player 1 Elo" and "Player 2 Elo", as they stand there."""
    return _rating(value_of(tags, "Player 1 Elo")), _rating(value_of(tags, "Player 2 Elo"))


def _rating(text: str | None) -> float | None:
    parts = _RATING.fullmatch(text or "")
    return None if parts is None else float(f"{parts[1]}.{parts[2] or 0}")


def is_from_galaxy(tags: Tags) -> bool:
    """Whether BackgammonGalaxy wrote the record."""
    return any((name.lower(), value) == ("site", "BackgammonGalaxy") for name, value in tags)

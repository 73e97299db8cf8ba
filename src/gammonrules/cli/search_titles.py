"""What is asked of the table of decisions, in words: the headings of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gammonrules.records.archive import Comparison, comparison_in
from gammonrules.records.page import plural
from gammonrules.records.transcript import MISTAKES

_MISTAKES: Final = MISTAKES["xg"]
_SIGNS: Final = {
    "=": "{}",
    "!=": "not {}",
    "<": "less than {}",
    "<=": "at most {}",
    ">": "more than {}",
    ">=": "at least {}",
}
_CLAUSES: Final = {
    ("position_kind", "="): "in {}",
    ("player", "="): "by {}",
    ("opponent", "="): "against {}",
}
"""What follows the noun at once, in this order."""
_PHRASES: Final = {
    ("decision", "=", "play"): "with checkers",
    ("decision", "!=", "play"): "with the cube",
    ("decision", "=", "double"): "whether to double",
    ("decision", "=", "answer"): "how to answer a double",
    ("crawford", "=", "true"): "in the Crawford game",
    ("post_crawford", "=", "true"): "after the Crawford game",
    ("away", "=", ""): "in money play",
    ("counts_xg", "=", "false"): "not rated",
    ("counts_gnubg", "=", "false"): "not rated",
    ("engine", "=", ""): "not analyzed",
    ("engine", "!=", ""): "analyzed",
    ("anchors", ">=", "1"): "with an anchor",
    ("opponent_anchors", ">=", "1"): "against anchors",
}
_PHRASES_OF_COLUMNS: Final = {
    "away": "{} away",
    "opponent_away": "opponent {} away",
    "dice": "with {}",
    "engine": "analyzed by {}",
}
_ITEM: Final = re.compile(r"(bar|off|[\d-]+):(\d+)([+-]?)(?:\s+|$)", re.IGNORECASE)
_PLACES: Final = {"bar": "on the bar", "off": "off"}
_NUMBERS: Final = {"": "{}", "+": "{} or more", "-": "{} or fewer"}


def question_in_words(patterns: Iterable[str], noun: str) -> str:
    """The question that patterns ask together, such as "Blunders in bear-offs by lasse, against anchors".

    `noun`: what is asked for, unless a pattern says by its error what it is called.
    """
    clauses: dict[tuple[str, str], str] = {}
    phrases: list[str] = []
    is_rated = False
    for pattern in patterns:
        comparison = comparison_in(pattern)
        if comparison is None:
            phrases.append(_checkers_in_words(pattern))
            continue
        key = comparison.column, comparison.sign
        if comparison.column == "error":
            noun = _noun_with_error(noun, comparison)
        elif comparison.column.startswith("counts_") and comparison[1:] == ("=", "true"):
            is_rated = True
        elif key in _CLAUSES and key not in clauses:
            value = comparison.value
            words = plural(value) if comparison.column == "position_kind" else value
            clauses[key] = _CLAUSES[key].format(words)
        else:
            phrases.append(_phrase(comparison))
    if is_rated:
        noun = f"Rated {noun.lower()}"
    beginning = " ".join([noun, *[clauses[key] for key in _CLAUSES if key in clauses]])
    return ", ".join([beginning, *phrases])


def _noun_with_error(noun: str, comparison: Comparison) -> str:
    """What decisions are called that lost so much."""
    if comparison.sign == ">=":
        for name, least in _MISTAKES.items():
            if comparison.value == f"{least:g}":
                return f"{name.capitalize()}s"
    if comparison.sign == ">" and comparison.value == "0":
        return f"{noun} that lost points"
    return f"{noun} that lost {_compared(comparison)}"


def _compared(comparison: Comparison) -> str:
    if not comparison.value:
        return "known" if comparison.sign == "!=" else "not known"
    return _SIGNS[comparison.sign].format(comparison.value)


def _phrase(comparison: Comparison) -> str:
    if comparison in _PHRASES:
        return _PHRASES[comparison]
    words = _compared(comparison)
    if comparison.column in _PHRASES_OF_COLUMNS:
        return _PHRASES_OF_COLUMNS[comparison.column].format(words)
    return f"{comparison.column} {words}".replace("_", " ")


def _checkers_in_words(pattern: str) -> str:
    """The words for a pattern of checkers; an identifier stays as it is."""
    own, _, theirs = pattern.strip().partition("vs ")
    if _ITEM.sub("", own + theirs):
        return pattern.strip()
    sides: list[str] = []
    if own:
        sides.append(f"with {_items_in_words(own)}")
    if theirs:
        sides.append(f"against {_items_in_words(theirs)}")
    return " ".join(sides)


def _items_in_words(items: str) -> str:
    words: list[str] = []
    for points, count, sign in _ITEM.findall(items):
        place = _PLACES.get(points.lower(), f"on the {points} point")
        if "-" in points:
            place = f"on each point {points}"
        words.append(f"{_NUMBERS[sign].format(count)} {place}")
    return ", ".join(words)

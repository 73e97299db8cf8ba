"""The words of pictures: the English ones, and those that a caller has for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import TypeAlias

import attrs

from gammonrules.draw._player_names import isolated, printable_name
from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_LABEL_LENGTH
from gammonrules.values import plain_text, shown, suggestion

Words: TypeAlias = Mapping[str, str | Callable[[int], str]]
"""Texts by the keys of `WORDS`; a text with `{count}` may be a function of the count that returns it."""


def _forms(singular: str, plural: str) -> Callable[[int], str]:
    return lambda count: singular if count == 1 else plural


WORDS: Words = MappingProxyType(
    {
        # beside the board, and on it
        "opening": "Opening roll",
        "money": "Money play",
        "match": "{count} point match",
        "crawford": "{kind} (Crawford game)",
        "post_crawford": "{kind}, post-Crawford",
        "no_cube": "{kind} (no cube)",
        "crawford_sign": "Cr",
        "bar_sign": "BAR",
        "cube": "Cube: {value}",
        "white": "White",
        "black": "Black",
        "on_roll": "on roll",
        "opponent": "opponent",
        "points": _forms("{count} point", "{count} points"),
        "away": "{count}-away",
        "pips": _forms("{count} pip", "{count} pips"),
        "rolled": "rolled {dice}",
        "offered": "cube offered at {value}",
        "beaver": "cube offered at {value} (beaver)",
        "raccoon": "cube offered at {value} (raccoon)",
        "beavers": "cube offered at {value} (beaver {number})",
        "resigns": "resigns {level}",
        "single": "a single game",
        "gammon": "a gammon",
        "backgammon": "a backgammon",
        "dropped": "{level} (double dropped)",
        "resigned": "{level} (resigned)",
        "forfeit": "by forfeit",
        "won": "{name} wins {how}: {points}",
        "match_won": "{name} wins the match",
        "position_id": "Position ID: {id}",
        "checkers": _forms("({count} checker a side)", "({count} checkers a side)"),
        "in_turn": "In the middle of a turn",
        # in the title and the description of an SVG
        "title": "Backgammon: {kind}",
        "position_title": "Backgammon position",
        "player_on_roll": "player on roll",
        "centered": "Cube at {value}, centered",
        "owned": "Cube at {value}, owned by {name}",
        "side": "{name}: {about}; checkers: {places}",
        "on_point": "{count} on {point}",
        "on_bar": "{count} on the bar",
        "borne_off": "{count} off",
        "so_far": "Moved so far: {play}",
        "last_dice": "Last roll: {dice}",
        "last_play": "Last play: {play}",
        "arrows": "Arrows: {play}",
        "made": "Made instead, dashed: {play}",
        "highlighted": "Highlighted: {points}",
        "targets": "Targets: {points}",
        "bar": "bar",
        "off": "off",
        "no_play": "no play",
        "numbering": "The points are numbered as the player on roll numbers them",
        "turned_numbering": "Points are numbered by the other side, plays by who makes them",
    }
)
"""The English texts, by their keys. The first letter of a line is made a capital one."""

_FIELD = re.compile(r"\{[^{}]*\}|[{}]")
_FIELDS = {
    key: frozenset(_FIELD.findall(text if isinstance(text, str) else text(2)))
    for key, text in WORDS.items()
}


@attrs.frozen(eq=False)
class Wording:
    """The words of one picture."""

    texts: Words

    def __call__(self, key: str, **fields: object) -> str:
        """A text with its fields filled."""
        text = self.texts[key]
        if not isinstance(text, str):  # it has a form for each count
            count = fields["count"]
            assert isinstance(count, int)
            text = text(count)
        return text.format(**fields)  # every brace of it belongs to a plain name


ENGLISH = Wording(WORDS)


def read_words(words: Words | None) -> Wording:
    """The words of a caller, and English ones for the keys that are left out.

    Raises:
        ArgumentError: it is not a mapping, or has a key, a text or a field that cannot be.
    """
    if words is None:
        return ENGLISH
    _check_mapping(words)
    texts = dict(WORDS)
    # one more than there are keys has one that is none, whatever else the mapping has
    for name, text in islice(words.items(), len(WORDS) + 1):
        key = plain_text(name)
        if key is None or key not in WORDS:
            near = suggestion(name, WORDS)
            raise ArgumentError(f"words can only have the keys of `WORDS`, not {shown(name)}{near}")
        if callable(text) and "{count}" in _FIELDS[key]:
            texts[key] = _checked_form(key, text)
        else:
            texts[key] = _safe_value(key, text)
    return Wording(texts)


def _check_mapping(words: object) -> None:
    if not isinstance(words, Mapping):
        raise ArgumentError(
            f"words must be a mapping from the keys of `WORDS` to texts, not {shown(words)}"
        )


def _checked_form(key: str, form: Callable[[int], str]) -> Callable[[int], str]:
    return lambda count: _safe_value(key, form(count))


def _safe_value(key: str, value: object) -> str:
    text = plain_text(value)
    if text is None or len(text) > MAX_LABEL_LENGTH:
        raise ArgumentError(
            f"words: {key} must be a text of up to {MAX_LABEL_LENGTH} characters, not {shown(value)}"
        )
    for field in _FIELD.findall(text):
        if field not in _FIELDS[key]:
            fields = " and ".join(sorted(_FIELDS[key])) or "no braces"
            raise ArgumentError(f"words: {key} can have {fields}, but not {shown(field)}")
    return isolated(printable_name(text))


def capitalized(text: str) -> str:
    """A text as the beginning of a line."""
    return text[:1].upper() + text[1:]

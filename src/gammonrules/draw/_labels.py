"""The labels of drawings: the English strings, and translations of them."""

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

Labels: TypeAlias = Mapping[str, str | Callable[[int], str]]
"""Strings by the keys of `LABELS`. Where `LABELS` has the field `{count}`, the value may be a function of the count."""


def _forms(singular: str, plural: str) -> Callable[[int], str]:
    return lambda count: singular if count == 1 else plural


LABELS: Labels = MappingProxyType(
    {
        # next to the board, and on it
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
        # in the title and the description of an SVG image
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
"""The English labels by their keys. A drawing capitalizes the first letter of a line."""

_FIELD = re.compile(r"\{[^{}]*\}|[{}]")
_FIELDS = {
    key: frozenset(_FIELD.findall(text if isinstance(text, str) else text(2)))
    for key, text in LABELS.items()
}


@attrs.frozen(eq=False)
class LabelFormatter:
    """Returns the labels of one drawing, with their fields filled."""

    labels: Labels

    def __call__(self, key: str, **fields: object) -> str:
        """The label of a key with its fields filled."""
        text = self.labels[key]
        if not isinstance(text, str):  # it has a form for each count
            count = fields["count"]
            assert isinstance(count, int)
            text = text(count)
        return text.format(**fields)  # every brace of it belongs to a plain name


ENGLISH = LabelFormatter(LABELS)


def read_labels(labels: Labels | None) -> LabelFormatter:
    """The labels of a caller; keys that are left out have the English labels.

    Raises:
        ArgumentError: `labels` is not a mapping, or has an invalid key, string or field.
    """
    if labels is None:
        return ENGLISH
    _check_mapping(labels)
    read = dict(LABELS)
    # a longer mapping has an unknown key among its first `len(LABELS) + 1` keys
    for name, text in islice(labels.items(), len(LABELS) + 1):
        key = plain_text(name)
        if key is None or key not in LABELS:
            near = suggestion(name, LABELS)
            raise ArgumentError(
                f"labels can only have the keys of `draw.LABELS`, not {shown(name)}{near}"
            )
        if callable(text) and "{count}" in _FIELDS[key]:
            read[key] = _checked_form(key, text)
        else:
            read[key] = _safe_value(key, text)
    return LabelFormatter(read)


def _check_mapping(labels: object) -> None:
    if not isinstance(labels, Mapping):
        raise ArgumentError(
            f"labels must be a mapping from the keys of `draw.LABELS` to strings, not {shown(labels)}"
        )


def _checked_form(key: str, form: Callable[[int], str]) -> Callable[[int], str]:
    return lambda count: _safe_value(key, form(count))


def _safe_value(key: str, value: object) -> str:
    text = plain_text(value)
    if text is None or len(text) > MAX_LABEL_LENGTH:
        raise ArgumentError(
            f"labels: {key} must be a string of up to {MAX_LABEL_LENGTH} characters, not {shown(value)}"
        )
    for field in _FIELD.findall(text):
        if field not in _FIELDS[key]:
            fields = " and ".join(sorted(_FIELDS[key])) or "no braces"
            raise ArgumentError(f"labels: {key} can have {fields}, but not {shown(field)}")
    return isolated(printable_name(text))


def capitalized(text: str) -> str:
    """A text as the beginning of a line."""
    return text[:1].upper() + text[1:]

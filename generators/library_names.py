"""The names that the library gives to values, in the order of their numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any, get_args

import attrs

from gammonrules import Player, Rules, Win
from gammonrules._shared.engine_levels import TEMPERATURES
from gammonrules.board import START_NAMES, IllegalPlayReason
from gammonrules.draw import THEMES
from gammonrules.errors import IllegalActionReason
from gammonrules.match import Action, Clock, End, Phase

PLAYERS = [player.name.lower() for player in Player]
WINS = [win.name.lower() for win in Win]
ENDS = [end.value for end in End]
PHASES = [phase.value for phase in Phase]
ACTIONS = [action.value for action in Action]
ACTION_REASONS = [reason.value for reason in IllegalActionReason]
PLAY_REASONS = [reason.value for reason in IllegalPlayReason]
STARTS = [*START_NAMES]
THEME_NAMES = [*THEMES]
STRENGTHS = [*TEMPERATURES]
OPTIONS = attrs.fields(Rules)
"""The options of the rules, with their types and defaults."""


def choices_of(cls: type, name: str) -> list[str]:
    """The values of a field whose type is a Literal."""
    return [*get_args(attrs.fields_dict(attrs.resolve_types(cls))[name].type)]


TIMINGS = choices_of(Clock, "timing")
CHOICES: dict[str, list[str]] = {
    option.name: choices_of(Rules, option.name) for option in OPTIONS if isinstance(option.default, str)
}
"""The values of the options that are one of several words."""


def wrapped(items: Iterable[str], width: int = 118, indent: str = "  ") -> str:
    """Items with commas between them, on indented lines."""
    text = ", ".join(item.replace(" ", "\N{NO-BREAK SPACE}") for item in items)
    lines = textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def quoted(names: Iterable[Any]) -> list[str]:
    return [f'"{name}"' for name in names]

"""Rules by chance, with every option that `Rules` has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args, get_type_hints

import attrs

from gammonrules.rules import Rules

WEIGHTED: dict[str, Sequence[Any]] = {
    "crawford": (True, True, False),
    "max_cube": (None, None, None, 1, 2, 4, 64, 1024),
    "cube": (*[True] * 9, False),
    "gammons": (*[True] * 5, False),
    "backgammons": (True, True, False),
    "scoring": (*["points"] * 11, "pips"),
    "start": ("standard", "standard", "standard", "nackgammon", "hypergammon", "hypergammon1"),
}
"""The values of options that are not equally likely."""
COUNTS = (0, 1, 2, 3, 5)
PIPS = {"cube": False, "beavers": 0, "auto_doubles": 0, "jacoby": False}
"""What pip scoring requires."""


def _values_of(option: attrs.Attribute[Any], hint: Any) -> Sequence[Any]:
    if option.name in WEIGHTED:
        return WEIGHTED[option.name]
    if isinstance(option.default, bool):
        return True, False
    return COUNTS if isinstance(option.default, int) else get_args(hint)


_HINTS = get_type_hints(Rules)
_VALUES = {option.name: _values_of(option, _HINTS[option.name]) for option in attrs.fields(Rules)}


def rules_by_chance(pick: Callable[[Sequence[Any]], Any]) -> Rules:
    """Rules that go together, made of what `pick` chooses."""
    options = {name: pick(values) for name, values in _VALUES.items()}
    if options["scoring"] == "pips":
        options |= PIPS
    options["backgammons"] = options["gammons"] and options["backgammons"]
    return Rules(**options)

"""Calls of `arena.play` whose settings are cases of a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from gammonrules import arena

_OPTIONS = {field.name for field in attrs.fields(arena.Options)}


def play(players: Mapping[str, Any] | Sequence[Any], **settings: Any) -> arena.Results:
    """The results of an arena. The settings that `arena.Options` has go there."""
    options = {name: settings.pop(name) for name in _OPTIONS & {*settings}}
    return arena.play(players, **settings, options=arena.Options(**options))

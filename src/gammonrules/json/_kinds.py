"""The types with a JSON form.

Those of analyses and records are imported when one is met, and with them how they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from gammonrules._shared.extras import importing_package
from gammonrules._shared.json_form import JsonField
from gammonrules.board import Move, Outcome, Play, Position, Win
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError
from gammonrules.match import (
    Action,
    Clock,
    Cube,
    Double,
    End,
    Event,
    Forfeit,
    MatchState,
    Phase,
    Player,
    Resignation,
    Result,
    SetPosition,
)
from gammonrules.rules import Rules
from gammonrules.values import shown

Value: TypeAlias = JsonField

_OF_THE_TABLE: Final[tuple[type[Value], ...]] = (
    *(MatchState, Position, Play, Move, Dice, Event, SetPosition, Forfeit, Rules, Cube, Clock),
    *(Double, Resignation, Result, Outcome, Player, Win, Action, Phase, End),
)
_OF_RECORDS: Final = ("Match", "Game", "RecordedResult", "Finding")
_OF_ANALYSES: Final = ("PlayAnalysis", "CubeAnalysis", "Candidate", "Chances")
_KINDS: Final[Mapping[str, type[Value] | None]] = {
    **{kind.__name__: kind for kind in _OF_THE_TABLE},
    **dict.fromkeys(_OF_RECORDS + _OF_ANALYSES),
}
"""By name, in the order in which messages list them; None for those that are imported when one is met."""


class _Kinds(Mapping[str, type[Value]]):
    """The types by name."""

    def __getitem__(self, name: str) -> type[Value]:
        if name in _OF_ANALYSES:
            return _kind_in_analysis(name)
        return _KINDS[name] or _kind_in_records(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_KINDS)

    def __len__(self) -> int:
        return len(_KINDS)


def _kind_in_analysis(name: str) -> type[Value]:
    with importing_package("analysis", f"the JSON form of {name}"):
        from gammonrules import analysis  # noqa: PLC0415 - rules and positions do without
        from gammonrules.analysis import json_forms as _  # noqa: F401, PLC0415 - it teaches the converter

    kind: type[Value] = getattr(analysis, name)
    return kind


def _kind_in_records(name: str) -> type[Value]:
    with importing_package("records", f"the JSON form of {name}"):
        from gammonrules.records import transcript  # noqa: PLC0415 - see above
        from gammonrules.records.transcript import json_forms as _  # noqa: F401, PLC0415 - see above

    kind: type[Value] = getattr(transcript, name)
    return kind


KINDS: Final = _Kinds()

_name_of = type.__dict__["__name__"].__get__
_module_of = type.__dict__["__module__"].__get__
"""What a class is called, whatever a metaclass of strangers answers."""


def is_kind(kind: object) -> bool:
    """Whether this is a type with a JSON form."""
    if not issubclass(type(kind), type):
        return False
    module = _module_of(kind)
    if not (isinstance(module, str) and module.startswith("gammonrules.")):
        return False
    known: object = KINDS.get(_name_of(kind))
    return known is kind


def refuse_other_kinds(kind: object) -> None:
    """Raise ArgumentError unless this is a type with a JSON form."""
    if not is_kind(kind):
        raise ArgumentError(f"{shown(kind)} has no JSON form; these have one: {', '.join(KINDS)}")

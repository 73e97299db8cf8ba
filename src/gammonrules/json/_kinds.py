"""The types with a JSON form: each is imported when its name or its class is met, and with it how it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final, TypeAlias

from gammonrules._shared.json_fields import JsonField
from gammonrules.errors import ArgumentError
from gammonrules.values import shown

Value: TypeAlias = JsonField
"""What every value with a JSON form is: one of the types that `schema()` describes."""

_RECORDS: Final = "gammonrules.records.transcript.json_forms"
_HOMES: Final[Mapping[str, str]] = {
    "MatchState": "gammonrules.match",
    "Position": "gammonrules.board",
    "Play": "gammonrules.board",
    "Move": "gammonrules.board",
    "Dice": "gammonrules.dice",
    "Event": "gammonrules.match",
    "SetPosition": "gammonrules.match",
    "Forfeit": "gammonrules.match",
    "Rules": "gammonrules.rules",
    "Cube": "gammonrules.match",
    "Clock": "gammonrules.match",
    "Double": "gammonrules.match",
    "Resignation": "gammonrules.match",
    "Result": "gammonrules.match",
    "Outcome": "gammonrules.board",
    "Player": "gammonrules.match",
    "Win": "gammonrules.board",
    "Action": "gammonrules.match",
    "Phase": "gammonrules.match",
    "End": "gammonrules.match",
    "Match": _RECORDS,
    "Game": _RECORDS,
    "Stated": _RECORDS,
    "Finding": _RECORDS,
    "PlayAnalysis": _RECORDS,
    "CubeAnalysis": _RECORDS,
    "Candidate": _RECORDS,
    "Chances": "gammonrules.equity",
}
"""The module that has each type. That of records teaches the converter their forms, which the core does not need."""


class _Kinds(Mapping[str, type[Value]]):
    """The types by name, in the order in which sentences list them."""

    def __getitem__(self, name: str) -> type[Value]:
        kind: type[Value] = getattr(import_module(_HOMES[name]), name)
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


KINDS: Final = _Kinds()


def refuse_other_kinds(kind: object) -> None:
    """Raise ArgumentError unless this is a type that has a JSON form."""
    if not (isinstance(kind, type) and KINDS.get(kind.__name__) is kind):
        raise ArgumentError(f"{shown(kind)} has no JSON form; these have one: {', '.join(KINDS)}")

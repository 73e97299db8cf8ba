"""The whole document: the version of the format, the type of the value, and the value."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import partial
from typing import Any

from cattrs import BaseValidationError

from gammonrules._shared.json_form import VERSION, version_of
from gammonrules.dice import Dice
from gammonrules.errors import GammonError
from gammonrules.json._forms import CONVERTER, tagged
from gammonrules.json._kinds import KINDS, Value, is_kind, refuse_other_kinds
from gammonrules.json._strict import (
    MISSING,
    PartToRead,
    Twice,
    exact_fields,
    members_of,
    read_one,
    refusal,
    refused_fields,
)
from gammonrules.limits import MAX_JSON_LENGTH, MAX_JSON_RECORD_LENGTH
from gammonrules.match import TO_ACT
from gammonrules.values import is_mapping, is_series

_DEPTH = 5
"""How deep in a document an earlier version differs: in the analyses of the games of a match."""
_LONG = ("Match", "Game")
"""The types whose documents may be long."""


def longest(kind: type[Any] | None) -> int:
    """The most characters of a document whose value must be of this type; None: of any type."""
    is_record = kind is None or (is_kind(kind) and kind.__name__ in _LONG)
    return MAX_JSON_RECORD_LENGTH if is_record else MAX_JSON_LENGTH


def written(value: object) -> dict[str, Any]:
    """A value as a document. Raises ArgumentError and GammonError as `gammonrules.json.to_data`."""
    kind = type(value)
    refuse_other_kinds(kind)
    form = CONVERTER.unstructure(value)
    fields = form if _has_fields(kind) else {"value": form}
    return {"version": VERSION, "type": kind.__name__, **fields}


def read(data: object, kind: type[Any] | None) -> Value:
    """The value in a document. Raises GammonError as `gammonrules.json.loads`."""
    if kind is not None:
        refuse_other_kinds(kind)
    kinds = KINDS if kind is None else {kind.__name__: kind}
    try:
        return value_in(data, kinds)
    except (GammonError, BaseValidationError) as error:
        raise refusal(error) from None


def value_in(data: object, kinds: Mapping[str, type[Value]]) -> Value:
    """The value in a document, which must be of one of these kinds. `RecordedResult` was called `Stated`.

    Raises:
        GammonError: it is refused as a whole.
        BaseValidationError: parts of it are refused, each with its place (see `_strict.ordered_leaves`).
    """
    fields = dict(members_of(data, dict))
    if "version" not in fields:
        raise refused_fields(dict, MISSING, ["version"])
    version: int = read_one(dict, PartToRead("version", version_of, fields.pop("version")))
    name = fields.get("type")
    if isinstance(name, str) and name == "Stated":
        fields["type"] = "RecordedResult"
    kind, fields = tagged(fields, kinds, dict)
    if version < VERSION:
        fields = _renewed(fields, version)
    structure = partial(CONVERTER.structure, cl=kind)
    if _has_fields(kind):
        return structure(fields)
    only_field = exact_fields(fields, kind, ["value"])
    value: Value = read_one(kind, PartToRead("value", structure, only_field["value"]))
    return value


def _has_fields(kind: type) -> bool:
    """Whether this type is written as an object; otherwise it is an array or a string in the field "value"."""
    return kind is not Dice and not issubclass(kind, Enum)


def _renewed(form: Any, version: int, depth: int = _DEPTH) -> Any:
    """A form of an earlier version as it is now; one that is no object, or has a field twice, is refused later.

    `double_drop` was called `double_pass`. In version 1 the end of a result was first called `by`, and the `by` of an
    event was null for "to_act".
    """
    if depth == 0 or isinstance(form, Twice):
        return form
    if is_series(form):
        return [_renewed(item, version, depth - 1) for item in form]
    if not is_mapping(form):
        return form
    fields = {name: _renewed(value, version, depth - 1) for name, value in form.items()}
    new_names: dict[object, object] = {"double_pass": "double_drop"} if version < 3 else {}
    if version == 1:
        is_result = "winner" in fields
        if is_result:
            new_names["by"] = "end"
        is_event = "action" in fields
        if is_event and "by" in fields and fields["by"] is None:
            fields["by"] = TO_ACT.value
    renewed: dict[object, Any] = {}
    for name, value in fields.items():
        new_name = new_names.get(name, name)
        has_both_names = new_name != name and new_name in fields
        if has_both_names:  # then the old one stays, and is refused later
            renewed[name] = value
        else:
            renewed[new_name] = value
    return renewed

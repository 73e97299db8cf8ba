"""The version of the format, and documents of older versions, which get the present form before they are read.

In version 1 the end of a result was first called `by`, and the `by` of an event was null for "to_act".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from gammonrules.json._strict import Twice
from gammonrules.match import TO_ACT, Event, MatchState, Result

VERSION = 2
"""The version of the format that `dumps` and `to_data` write, and the newest that `loads` and `from_data` read."""


def from_version_1(kind: type, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a document of version 1 in the present form."""
    if kind is Event and fields.get("by", TO_ACT) is None:
        return fields | {"by": TO_ACT.value}
    if kind is Result and "end" not in fields:
        return {"end" if name == "by" else name: value for name, value in fields.items()}
    result = fields.get("result")
    if kind is MatchState and isinstance(result, Mapping) and not isinstance(result, Twice):
        return fields | {"result": from_version_1(Result, dict(cast("Mapping[str, Any]", result)))}
    return fields

"""JSON text to plain data and back: where the reader of Python is more generous than a document may be."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, cast

from gammonrules.errors import GammonError, ParseError
from gammonrules.json._strict import Twice, said

_LONGEST = 1_000_000
"""Characters of a document; the largest that a game brings forth has some two thousand."""
_DIGITS = 20
"""More than a number of a document can have."""


def compact(data: dict[str, Any]) -> str:
    """Plain data as text.

    Raises:
        GammonError: the text would be too long to be read again.
    """
    text = json.dumps(data, separators=(",", ":"))
    if len(text) > _LONGEST:
        raise GammonError(f"a document has up to {_LONGEST} characters, this one would have {len(text)}")
    return text


def parsed(text: object) -> object:
    """The plain data of a text, or of its bytes in UTF-8.

    Raises:
        ParseError: no JSON.
    """
    if isinstance(text, (bytes, bytearray)):
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            raise ParseError(f"this is no JSON: byte {error.start} is not UTF-8") from None
    if not isinstance(text, str):
        raise ParseError(f"a JSON text is str or bytes, not {said(text)}")
    if len(text) > _LONGEST:
        raise ParseError(f"a document has up to {_LONGEST} characters, not {len(text)}")
    try:
        return cast("object", json.loads(text, object_pairs_hook=_object, parse_int=_whole))
    except json.JSONDecodeError as error:
        raise ParseError(f"this is no JSON: {error}") from None
    except RecursionError:
        raise ParseError("this is no document: it is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; one that has a field twice says so."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    twice = Twice(fields)
    twice.names = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]
    return twice


def _whole(digits: str) -> int:
    """A number; what is much too large stays so when it is cut, and Python does not read thousands of digits."""
    return int(digits[:_DIGITS])

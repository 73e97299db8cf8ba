"""JSON text to plain data and back, more strictly than Python's own reader."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from gammonrules._shared.json_form import described
from gammonrules.errors import GammonError, ParseError
from gammonrules.json._strict import Twice
from gammonrules.limits import MAX_JSON_RECORD_LENGTH
from gammonrules.values import plain_text

_DIGITS = 20
"""More digits than a valid number of a document can have."""


def compact(data: dict[str, Any]) -> str:
    """Plain data as text. Raises GammonError if the text would be too long to be read back."""
    text = json.dumps(data, separators=(",", ":"))
    if len(text) > MAX_JSON_RECORD_LENGTH:
        raise GammonError(
            f"a document has up to {MAX_JSON_RECORD_LENGTH} characters; this one would have {len(text)}"
        )
    return text


def parsed(text: object, longest: int) -> object:
    """The plain data of a text, or of its bytes in UTF-8, up to this long. Raises ParseError if it is not JSON."""
    if isinstance(text, (bytes, bytearray)):
        document: str | None = _utf8_text(text, longest)
    else:
        document = plain_text(text)
    if document is None:
        raise ParseError(f"JSON is text or bytes, not {described(text)}")
    if len(document) > longest:
        raise ParseError(f"a document has up to {longest} characters, not {len(document)}")
    try:
        data: object = json.loads(
            document, object_pairs_hook=_object, parse_int=_number_in_document
        )
    except json.JSONDecodeError as error:
        raise ParseError(f"this is not JSON: {error}") from None
    except RecursionError:
        raise ParseError("this is not a document: it is nested too deeply") from None
    return data


def _number_in_document(digits: str) -> int:
    """A number; far too many digits are cut, and it is still too large: Python does not read thousands of them."""
    return int(digits[:_DIGITS])


def _utf8_text(octets: bytes | bytearray, longest: int) -> str:
    """The text of a document in UTF-8, where a character has up to four bytes."""
    view = memoryview(octets)
    if view.nbytes > 4 * longest:
        raise ParseError(f"a document has up to {longest} characters, not {view.nbytes} bytes")
    try:
        return str(view, "utf-8")
    except UnicodeDecodeError as error:
        raise ParseError(f"this is not JSON: byte {error.start} is not UTF-8") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that remembers duplicate fields."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    counts = Counter(name for name, _ in pairs)
    with_duplicates = Twice(fields)
    with_duplicates.names = [name for name, count in counts.items() if count > 1]
    return with_duplicates

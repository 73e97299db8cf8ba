"""Records as JSON documents, by `gammonrules.json`, which needs an extra and so is imported when used."""

from __future__ import annotations

import re
from json import JSONDecodeError

from gammonrules.errors import GammonError, ParseError
from gammonrules.records.transcript import Match, as_replayed

_BEGINNING = re.compile(r'\s{0,100}\{\s{0,100}"')
_TYPE = re.compile(r'"type"\s{0,9}:\s{0,9}"Match"')


def is_json(text: str) -> bool:
    """Whether a text begins as a JSON object does, and names our type, which may be anywhere in it."""
    return _BEGINNING.match(text) is not None and _TYPE.search(text) is not None


def read_json(text: str) -> Match:
    """The match in a document, replayed as in any other format.

    Raises ParseError if it is not such a document, or cattrs is not installed.
    """
    try:
        from gammonrules.json import loads  # noqa: PLC0415 - an extra

        match = loads(text, Match)
    except ImportError as error:
        raise ParseError(f"this is a JSON document, but {error}") from None
    except GammonError as error:
        cause = error.__context__  # the error that `loads` was handling
        if isinstance(cause, JSONDecodeError):
            raise ParseError(f"this JSON document is damaged or cut off: {cause}") from None
        raise ParseError(
            f"this is a JSON document, but not a record that can be read: {error}"
        ) from None
    return as_replayed(match)


def write_json(match: Match, _: object) -> str:
    """The match as a document, on one line. Raises GammonError without cattrs, or if it is too long to be read."""
    try:
        from gammonrules.json import dumps  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise GammonError(str(error)) from None
    return dumps(match) + "\n"

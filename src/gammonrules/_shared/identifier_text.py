"""What the readers of identifiers share: labels, Base64 characters, and whole numbers in a range."""

from __future__ import annotations

import re

from gammonrules.errors import IdentifierError
from gammonrules.values import plain_text, shown

_NO_BASE64 = r"[^A-Za-z0-9+/]"
_MOST_DIGITS = 12
"""More than any range here needs, so a number with millions of digits is never computed."""
MOST_CHARACTERS = 10_000
"""The longest text around an identifier: enough for a page that somebody pastes."""


def label_re(name: str) -> str:
    """A pattern for the label of an identifier, such as "Position ID:" or "Position-ID :"."""
    return name.replace(" ", r"[\s-]+") + r"\s*:\s*"


def bounded(text: str, name: str) -> str:
    """The text of an identifier, once it is known to be short enough.

    Raises:
        IdentifierError: `text` is not a string, or is longer than `MOST_CHARACTERS`.
    """
    if (plain := plain_text(text)) is None:
        raise IdentifierError(f"{name}: expected a string, not {shown(text)}")
    if len(plain) > MOST_CHARACTERS:
        raise IdentifierError(f"{name}: the text has {len(plain):,} characters, more than {MOST_CHARACTERS:,}")
    return plain


def base64_characters(text: str, name: str, length: int) -> str:
    """The characters of an identifier without its label, padding and whitespace.

    Raises:
        IdentifierError: there are more or fewer characters, or one is outside the alphabet.
    """
    stripped = bounded(text, name).strip()
    labeled = re.match(label_re(name), stripped, re.IGNORECASE | re.ASCII)
    characters = stripped[labeled.end() if labeled else 0 :].removesuffix("==")
    if (bad := re.search(_NO_BASE64, characters)) is not None:
        raise IdentifierError(f"{name}: {bad[0]!r} is not a Base64 character")
    if len(characters) != length:
        beginning = characters if len(characters) <= 40 else characters[:40] + "..."
        raise IdentifierError(f"{name}: expected {length} characters, but {beginning!r} has {len(characters)}")
    return characters


def whole_field(where: str, text: str, allowed: range) -> int:
    """The whole number in a field.

    Raises:
        IdentifierError: the field is not a whole number in this range; the message begins with `where`.
    """
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS and int(text) in allowed:
        return int(text)
    few = [str(number) for number in allowed[:4]]
    needed = f"a whole number from {allowed[0]} to {allowed[-1]}"
    if len(few) < 4:
        needed = f"{', '.join(few[:-1])} or {few[-1]}"
    raise IdentifierError(f"{where}: expected {needed}, not {shown(text)}")

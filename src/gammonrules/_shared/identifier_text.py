"""What the readers of identifiers share: labels, Base64 characters, and whole numbers in a range."""

from __future__ import annotations

import re

from gammonrules._shared.pasted_text import AROUND, AT_THE_END, unwrapped, with_plain_signs
from gammonrules.errors import IdentifierError
from gammonrules.values import plain_text, shown

_NO_BASE64 = r"[^A-Za-z0-9+/]"
_MOST_DIGITS = 12
"""More than any range here needs, so a number with millions of digits is never computed."""
MOST_CHARACTERS = 10_000
"""The longest text around an identifier: enough for a page that somebody pastes."""

LABELS = {
    "XGID": "XGID",
    "OGID": "OGID",
    "gnubg ID": r"GNU[ -]?(?:BG|Backgammon)?[ -]?ID",
    "Position ID": "Pos(?:ition)?[ -]?ID",
    "Match ID": "Match[ -]?ID",
}
"""How identifiers are labeled, by the names that we have for them."""

_OPENING = r"[ *_`\"'<(\[]*"


def label_re(pattern: str) -> str:
    """A pattern for a label and its sign, if it has one, with the quotes and Markdown around them."""
    return rf"{pattern}(?![A-Za-z0-9+/-])(?>{_OPENING}[:=]?{_OPENING})"


_LABEL_OF_GROUP = ["", *LABELS]
"""The label that each group of `_LABEL` is for; groups are numbered from 1."""
_LABEL = re.compile(
    rf"(?:GNU Backgammon )?(?:{'|'.join(f'({label_re(pattern)})' for pattern in LABELS.values())})",
    re.IGNORECASE | re.ASCII,
)


def bounded(text: object, name: str) -> str:
    """The text of an identifier, once it is known to be short enough.

    Raises:
        IdentifierError: `text` is not a string, or is longer than `MOST_CHARACTERS`.
    """
    plain = plain_text(text)
    if plain is None:
        raise IdentifierError(f"{name}: expected a string, not {shown(text)}")
    if len(plain) > MOST_CHARACTERS:
        raise IdentifierError(
            f"{name}: the text has {len(plain):,} characters, more than {MOST_CHARACTERS:,}"
        )
    return plain


def pasted(text: str, name: str) -> str:
    """The text of an identifier in plain signs, with single blanks, and without what people paste around it.

    Raises:
        IdentifierError: as `bounded`.
    """
    return unwrapped(with_plain_signs(bounded(text, name)))


def labeled(text: str) -> tuple[str, str]:
    """The label of a pasted text, "" if it has none, and what follows it."""
    match = _LABEL.match(text)
    if match is None:
        return "", text
    assert match.lastindex is not None  # each label that the pattern allows is a group of its own
    label = _LABEL_OF_GROUP[match.lastindex]
    return label, text[match.end() :]


def without_label(text: str, name: str) -> str:
    """What follows the label of a pasted text, if it has one.

    Raises:
        IdentifierError: the label is that of another form.
    """
    label, rest = labeled(text)
    if label not in {"", name}:
        raise IdentifierError(f"{name}: by its label the text is another identifier, {label}")
    return rest


def first_word(text: str) -> str:
    """An identifier without blanks, before anything that follows it."""
    if not text:
        return ""
    return text.split(maxsplit=1)[0].rstrip(AROUND + AT_THE_END)


def base64_characters(text: str, name: str, length: int) -> str:
    """The characters of an identifier without its label, padding and whitespace.

    Raises:
        IdentifierError: there are more or fewer characters, or one is outside the alphabet.
    """
    characters = without_label(pasted(text, name), name).removesuffix("==")
    wrong = re.search(_NO_BASE64, characters)
    if wrong is not None:
        raise IdentifierError(f"{name}: {wrong[0]!r} is not a Base64 character")
    if len(characters) != length:
        beginning = characters if len(characters) <= 40 else characters[:40] + "..."
        raise IdentifierError(
            f"{name}: expected {length} characters, but {beginning!r} has {len(characters)}"
        )
    return characters


def whole_field(where: str, text: str, allowed: range) -> int:
    """The whole number in a field.

    Raises:
        IdentifierError: the field is not a whole number in this range; the message begins with `where`.
    """
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
    if is_number and int(text) in allowed:
        return int(text)
    if len(allowed) <= 3:  # few enough to name them
        *others, last = map(str, allowed)
        needed = f"{', '.join(others)} or {last}"
    else:
        needed = f"a whole number from {allowed[0]} to {allowed[-1]}"
    raise IdentifierError(f"{where}: expected {needed}, not {shown(text)}")

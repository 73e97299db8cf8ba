"""Texts from files, made harmless for a page."""

from __future__ import annotations

from html import escape
from unicodedata import category

from gammonrules.limits import LONGEST_NAME

LONGEST_REMARK = 20_000
"""Characters of a comment or a note on a page."""

_NOT_SHOWN = {"Cc", "Cs", "Cn"}
"""Control characters, halves of surrogate pairs, and code points that are not characters."""
_TURNING = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
"""They change the direction of the text after them; the page isolates each text itself."""


def harmless(text: str, most: int = LONGEST_REMARK) -> str:
    """A text without such characters and without changes of direction; a long one is cut off."""
    kept = text if len(text) <= most else f"{text[:most]}…"
    if kept.isprintable():  # the usual case
        return kept
    return "".join(character if character.isprintable() else _replaced(character) for character in kept)


def _replaced(character: str) -> str:
    if character in "\n\t":
        return character
    return "\N{REPLACEMENT CHARACTER}" if category(character) in _NOT_SHOWN or character in _TURNING else character


def printed_name(name: str, otherwise: str) -> str:
    """The name of a player on one line, or another word if there is none."""
    return " ".join(harmless(name, LONGEST_NAME).split()) or otherwise


def html(text: str) -> str:
    """A text as HTML, safe inside the quotes of an attribute too."""
    return escape(text, quote=True)


def isolated(text: str) -> str:
    """A text from a file as HTML, with a writing direction of its own."""
    return f"<bdi>{html(text)}</bdi>"

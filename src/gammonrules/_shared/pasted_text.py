"""Text as people paste it: from documents, mails, chats and pages, whose programs change signs as they like."""

from __future__ import annotations

_MEANT = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63",
    "/": "\u2044\u2215\u2192\u21d2\u2794\u279c\u279d\u279e\u27a1\u27f6",
    "*": "\u2217\u204e",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb",
    "'": "\u2018\u2019\u201a\u201b\u2039\u203a",
    "": "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff",
}
"""What a keyboard has, and the signs that stand for it; an arrow in a play is a slash. The last ones are not seen."""
_WIDE = range(0xFF01, 0xFF5F)
"""The full-width forms of ASCII."""
_SIGNS = {wide: chr(ord("!") + index) for index, wide in enumerate(_WIDE)}
"""What takes the place of each sign, by its number, for `str.translate`."""
for _sign, _others in _MEANT.items():
    _SIGNS.update(dict.fromkeys(map(ord, _others), _sign))
AROUND = " \"'`*_~<>()[]{}"
"""Quotes, brackets and Markdown."""
AT_THE_END = ".,;!?"


def with_plain_signs(text: str) -> str:
    """The text with the signs of a keyboard, and single blanks between its words.

    Examples:
        >>> with_plain_signs("  8→5  “6→5”")
        '8/5 "6/5"'
    """
    if not text.isascii():
        text = text.translate(_SIGNS)
    return " ".join(text.split())


def unwrapped(text: str) -> str:
    """A text of plain signs without quotes, brackets, Markdown and the end of a sentence around it.

    Examples:
        >>> unwrapped("`XGID=...:7:10`, "), unwrapped("(4HPwATDgc/ABMA).")
        ('XGID=...:7:10', '4HPwATDgc/ABMA')
    """
    return text.strip(AROUND).rstrip(AROUND + AT_THE_END)

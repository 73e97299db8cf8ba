"""Text as people paste it: from documents, mails, chats and pages, whose programs change signs as they like."""

from __future__ import annotations

import re
from collections.abc import Callable

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

_PERCENT = re.compile("%(?:25)*([0-7][0-9A-F])", re.IGNORECASE)
"""A sign of ASCII in an address, which may have been put into another address, and so on."""
_ENTITIES = {
    "amp": "&",
    "apos": "'",
    "colon": ":",
    "equals": "=",
    "gt": ">",
    "lt": "<",
    "mdash": "\N{EM DASH}",
    "minus": "-",
    "nbsp": " ",
    "ndash": "\N{EN DASH}",
    "plus": "+",
    "quot": '"',
    "sol": "/",
}
_ENTITY = re.compile(
    f"&(?:amp;)*(?:({'|'.join(_ENTITIES)})|#0{{0,5}}([0-9]{{2,4}})|#x0{{0,5}}(2?[0-9a-f]{{2,3}}));",
    re.IGNORECASE | re.ASCII,
)
"""A sign in the source of a page, by its name or its number; no identifier has one above 0x2fff."""
_TAG = re.compile(
    r"<[!/]?[a-z](?:[a-z0-9]{0,9}|[a-z0-9]{0,20}-[a-z0-9-]{0,20})(?: [^<>]*)?/?>"
    r"|\[/?[a-z]{1,10}(?:=[^\[\]]*)?\]",
    re.IGNORECASE | re.ASCII,
)
"""A tag of HTML or BBCode. The longest names without a hyphen have 10 signs, a Match ID in such brackets 12."""
_AROUND_WORDS = re.compile(r"[\"'<>\[\]]")


def with_plain_signs(text: str) -> str:
    """The text with the signs of a keyboard, and single blanks between its words.

    Examples:
        >>> with_plain_signs("  8→5  “6→5”")
        '8/5 "6/5"'
    """
    if not text.isascii():
        text = text.translate(_SIGNS)
    return " ".join(text.split())


def uncoded(text: str) -> str:
    """The text with the signs that stand in an address or in the source of a page as codes.

    What separates the fields of an address, &, becomes a blank.

    Examples:
        >>> uncoded("?xgid%3D-b%253A&#61;&amp;#x3d;&colon;&page=2")
        '?xgid=-b:==: page=2'
    """
    if "%" in text:
        text = _PERCENT.sub(lambda code: chr(int(code[1], 16)), text)
    if "&" in text:
        text = _ENTITY.sub(_sign_of_entity, text).replace("&", " ")
    return text


def _sign_of_entity(entity: re.Match[str]) -> str:
    name, decimal, hexadecimal = entity.groups()
    if name is not None:
        return _ENTITIES[name.lower()]
    return chr(int(decimal) if decimal is not None else int(hexadecimal, 16))


def without_tags(text: str, is_kept: Callable[[str], bool]) -> str:
    """A text of plain signs without its tags, but with the words of those that are kept.

    A text that is nothing but tags stays as it is.

    Examples:
        >>> is_kept = "<img alt='XGID'>".__eq__
        >>> without_tags("<p class='a'><img alt='XGID'>: <b>...</b></p>", is_kept)
        'img alt= XGID : ...'
    """
    if "<" not in text and "[" not in text:
        return text
    bare = _TAG.sub(lambda tag: _AROUND_WORDS.sub(" ", tag[0]) if is_kept(tag[0]) else " ", text)
    return " ".join(bare.split()) or text


def unwrapped(text: str) -> str:
    """A text of plain signs without quotes, brackets, Markdown and the end of a sentence around it.

    Examples:
        >>> unwrapped("`XGID=...:7:10`, "), unwrapped("(4HPwATDgc/ABMA).")
        ('XGID=...:7:10', '4HPwATDgc/ABMA')
    """
    return text.strip(AROUND).rstrip(AROUND + AT_THE_END)

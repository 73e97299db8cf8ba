r"""The comments of a file: texts in RTF, one a line, with the bytes 1 and 2 for line breaks inside a text.

Only the text is taken: bytes in a code page (`\'e9`), Unicode (`\u233?`), paragraphs and tabs. Everything else of RTF
is left out, as are the groups without text, such as the table of fonts. Nesting costs one number a level.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from attrs import Factory, define

LONGEST_COMMENT: Final = 20_000
"""The most bytes of RTF that are read; the rest of a comment is left out."""
LARGEST_FILE: Final = 2 * 1024 * 1024
"""Bytes of RTF of all comments together."""
MOST_TEXT: Final = 4 * 1024 * 1024
"""Characters of all comments together, each counted every time a record names it; later ones are left out."""

_TOKEN = re.compile(
    r"\\'(?P<byte>[0-9a-fA-F]{2})"
    r"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?"
    r"|\\(?P<symbol>[^a-zA-Z])"
    r"|(?P<brace>[{}])"
    r"|(?P<plain>[^\\{}\r\n]+)"
    r"|[\\\r\n]"
)
_SILENT = frozenset({"*", "fonttbl", "colortbl", "stylesheet", "info", "pict", "generator", "listtable", "themedata"})
"""What begins a group without text."""
_BREAKS = {"par": "\n", "line": "\n", "sect": "\n", "page": "\n", "tab": "\t", "\n": "\n", "\r": "\n"}
_DASHES = {"emdash": "\u2014", "endash": "\u2013", "_": "\u2011", "~": "\u00a0", "bullet": "\u2022"}
_QUOTES = {"lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d"}
_CHARACTERS = _BREAKS | _DASHES | _QUOTES


@define
class Comments:
    """The comments of a file, each decoded when a record first names it."""

    lines: list[bytes]
    left: int = MOST_TEXT
    texts: dict[int, str] = Factory(dict[int, str])

    @classmethod
    def of(cls, content: bytes) -> Comments:
        """The comments in the file "temp.xgc"."""
        return cls(content[:LARGEST_FILE].split(b"\r\n"))

    def text(self, number: int) -> str:
        """The comment with this number as plain text; nothing if there is none."""
        if not 0 <= number < len(self.lines):
            return ""
        if number not in self.texts:
            self.texts[number] = plain_text(self.lines[number].replace(b"\x01\x02", b"\r\n"))
        text = self.texts[number]
        self.left -= len(text)
        return text if self.left >= 0 else ""


def plain_text(rtf: bytes) -> str:
    r"""The text of one comment.

    >>> plain_text(rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Tahoma;}}\f0 d\'e9j\u224?\par}")
    'd\xe9j\xe0'
    """
    text = rtf[:LONGEST_COMMENT].decode("latin-1")
    if not text.lstrip().startswith("{\\rtf"):
        return rtf[:LONGEST_COMMENT].decode("cp1252", "replace").strip()
    return _Reader().read(text)


class _Reader:
    def __init__(self) -> None:
        self.page = "cp1252"
        self.bytes = bytearray()
        """Bytes in the code page that are not decoded yet: a character may take two."""
        self.parts: list[str] = []
        self.fallbacks: list[int] = [1]
        """For each open group, how many characters replace one of Unicode."""
        self.silent_from = 0
        """The depth of the outermost group without text, inside one."""
        self.to_skip = 0

    def read(self, text: str) -> str:
        for token in _TOKEN.finditer(text):
            if token["brace"]:
                self.brace(opens=token["brace"] == "{")
            elif self.silent_from:
                continue
            elif token["byte"]:
                self.characters(bytes([int(token["byte"], 16)]))
            elif token["plain"]:
                self.characters(token["plain"].encode("latin-1"))
            elif word := token["word"] or token["symbol"]:
                self.control(word, token["number"])
        self.add("")
        return "".join(self.parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()

    def brace(self, *, opens: bool) -> None:
        self.to_skip = 0
        if opens:
            self.fallbacks.append(self.fallbacks[-1])
            return
        if len(self.fallbacks) <= self.silent_from:
            self.silent_from = 0
        if len(self.fallbacks) > 1:
            self.fallbacks.pop()

    def characters(self, characters: bytes) -> None:
        skipped = min(self.to_skip, len(characters))
        self.to_skip -= skipped
        self.bytes += characters[skipped:]

    def control(self, word: str, number: str | None) -> None:
        value = int(number or 0)
        if word in _SILENT:
            self.silent_from = len(self.fallbacks)
        elif word == "ansicpg":
            self.add("")
            self.page = _code_page(value)
        elif word == "u" and number is not None:
            self.add(chr(value & 0xFFFF))
            self.to_skip = self.fallbacks[-1]
        elif word == "uc" and number is not None:
            self.fallbacks[-1] = min(max(value, 0), 8)
        elif word in _CHARACTERS:
            self.add(_CHARACTERS[word])
        elif word in "\\{}":
            self.characters(word.encode())

    def add(self, text: str) -> None:
        """Decode the bytes so far, and add this text."""
        self.parts.append(self.bytes.decode(self.page, "replace") + text)
        self.bytes.clear()


def _code_page(number: int) -> str:
    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return "cp1252"

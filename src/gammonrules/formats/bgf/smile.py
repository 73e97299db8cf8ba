"""SMILE, a binary form of JSON, by its public specification; shared texts, large numbers and raw data are refused.

A token is a byte that says what a value is, and perhaps how long. A name is written once, then it has a number.
"""

from __future__ import annotations

import re
from functools import cache, reduce
from struct import unpack
from typing import Any, Final, NamedTuple

from attrs import define

HEADER: Final = b":)\n\x01"
"""Of the first version, with shared names and no shared texts."""
MOST_VALUES: Final = 1_000_000
MOST_DEPTH: Final = 64
_MOST_NAMES: Final = 1024
"""With more, their numbers begin again from 0."""
_LITERALS: Final = {0x20: "", 0x21: None, 0x22: False, 0x23: True, **{0xC0 + n: n >> 1 ^ -(n & 1) for n in range(32)}}
_TEXTS: Final = {0xE0: None, 0xE4: None, **{0x40 + n: n + 1 if n < 64 else n - 62 for n in range(128)}}
"""How many bytes a text has, first of ASCII, then of UTF-8; None for one up to a byte that ends it."""
_WHOLE: Final = re.compile(rb"[\x00-\x7f]{0,9}[\x80-\xbf]")


class Part(NamedTuple):
    """A value that is kept encoded, and the names to which it may refer."""

    data: bytes
    names: tuple[str, ...] = ()

    def read(self, kept: frozenset[str] = frozenset()) -> tuple[object, str]:
        """The value, as far as it can be read, and what is wrong, or ""; members with these names are kept encoded."""
        smile, root = _Smile(self.data.removesuffix(b"\xff") + b"\xf9", self.names, kept), list[Any]()
        try:
            smile.fill(root, 0)
        except (IndexError, ValueError):
            return (root or [None])[0], f"its data cannot be read from byte {smile.at:,} on"
        return (root or [None])[0], "" if len(root) == 1 else "its data does not end where it should"


@define
class _Smile:
    data: bytes
    names: tuple[str, ...]
    kept: frozenset[str]
    at: int = 0
    left: int = MOST_VALUES

    def fill(self, box: Any, depth: int) -> None:
        """Read the items of an array, or the members of an object; each is put there before what is in it."""
        data, is_array, name = self.data, isinstance(box, list), None
        end = 0xF9 if is_array else 0xFB
        while data[self.at] != end:
            if not is_array:
                name = self.name()
            is_kept, start, token = name in self.kept, self.at, data[self.at]
            self.left -= 1
            if depth > MOST_DEPTH or self.left < 0:
                raise ValueError
            if is_kept and (usual := _usual_form().match(data, start)):
                self.at = usual.end()
                box[name] = Part(usual[0], self.names)
                continue
            self.at, names = start + 1, self.names
            value = _LITERALS[token] if token in _LITERALS else self.plain(token)
            if is_array:
                box.append(value)
            elif not is_kept:
                box[name] = value
            if token in (0xF8, 0xFA):
                self.fill(value, depth + 1)
            if is_kept:
                box[name] = Part(data[start : self.at], names)
        self.at += 1

    def plain(self, token: int) -> object:
        if token in (0xF8, 0xFA):
            return [] if token == 0xF8 else {}
        if token in _TEXTS:
            return self.text(_TEXTS[token])
        if token in (0x28, 0x29):
            size, form = (4, ">f") if token == 0x28 else (8, ">d")
            return unpack(form, (_bits(self.take(size * 5 // 4)) % 256**size).to_bytes(size))[0]
        whole = _WHOLE.match(self.data, self.at)
        if token not in (0x24, 0x25) or whole is None:
            raise ValueError
        number = _bits(self.take(len(whole[0]) - 1)) << 6 | self.take(1)[0] & 0x3F
        return number >> 1 ^ -(number & 1)

    def name(self) -> str:
        token = self.data[self.at]
        self.at += 1
        if 0x40 <= token < 0x80:
            return self.names[token - 0x40]
        if 0x80 <= token < 0xF8:
            self.names = (*self.names[: len(self.names) % _MOST_NAMES], self.text(_TEXTS[token - 0x40]))
            return self.names[-1]
        if not 0x30 <= token < 0x34:
            raise ValueError
        return self.names[(token - 0x30) << 8 | self.take(1)[0]]

    def text(self, length: int | None) -> str:
        raw = self.take(self.data.index(0xFC, self.at) - self.at if length is None else length)
        self.at += length is None
        return raw.decode("utf-8", "replace")

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


def _bits(data: bytes) -> int:
    return reduce(lambda number, byte: number << 7 | byte & 0x7F, data, 0)


@cache
def _usual_form() -> re.Pattern[bytes]:
    """How BGBlitz writes analyses: up to four values inside each other, no new names. It is quicker than reading."""
    key = rb"(?:[\x40-\x7f]|[\x30-\x33].)"
    number = rb"\x49\d\.\d{8}|\x4a[-\d]\d\.\d{8}|\x4b[-\d]\d\d\.\d{8}|\x4c[-\d]\d{3}\.\d{8}"
    plain = form = (
        rb"[\x20-\x23\xc0-\xdf]|\x24[\x00-\x7f]*+[\x80-\xbf]|\x43\w{4}|\x44\w{5}|\x45\w{6}|\x46\w{7}|\x48\w{9}|"
        + number
    )
    for _ in range(4):
        form = rb"%b|\xf8(?:%b)*+\xf9|\xfa(?:%b(?:%b))*+\xfb" % (plain, form, key, form)
    return re.compile(form, re.DOTALL)

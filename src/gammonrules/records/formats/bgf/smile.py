"""SMILE, a binary form of JSON, by its public specification; shared texts, large numbers and raw data are refused.

A token is a byte that says what a value is, and perhaps how long. A name is written once, then it has a number.
"""

from __future__ import annotations

import re
from functools import cache, reduce
from struct import unpack
from typing import Any, Final, TypeAlias

from attrs import define

HEADER: Final = b":)\n\x01"
"""Of the first version, with shared names and no shared texts."""
MOST_VALUES: Final = 1_000_000
MOST_DEPTH: Final = 64
_MOST_NAMES: Final = 1024
"""With more, their numbers begin again from 0."""


def _zigzag(number: int) -> int:
    return number >> 1 ^ -(number & 1)


_SMALL: Final = {0xC0 + n: _zigzag(n) for n in range(32)}
_LITERALS: Final[dict[int, Any]] = {0x20: "", 0x21: None, 0x22: False, 0x23: True} | _SMALL
_NUMBER: Final = re.compile(rb"[\xc0-\xdf]|\x24[\x80-\xbf]")
_NUMBERS: Final = re.compile(rb"\xf8((?:%b){1,32}+)\xf9" % _NUMBER.pattern)
_VALUES: Final = {b"%c" % token: number for token, number in _SMALL.items()} | {
    b"\x24%c" % (0x80 + n): _zigzag(n) for n in range(64)
}
"""A number from -32 to 31, an array of them, and what they are."""
_TEXTS: Final = {
    0xE0: None,
    0xE4: None,
    **{0x40 + n: n + 1 if n < 64 else n - 62 for n in range(128)},
}
"""How many bytes a text has, first of ASCII, then of UTF-8; None for one up to a byte that ends it."""
_WHOLE: Final = re.compile(rb"[\x00-\x7f]{0,9}[\x80-\xbf]")

Part: TypeAlias = tuple[bytes, tuple[str, ...]]
"""A value that is kept encoded, and the names to which it may refer."""


def read_smile(
    data: bytes, names: tuple[str, ...] = (), kept: frozenset[str] = frozenset()
) -> tuple[object, str]:
    """The value, as far as it can be read, and what is wrong, or ""; members with these names are kept encoded."""
    smile = _Smile(data.removesuffix(b"\xff") + b"\xf9", names, kept)
    root = list[Any]()
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
        data = self.data
        is_array = isinstance(box, list)
        name = ""
        end = 0xF9 if is_array else 0xFB
        while (token := data[self.at]) != end:
            if not is_array:
                self.at += 1
                name = self.names[token - 0x40] if 0x40 <= token < 0x80 else self.name(token)
                token = data[self.at]
            start = self.at
            names = self.names
            is_kept = name in self.kept
            self.left -= 1
            if depth > MOST_DEPTH or self.left < 0:
                raise ValueError
            if token in _LITERALS:
                value = _LITERALS[token]
                is_kept = False
                self.at += 1
            elif (
                is_kept
                and len(names) <= 0xF8
                and (whole := _without_new_names().match(data, start))
            ):
                value = (whole[0], names)
                is_kept = False
                self.at = whole.end()
            elif whole := _NUMBERS.match(data, start):
                value = [_VALUES[item] for item in _NUMBER.findall(whole[1])]
                self.at = whole.end()
                self.left -= len(value)
            else:
                self.at += 1
                value = self.plain(token)
            if is_array:
                box.append(value)
            else:
                box[name] = value
            if token in (0xF8, 0xFA) and not value:
                self.fill(value, depth + 1)
            if is_kept:
                box[name] = data[start : self.at], names
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
        return _zigzag(_bits(self.take(len(whole[0]) - 1)) << 6 | self.take(1)[0] & 0x3F)

    def name(self, token: int) -> str:
        if 0x80 <= token < 0xF8:
            self.names = (
                *self.names[: len(self.names) % _MOST_NAMES],
                self.text(_TEXTS[token - 0x40]),
            )
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
def _without_new_names() -> re.Pattern[bytes]:
    """Up to four values inside each other in which all names are known: the end is found in a fraction of the time.

    A byte from 0xF8 to 0xFB is a bracket, unless names are so many that it may be the number of one. A new name has a
    byte that no member has here; large numbers and texts beyond ASCII have one too, and so stand in flat arrays alone.
    """
    numbers = rb"\xf8[^\xf8-\xfb]*+\xf9"
    members = rb"[\x00-\x23\x25-\x7f\xc0-\xdf]*+"
    value = rb"\xfa%b\xfb" % members
    for _ in range(3):
        value = rb"\xfa%b(?:(?:%b|%b)%b)*+\xfb" % (members, numbers, value, members)
    return re.compile(rb"%b|\xf8(?:%b)*+\xf9" % (value, value), re.DOTALL)

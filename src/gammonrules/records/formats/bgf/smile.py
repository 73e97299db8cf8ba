"""SMILE, a binary form of JSON, by its public specification; shared texts, large numbers and raw data are refused.

A token is a byte that says what a value is, and perhaps how long. A name is written once, then it has a number.
"""

from __future__ import annotations

import re
from functools import cache
from struct import unpack
from typing import Any, Final, NamedTuple

from attrs import define

HEADER: Final = b":)\n\x01"
"""Of the first version, with shared names and no shared texts."""
MAX_VALUES: Final = 1_000_000
MAX_DEPTH: Final = 64
_MAX_NAMES: Final = 1024
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


class _Float(NamedTuple):
    size: int
    """In bytes."""
    groups: int
    """Of seven bits, which that takes in a file."""
    form: str


_FLOATS: Final = {0x28: _Float(4, 5, ">f"), 0x29: _Float(8, 10, ">d")}
"""By their tokens."""
_WHOLE_NUMBERS: Final = (0x24, 0x25)
_ARRAY: Final = 0xF8
_END_OF_ARRAY: Final = 0xF9
_OBJECT: Final = 0xFA
_END_OF_OBJECT: Final = 0xFB
_END_OF_TEXT: Final = 0xFC
_END_OF_DOCUMENT: Final = b"\xff"
_MAX_SHORT_NAMES: Final = 0xF8
"""With more, a byte of an end may be the number of a name."""
_WHOLE: Final = re.compile(rb"[\x00-\x7f]{0,9}[\x80-\xbf]")


class EncodedMember(NamedTuple):
    """A value that is kept encoded."""

    data: bytes
    names: tuple[str, ...]
    """The names to which it may refer."""


def read_smile(
    data: bytes, names: tuple[str, ...] = (), kept: frozenset[str] = frozenset()
) -> tuple[object, str]:
    """The value, as far as it can be read, and what is wrong, or ""; members with these names are kept encoded."""
    # read like the items of an array, of which the document is the only one
    without_end = data.removesuffix(_END_OF_DOCUMENT)
    smile = _Smile(without_end + bytes([_END_OF_ARRAY]), names, kept)
    root: list[Any] = []
    damage = ""
    try:
        smile.fill(root, 0)
    except (IndexError, ValueError):
        damage = f"its data cannot be read from byte {smile.at:,} on"
    else:
        if len(root) != 1:
            damage = "its data does not end where it should"
    return (root[0] if root else None), damage


def read_part(part: EncodedMember) -> object:
    """A value that was kept encoded."""
    data, names = part
    value, _ = read_smile(data, names)
    return value


@define
class _Smile:
    data: bytes
    names: tuple[str, ...]
    kept: frozenset[str]
    """The names of members that are kept encoded."""
    at: int = 0
    """The index of the next byte."""
    left: int = MAX_VALUES
    """How many more values may be read."""

    def fill(self, box: list[Any] | dict[str, Any], depth: int) -> None:
        """Read the items of an array, or the members of an object, into `box`.

        An inner array or object is put into `box` while it is empty, and filled then: so damage in it leaves what was
        read before.
        """
        end = _END_OF_ARRAY if isinstance(box, list) else _END_OF_OBJECT
        while self.data[self.at] != end:
            name = "" if isinstance(box, list) else self.next_name()
            self.left -= 1
            if depth > MAX_DEPTH or self.left < 0:
                raise ValueError
            token = self.data[self.at]
            if token in _LITERALS:
                self.at += 1
                _put(box, name, _LITERALS[token])
            elif name in self.kept:
                self.keep(box, name, depth)
            else:
                self.fill_one(box, name, depth)
        self.at += 1

    def keep(self, box: list[Any] | dict[str, Any], name: str, depth: int) -> None:
        """Put a value there as it is encoded."""
        start = self.at
        names_before = self.names
        match = None
        if len(names_before) <= _MAX_SHORT_NAMES:
            match = _without_new_names().match(self.data, start)
        if match is not None:
            self.at = match.end()
        else:
            # only to find its end, and the names in it; what this puts there is replaced below
            self.fill_one(box, name, depth)
        _put(box, name, EncodedMember(self.data[start : self.at], names_before))

    def fill_one(self, box: list[Any] | dict[str, Any], name: str, depth: int) -> None:
        """Read a value that is no literal."""
        numbers = _NUMBERS.match(self.data, self.at)
        if numbers is not None:
            values = [_VALUES[item] for item in _NUMBER.findall(numbers[1])]
            self.at = numbers.end()
            self.left -= len(values)
            _put(box, name, values)
            return
        token = self.take(1)[0]
        if token in (_ARRAY, _OBJECT):
            inner: list[Any] | dict[str, Any] = [] if token == _ARRAY else {}
            _put(box, name, inner)
            self.fill(inner, depth + 1)
        else:
            _put(box, name, self.plain(token))

    def plain(self, token: int) -> object:
        """A text or a number after its token."""
        if token in _TEXTS:
            return self.text(_TEXTS[token])
        if token in _FLOATS:
            number = _FLOATS[token]
            # the groups have a few bits more than the number, at the upper end
            bits = _bits(self.take(number.groups)) % 256**number.size
            return unpack(number.form, bits.to_bytes(number.size))[0]
        whole = _WHOLE.match(self.data, self.at)
        if token not in _WHOLE_NUMBERS or whole is None:
            raise ValueError
        # groups of seven bits, and a last byte with six
        high = _bits(self.take(len(whole[0]) - 1))
        low = self.take(1)[0] & 0x3F
        return _zigzag(high << 6 | low)

    def next_name(self) -> str:
        """The name of a member: a new one, or the number of one that came before."""
        token = self.take(1)[0]
        if 0x40 <= token < 0x80:  # a number up to 63
            return self.names[token - 0x40]
        if 0x80 <= token < 0xF8:  # a new name, with the tokens of short texts, but 0x40 higher
            name = self.text(_TEXTS[token - 0x40])
            kept_names = () if len(self.names) == _MAX_NAMES else self.names
            self.names = (*kept_names, name)
            return name
        if 0x30 <= token < 0x34:  # a number of ten bits, eight of them in the next byte
            upper_bits = token - 0x30
            return self.names[upper_bits << 8 | self.take(1)[0]]
        raise ValueError

    def text(self, length: int | None) -> str:
        """A text of so many bytes, or up to the byte that ends it."""
        if length is not None:
            return self.take(length).decode("utf-8", "replace")
        end = self.data.index(_END_OF_TEXT, self.at)
        raw = self.take(end - self.at)
        self.at += 1  # past that byte
        return raw.decode("utf-8", "replace")

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


def _put(box: list[Any] | dict[str, Any], name: str, value: object) -> None:
    if isinstance(box, list):
        box.append(value)
    else:
        box[name] = value


def _bits(data: bytes) -> int:
    """A number in groups of seven bits, the highest first."""
    number = 0
    for byte in data:
        number = number << 7 | byte & 0x7F
    return number


@cache
def _without_new_names() -> re.Pattern[bytes]:
    """An object, or an array of objects, that has up to four inside each other and no new names.

    With this, the end of a value is found in a fraction of the time. The bytes from 0xF8 to 0xFB are brackets, and
    nothing else as long as names are too few for such a number. Every new name has a byte that the plain members leave
    out, and so have large numbers and texts beyond ASCII, which are matched in flat arrays only.
    """
    flat_array = rb"\xf8[^\xf8-\xfb]*+\xf9"
    plain_members = rb"[\x00-\x23\x25-\x7f\xc0-\xdf]*+"
    innermost_object = rb"\xfa%b\xfb" % plain_members
    nested_object = innermost_object
    for _ in range(3):
        parts = (plain_members, flat_array, nested_object, plain_members)
        nested_object = rb"\xfa%b(?:(?:%b|%b)%b)*+\xfb" % parts
    return re.compile(rb"%b|\xf8(?:%b)*+\xf9" % (nested_object, nested_object), re.DOTALL)
